/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cs-io.h"
#include "receive/cs-receive-key.h"

#define KEY_LEAST 16
#define KEY_MOST 256
#define KEY_MADE 32 /* random bytes of a key that is made; two letters each */

struct _CsReceiveKey
{
  guint8 bytes[KEY_MOST];
  gsize size;
};

/**
 * cs_receive_key_new:
 * @bytes: (array length=size): a key, and whatever follows its first newline
 * @size: how many bytes
 * @error: where to say why that is none
 *
 * Returns: (transfer full) (nullable): the key: the bytes before the first newline
 */
CsReceiveKey *
cs_receive_key_new (const char *bytes, gsize size, GError **error)
{
  const char *end = size > 0 ? memchr (bytes, '\n', size) : NULL;
  gsize n = end != NULL ? (gsize) (end - bytes) : size;
  CsReceiveKey *self;

  if (n < KEY_LEAST || n > KEY_MOST)
    {
      g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_KEY,
                   "a key has %d to %d bytes before its first newline, this one %s%" G_GSIZE_FORMAT
                   " — make one with callsight-cli serve --new-key FILE",
                   KEY_LEAST, KEY_MOST, n > KEY_MOST ? "at least " : "", n);
      return NULL;
    }
  self = g_new0 (CsReceiveKey, 1);
  memcpy (self->bytes, bytes, n);
  self->size = n;
  return self;
}

/**
 * cs_receive_key_read:
 * @path: a file
 * @others_may_read: (out): whether other users may read it
 * @error: where to say why there is no key
 *
 * Returns: (transfer full) (nullable): the key in the file's first line
 */
CsReceiveKey *
cs_receive_key_read (const char *path, gboolean *others_may_read, GError **error)
{
  g_autoptr (GError) local = NULL;
  char bytes[KEY_MOST + 2];
  CsReceiveKey *self = NULL;
  struct stat st;
  gssize n = -1;
  cs_autofd fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  *others_may_read = FALSE;
  if (fd >= 0 && fstat (fd, &st) == 0)
    {
      *others_may_read = (st.st_mode & 077) != 0;
      if (S_ISREG (st.st_mode))
        n = cs_pread_full (fd, bytes, sizeof bytes, 0);
      else
        errno = EINVAL;
    }
  if (n < 0)
    {
      g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_KEY, "%s: the key can't be read: %s — make one with "
                   "callsight-cli serve --new-key %s", path, g_strerror (errno), path);
      return NULL;
    }
  self = cs_receive_key_new (bytes, (gsize) n, &local);
  explicit_bzero (bytes, sizeof bytes);
  if (self == NULL)
    g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_KEY, "%s: %s", path, local->message);
  return self;
}

/**
 * cs_receive_key_make:
 * @path: a file that isn't there yet
 * @error: where to say why it wasn't made
 *
 * Makes a file that only this user may read, with a new key.
 *
 * Returns: whether it was made
 */
gboolean
cs_receive_key_make (const char *path, GError **error)
{
  guint8 random[KEY_MADE];
  char text[2 * KEY_MADE + 2];
  gboolean done;
  cs_autofd fd = -1;

  if (!cs_receive_fill_random (random, sizeof random))
    {
      g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_KEY, "the system gives no random bytes: %s", g_strerror (errno));
      return FALSE;
    }
  for (guint i = 0; i < KEY_MADE; i++)
    g_snprintf (text + 2 * i, 3, "%02x", random[i]);
  text[2 * KEY_MADE] = '\n';
  fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  done = fd >= 0 && write (fd, text, 2 * KEY_MADE + 1) == 2 * KEY_MADE + 1 && fsync (fd) == 0;
  explicit_bzero (random, sizeof random);
  explicit_bzero (text, sizeof text);
  if (done)
    return TRUE;
  if (fd < 0 && errno == EEXIST)
    g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_KEY, "%s is there already, and may be a key that devices have — "
                 "name another file, or remove it first", path);
  else
    g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_KEY, "%s: the key can't be written: %s", path, g_strerror (errno));
  if (fd >= 0)
    unlink (path);
  return FALSE;
}

/**
 * cs_receive_key_copy:
 * @self: (nullable): a key
 *
 * Returns: (transfer full) (nullable): the same
 */
CsReceiveKey *
cs_receive_key_copy (const CsReceiveKey *self)
{
  return self != NULL ? g_memdup2 (self, sizeof *self) : NULL;
}

/**
 * cs_receive_key_free:
 * @self: (transfer full) (nullable): a key, of which nothing stays in memory
 */
void
cs_receive_key_free (CsReceiveKey *self)
{
  if (self == NULL)
    return;
  explicit_bzero (self, sizeof *self);
  g_free (self);
}

/**
 * cs_receive_key_prove:
 * @self: a key
 * @who: whose proof it is, so that neither side's can be sent back to it
 * @said: (array length=n_said): what both sides said so far, their random bytes included
 * @n_said: how many bytes
 * @proof: (out) (array fixed-size=32): what only somebody with the key can tell: HMAC-SHA256 of @who and @said
 */
void
cs_receive_key_prove (const CsReceiveKey *self, const char *who, const guint8 *said, gsize n_said, guint8 *proof)
{
  g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA256, self->bytes, self->size);
  gsize size = CS_RECEIVE_PROOF_SIZE;

  g_hmac_update (hmac, (const guchar *) who, (gssize) strlen (who));
  g_hmac_update (hmac, said, (gssize) n_said);
  g_hmac_get_digest (hmac, proof, &size);
}

/**
 * cs_receive_proof_is_same:
 * @a: (array fixed-size=32): a proof
 * @b: (array fixed-size=32): another
 *
 * Takes as long wherever they differ.
 *
 * Returns: whether they are the same
 */
gboolean
cs_receive_proof_is_same (const guint8 *a, const guint8 *b)
{
  volatile guint8 different = 0;

  for (guint i = 0; i < CS_RECEIVE_PROOF_SIZE; i++)
    different |= a[i] ^ b[i];
  return different == 0;
}

/**
 * cs_receive_fill_random:
 * @bytes: (out) (array length=size): what nobody can foretell
 * @size: how many, at most 256
 *
 * Returns: whether the system gave them; if not, errno says why
 */
gboolean
cs_receive_fill_random (guint8 *bytes, gsize size)
{
  ssize_t n;

  do
    n = getrandom (bytes, size, 0);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t) size;
}
