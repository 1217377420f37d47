/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gio/gunixinputstream.h>

#include "symbols/cs-addr2line.h"
#include "symbols/cs-demangle.h"

/* A program holds a file's debug information: so many are kept. */
#define MOST_CHILDREN 8
/* The longest answer to one question, bytes. */
#define LONGEST_ANSWER (1024 * 1024)
/* What is kept of a program's complaints, bytes. */
#define LONGEST_COMPLAINT 300
#define TIMEOUT_MS (60 * 1000)
/* An address that lies in no function. Its answer is a pair of lines, and so tells where the
 * one before it ends, which has a pair for each inlined function. */
#define NOWHERE G_MAXUINT64

/* One program at work, for one file. */
typedef struct
{
  char *path;
  GSubprocess *process;
  int questions;      /* socket: a write to a program that is gone is no signal then */
  GString *answers;   /* read, not yet taken */
  GString *complaint; /* what it wrote on standard error, its beginning */
} Child;

struct _CsAddr2line
{
  char **argv;
  guint timeout_ms;
  GCancellable *cancellable; /* (nullable) */
  GQueue children;           /* (element-type Child), the one asked last first */
  GHashTable *given_up;      /* (element-type filename) files that are not asked about any more */
  GStringChunk *strings;
  char *problem;             /* (nullable): with the first of these */
  gboolean broken;           /* not to be started again */
};

static void
child_free (gpointer data)
{
  Child *child = data;

  if (child->questions >= 0)
    close (child->questions);
  if (child->process != NULL)
    g_subprocess_force_exit (child->process);
  g_clear_object (&child->process);
  g_string_free (child->answers, TRUE);
  g_string_free (child->complaint, TRUE);
  g_free (child->path);
  g_free (child);
}

/**
 * cs_addr2line_new:
 * @command: a program with its arguments, quoted as for a shell, which isn't asked
 * @error: where to say why it can't be used
 *
 * To name addresses by a program that takes the options of GNU addr2line (`-e FILE -a -f -C -i`)
 * and addresses on its standard input: that of binutils for another machine, eu-addr2line,
 * llvm-addr2line, llvm-symbolizer --output-style=GNU. One is started a file, when it is first
 * asked about. It doesn't ask debuginfod servers.
 *
 * Returns: (transfer full) (nullable): it, or %NULL with %CS_SYMBOLS_ERROR_OPEN
 */
CsAddr2line *
cs_addr2line_new (const char *command, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_auto (GStrv) argv = NULL;
  g_autofree char *program = NULL;
  CsAddr2line *self;

  if (!g_shell_parse_argv (command, NULL, &argv, &local))
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN,
                   "“%s” is no command (%s) — give a program, as in arm-linux-gnueabihf-addr2line", command,
                   local->message);
      return NULL;
    }
  program = g_find_program_in_path (argv[0]);
  if (program == NULL)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN,
                   "%s: there is no such program — install it, or give its path", argv[0]);
      return NULL;
    }
  self = g_new0 (CsAddr2line, 1);
  self->argv = g_steal_pointer (&argv);
  self->timeout_ms = TIMEOUT_MS;
  self->given_up = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->strings = g_string_chunk_new (4096);
  return self;
}

/**
 * cs_addr2line_free:
 * @self: (transfer full): a program
 *
 * Ends it. The strings that it gave go with it.
 */
void
cs_addr2line_free (CsAddr2line *self)
{
  g_queue_clear_full (&self->children, child_free);
  g_clear_object (&self->cancellable);
  g_hash_table_unref (self->given_up);
  g_string_chunk_free (self->strings);
  g_strfreev (self->argv);
  g_free (self->problem);
  g_free (self);
}

/**
 * cs_addr2line_set_timeout:
 * @self: a program
 * @ms: how long to wait for an answer, milliseconds; a minute unless set
 */
void
cs_addr2line_set_timeout (CsAddr2line *self, guint ms)
{
  self->timeout_ms = ms;
}

/**
 * cs_addr2line_set_cancellable:
 * @self: a program
 * @cancellable: (nullable): to wait for no more answers
 */
void
cs_addr2line_set_cancellable (CsAddr2line *self, GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
}

static Child *
start_child (CsAddr2line *self, const char *path, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
  g_auto (GStrv) arguments = NULL;
  GSubprocess *process;
  Child *child;
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN, "%s", g_strerror (errno));
      return NULL;
    }
  g_subprocess_launcher_take_stdin_fd (launcher, pair[1]);
  g_subprocess_launcher_unsetenv (launcher, "DEBUGINFOD_URLS");
  for (guint i = 0; self->argv[i] != NULL; i++)
    g_strv_builder_add (argv, self->argv[i]);
  g_strv_builder_add_many (argv, "-e", path, "-a", "-f", "-C", "-i", NULL);
  arguments = g_strv_builder_end (argv);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) arguments, error);
  if (process == NULL)
    {
      close (pair[0]);
      return NULL;
    }
  child = g_new0 (Child, 1);
  child->path = g_strdup (path);
  child->process = process;
  child->questions = pair[0];
  child->answers = g_string_new (NULL);
  child->complaint = g_string_new (NULL);
  return child;
}

/* Keeps the beginning of what a program says on standard error; the rest is read and dropped. */
static gboolean
take_complaint (Child *child, int fd)
{
  char bytes[4096];
  gssize got = read (fd, bytes, sizeof bytes);

  if (got > 0 && child->complaint->len < LONGEST_COMPLAINT)
    g_string_append_len (child->complaint, bytes, MIN (got, (gssize) (LONGEST_COMPLAINT - child->complaint->len)));
  return got > 0 || (got < 0 && errno == EINTR);
}

/* Why a program that is gone went: what it said last, as far as it said something. */
static char *
describe_end (Child *child, int errors)
{
  struct pollfd fds = { errors, POLLIN, 0 };
  char *end;

  while (poll (&fds, 1, 100) > 0 && take_complaint (child, errors))
    ;
  g_strstrip (child->complaint->str);
  end = strchr (child->complaint->str, '\n');
  if (end != NULL)
    *end = '\0';
  return child->complaint->str[0] != '\0' ? g_strdup_printf ("it ended: %s", child->complaint->str)
                                          : g_strdup ("it ended without an answer");
}

/* Reads more of the answers. Returns why there are none, or NULL. */
static char *
read_more (CsAddr2line *self, Child *child, gint64 deadline)
{
  const int out = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (child->process)));
  const int errors = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stderr_pipe (child->process)));
  const int cancelled = g_cancellable_get_fd (self->cancellable);
  struct pollfd fds[] = { { out, POLLIN, 0 }, { errors, POLLIN, 0 }, { cancelled, POLLIN, 0 } };
  char *problem = NULL;
  gsize before = child->answers->len;

  while (problem == NULL && child->answers->len == before)
    {
      gint64 left = (deadline - g_get_monotonic_time ()) / 1000;
      char bytes[4096];
      gssize got;

      if (left <= 0)
        problem = g_strdup_printf ("it gave no answer for %u s", self->timeout_ms / 1000);
      else if (poll (fds, G_N_ELEMENTS (fds), (int) left) < 0 || fds[2].revents != 0)
        problem = errno == EINTR && fds[2].revents == 0 ? NULL : g_strdup ("the work was stopped");
      else if (fds[0].revents != 0)
        {
          got = read (out, bytes, sizeof bytes);
          if (got > 0)
            g_string_append_len (child->answers, bytes, got);
          else if (got == 0)
            problem = describe_end (child, errors);
        }
      else if (fds[1].revents != 0 && !take_complaint (child, errors))
        fds[1].fd = -1;
    }
  if (cancelled >= 0)
    g_cancellable_release_fd (self->cancellable);
  return problem;
}

/* The next line, without its end; NULL with @problem. */
static char *
read_line (CsAddr2line *self, Child *child, gint64 deadline, gsize *length, char **problem)
{
  const char *end;
  char *line;

  while ((end = memchr (child->answers->str, '\n', child->answers->len)) == NULL)
    {
      *problem = child->answers->len > LONGEST_ANSWER ? g_strdup ("it gives no answers but other text")
                                                      : read_more (self, child, deadline);
      if (*problem != NULL)
        return NULL;
    }
  *length += (gsize) (end - child->answers->str) + 1;
  line = g_strndup (child->answers->str, (gsize) (end - child->answers->str));
  g_string_erase (child->answers, 0, end + 1 - child->answers->str);
  return g_strchomp (line);
}

/* Whether a line is the address that an answer is for; those of 32-bit files have 32 bits. */
static gboolean
is_address (const char *line, guint64 address)
{
  guint64 number;

  return g_str_has_prefix (line, "0x") && g_ascii_string_to_unsigned (line + 2, 16, 0, G_MAXUINT64, &number, NULL) &&
         (number == address || number == (address & G_MAXUINT32));
}

/* Takes the place off: FILE:LINE, behind which may be :COLUMN or a discriminator. */
static void
take_place (CsAddr2line *self, char *line, CsSymbol *symbol)
{
  char *end = strstr (line, " (discriminator ");
  char *number;

  if (end != NULL)
    *end = '\0';
  for (guint i = 0; i < 2 && (number = strrchr (line, ':')) != NULL; i++)
    {
      guint64 value = 0;

      if (!g_str_equal (number + 1, "?") && !g_ascii_string_to_unsigned (number + 1, 10, 0, G_MAXINT, &value, NULL))
        break;
      *number = '\0';
      symbol->line = (guint) value;
    }
  if (line[0] == '\0' || g_str_has_prefix (line, "??"))
    symbol->line = 0;
  else
    symbol->file = g_string_chunk_insert_const (self->strings, line);
}

static void
take_name (CsAddr2line *self, const char *line, CsSymbol *symbol)
{
  g_autofree char *demangled = NULL;

  symbol->name = symbol->linkage_name = NULL;
  if (line[0] == '\0' || g_str_has_prefix (line, "??"))
    return;
  symbol->name = symbol->linkage_name = g_string_chunk_insert_const (self->strings, line);
  demangled = cs_demangle (line);
  if (demangled != NULL)
    symbol->name = g_string_chunk_insert_const (self->strings, demangled);
}

/* Takes an answer off: the line is the innermost function's, the name the outermost's. */
static char *
take_answer (CsAddr2line *self, Child *child, guint64 address, CsSymbol *symbol)
{
  const gint64 deadline = g_get_monotonic_time () + (gint64) self->timeout_ms * 1000;
  g_autofree char *first = NULL;
  char *problem = NULL;
  gsize length = 0;

  first = read_line (self, child, deadline, &length, &problem);
  if (first != NULL && !is_address (first, address))
    return g_strdup_printf ("its answer begins with “%.40s”", first);
  for (guint n = 0; problem == NULL; n++)
    {
      g_autofree char *name = read_line (self, child, deadline, &length, &problem);
      gboolean last = name != NULL && is_address (name, NOWHERE);
      g_autofree char *place = NULL;

      if (last && n == 0)
        return g_strdup ("its answer is empty");
      if (name != NULL)
        place = read_line (self, child, deadline, &length, &problem);
      if (last && place != NULL)
        {
          /* That was NOWHERE's name, and this its place. */
          g_free (read_line (self, child, deadline, &length, &problem));
          return problem;
        }
      if (place == NULL)
        return problem;
      if (length > LONGEST_ANSWER)
        return g_strdup ("its answer has no end");
      take_name (self, name, symbol);
      if (n == 0)
        take_place (self, place, symbol);
    }
  return problem;
}

static char *
ask (CsAddr2line *self, Child *child, guint64 address, CsSymbol *symbol)
{
  g_autofree char *question = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x\n0x%" G_GINT64_MODIFIER "x\n", address, NOWHERE);

  /* Too short to fill a socket. That the program is gone shows when its answer is read. */
  (void) send (child->questions, question, strlen (question), MSG_NOSIGNAL | MSG_DONTWAIT);
  memset (symbol, 0, sizeof *symbol);
  return take_answer (self, child, address, symbol);
}

static Child *
find_child (CsAddr2line *self, const char *path, GError **error)
{
  Child *child = NULL;

  for (GList *link = self->children.head; link != NULL; link = link->next)
    if (g_str_equal (((Child *) link->data)->path, path))
      {
        g_queue_unlink (&self->children, link);
        g_queue_push_head_link (&self->children, link);
        return link->data;
      }
  child = start_child (self, path, error);
  if (child == NULL)
    return NULL;
  g_queue_push_head (&self->children, child);
  if (self->children.length > MOST_CHILDREN)
    child_free (g_queue_pop_tail (&self->children));
  return child;
}

static void
give_up (CsAddr2line *self, const char *path, const char *problem)
{
  g_hash_table_add (self->given_up, g_strdup (path));
  if (self->problem == NULL)
    {
      g_autofree char *base = g_path_get_basename (path);

      self->problem = g_strdup_printf ("of %s: %s", base, problem);
    }
}

/**
 * cs_addr2line_lookup:
 * @self: a program
 * @path: the file to ask about
 * @address: a link address of code in it
 * @symbol: (out): what the program says of it; strings live as long as @self. Start and size
 *   are not told, nor the folder that the source was compiled in
 *
 * Code that was inlined belongs to the function that absorbed it; the line is that of the
 * inlined code.
 *
 * Returns: whether the program answered, be it that it knows nothing; if not, the file is
 *   better read otherwise
 */
gboolean
cs_addr2line_lookup (CsAddr2line *self, const char *path, guint64 address, CsSymbol *symbol)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;
  gint64 start = g_get_monotonic_time ();
  Child *child;

  memset (symbol, 0, sizeof *symbol);
  if (address == NOWHERE)
    return TRUE;
  if (self->broken || g_hash_table_contains (self->given_up, path))
    {
      g_hash_table_add (self->given_up, g_strdup (path));
      return FALSE;
    }
  child = find_child (self, path, &error);
  problem = child != NULL ? ask (self, child, address, symbol) : g_strdup (error->message);
  if (problem == NULL)
    return TRUE;

  if (child != NULL)
    child_free (g_queue_pop_head (&self->children));
  /* A program that doesn't start or that is silent is no better at the next file. */
  self->broken = child == NULL || g_get_monotonic_time () - start >= (gint64) self->timeout_ms * 1000 ||
                 g_cancellable_is_cancelled (self->cancellable);
  give_up (self, path, problem);
  memset (symbol, 0, sizeof *symbol);
  return FALSE;
}

/**
 * cs_addr2line_dup_notice:
 * @self: a program
 *
 * Returns: (transfer full) (nullable): one sentence about the files that it could not read
 */
char *
cs_addr2line_dup_notice (CsAddr2line *self)
{
  guint n = g_hash_table_size (self->given_up);
  g_autofree char *command = NULL;

  if (n == 0)
    return NULL;
  command = g_strjoinv (" ", self->argv);
  return g_strdup_printf ("%s did not tell the symbols %s — %u %s read in process instead", command, self->problem, n,
                          n == 1 ? "file was" : "files were");
}
