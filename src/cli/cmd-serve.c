/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli-lines.h"
#include "cli.h"
#include "receive/cs-receiver.h"

#define PROGRESS_S 5

typedef struct
{
  char *host, *out, *key_file, *new_key;
  int port;
  gint64 max_mb, seg_mb, total_mb, min_free_mb;
  gboolean quiet, verbose;
  CsReceiverOptions options;
} Serve;

typedef struct
{
  gboolean quiet;
  CliLines *lines;
} Serving;

static void
on_message (CsReceiver *receiver, guint kind, const char *text, gpointer data)
{
  Serving *self = data;
  gboolean is_notice = kind == CS_RECEIVER_REFUSED || kind == CS_RECEIVER_NOTICE;

  if (is_notice || !self->quiet)
    cli_lines_add (self->lines, is_notice, text);
}

static gboolean
on_progress (gpointer data)
{
  cs_receiver_tell_progress (data);
  return G_SOURCE_CONTINUE;
}

/* The key that devices have to know; NULL without error: none. */
static CsReceiveKey *
find_key (const Serve *self, GError **error)
{
  const char *text = g_getenv ("CALLSIGHT_KEY");
  gboolean others_may_read = FALSE;
  CsReceiveKey *key;

  if (self->key_file == NULL)
    return text != NULL ? cs_receive_key_new (text, strlen (text), error) : NULL;
  key = cs_receive_key_read (self->key_file, &others_may_read, error);
  if (key != NULL && others_may_read)
    {
      g_autofree char *notice = g_strdup_printf ("%s: others may read this key — chmod 600 %s", self->key_file, self->key_file);

      cli_notice (notice);
    }
  return key;
}

static gboolean
check_number (const char *option, gint64 value, gint64 least, gint64 most)
{
  if (value >= least && value <= most)
    return TRUE;
  cli_error ("serve: %s: %" G_GINT64_FORMAT " is not from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, option, value, least, most);
  return FALSE;
}

static gboolean
check (Serve *self)
{
  const gint64 most = (gint64) 1 << 40;

  if (!check_number ("--port", self->port, 0, 65535) || !check_number ("--max-mb", self->max_mb, 1, most) ||
      !check_number ("--seg-mb", self->seg_mb, 1, most) || !check_number ("--total-mb", self->total_mb, 0, most) ||
      !check_number ("--min-free-mb", self->min_free_mb, 0, most) || !cli_check_name ("serve: --out", self->out) ||
      !cli_check_name ("serve: --host", self->host) || !cli_check_name ("serve: --key-file", self->key_file) ||
      !cli_check_name ("serve: --new-key", self->new_key))
    return FALSE;
  self->options.folder = self->out != NULL ? self->out : "traces";
  self->options.limits = (CsReceiveLimits){ .segment_bytes = (guint64) self->seg_mb << 20,
                                            .connection_bytes = (guint64) self->max_mb << 20,
                                            .total_bytes = (guint64) self->total_mb << 20,
                                            .least_free = (guint64) self->min_free_mb << 20 };
  return TRUE;
}

static int
make_key (const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!cs_receive_key_make (path, &error))
    {
      cli_error ("serve: %s", error->message);
      return CLI_BAD_INPUT;
    }
  printf ("%s: a new key. Copy it to the devices, then: callsight-cli serve --key-file %s\n", path, path);
  return CLI_DONE;
}

static void
tell_start (const Serve *self, CsReceiver *receiver, CliLines *lines, gboolean has_key)
{
  const char *const *addresses = cs_receiver_get_addresses (receiver);
  g_autofree char *list = g_strjoinv (", ", (char **) addresses);

  if (!has_key && cs_receiver_is_reachable (receiver))
    cli_lines_add (lines, TRUE, "whoever reaches this port may send recordings, as there is no key — make one with --new-key FILE and "
                                "give it with --key-file FILE, or listen on --host 127.0.0.1 behind an ssh tunnel");
  if (!self->quiet)
    {
      g_autofree char *text = g_strdup_printf ("listening on %s, recordings go to %s%s", list, self->options.folder,
                                               has_key ? ", for devices with the key" : "");

      cli_lines_add (lines, FALSE, text);
    }
}

/* Receives until a signal comes. A second one ends at once. */
static int
serve (Serve *self, const CsReceiveKey *key)
{
  g_autoptr (CsReceiver) receiver = cs_receiver_new (&self->options, key);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) stopped = NULL;
  g_autoptr (GError) error = NULL;
  Serving serving = { .quiet = self->quiet };
  CliInterrupt first, second;
  guint progress = 0;

  g_signal_connect (receiver, "message", G_CALLBACK (on_message), &serving);
  cli_interrupt_begin (&first);
  cs_receiver_listen_async (receiver, self->host != NULL ? self->host : "0.0.0.0", (guint16) self->port, first.cancellable,
                            cli_keep_result, &result);
  if (!cs_receiver_listen_finish (receiver, cli_wait (&result), &error))
    {
      cli_interrupt_end (&first, error);
      cli_error ("serve: %s", error->message);
      return CLI_BAD_INPUT;
    }
  serving.lines = cli_lines_new ();
  tell_start (self, receiver, serving.lines, key != NULL);
  if (self->verbose)
    progress = g_timeout_add_seconds (PROGRESS_S, on_progress, receiver);
  while (!g_cancellable_is_cancelled (first.cancellable))
    g_main_context_iteration (NULL, TRUE);
  cli_interrupt_end (&first, NULL);
  cli_interrupt_begin (&second);
  cs_receiver_stop_async (receiver, second.cancellable, cli_keep_result, &stopped);
  cs_receiver_stop_finish (receiver, cli_wait (&stopped), NULL);
  cli_interrupt_end (&second, NULL);
  if (progress != 0)
    g_source_remove (progress);
  cli_lines_end (serving.lines);
  return CLI_DONE;
}

static int
serve_with_key (Serve *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsReceiveKey) key = find_key (self, &error);

  if (error == NULL)
    return serve (self, key);
  cli_error ("serve: %s", error->message);
  return CLI_BAD_INPUT;
}

/**
 * cli_serve:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * serve: receives what devices stream, into a folder for each stream.
 *
 * Returns: the exit status
 */
int
cli_serve (int argc, char **argv)
{
  Serve self = { .port = 9001, .max_mb = 4096, .seg_mb = 256, .min_free_mb = 64 };
  int handshake = 0, slow = 0, slow_bytes = 0, idle = 0;
  const GOptionEntry entries[] = {
    { "host", 0, 0, G_OPTION_ARG_STRING, &self.host, "Listen on this address of this machine (0.0.0.0: all of IPv4)", "HOST" },
    { "port", 0, 0, G_OPTION_ARG_INT, &self.port, "Listen on this port of TCP (9001); 0: a free one", "PORT" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &self.out, "Make a folder for each stream in this one (traces)", "DIR" },
    { "max-mb", 0, 0, G_OPTION_ARG_INT64, &self.max_mb, "Write at most N MiB of each stream (4096)", "N" },
    { "seg-mb", 0, 0, G_OPTION_ARG_INT64, &self.seg_mb, "Begin a new file after N MiB (256)", "N" },
    { "total-mb", 0, 0, G_OPTION_ARG_INT64, &self.total_mb, "Write at most N MiB of all streams together (0: no matter)", "N" },
    { "min-free-mb", 0, 0, G_OPTION_ARG_INT64, &self.min_free_mb, "Leave N MiB of the disk free (64)", "N" },
    { "key-file", 0, 0, G_OPTION_ARG_FILENAME, &self.key_file, "Only devices that know the key in this file may send (CALLSIGHT_KEY)",
      "FILE" },
    { "new-key", 0, 0, G_OPTION_ARG_FILENAME, &self.new_key, "Make a file with a new key, and end", "FILE" },
    { "verbose", 'v', 0, G_OPTION_ARG_NONE, &self.verbose, "Tell every few seconds how much came", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self.quiet, "Tell only what goes wrong", NULL },
    { "handshake-ms", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &handshake, NULL, NULL },
    { "slow-ms", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &slow, NULL, NULL },
    { "slow-bytes", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &slow_bytes, NULL, NULL },
    { "idle-ms", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &idle, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  int status = CLI_BAD_INPUT;

  g_option_context_set_summary (context, "Receives what devices record, into a folder for each stream. Ctrl-C ends it; what has come is "
                                         "written.");
  g_option_context_set_description (context, "On the device: TRACE_SHM=/callsight0 in the traced program's environment, and beside it\n"
                                             "trace_stream /callsight0 HOST PORT. Then: callsight-cli analyze FOLDER, with the folder\n"
                                             "that is told. What travels is not encrypted: SECURITY.md tells more.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  cs_receiver_options_init (&self.options);
  if (!cli_parse (context, "serve", &argc, &argv))
    return CLI_BAD_INPUT;
  self.options.handshake_ms = handshake > 0 ? (guint) handshake : self.options.handshake_ms;
  self.options.slow_ms = slow > 0 ? (guint) slow : self.options.slow_ms;
  self.options.slow_bytes = slow_bytes > 0 ? (guint) slow_bytes : self.options.slow_bytes;
  self.options.idle_ms = idle > 0 ? (guint) idle : self.options.idle_ms;
  signal (SIGXFSZ, SIG_IGN);
  signal (SIGPIPE, SIG_IGN); /* where nobody reads what it says it still receives */
  if (argc > 1)
    cli_error ("serve: “%s” is no option — callsight-cli serve --help lists them", argv[1]);
  else if (check (&self))
    status = self.new_key != NULL ? make_key (self.new_key) : serve_with_key (&self);
  g_free (self.host);
  g_free (self.out);
  g_free (self.key_file);
  g_free (self.new_key);
  return status;
}
