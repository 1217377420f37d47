/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "capture/cs-fields.h"
#include "receive/cs-receive-hello.h"
#include "trace.h"

#define MAGIC "TKSTREAM"
#define MAGIC_SIZE 8
/* Letters of a name that become part of a file's. */
#define NAME_MOST 64

/* What else may knock at a port. */
static const struct
{
  const char *begin, *what;
} others[] = {
  { "GET ", "an HTTP request" },  { "POST ", "an HTTP request" }, { "HEAD ", "an HTTP request" },
  { "PUT ", "an HTTP request" },  { "OPTIONS ", "an HTTP request" }, { "CONNECT ", "an HTTP request" },
  { "\x16\x03", "a TLS handshake" }, { "SSH-", "an SSH client" },
};

static const char *
guess (const guint8 *bytes, gsize n)
{
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (memcmp (bytes, others[i].begin, MIN (n, strlen (others[i].begin))) == 0 && n >= 2)
      return others[i].what;
  return "something else";
}

/**
 * cs_receive_hello_may_begin:
 * @bytes: (array length=n): the first bytes that came
 * @n: how many, at least one
 * @error: where to say what came instead
 *
 * Returns: whether they are the beginning of a stream
 */
gboolean
cs_receive_hello_may_begin (const guint8 *bytes, gsize n, GError **error)
{
  if (memcmp (bytes, MAGIC, MIN (n, MAGIC_SIZE)) == 0)
    return TRUE;
  return cs_receive_refuse (error, "a stream begins with " MAGIC ", this was %s", guess (bytes, n));
}

/**
 * cs_receive_hello_parse:
 * @self: (out): what it says
 * @bytes: (array fixed-size=64): what a device sends first
 * @error: where to say what is wrong with it
 *
 * Returns: whether it is a device that can be understood
 */
gboolean
cs_receive_hello_parse (CsReceiveHello *self, const guint8 *bytes, GError **error)
{
  gboolean swapped = cs_field_u32 (bytes, 8, FALSE) > 0xFFFF;
  guint32 event_size = cs_field_u32 (bytes, 12, swapped);
  gboolean big = (G_BYTE_ORDER == G_BIG_ENDIAN) != swapped;

  *self = (CsReceiveHello){ .version = cs_field_u32 (bytes, 8, swapped),
                            .swapped = swapped,
                            .flags = cs_field_u32 (bytes, 16, swapped) & (TRACE_FLAG_TICKS | TRACE_FLAG_ROTATED),
                            .load_bias = cs_field_u64 (bytes, 24, swapped),
                            .tick_hz = cs_field_u64 (bytes, 32, swapped),
                            .t0_ticks = cs_field_u64 (bytes, 40, swapped),
                            .t0_ns = cs_field_u64 (bytes, 48, swapped),
                            .hook_ns = cs_field_u64 (bytes, 56, swapped) };
  self->flags |= big ? TRACE_FLAG_BIG_ENDIAN : 0;
  if (!cs_receive_hello_may_begin (bytes, MAGIC_SIZE, error))
    return FALSE;
  if (self->version != 2 && self->version != 3)
    return cs_receive_refuse (error, "the protocol is version 2 or 3, this was version %u", self->version);
  if (event_size != TRACE_EVENT_SIZE)
    return cs_receive_refuse (error, "events have %u bytes, these would have %u", TRACE_EVENT_SIZE, event_size);
  self->device = g_strdup ("device");
  self->ring = g_strdup ("");
  return TRUE;
}

/**
 * cs_receive_answer_make:
 * @key: (nullable): what the device has to know
 * @said: what the device said; the receiver's random bytes are put behind it, for which there is room
 * @n_said: (inout): how many bytes
 * @answer: (out): what to say to the device, at most %CS_RECEIVE_ANSWER_MOST bytes
 *
 * Returns: the bytes of the answer; 0 where the system gives no random bytes
 */
gsize
cs_receive_answer_make (const CsReceiveKey *key, guint8 *said, gsize *n_said, guint8 *answer)
{
  gsize n = 1 + CS_RECEIVE_RANDOM_SIZE;

  answer[0] = key != NULL;
  if (!cs_receive_fill_random (answer + 1, CS_RECEIVE_RANDOM_SIZE))
    return 0;
  memcpy (said + *n_said, answer + 1, CS_RECEIVE_RANDOM_SIZE);
  *n_said += CS_RECEIVE_RANDOM_SIZE;
  if (key == NULL)
    return n;
  cs_receive_key_prove (key, "callsight-server-3", said, *n_said, answer + n);
  return n + CS_RECEIVE_PROOF_SIZE;
}

/* A name that can be part of a file's and printed, whatever it was; "" where nothing is left. */
static char *
sanitise (const char *name, gsize n)
{
  char *clean = g_strndup (name, MIN (n, NAME_MOST));

  g_strcanon (clean, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '_');
  memmove (clean, clean + strspn (clean, "._-"), strlen (clean + strspn (clean, "._-")) + 1);
  return clean;
}

/**
 * cs_receive_hello_name:
 * @self: what a device says
 * @name: what to call it
 *
 * Gives the device a name, of which only what can be part of a file's is kept.
 */
void
cs_receive_hello_name (CsReceiveHello *self, const char *name)
{
  g_autofree char *clean = sanitise (name, strlen (name));

  if (*clean == '\0')
    return;
  g_free (self->device);
  self->device = g_steal_pointer (&clean);
}

static void
take_line (CsReceiveHello *self, const char *line)
{
  guint64 pid;

  if (g_str_has_prefix (line, "device "))
    cs_receive_hello_name (self, line + strlen ("device "));
  else if (g_str_has_prefix (line, "ring "))
    {
      g_free (self->ring);
      self->ring = sanitise (line + strlen ("ring "), strlen (line + strlen ("ring ")));
    }
  else if (g_str_has_prefix (line, "pid ") &&
           g_ascii_string_to_unsigned (line + strlen ("pid "), 10, 0, G_MAXINT32, &pid, NULL))
    self->pid = (guint32) pid;
}

/**
 * cs_receive_hello_take_text:
 * @self: what a device says
 * @text: (array length=n): lines that begin with device, ring and pid; others say nothing
 * @n: how many bytes
 *
 * Takes the text of version 3.
 */
void
cs_receive_hello_take_text (CsReceiveHello *self, const char *text, gsize n)
{
  g_autofree char *copy = g_strndup (text, n);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    take_line (self, *line);
}

/**
 * cs_receive_hello_dup_identity:
 * @self: what a device says
 *
 * Returns: (transfer full) (nullable): a text that is the same only for streams of the same process of the same
 *   device; %NULL where nothing tells
 */
char *
cs_receive_hello_dup_identity (const CsReceiveHello *self)
{
  if (self->version < 3 || self->t0_ns == 0)
    return NULL;
  return g_strdup_printf ("%s %s %u %d %x %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x", self->device,
                          self->ring, self->pid, self->swapped, self->flags, self->load_bias, self->t0_ticks, self->t0_ns);
}

/**
 * cs_receive_hello_copy:
 * @self: (out): the same
 * @from: what a device says
 */
void
cs_receive_hello_copy (CsReceiveHello *self, const CsReceiveHello *from)
{
  *self = *from;
  self->device = g_strdup (from->device);
  self->ring = g_strdup (from->ring);
}

/**
 * cs_receive_hello_clear:
 * @self: what a device says, of which nothing stays
 */
void
cs_receive_hello_clear (CsReceiveHello *self)
{
  g_clear_pointer (&self->device, g_free);
  g_clear_pointer (&self->ring, g_free);
}
