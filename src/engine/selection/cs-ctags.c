/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gio/gunixinputstream.h>

#include "selection/cs-ctags-line.h"
#include "selection/cs-ctags.h"

/* How long a program may take to say its version, ms. */
#define VERSION_TIMEOUT_MS (10 * 1000)
#define LONGEST_VERSION (64 * 1024)
/* ctags reads commands through a buffer of 1,024 bytes, and takes what is longer for two. */
#define LONGEST_COMMAND 1000
/* What one line, and all lines of one file, may take, bytes. */
#define LONGEST_LINE (1024 * 1024)
#define LARGEST_OUTPUT (128 * 1024 * 1024)

/* The niceness of what is to be polite. */
#define POLITE_NICE 10

struct _CsCtags
{
  GSubprocess *process;
  int out;                   /* belongs to @process */
  int questions;             /* socket: a write to a program that is gone is no signal then */
  GCancellable *cancellable; /* (nullable) */
  guint timeout_ms;
  gboolean cplusplus;
  gboolean begun;            /* it has said what it is */
  gboolean broken;           /* a question couldn't be sent */
  GString *answers;
  gsize taken;               /* of @answers */
  GHashTable *templates;     /* (element-type utf8): class templates of the file */
};

G_DEFINE_QUARK (cs-ctags-error-quark, cs_ctags_error)

/* Waits for more bytes until @deadline. Returns how many came, 0 at the end; -1 with @error. */
static gssize
read_some (int fd, GString *into, gint64 deadline, GCancellable *cancellable, GError **error)
{
  const int cancelled = g_cancellable_get_fd (cancellable);
  struct pollfd fds[] = { { fd, POLLIN, 0 }, { cancelled, POLLIN, 0 } };
  gsize before = into->len;
  gssize got = -1;
  int ready = 0;

  do
    {
      gint64 left = (deadline - g_get_monotonic_time ()) / 1000;

      ready = poll (fds, 2, (int) CLAMP (left, 0, G_MAXINT));
    }
  while (ready < 0 && errno == EINTR);
  if (cancelled >= 0)
    g_cancellable_release_fd (cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return -1;
  if (ready <= 0)
    {
      g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_PROGRAM, "it gave no answer in time");
      return -1;
    }
  g_string_set_size (into, before + 65536);
  do
    got = read (fd, into->str + before, 65536);
  while (got < 0 && errno == EINTR);
  g_string_set_size (into, before + (gsize) MAX (got, 0));
  if (got < 0)
    g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_PROGRAM, "%s", g_strerror (errno));
  return got;
}

static GSubprocess *
start (const char *const *argv, const char *folder, int questions, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);

  if (questions >= 0)
    g_subprocess_launcher_take_stdin_fd (launcher, questions);
  g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_unsetenv (launcher, "CTAGS");
  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C", TRUE);
  return g_subprocess_launcher_spawnv (launcher, argv, error);
}

static int
get_out (GSubprocess *process)
{
  return g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (process)));
}

/* What a program says of itself. */
static char *
ask_version (const char *path, GError **error)
{
  const char *argv[] = { path, "--options=NONE", "--version", NULL };
  const gint64 deadline = g_get_monotonic_time () + (gint64) VERSION_TIMEOUT_MS * 1000;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GSubprocess) process = start (argv, "/", -1, error);
  gssize got = 1;

  if (process == NULL)
    return NULL;
  while (got > 0 && text->len < LONGEST_VERSION)
    got = read_some (get_out (process), text, deadline, NULL, error);
  g_subprocess_force_exit (process);
  return got >= 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* "+json, +interactive" → "json interactive" */
static char *
take_features (const char *text)
{
  const char *line = strstr (text, "compiled features:");
  g_autoptr (GString) features = g_string_new (NULL);

  if (line == NULL)
    return g_strdup ("");
  line += strlen ("compiled features:");
  for (; *line != '\0' && *line != '\n'; line++)
    {
      if (*line == ',' && features->len > 0)
        g_string_append_c (features, ' ');
      else if (g_ascii_isalnum (*line) || *line == '-' || *line == '_')
        g_string_append_c (features, *line);
    }
  return g_string_free (g_steal_pointer (&features), FALSE);
}

static gboolean
has_word (const char *words, const char *word, char separator)
{
  gsize length = strlen (word);

  for (const char *at = words; at != NULL; at = strchr (at, separator), at = at != NULL ? at + 1 : NULL)
    if (strncmp (at, word, length) == 0 && (at[length] == '\0' || at[length] == separator))
      return TRUE;
  return FALSE;
}

/* Takes a program if it serves; else @error says why not. */
static CsCtagsProgram *
try_program (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (CsCtagsProgram) self = g_new0 (CsCtagsProgram, 1);
  g_autofree char *text = ask_version (path, &local);
  struct stat status = { 0 };
  const char *end;

  if (text == NULL)
    {
      g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_NONE, "%s: %s", path, local->message);
      return NULL;
    }
  if (!g_str_has_prefix (text, "Universal Ctags "))
    {
      g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_NONE, "%s is no Universal Ctags", path);
      return NULL;
    }
  end = text + strlen ("Universal Ctags ");
  self->version = g_strndup (end, strcspn (end, ", \n"));
  self->features = take_features (text);
  if (!has_word (self->features, "json", ' ') || !has_word (self->features, "interactive", ' '))
    {
      g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_NONE, "%s (Universal Ctags %s) was built without JSON", path,
                   self->version);
      return NULL;
    }
  (void) stat (path, &status);
  self->path = g_strdup (path);
  self->identity = g_strdup_printf ("ctags %s %s %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld", self->version, path,
                                    (guint64) status.st_size, (gint64) status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  return g_steal_pointer (&self);
}

/**
 * cs_ctags_get_provisioned_path:
 *
 * Returns: (transfer full): where a ctags lies that was fetched, if one was
 */
char *
cs_ctags_get_provisioned_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "callsight", "bin", "ctags", NULL);
}

/**
 * cs_ctags_find:
 * @options: which one to use
 * @error: where to say why none serves
 *
 * Looks for a Universal Ctags that writes JSON: the one that @options name, else that of the variable
 * `CALLSIGHT_CTAGS`, else `ctags`, `universal-ctags`, `ctags-universal` and `uctags` of `PATH`, else the one that was
 * fetched. Where one is named, no other is tried.
 *
 * Returns: (transfer full) (nullable): it
 */
CsCtagsProgram *
cs_ctags_find (const CsScanOptions *options, GError **error)
{
  static const char *const names[] = { "ctags", "universal-ctags", "ctags-universal", "uctags" };
  const char *named = options->ctags != NULL ? options->ctags : g_getenv ("CALLSIGHT_CTAGS");
  g_autofree char *provisioned = cs_ctags_get_provisioned_path ();
  g_autoptr (GError) first = NULL;
  CsCtagsProgram *last = NULL;

  if (options->built_in)
    {
      g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_NONE, "the built-in scan was asked for");
      return NULL;
    }
  if (named != NULL && named[0] == '\0')
    named = NULL;
  for (guint i = 0; i < (named != NULL ? 1 : G_N_ELEMENTS (names)); i++)
    {
      const char *name = named != NULL ? named : names[i];
      g_autofree char *found = g_find_program_in_path (name);
      g_autofree char *path = found != NULL ? g_canonicalize_filename (found, NULL) : NULL;
      CsCtagsProgram *self = NULL;

      if (path != NULL)
        self = try_program (path, first == NULL ? &first : NULL);
      else if (named != NULL)
        g_set_error (&first, CS_CTAGS_ERROR, CS_CTAGS_ERROR_NONE, "%s: there is no such program", named);
      if (self != NULL)
        return self;
    }
  if (named == NULL && g_file_test (provisioned, G_FILE_TEST_IS_EXECUTABLE))
    last = try_program (provisioned, first == NULL ? &first : NULL);
  if (last != NULL)
    return last;
  if (first != NULL)
    g_propagate_error (error, g_steal_pointer (&first));
  else
    g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_NONE, "there is no ctags in PATH");
  return NULL;
}

/**
 * cs_ctags_program_free:
 * @self: (transfer full) (nullable): a program
 */
void
cs_ctags_program_free (CsCtagsProgram *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->version);
  g_free (self->features);
  g_free (self->identity);
  g_free (self);
}

/**
 * cs_ctags_new:
 * @program: a ctags that serves
 * @root: the folder that paths are relative to
 * @cplusplus: whether it is for C++ files
 * @timeout_ms: how long one file may take, ms
 * @cancellable: (nullable): to stop waiting
 * @error: where to say why it can't be started
 *
 * Starts it in interactive mode, in which it takes the name of a file at a time and says when it is done with that. The
 * language is given, so that neither a file's name nor what it says of itself decides; nothing of the project is read
 * as options.
 *
 * Returns: (transfer full) (nullable): it
 */
CsCtags *
cs_ctags_new (const CsCtagsProgram *program, const char *root, gboolean cplusplus, guint timeout_ms,
              GCancellable *cancellable, GError **error)
{
  const char *argv[] = { program->path, "--options=NONE", "--quiet=yes", "--_interactive", "--sort=no",
                         cplusplus ? "--language-force=C++" : "--language-force=C", "--kinds-C=f",
                         "--kinds-C++=fcsu", "--fields=NFKSsenp", "--fields-C={properties}",
                         "--fields-C++={properties}{template}", NULL };
  GSubprocess *process;
  CsCtags *self;
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    {
      g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_PROGRAM, "%s", g_strerror (errno));
      return NULL;
    }
  process = start (argv, root, pair[1], error);
  if (process == NULL)
    {
      close (pair[0]);
      return NULL;
    }
  self = g_new0 (CsCtags, 1);
  self->process = process;
  self->out = get_out (process);
  self->questions = pair[0];
  self->timeout_ms = timeout_ms;
  self->cplusplus = cplusplus;
  self->answers = g_string_new (NULL);
  self->templates = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_set_object (&self->cancellable, cancellable);
  return self;
}

/**
 * cs_ctags_be_polite:
 * @self: a running ctags
 *
 * Lets everything else go before it: where all processors are taken, a window stays prompt.
 */
void
cs_ctags_be_polite (CsCtags *self)
{
  const char *pid = g_subprocess_get_identifier (self->process);

  if (pid != NULL)
    setpriority (PRIO_PROCESS, (id_t) g_ascii_strtoull (pid, NULL, 10), POLITE_NICE);
}

/**
 * cs_ctags_free:
 * @self: (transfer full) (nullable): a running ctags
 *
 * Ends it.
 */
void
cs_ctags_free (CsCtags *self)
{
  if (self == NULL)
    return;
  close (self->questions);
  g_subprocess_force_exit (self->process);
  g_object_unref (self->process);
  g_clear_object (&self->cancellable);
  g_string_free (self->answers, TRUE);
  g_hash_table_unref (self->templates);
  g_free (self);
}

static char *
make_command (const char *path)
{
  g_autoptr (GString) command = g_string_new ("{\"command\":\"generate-tags\",\"filename\":\"");

  for (const char *c = path; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (command, '\\');
      if ((guchar) *c < 0x20)
        g_string_append_printf (command, "\\u%04x", (guint) *c);
      else
        g_string_append_c (command, *c);
    }
  g_string_append (command, "\"}\n");
  return g_string_free (g_steal_pointer (&command), FALSE);
}

/**
 * cs_ctags_can_ask:
 * @path: a file, relative to the root
 *
 * Returns: whether ctags can be told of it: in UTF-8, since commands are JSON, and not too long
 */
gboolean
cs_ctags_can_ask (const char *path)
{
  g_autofree char *command = NULL;

  if (!g_utf8_validate (path, -1, NULL))
    return FALSE;
  command = make_command (path);
  return strlen (command) <= LONGEST_COMMAND;
}

/**
 * cs_ctags_ask:
 * @self: a running ctags
 * @path: a file that it can be asked about
 *
 * Asks for the functions of a file. Several may be asked for before the first is taken, as many as a socket
 * holds commands.
 */
void
cs_ctags_ask (CsCtags *self, const char *path)
{
  g_autofree char *command = make_command (path);
  gsize length = strlen (command);

  if (!self->broken)
    self->broken = send (self->questions, command, length, MSG_NOSIGNAL | MSG_DONTWAIT) != (gssize) length;
}

/* "operator ()" → "operator()", as gcc writes it; names that are words keep their space. Of a type it is converted to
 * the arguments are left out, which are written in many ways. */
static void
write_operator (char *name)
{
  char *at = name + strlen ("operator");
  char *next = at;

  if (!g_str_has_prefix (name, "operator"))
    return;
  g_strchomp (name);
  if (g_ascii_isalnum (*at) || *at == '_')
    return;
  if (*at == ' ' && (g_ascii_isalpha (at[1]) || at[1] == '_'))
    {
      char *arguments = strchr (at, '<');

      if (arguments != NULL)
        *arguments = '\0';
    }
  while (*next == ' ')
    next++;
  if (next > at && !g_ascii_isalnum (*next) && *next != '_')
    memmove (at, next, strlen (next) + 1);
  g_strchomp (name);
}

static gboolean
is_unnamed (const char *name)
{
  return g_str_has_prefix (name, "__anon") && strspn (name + 6, "0123456789abcdefABCDEF") >= 8;
}

/* ctags calls what has no name __anon with a number; gcc says what it is. */
static char *
dup_scope (const CsCtagsLine *line)
{
  g_auto (GStrv) parts = NULL;

  if (line->scope == NULL || strstr (line->scope, "__anon") == NULL)
    return g_strdup (line->scope);
  parts = g_strsplit (line->scope, "::", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (is_unnamed (parts[i]))
      {
        gboolean space = parts[i + 1] != NULL || g_strcmp0 (line->scope_kind, "namespace") == 0;

        g_free (parts[i]);
        parts[i] = space ? g_strdup ("{anonymous}") : g_strdup_printf ("<unnamed %s>", line->scope_kind);
      }
  return g_strjoinv ("::", parts);
}

/* Whether @scope is a class template of this file, or lies in one. */
static gboolean
is_in_template (CsCtags *self, const char *scope)
{
  g_autofree char *part = NULL;

  if (scope == NULL || g_hash_table_size (self->templates) == 0)
    return FALSE;
  part = g_strdup (scope);
  for (char *end = part; end != NULL;)
    {
      if (g_hash_table_contains (self->templates, part))
        return TRUE;
      end = g_strrstr (part, "::");
      if (end != NULL)
        *end = '\0';
    }
  return FALSE;
}

static void
take_tag (CsCtags *self, CsCtagsLine *line, CsScanFile *file)
{
  g_autofree char *scope = NULL;
  CsSourceFunction function = { .line = line->line, .end = line->end >= line->line ? line->end : 0 };
  gboolean scope_template = line->properties != NULL && has_word (line->properties, "scopespecialization", ',');
  gboolean is_static = line->properties != NULL && has_word (line->properties, "static", ',');

  if (is_unnamed (line->name))
    return; /* a lambda */
  if (self->cplusplus)
    scope = dup_scope (line);
  if (strcmp (line->kind, "function") != 0)
    {
      if (line->has_template)
        g_hash_table_add (self->templates, scope != NULL ? g_strconcat (scope, "::", line->name, NULL)
                                                         : g_strdup (line->name));
      return;
    }
  write_operator ((char *) line->name);
  function.name = line->name;
  function.scope = scope;
  function.signature = line->signature;
  if (self->cplusplus)
    {
      gboolean in_class = scope != NULL && g_strcmp0 (line->scope_kind, "namespace") != 0;

      function.flags |= CS_FUNCTION_CPLUSPLUS;
      if (scope != NULL && !in_class)
        function.flags |= CS_FUNCTION_NAMESPACE;
      if ((is_static && !in_class) || (scope != NULL && strstr (scope, "{anonymous}") != NULL))
        function.flags |= CS_FUNCTION_STATIC;
      if (scope_template || is_in_template (self, scope))
        function.flags |= CS_FUNCTION_SCOPE_TEMPLATE;
      if (line->has_template && !scope_template)
        function.flags |= CS_FUNCTION_TEMPLATE;
    }
  else if (is_static)
    function.flags |= CS_FUNCTION_STATIC;
  cs_scan_file_add (file, &function);
}

/* The next line without its end, in @answers; NULL with @error. */
static char *
read_line (CsCtags *self, gint64 deadline, gsize *length, GError **error)
{
  gsize searched = 0;
  char *start, *end;

  for (;;)
    {
      gssize got;

      start = self->answers->str + self->taken;
      end = memchr (start + searched, '\n', self->answers->len - self->taken - searched);
      if (end != NULL)
        break;
      searched = self->answers->len - self->taken;
      if (searched > LONGEST_LINE)
        {
          g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_PROGRAM, "it wrote a line without an end");
          return NULL;
        }
      g_string_erase (self->answers, 0, (gssize) self->taken);
      self->taken = 0;
      got = read_some (self->out, self->answers, deadline, self->cancellable, error);
      if (got == 0)
        g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_PROGRAM, "it ended");
      if (got <= 0)
        return NULL;
    }
  *length = (gsize) (end - start);
  *end = '\0';
  self->taken += *length + 1;
  return start;
}

/**
 * cs_ctags_take:
 * @self: a running ctags
 * @path: the file that was asked for next
 * @file: where to put its functions
 * @error: where to say what went wrong
 *
 * Waits until ctags is done with the file.
 *
 * Returns: whether it is; if not, the program serves no more, and @file may hold some of the functions
 */
gboolean
cs_ctags_take (CsCtags *self, const char *path, CsScanFile *file, GError **error)
{
  const gint64 deadline = g_get_monotonic_time () + (gint64) self->timeout_ms * 1000;
  gsize total = 0;

  g_hash_table_remove_all (self->templates);
  while (total < LARGEST_OUTPUT)
    {
      gsize length = 0;
      char *text = read_line (self, deadline, &length, error);
      CsCtagsLineType type;
      CsCtagsLine line;

      if (text == NULL)
        return FALSE;
      total += length + 1;
      type = cs_ctags_line_parse (text, length, &line);
      if (!self->begun && type != CS_CTAGS_LINE_PROGRAM)
        type = CS_CTAGS_LINE_BAD;
      self->begun = TRUE;
      if (type == CS_CTAGS_LINE_COMPLETED)
        return TRUE;
      if (type == CS_CTAGS_LINE_BAD || type == CS_CTAGS_LINE_FATAL ||
          (type == CS_CTAGS_LINE_TAG && g_strcmp0 (line.path, path) != 0))
        {
          g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_PROGRAM, "it wrote what no ctags writes");
          return FALSE;
        }
      if (type == CS_CTAGS_LINE_TAG)
        take_tag (self, &line, file);
    }
  g_set_error (error, CS_CTAGS_ERROR, CS_CTAGS_ERROR_PROGRAM, "it wrote without an end");
  return FALSE;
}
