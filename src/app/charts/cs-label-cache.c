/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "charts/cs-label-cache.h"

/* Pango never gets more characters of a text. */
#define MAX_CHARS 200
/* A text that wasn't asked for in so many frames is forgotten when there are many. */
#define KEPT_FRAMES 16
#define FEW_TEXTS 512
/* The same for beginnings of a text, of which zooming makes one for each of its characters. */
#define FEW_PARTS 24
/* What is shorter tells nothing. */
#define MIN_CHARS 2
#define ELLIPSIS "…"

/* A text, or its beginning with an ellipsis behind it. */
typedef struct
{
  PangoLayout *layout;
  int length; /* bytes of the text */
  int width, height;
  guint64 frame; /* in which it was asked for last; of beginnings */
} Label;

typedef struct
{
  Label whole;
  GArray *parts; /* (element-type Label): its beginnings */
  guint64 frame; /* in which it was asked for last */
} Text;

struct _CsLabelCache
{
  GtkWidget *widget;
  PangoAttrList *attributes;
  PangoContext *context; /* the widget's, with the serial that the labels were made with */
  guint serial;
  int ellipsis_width;
  GHashTable *texts;  /* what was asked for, not more than MAX_CHARS of it → Text */
  guint64 frame;
  guint n_asked; /* texts in this frame */
  guint n_shaped, max_shaped;
  gboolean is_short;
};

static void
text_free (gpointer data)
{
  Text *text = data;

  g_clear_object (&text->whole.layout);
  g_clear_pointer (&text->parts, g_array_unref);
  g_free (text);
}

static void
clear_part (gpointer data)
{
  g_object_unref (((Label *) data)->layout);
}

/**
 * cs_label_cache_new:
 * @widget: whose font the labels have; it must live longer
 * @scale: of the font's size
 *
 * Returns: (transfer full): a cache
 */
CsLabelCache *
cs_label_cache_new (GtkWidget *widget, double scale)
{
  CsLabelCache *self = g_new0 (CsLabelCache, 1);

  self->widget = widget;
  self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, text_free);
  self->attributes = pango_attr_list_new ();
  pango_attr_list_insert (self->attributes, pango_attr_scale_new (scale));
  return self;
}

/**
 * cs_label_cache_free:
 * @self: (transfer full): a cache
 */
void
cs_label_cache_free (CsLabelCache *self)
{
  g_hash_table_unref (self->texts);
  pango_attr_list_unref (self->attributes);
  g_clear_object (&self->context);
  g_free (self);
}

/**
 * cs_label_cache_clear:
 * @self: a cache
 *
 * Forgets all labels.
 */
void
cs_label_cache_clear (CsLabelCache *self)
{
  g_hash_table_remove_all (self->texts);
}

/* The first `length` bytes of a text. */
static void
shape (CsLabelCache *self, const char *text, int length, gboolean ellipsis, Label *label)
{
  PangoLayout *layout = pango_layout_new (self->context);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_attributes (layout, self->attributes);
  if (ellipsis)
    {
      g_autofree char *cut = g_strdup_printf ("%.*s" ELLIPSIS, length, text);

      pango_layout_set_text (layout, cut, -1);
    }
  else
    pango_layout_set_text (layout, text, length);
  pango_layout_get_pixel_size (layout, &label->width, &label->height);
  label->layout = layout;
  label->length = length;
  self->n_shaped++;
}

/* Labels that were made for another font are of no use. */
static void
follow_font (CsLabelCache *self)
{
  PangoContext *context = gtk_widget_get_pango_context (self->widget);
  guint serial = pango_context_get_serial (context);
  Label label;

  if (context == self->context && serial == self->serial)
    return;
  cs_label_cache_clear (self);
  g_set_object (&self->context, context);
  self->serial = serial;
  shape (self, "", 0, TRUE, &label);
  self->ellipsis_width = label.width;
  g_object_unref (label.layout);
}

static gboolean
is_old (gpointer key, gpointer value, gpointer data)
{
  CsLabelCache *self = data;

  return ((Text *) value)->frame + KEPT_FRAMES < self->frame;
}

/**
 * cs_label_cache_begin_frame:
 * @self: a cache
 *
 * Begins a frame. Labels that the last frames didn't ask for are forgotten where there are many.
 *
 * Returns: how many labels were shaped since the last frame began
 */
guint
cs_label_cache_begin_frame (CsLabelCache *self)
{
  guint n_shaped = self->n_shaped;

  self->frame++;
  if (g_hash_table_size (self->texts) > FEW_TEXTS + 2 * self->n_asked)
    g_hash_table_foreach_remove (self->texts, is_old, self);
  follow_font (self);
  self->n_asked = 0;
  self->n_shaped = 0;
  self->is_short = FALSE;
  return n_shaped;
}

/**
 * cs_label_cache_set_max_shaped:
 * @self: a cache
 * @n: how many labels are shaped in a frame at most; 0: as many as are asked for
 *
 * Bounds what a frame may take.
 */
void
cs_label_cache_set_max_shaped (CsLabelCache *self, guint n)
{
  self->max_shaped = n;
}

/**
 * cs_label_cache_is_short:
 * @self: a cache
 *
 * Returns: whether labels of this frame are missing, or are shorter than they could be, since too many would have had
 *   to be shaped; the next frame has more of them
 */
gboolean
cs_label_cache_is_short (CsLabelCache *self)
{
  return self->is_short;
}

/* Notes that a label is missing if it can't. */
static gboolean
can_shape (CsLabelCache *self)
{
  if (self->max_shaped == 0 || self->n_shaped < self->max_shaped)
    return TRUE;
  self->is_short = TRUE;
  return FALSE;
}

static Text *
find_text (CsLabelCache *self, const char *name)
{
  char beginning[MAX_CHARS * 6 + sizeof ELLIPSIS];
  gsize bytes = strnlen (name, MAX_CHARS * 6), n = 0;
  Text *text;

  /* The end of a long name isn't even looked at. */
  for (const char *p = name; p < name + bytes; p = g_utf8_next_char (p))
    if (n++ == MAX_CHARS)
      {
        bytes = (gsize) (p - name);
        break;
      }
  if (name[bytes] != '\0')
    {
      memcpy (beginning, name, bytes);
      memcpy (beginning + bytes, ELLIPSIS, sizeof ELLIPSIS);
      name = beginning;
    }
  text = g_hash_table_lookup (self->texts, name);
  if (text == NULL)
    {
      g_autofree char *valid = NULL;

      if (!can_shape (self))
        return NULL;
      valid = g_utf8_make_valid (name, -1);
      text = g_new0 (Text, 1);
      shape (self, valid, (int) strlen (valid), FALSE, &text->whole);
      g_hash_table_insert (self->texts, g_strdup (name), text);
    }
  if (text->frame != self->frame)
    self->n_asked++;
  text->frame = self->frame;
  return text;
}

/* How many bytes of the text fit into so many pixels: up to where a character begins. */
static int
find_length (PangoLayout *layout, int width, double max_width)
{
  PangoLayoutLine *line = pango_layout_get_line_readonly (layout, 0);
  gboolean rtl = line->resolved_dir == PANGO_DIRECTION_RTL;
  int index, trailing;

  pango_layout_line_x_to_index (line, (int) ((rtl ? width - max_width : max_width) * PANGO_SCALE), &index, &trailing);
  return index;
}

/* Beginnings that the last frames didn't ask for. */
static void
forget_parts (CsLabelCache *self, Text *text)
{
  for (guint i = text->parts->len; i > 0; i--)
    if (g_array_index (text->parts, Label, i - 1).frame + KEPT_FRAMES < self->frame)
      g_array_remove_index_fast (text->parts, i - 1);
}

/* The first `length` bytes with an ellipsis; what is known of them if no more may be shaped. */
static const Label *
find_part (CsLabelCache *self, Text *text, int length)
{
  Label *longest = NULL;
  Label part;

  if (text->parts == NULL)
    {
      text->parts = g_array_new (FALSE, FALSE, sizeof (Label));
      g_array_set_clear_func (text->parts, clear_part);
    }
  for (guint i = 0; i < text->parts->len; i++)
    {
      Label *known = &g_array_index (text->parts, Label, i);

      if (known->length == length)
        {
          known->frame = self->frame;
          return known;
        }
      if (known->length < length && (longest == NULL || known->length > longest->length))
        longest = known;
    }
  if (!can_shape (self))
    {
      if (longest != NULL)
        longest->frame = self->frame;
      return longest;
    }
  if (text->parts->len >= FEW_PARTS)
    forget_parts (self, text);
  shape (self, pango_layout_get_text (text->whole.layout), length, TRUE, &part);
  part.frame = self->frame;
  g_array_append_val (text->parts, part);
  return &g_array_index (text->parts, Label, text->parts->len - 1);
}

/**
 * cs_label_cache_get:
 * @self: a cache
 * @text: what it says; of a long one only the beginning is shown
 * @max_width: pixels that there are
 * @width: (out) (optional): pixels that it takes
 * @height: (out) (optional): pixels
 *
 * The label as it fits: whole, or its beginning and an ellipsis. Texts and their beginnings are shaped once, for
 * all widths that they fit into.
 *
 * Returns: (transfer none) (nullable): valid until the next frame begins; %NULL: not even two characters fit, or no more
 *   may be shaped in this frame
 */
PangoLayout *
cs_label_cache_get (CsLabelCache *self, const char *text, double max_width, int *width, int *height)
{
  Text *known;
  const Label *label;
  int length;

  if (self->context == NULL)
    follow_font (self);
  if (text == NULL || *text == '\0' || !(max_width >= 1))
    return NULL;
  known = find_text (self, text);
  if (known == NULL)
    return NULL;
  label = &known->whole;
  if (label->width > max_width)
    {
      if (max_width <= self->ellipsis_width)
        return NULL;
      length = find_length (label->layout, label->width, floor (max_width) - self->ellipsis_width);
      if (g_utf8_strlen (pango_layout_get_text (label->layout), length) < MIN_CHARS)
        return NULL;
      label = find_part (self, known, length);
      if (label == NULL)
        return NULL;
    }
  if (width != NULL)
    *width = label->width;
  if (height != NULL)
    *height = label->height;
  return label->layout;
}
