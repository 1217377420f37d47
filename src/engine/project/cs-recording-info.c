/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-io.h"
#include "project/cs-recordings-private.h"

#define GROUP "Recording"
#define GROUP_SUMMARY "Summary"
/* Bytes of a file that somebody may have put there, and of a text and a list in it. */
#define INI_MOST (256 << 10)
#define TEXT_MOST 4096
#define LIST_MOST (32 << 10)

static const struct
{
  const char *key;
  gsize offset;
} summary_keys[] = {
  { "length-ns", G_STRUCT_OFFSET (CsRecordingSummary, length_ns) },
  { "calls", G_STRUCT_OFFSET (CsRecordingSummary, calls) },
  { "events", G_STRUCT_OFFSET (CsRecordingSummary, events) },
  { "threads", G_STRUCT_OFFSET (CsRecordingSummary, threads) },
  { "processes", G_STRUCT_OFFSET (CsRecordingSummary, processes) },
  { "bytes", G_STRUCT_OFFSET (CsRecordingSummary, bytes) },
};

/* At most so many bytes, and no half character. */
static char *
cut (const char *text, gsize most)
{
  const char *end;

  if (strlen (text) <= most)
    return g_strdup (text);
  end = g_utf8_find_prev_char (text, text + most + 1);
  return end != NULL ? g_strndup (text, (gsize) (end - text)) : g_strdup ("");
}

/* What needn't be UTF-8, as text that is; only where it has to be, it is escaped as in C. */
static char *
escape (const char *bytes)
{
  return strchr (bytes, '\\') == NULL && g_utf8_validate (bytes, -1, NULL) ? g_strdup (bytes) : g_strescape (bytes, NULL);
}

static char *
unescape (const char *text)
{
  return strchr (text, '\\') != NULL ? g_strcompress (text) : g_strdup (text);
}

/**
 * cs_recording_ini_set_text:
 * @ini: what is said of a recording
 * @key: one of its keys
 * @text: (nullable): its value, any bytes; %NULL or empty: the key is removed
 */
void
cs_recording_ini_set_text (GKeyFile *ini, const char *key, const char *text)
{
  g_autofree char *escaped = text != NULL ? escape (text) : NULL;

  if (escaped == NULL || *escaped == '\0')
    g_key_file_remove_key (ini, GROUP, key, NULL);
  else
    g_key_file_set_string (ini, GROUP, key, escaped);
}

/**
 * cs_recording_ini_set_list:
 * @ini: what is said of a recording
 * @key: one of its keys
 * @texts: (nullable) (array zero-terminated=1): its values, any bytes. Of a long list the end is left out, with "…" in its place
 */
void
cs_recording_ini_set_list (GKeyFile *ini, const char *key, const char *const *texts)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  gsize size = 0;

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      g_autofree char *escaped = escape (texts[i]);

      size += strlen (escaped) + 1;
      if (size > LIST_MOST / 2)
        {
          g_ptr_array_add (list, g_strdup ("…"));
          break;
        }
      g_ptr_array_add (list, g_steal_pointer (&escaped));
    }
  if (list->len > 0)
    g_key_file_set_string_list (ini, GROUP, key, (const char *const *) list->pdata, list->len);
  else
    g_key_file_remove_key (ini, GROUP, key, NULL);
}

/**
 * cs_recording_ini_set_time:
 * @ini: what is said of a recording
 * @key: one of its keys
 * @us: as g_get_real_time() tells it
 */
void
cs_recording_ini_set_time (GKeyFile *ini, const char *key, gint64 us)
{
  g_autoptr (GDateTime) seconds = g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) time = seconds != NULL ? g_date_time_add (seconds, us % G_USEC_PER_SEC) : NULL;
  g_autofree char *text = time != NULL ? g_date_time_format_iso8601 (time) : NULL;

  cs_recording_ini_set_text (ini, key, text);
}

/**
 * cs_recording_ini_set_change:
 * @ini: what is said of a recording
 * @change: what is to be said
 */
void
cs_recording_ini_set_change (GKeyFile *ini, const CsRecordingChange *change)
{
  if (change->name != NULL)
    cs_recording_ini_set_text (ini, "name", change->name);
  if (change->note != NULL)
    cs_recording_ini_set_text (ini, "note", change->note);
  if (change->ended != NULL)
    {
      g_autofree char *ending = cs_run_result_describe (change->ended);

      cs_recording_ini_set_time (ini, "started", change->ended->started_us);
      cs_recording_ini_set_time (ini, "ended", change->ended->started_us + change->ended->elapsed_us);
      cs_recording_ini_set_text (ini, "ending", ending);
    }
  for (guint i = 0; change->summary != NULL && i < G_N_ELEMENTS (summary_keys); i++)
    g_key_file_set_uint64 (ini, GROUP_SUMMARY, summary_keys[i].key,
                           G_STRUCT_MEMBER (guint64, change->summary, summary_keys[i].offset));
}

/**
 * cs_recording_ini_read:
 * @fd: a recording's folder
 * @error: where to say why nothing is read
 *
 * Links are not followed.
 *
 * Returns: (transfer full) (nullable): what `recording.ini` says; on error %NULL with %G_IO_ERROR_NOT_FOUND where there
 *   is none, and others
 */
GKeyFile *
cs_recording_ini_read (int fd, GError **error)
{
  cs_autofd file = openat (fd, CS_RECORDING_INI, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  g_autoptr (GKeyFile) ini = g_key_file_new ();
  g_autofree char *text = NULL;
  const char *why = NULL;
  struct stat st;
  gssize got = 0;

  if (file < 0 && errno == ENOENT)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is none");
      return NULL;
    }
  if (file < 0 || fstat (file, &st) != 0)
    why = errno == ELOOP ? "it is a link" : g_strerror (errno);
  else if (!S_ISREG (st.st_mode))
    why = "it is no file";
  else if (st.st_size > INI_MOST)
    why = "it is too large";
  else
    {
      text = g_malloc ((gsize) st.st_size + 1);
      got = cs_pread_full (file, text, (gsize) st.st_size, 0);
      if (got < 0)
        why = g_strerror (errno);
      else if (memchr (text, '\0', (gsize) got) != NULL || !g_key_file_load_from_data (ini, text, (gsize) got, G_KEY_FILE_KEEP_COMMENTS, NULL) ||
               (!g_key_file_has_group (ini, GROUP) && !g_key_file_has_group (ini, GROUP_SUMMARY)))
        why = "it isn't what Callsight writes";
    }
  if (why == NULL)
    return g_steal_pointer (&ini);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, why);
  return NULL;
}

/**
 * cs_recording_ini_write:
 * @fd: a recording's folder
 * @folder: the same, to name it
 * @ini: what is to be said of it
 * @error: where to say why it can't be written
 *
 * What was there is replaced when all is written. The folder's time tells those who watch where it lies.
 *
 * Returns: whether it is written
 */
gboolean
cs_recording_ini_write (int fd, const char *folder, GKeyFile *ini, GError **error)
{
  gsize size = 0, done = 0;
  g_autofree char *text = g_key_file_to_data (ini, &size, NULL);
  cs_autofd file = -1;
  gssize n = 0;

  unlinkat (fd, CS_RECORDING_INI_NEW, 0);
  file = openat (fd, CS_RECORDING_INI_NEW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  while (file >= 0 && done < size && n >= 0)
    {
      n = write (file, text + done, size - done);
      if (n < 0 && errno == EINTR)
        n = 0;
      done += n > 0 ? (gsize) n : 0;
    }
  if (file < 0 || n < 0 || renameat (fd, CS_RECORDING_INI_NEW, fd, CS_RECORDING_INI) != 0)
    {
      int number = errno;

      unlinkat (fd, CS_RECORDING_INI_NEW, 0);
      return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: %s can't be written (%s) — see that the folder can be written "
                                "and the disk has room", folder, CS_RECORDING_INI, g_strerror (number));
    }
  futimens (fd, NULL);
  return TRUE;
}

static char *
read_text (GKeyFile *ini, const char *key, gsize most)
{
  g_autofree char *text = g_key_file_get_string (ini, GROUP, key, NULL);
  g_autofree char *bytes = text != NULL ? unescape (text) : NULL;

  return bytes != NULL && *bytes != '\0' ? cut (bytes, most) : NULL;
}

static char **
read_list (GKeyFile *ini, const char *key)
{
  g_auto (GStrv) texts = g_key_file_get_string_list (ini, GROUP, key, NULL, NULL);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  gsize size = 0;

  for (guint i = 0; texts != NULL && texts[i] != NULL && size < LIST_MOST; i++)
    {
      g_ptr_array_add (list, unescape (texts[i]));
      size += strlen (texts[i]) + sizeof (char *);
    }
  if (list->len == 0)
    return NULL;
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
}

static gint64
read_time (GKeyFile *ini, const char *key)
{
  g_autofree char *text = g_key_file_get_string (ini, GROUP, key, NULL);
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;

  return time != NULL ? g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time) : 0;
}

static void
take_ini (CsRecordingInfo *self, GKeyFile *ini)
{
  gint64 started = read_time (ini, "started");

  self->name = read_text (ini, "name", CS_RECORDING_NAME_MOST);
  self->note = read_text (ini, "note", CS_RECORDING_NOTE_MOST);
  self->command = read_list (ini, "command");
  self->working_folder = read_text (ini, "working-folder", TEXT_MOST);
  self->environment = read_list (ini, "environment");
  self->config_hash = read_text (ini, "config-hash", 64);
  self->host = read_text (ini, "host", 255);
  self->versions = read_text (ini, "versions", TEXT_MOST);
  self->ending = read_text (ini, "ending", TEXT_MOST);
  self->ended_us = read_time (ini, "ended");
  if (started != 0)
    self->started_us = started;
  self->has_summary = g_key_file_has_group (ini, GROUP_SUMMARY);
  for (guint i = 0; i < G_N_ELEMENTS (summary_keys) && self->has_summary; i++)
    {
      g_autoptr (GError) error = NULL;

      G_STRUCT_MEMBER (guint64, &self->summary, summary_keys[i].offset)
          = g_key_file_get_uint64 (ini, GROUP_SUMMARY, summary_keys[i].key, &error);
      self->has_summary = error == NULL;
    }
  if (!self->has_summary)
    self->summary = (CsRecordingSummary){ 0 };
}

/**
 * cs_recording_info_read:
 * @fd: a recording's folder; negative with errno
 * @folder: the same, absolute
 * @has_ini: (out): whether there is a `recording.ini`, good or bad; or nobody can tell
 *
 * Returns: (transfer full): what is said of the recording
 */
CsRecordingInfo *
cs_recording_info_read (int fd, const char *folder, gboolean *has_ini)
{
  g_autoptr (CsRecordingInfo) self = g_new0 (CsRecordingInfo, 1);
  g_autoptr (GError) local = NULL;
  g_autoptr (GKeyFile) ini = NULL;
  struct stat st;

  self->folder = g_strdup (folder);
  if (fd >= 0)
    ini = cs_recording_ini_read (fd, &local);
  else
    g_set_error_literal (&local, G_IO_ERROR, G_IO_ERROR_FAILED, g_strerror (errno));
  if ((fd >= 0 ? fstat (fd, &st) : lstat (folder, &st)) == 0)
    self->started_us = (gint64) st.st_mtim.tv_sec * G_USEC_PER_SEC + st.st_mtim.tv_nsec / 1000;
  if (ini != NULL)
    take_ini (self, ini);
  else if (fd < 0)
    self->problem = g_strdup_printf ("%s: can't be opened (%s) — run as the user who recorded it", folder, local->message);
  else
    self->problem = g_strdup_printf ("%s: %s tells nothing (%s) — the recording itself can be opened all the same", folder,
                                     CS_RECORDING_INI, local->message);
  *has_ini = !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  return g_steal_pointer (&self);
}

/**
 * cs_recording_info_get_title:
 * @self: a recording
 *
 * Returns: (transfer full): what to call it in a list: its name, else the program's, else the folder's. UTF-8, one line
 */
char *
cs_recording_info_get_title (const CsRecordingInfo *self)
{
  g_autofree char *program = self->name == NULL && self->command != NULL ? g_path_get_basename (self->command[0]) : NULL;
  g_autofree char *folder = g_path_get_basename (self->folder);
  g_autofree char *title = g_utf8_make_valid (self->name != NULL ? self->name : program != NULL ? program : folder, -1);

  for (char *p = title; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      *p = ' ';
  return g_steal_pointer (&title);
}

/**
 * cs_recording_info_copy:
 * @self: a recording
 *
 * Returns: (transfer full): the same once more
 */
CsRecordingInfo *
cs_recording_info_copy (const CsRecordingInfo *self)
{
  CsRecordingInfo *copy = g_memdup2 (self, sizeof *self);

  copy->folder = g_strdup (self->folder);
  copy->name = g_strdup (self->name);
  copy->note = g_strdup (self->note);
  copy->command = g_strdupv (self->command);
  copy->working_folder = g_strdup (self->working_folder);
  copy->environment = g_strdupv (self->environment);
  copy->config_hash = g_strdup (self->config_hash);
  copy->host = g_strdup (self->host);
  copy->versions = g_strdup (self->versions);
  copy->ending = g_strdup (self->ending);
  copy->problem = g_strdup (self->problem);
  return copy;
}

/**
 * cs_recording_info_free:
 * @self: (transfer full): a recording
 */
void
cs_recording_info_free (CsRecordingInfo *self)
{
  g_free (self->folder);
  g_free (self->name);
  g_free (self->note);
  g_strfreev (self->command);
  g_free (self->working_folder);
  g_strfreev (self->environment);
  g_free (self->config_hash);
  g_free (self->host);
  g_free (self->versions);
  g_free (self->ending);
  g_free (self->problem);
  g_free (self);
}
