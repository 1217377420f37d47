/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli.h"

/**
 * cli_symbols_clear:
 * @self: options
 */
void
cli_symbols_clear (CliSymbols *self)
{
  g_free (self->addr2line);
  g_strfreev (self->source_maps);
}

static gboolean
apply_addr2line (CliSymbols *self, CsSymbolizer *symbolizer, GError **error)
{
  const char *command = self->addr2line != NULL ? self->addr2line : g_getenv ("CALLSIGHT_ADDR2LINE");

  if (command == NULL || (self->addr2line == NULL && *command == '\0') ||
      cs_symbolizer_set_addr2line (symbolizer, command, error))
    return TRUE;
  g_prefix_error (error, "%s: ", self->addr2line != NULL ? "--addr2line" : "CALLSIGHT_ADDR2LINE");
  return FALSE;
}

static gboolean
apply_source_maps (CliSymbols *self, CsSymbolizer *symbolizer, GError **error)
{
  for (guint i = 0; self->source_maps != NULL && self->source_maps[i] != NULL; i++)
    if (!cs_symbolizer_add_source_map (symbolizer, self->source_maps[i], error))
      {
        g_prefix_error (error, "--source-map: ");
        return FALSE;
      }
  return TRUE;
}

static gboolean
apply_debuginfod (CliSymbols *self, CsSymbolizer *symbolizer, GError **error)
{
  CsDebuginfod *debuginfod;

  if (!self->debuginfod)
    return TRUE;
  debuginfod = cs_debuginfod_new (g_getenv ("DEBUGINFOD_URLS"), error);
  if (debuginfod == NULL)
    {
      g_prefix_error (error, "--debuginfod: ");
      return FALSE;
    }
  cs_symbolizer_set_debuginfod (symbolizer, debuginfod);
  return TRUE;
}

/**
 * cli_symbols_apply:
 * @self: options as parsed
 * @symbolizer: what they are about
 * @error: where to say which of them can't be used
 *
 * Returns: whether @symbolizer will do as they say
 */
gboolean
cli_symbols_apply (CliSymbols *self, CsSymbolizer *symbolizer, GError **error)
{
  if (self->template_depth < 0 && self->template_depth != CLI_DEPTH_DEFAULT)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "--template-depth %d: levels are counted from 0, which shows no arguments", self->template_depth);
      return FALSE;
    }
  if (self->template_depth >= 0)
    cs_symbolizer_set_template_depth (symbolizer, (guint) self->template_depth);
  return apply_addr2line (self, symbolizer, error) && apply_source_maps (self, symbolizer, error) &&
         apply_debuginfod (self, symbolizer, error);
}
