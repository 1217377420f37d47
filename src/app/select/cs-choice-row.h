/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What a box shows. */
typedef enum
{
  CS_BOX_NONE, /* there is no box */
  CS_BOX_OFF,
  CS_BOX_PARTLY,
  CS_BOX_ON,
} CsBox;

/* What a row shows. Texts are valid UTF-8. */
typedef struct
{
  guint depth;             /* steps that it is indented by */
  gboolean has_arrow;      /* leaves room for an arrow */
  gboolean expandable;     /* of a row with an arrow */
  gboolean expanded;
  gboolean heading;        /* of the rows that follow */
  gboolean dim;            /* not chosen */
  gboolean monospace;
  CsBox box;
  gboolean box_sensitive;
  const char *name;
  const char *suffix;      /* (nullable): dimmed, behind the name */
  const char *badge;       /* (nullable) */
  const char *pill;        /* (nullable): at the end */
  const char *cells[2];    /* (nullable): columns at the end, where there is room for them */
  const char *action;      /* (nullable): text of the button at the end; NULL: none */
  const char *tooltip;     /* (nullable) */
  const char *label;       /* what a screen reader says of the row */
  const char *box_label;   /* (nullable): and of the box */
} CsChoiceRowContent;

/* A row of the trees and lists in which functions are chosen. It paints its texts itself, since a list makes some hundreds
 * of rows at once. Signals: toggled, arrow-clicked, action-clicked, menu-requested (x, y). */
#define CS_TYPE_CHOICE_ROW (cs_choice_row_get_type ())
G_DECLARE_FINAL_TYPE (CsChoiceRow, cs_choice_row, CS, CHOICE_ROW, GtkWidget)

GtkWidget *cs_choice_row_new (void);
void cs_choice_row_set_content (CsChoiceRow *self, const CsChoiceRowContent *content);
const char *cs_choice_row_get_label (CsChoiceRow *self);
void cs_choice_row_set_list_item (CsChoiceRow *self, GtkListItem *list_item);
GtkListItem *cs_choice_row_get_list_item (CsChoiceRow *self);
GtkWidget *cs_choice_row_get_action_button (CsChoiceRow *self);
GtkWidget *cs_choice_row_get_box (CsChoiceRow *self);
CsChoiceRow *cs_choice_row_find_focused (GtkWidget *list);

void cs_choice_list_set_up (GtkListView *list, GCallback setup, GCallback bind, GCallback unbind, GCallback key,
                            gpointer data);

G_END_DECLS
