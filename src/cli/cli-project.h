/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection.h"

G_BEGIN_DECLS

/* What a command needs to know of a project. Each includes those above it. */
typedef enum
{
  CLI_PROJECT_CONFIG,    /* trace.config */
  CLI_PROJECT_TREE,      /* the files of the source tree */
  CLI_PROJECT_FUNCTIONS, /* the functions in these */
  CLI_PROJECT_GRAPH,     /* which calls which */
} CliProjectPart;

/* A project folder, its trace.config and its sources, as the commands that choose read them. */
typedef struct
{
  char *folder;          /* (nullable): the project's folder; NULL: where the config lies */
  char *config_path;     /* (nullable): NULL: trace.config in the folder */
  gboolean config_optional; /* without a file the config is empty */
  gboolean quiet;        /* no progress display, no remarks */

  CsTraceConfig *config;
  CsSourceTree *tree;
  CsFunctionIndex *index;
  CsCallGraph *graph;
} CliProject;

gboolean cli_project_load (CliProject *self, const char *command, CliProjectPart part);
CsSelection *cli_project_choose (CliProject *self, const char *command);
void cli_project_clear (CliProject *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliProject, cli_project_clear)

G_END_DECLS
