/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-trace-config.h"

static const char starter[] =
  "# What Callsight traces of this project. As long as no rule is here: everything.\n"
  "#\n"
  "# A rule a line; # begins a comment, also behind a rule. A PATTERN is a file, a folder, or a glob\n"
  "# with * ? [a-z] within a name and ** across folders. It matches a path or the end of one:\n"
  "# rng.c is also src/util/rng.c. Take the # away from a line to use it.\n"
  "\n"
  "# Only these files and folders (any number of lines):\n"
  "#include src/\n"
  "\n"
  "# But not these; exclude always wins:\n"
  "#exclude **/tests/\n"
  "#exclude src/util/rng.c      # called millions of times\n"
  "\n"
  "# No function of which the name contains this:\n"
  "#exclude-func log_printf\n"
  "\n"
  "# This function and what it calls, all of it or so many calls deep:\n"
  "#include-func handle_request\n"
  "#include-func parse_header 2\n"
  "\n"
  "# Count up to three hardware events, too, in calls of these functions and files:\n"
  "#counter cycles,cache-misses\n"
  "#counter-func matrix_multiply\n"
  "#counter-file src/codec/*.c\n"
  "\n"
  "# Leave out the counting of calls that are shorter than this (auto, 0 for none, or 500ns, 20us, 1ms):\n"
  "#counter-min auto\n";

/**
 * cs_trace_config_starter_text:
 *
 * Returns: the text of a trace.config that chooses everything, and tells in comments what else it could say
 */
const char *
cs_trace_config_starter_text (void)
{
  return starter;
}
