/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "receive/cs-receive-error.h"

G_DEFINE_QUARK (cs-receive-error-quark, cs_receive_error)

/**
 * cs_receive_refuse:
 * @error: where to say it
 * @format: the rule of the protocol, and what a device said instead, as for printf()
 * @...: what goes into it
 *
 * Sets an error %CS_RECEIVE_ERROR_PROTOCOL.
 *
 * Returns: %FALSE
 */
gboolean
cs_receive_refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_PROTOCOL, format, arguments);
  va_end (arguments);
  return FALSE;
}
