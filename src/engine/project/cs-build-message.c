/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "project/cs-build-line-private.h"

/* Folders that make is or was in, of which the latest are tried first. */
#define FOLDERS_MOST 16
/* Names that were looked for. */
#define KNOWN_MOST 4096
/* Lines that are one message. */
#define TOLD_MOST 8

/* What the next byte is part of. */
typedef enum
{
  STATE_TEXT,
  STATE_ESCAPE,     /* behind ESC */
  STATE_CONTROL,    /* ESC [ … up to a letter: colours */
  STATE_STRING,     /* ESC ] … up to BEL, or ESC and a backslash: links and titles */
  STATE_STRING_END, /* behind an ESC in it */
} State;

/* One of the two outputs of a tool. */
typedef struct
{
  GString *line;
  State state;
  gboolean is_error;
  gboolean returned;  /* a CR came: the line ends, or is written anew */
  gboolean cut;       /* what comes is the rest of a line */
  char *held;         /* (nullable): a line whose message is told by the next ones */
  CsBuildSaying held_saying;
  GPtrArray *told;    /* (element-type utf8): these */
  GString *says;      /* what they say, as one line */
  gboolean paused;    /* one of them was empty */
} Stream;

struct _CsBuildMessages
{
  char *project;
  char *build_folder; /* (nullable) */
  char *real_folder;  /* (nullable): the same without links */
  CsBuildLineFunc function;
  gpointer user_data;
  Stream streams[2];
  GPtrArray *folders; /* (element-type filename): that make is in, the latest first, then those that it was in */
  guint active;       /* how many it is in */
  GHashTable *known;  /* name → path; "": there is none */
  guint64 number, offset;
  guint64 counts[CS_BUILD_SEVERITY_ERROR + 1];
};

/**
 * cs_build_messages_new:
 * @project: the project folder
 * @build_folder: (nullable): the folder that is built in. A file in it that the project has, too, is the project's:
 *   Makefiles build in a copy
 * @function: (scope call): called with each line, while cs_build_messages_push() or _end() runs
 * @user_data: for @function
 *
 * Finds messages of gcc, clang, ld, make, ninja, CMake and Meson. May be used in any thread, in one at a time. A path in a message is
 * relative to the folder that make or ninja said they enter, else to the build folder or the project: the first in
 * which there is such a file.
 *
 * Returns: (transfer full): a reader of one log
 */
CsBuildMessages *
cs_build_messages_new (const char *project, const char *build_folder, CsBuildLineFunc function, gpointer user_data)
{
  CsBuildMessages *self = g_new0 (CsBuildMessages, 1);

  self->project = g_canonicalize_filename (project, NULL);
  self->build_folder = build_folder != NULL ? g_canonicalize_filename (build_folder, NULL) : NULL;
  self->real_folder = build_folder != NULL ? realpath (build_folder, NULL) : NULL;
  self->function = function;
  self->user_data = user_data;
  self->folders = g_ptr_array_new_with_free_func (g_free);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      self->streams[i].line = g_string_new (NULL);
      self->streams[i].told = g_ptr_array_new_with_free_func (g_free);
      self->streams[i].says = g_string_new (NULL);
      self->streams[i].is_error = i == 1;
    }
  return self;
}

static gboolean
is_file (const char *path)
{
  struct stat st;

  return stat (path, &st) == 0 && S_ISREG (st.st_mode);
}

/* What of a path is inside a folder; NULL: it isn't. */
static const char *
find_inside (const char *path, const char *folder)
{
  gsize length = folder != NULL ? strlen (folder) : 0;

  return length > 0 && strncmp (path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* A copy in the build folder stands for the project's file. */
static char *
find_original (CsBuildMessages *self, char *path)
{
  const char *inside = find_inside (path, self->build_folder);
  g_autofree char *original = NULL;

  if (inside == NULL)
    inside = find_inside (path, self->real_folder);
  if (inside == NULL)
    return path;
  original = g_build_filename (self->project, inside, NULL);
  if (!is_file (original))
    return path;
  g_free (path);
  return g_steal_pointer (&original);
}

static char *
look_for_file (CsBuildMessages *self, const char *name)
{
  char *path = NULL;

  for (guint i = 0; i < self->folders->len + 2 && path == NULL; i++)
    {
      const char *folder = i < self->active        ? self->folders->pdata[i]
                           : i == self->active     ? self->build_folder
                           : i == self->active + 1 ? self->project
                                                   : self->folders->pdata[i - 2];

      if (folder == NULL || (g_path_is_absolute (name) && i > 0))
        continue;
      path = g_canonicalize_filename (name, folder);
      if (!is_file (path))
        g_clear_pointer (&path, g_free);
    }
  return path != NULL ? find_original (self, path) : g_strdup ("");
}

/* Where a file is that a message names; NULL: nowhere. */
static const char *
find_file (CsBuildMessages *self, const char *name)
{
  const char *path = g_hash_table_lookup (self->known, name);

  if (path == NULL)
    {
      if (g_hash_table_size (self->known) >= KNOWN_MOST)
        g_hash_table_remove_all (self->known);
      g_hash_table_insert (self->known, g_strdup (name), look_for_file (self, name));
      path = g_hash_table_lookup (self->known, name);
    }
  return *path != '\0' ? path : NULL;
}

/* Which folders names are relative to: of many makes at once, any of theirs. */
static void
follow_moves (CsBuildMessages *self, const char *line)
{
  g_autofree char *told = NULL;
  CsBuildMove move = cs_build_line_read_move (line, &told);
  g_autofree char *folder = NULL;
  guint index;

  if (move == CS_BUILD_MOVE_NONE)
    return;
  folder = g_canonicalize_filename (told, self->project);
  if (g_ptr_array_find_with_equal_func (self->folders, folder, g_str_equal, &index))
    {
      self->active -= index < self->active;
      g_ptr_array_remove_index (self->folders, index);
    }
  if (self->folders->len >= FOLDERS_MOST)
    g_ptr_array_set_size (self->folders, FOLDERS_MOST - 1);
  self->active = MIN (self->active, self->folders->len);
  g_ptr_array_insert (self->folders, move == CS_BUILD_MOVE_ENTER ? 0 : (int) self->active, g_steal_pointer (&folder));
  self->active += move == CS_BUILD_MOVE_ENTER;
  g_hash_table_remove_all (self->known);
}

/* Tells of a line. */
static void
tell (CsBuildMessages *self, const Stream *stream, const char *text, const CsBuildSaying *saying, const char *says)
{
  const CsBuildLine line = { .text = text, .length = strlen (text), .number = self->number, .offset = self->offset,
                             .is_error = stream->is_error, .continued = stream->cut };
  g_autofree char *name = g_strndup (text + saying->file_start, saying->file_end - saying->file_start);
  CsBuildMessage message = { .severity = saying->severity, .text = says };
  const char *path = *name != '\0' ? find_file (self, name) : NULL;
  gboolean is_message = saying->is_message && (path != NULL || !saying->is_guess);

  if (path != NULL || (*name != '\0' && !saying->may_be_tool && strpbrk (name, " \t") == NULL))
    {
      message.file = path != NULL ? path : name;
      message.line = saying->line;
      message.column = saying->column;
      message.link_start = saying->file_start;
      message.link_end = saying->link_end;
    }
  self->number++;
  self->offset += line.length + 1;
  if (is_message)
    self->counts[saying->severity]++;
  self->function (&line, is_message ? &message : NULL, self->user_data);
}

static void
tell_held (CsBuildMessages *self, Stream *stream)
{
  g_autofree char *held = g_steal_pointer (&stream->held);

  if (held == NULL)
    return;
  tell (self, stream, held, &stream->held_saying, stream->says->len > 0 ? stream->says->str : held);
  for (guint i = 0; i < stream->told->len; i++)
    {
      const char *text = stream->told->pdata[i];
      CsBuildSaying saying = { 0 };

      cs_build_line_read (text, &saying);
      tell (self, stream, text, &saying, text + saying.text_start);
    }
  g_ptr_array_set_size (stream->told, 0);
  g_string_truncate (stream->says, 0);
  stream->paused = FALSE;
}

/* Whether a line belongs to what is said of the one that is held: CMake sets these in, up to an empty line, but what a
 * colon announces is behind one. */
static gboolean
take_told (Stream *stream, const char *text)
{
  g_autofree char *says = g_strstrip (g_strdup (text));
  gboolean announced = stream->says->len > 0 && stream->says->str[stream->says->len - 1] == ':';

  if (stream->cut || stream->told->len >= TOLD_MOST)
    return FALSE;
  if (*says == '\0')
    {
      gboolean goes_on = announced && !stream->paused;

      stream->paused = TRUE;
      return goes_on;
    }
  if (!g_str_has_prefix (text, "  "))
    {
      if (stream->told->len == 0)
        g_string_assign (stream->says, says);
      return FALSE;
    }
  if (stream->says->len > 0)
    g_string_append_c (stream->says, ' ');
  g_string_append (stream->says, says);
  return TRUE;
}

/* A whole line, or what there is of one that is too long. */
static void
end_line (CsBuildMessages *self, Stream *stream)
{
  g_autofree char *text = g_utf8_make_valid (stream->line->str, (gssize) stream->line->len);
  CsBuildSaying saying = { 0 };

  if (stream->held != NULL)
    {
      if (take_told (stream, text))
        {
          g_ptr_array_add (stream->told, g_steal_pointer (&text));
          g_string_truncate (stream->line, 0);
          return;
        }
      tell_held (self, stream);
    }
  if (!stream->cut)
    {
      cs_build_line_read (text, &saying);
      follow_moves (self, text);
    }
  if (saying.text_follows)
    {
      stream->held = g_steal_pointer (&text);
      stream->held_saying = saying;
    }
  else
    tell (self, stream, text, &saying, text + saying.text_start);
  g_string_truncate (stream->line, 0);
}

/* Ends a line before its end, but not within a character. */
static void
cut_line (CsBuildMessages *self, Stream *stream)
{
  const char *start = stream->line->str;
  const char *last = g_utf8_find_prev_char (start, start + stream->line->len);
  g_autofree char *rest = NULL;

  if (last != NULL && stream->line->len - (gsize) (last - start) < 4 &&
      g_utf8_get_char_validated (last, (gssize) stream->line->len - (last - start)) == (gunichar) -2)
    {
      rest = g_strdup (last);
      g_string_truncate (stream->line, (gsize) (last - start));
    }
  end_line (self, stream);
  stream->cut = TRUE;
  g_string_append (stream->line, rest != NULL ? rest : "");
}

static void
take_text (CsBuildMessages *self, Stream *stream, char byte)
{
  if (byte == '\n')
    {
      end_line (self, stream);
      stream->cut = FALSE;
      stream->returned = FALSE;
      return;
    }
  if (stream->returned)
    {
      stream->returned = FALSE;
      g_string_truncate (stream->line, 0);
    }
  if (byte == '\r')
    stream->returned = TRUE;
  else if (byte == '\033')
    stream->state = STATE_ESCAPE;
  else if (byte == '\t' || (guchar) byte >= ' ')
    if (byte != '\177')
      g_string_append_c (stream->line, byte);
  if (stream->line->len >= CS_BUILD_LINE_MOST)
    cut_line (self, stream);
}

static void
take_byte (CsBuildMessages *self, Stream *stream, char byte)
{
  if (byte == '\n') /* no sequence goes on in the next line */
    stream->state = STATE_TEXT;
  switch (stream->state)
    {
    case STATE_TEXT:
      take_text (self, stream, byte);
      break;
    case STATE_ESCAPE:
      stream->state = byte == '[' ? STATE_CONTROL : strchr ("]PX^_", byte) != NULL && byte != '\0' ? STATE_STRING : STATE_TEXT;
      break;
    case STATE_CONTROL:
      if (byte >= '@' && byte <= '~')
        stream->state = STATE_TEXT;
      break;
    case STATE_STRING:
      if (byte == '\a')
        stream->state = STATE_TEXT;
      else if (byte == '\033')
        stream->state = STATE_STRING_END;
      break;
    case STATE_STRING_END:
      stream->state = byte == '\\' ? STATE_TEXT : STATE_STRING;
      break;
    }
}

/**
 * cs_build_messages_push:
 * @self: a reader
 * @bytes: what tools wrote, cut anywhere
 * @size: how many bytes
 * @is_error: whether to standard error
 *
 * Tells of all lines that are whole now. Takes what #CsChildOutput gives.
 */
void
cs_build_messages_push (CsBuildMessages *self, const char *bytes, gsize size, gboolean is_error)
{
  for (gsize i = 0; i < size; i++)
    take_byte (self, &self->streams[is_error != FALSE], bytes[i]);
}

/**
 * cs_build_messages_end:
 * @self: a reader
 *
 * Tells of last lines that have no end.
 */
void
cs_build_messages_end (CsBuildMessages *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      Stream *stream = &self->streams[i];

      if (stream->line->len > 0)
        end_line (self, stream);
      tell_held (self, stream);
      stream->cut = FALSE;
      stream->returned = FALSE;
      stream->state = STATE_TEXT;
    }
}

/**
 * cs_build_messages_get_count:
 * @self: a reader
 * @severity: of which kind
 *
 * Returns: how many messages of that kind there were
 */
guint64
cs_build_messages_get_count (const CsBuildMessages *self, CsBuildSeverity severity)
{
  return self->counts[severity];
}

/**
 * cs_build_messages_free:
 * @self: (transfer full): a reader
 */
void
cs_build_messages_free (CsBuildMessages *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      g_string_free (self->streams[i].line, TRUE);
      g_free (self->streams[i].held);
      g_ptr_array_unref (self->streams[i].told);
      g_string_free (self->streams[i].says, TRUE);
    }
  g_ptr_array_unref (self->folders);
  g_hash_table_unref (self->known);
  g_free (self->project);
  g_free (self->build_folder);
  free (self->real_folder);
  g_free (self);
}
