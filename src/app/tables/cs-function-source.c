/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shared/cs-editor.h"
#include "tables/cs-function-source.h"

/**
 * cs_function_source_is_known:
 * @location: (nullable): where a function or a call is in the source
 *
 * Returns: whether an editor can show it
 */
gboolean
cs_function_source_is_known (const CsLocation *location)
{
  return location != NULL && location->source != NULL;
}

/**
 * cs_function_source_open:
 * @session: whom it is told why the editor doesn't start
 * @location: (nullable): where a function or a call is in the source
 *
 * Opens it in the editor, where it is known.
 */
void
cs_function_source_open (CsSession *session, const CsLocation *location)
{
  g_autoptr (GError) error = NULL;

  if (cs_function_source_is_known (location) && !cs_editor_open (location->source, location->line, &error))
    cs_session_tell (session, error->message);
}
