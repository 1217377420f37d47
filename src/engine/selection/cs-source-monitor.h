/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-tree-folder.h"

G_BEGIN_DECLS

/* Watches folders of a source tree, and collects what happens in them. */
typedef struct _CsSourceMonitor CsSourceMonitor;

typedef void (*CsSourceMonitorFunc) (const char *const *folders, gpointer user_data);

CsSourceMonitor *cs_source_monitor_new (const char *root, CsSourceMonitorFunc func, gpointer user_data);
void cs_source_monitor_set_folders (CsSourceMonitor *self, GHashTable *folders);
void cs_source_monitor_go_on (CsSourceMonitor *self);
const char *cs_source_monitor_get_problem (const CsSourceMonitor *self);
void cs_source_monitor_free (CsSourceMonitor *self);

G_END_DECLS
