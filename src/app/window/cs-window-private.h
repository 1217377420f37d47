/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-window.h"
#include "cs-jobs-button.h"
#include "cs-recording-bar.h"
#include "cs-sidebar.h"
#include "welcome/cs-adopt-bar.h"

G_BEGIN_DECLS

struct _CsWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  AdwWindowTitle *title;
  GtkWidget *build_button;
  GtkWidget *record_button;
  GtkWidget *stop_button;
  GtkMenuButton *menu_button;
  CsJobsButton *jobs_button;
  AdwFlap *flap;
  CsSidebar *sidebar;
  CsAdoptBar *adopt_bar;
  CsRecordingBar *recording_bar;
  GtkStack *pages;
  GtkStack *views;
  GtkProgressBar *progress;
  AdwStatusPage *error_page;

  CsSession *session;
  gboolean focus_was_in_page; /* before the page was left for another one */
  GCancellable *opening;      /* (nullable): ends the look at what is to be opened */
};

void cs_window_show_view (CsWindow *self, const char *name);
void cs_window_focus_view (CsWindow *self);
void cs_window_show_failure (CsWindow *self, const char *text);

/* cs-window-open.c */
void cs_window_open_list (CsWindow *self, GListModel *files);

G_END_DECLS
