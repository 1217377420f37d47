/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

/* A format that a view can write. */
typedef struct
{
  const char *title;     /* not yet translated */
  const char *use;       /* the same: what it is good for */
  const char *extension;
} CsExportKind;

/* Gets the format and the file to write. */
typedef void (*CsExportChosen) (gpointer view, const CsExportKind *kind, const char *path);

void cs_export_question_ask (GtkWidget *view, CsSession *session, const char *title, const char *text, GPtrArray *kinds,
                             CsExportChosen chosen);
void cs_export_question_ask_place (GtkWidget *view, CsSession *session, const CsExportKind *kind, CsExportChosen chosen);

G_END_DECLS
