/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "project/cs-build-message.h"

struct _CsBuildMessages
{
  CsBuildLineFunc function;
  gpointer user_data;
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

  self->function = function;
  self->user_data = user_data;
  return self;
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
  return 0;
}

/**
 * cs_build_messages_free:
 * @self: (transfer full): a reader
 */
void
cs_build_messages_free (CsBuildMessages *self)
{
  g_free (self);
}
