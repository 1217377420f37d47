/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-config-edit.h"

/* Texts that differ in more lines are told as one difference. */
#define MOST_EDITS 800

typedef struct
{
  const char *text;
  gsize length; /* without its end */
} Line;

/* Lines of both texts, and which of them the other text has at this place, too. */
typedef struct
{
  GArray *old, *new;
  guint8 *old_same, *new_same;
} Compare;

static GArray *
split_lines (const char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  for (const char *p = text, *next; *p != '\0'; p = next)
    {
      const char *newline = strchrnul (p, '\n');
      Line line = { p, (gsize) (newline - p) };

      next = newline + (*newline != '\0');
      g_array_append_val (lines, line);
    }
  return lines;
}

static gboolean
is_same (const Compare *self, gsize old, gsize new)
{
  const Line *a = &g_array_index (self->old, Line, old), *b = &g_array_index (self->new, Line, new);

  return a->length == b->length && memcmp (a->text, b->text, a->length) == 0;
}

/* Walks back through the furthest points that each number of edits reached, and marks what both have. The points of
 * @edits edits begin at edits * edits: one for each diagonal from -edits to edits. */
static void
mark (Compare *self, const gssize *points, gssize edits, gssize first, gssize x, gssize y)
{
  for (gssize d = edits; d > 0; d--)
    {
      const gssize *row = points + (d - 1) * (d - 1) + (d - 1); /* of one edit less, at diagonal 0 */
      gssize k = x - y;
      gboolean down = k == -d || (k != d && row[k - 1] < row[k + 1]);
      gssize from = down ? k + 1 : k - 1;
      gssize from_x = row[from], from_y = from_x - from;

      while (x > from_x + !down && y > from_y + down)
        self->old_same[first + --x] = self->new_same[first + --y] = 1;
      x = from_x;
      y = from_y;
    }
  while (x > 0 && y > 0)
    self->old_same[first + --x] = self->new_same[first + --y] = 1;
}

/* Finds the fewest edits, as E. W. Myers tells in "An O(ND) Difference Algorithm and Its Variations" (1986). */
static void
compare_lines (Compare *self, gssize first, gssize n_old, gssize n_new)
{
  gssize most = MIN (n_old + n_new, MOST_EDITS);
  g_autofree gssize *points = NULL;
  gsize room = 0;

  for (gssize d = 0; d <= most; d++)
    {
      gssize *row, *last;

      if ((gsize) ((d + 1) * (d + 1)) > room)
        {
          room = (gsize) ((2 * d + 8) * (2 * d + 8));
          points = g_renew (gssize, points, room);
        }
      row = points + d * d + d;
      last = d > 0 ? points + (d - 1) * (d - 1) + (d - 1) : NULL;
      for (gssize k = -d; k <= d; k++)
        row[k] = -1;
      for (gssize k = -d; k <= d; k += 2)
        {
          gboolean down = d > 0 && (k == -d || (k != d && last[k - 1] < last[k + 1]));
          gssize x = d == 0 ? 0 : down ? last[k + 1] : last[k - 1] + 1;
          gssize y = x - k;

          while (x < n_old && y < n_new && is_same (self, (gsize) (first + x), (gsize) (first + y)))
            x++, y++;
          row[k] = x;
          if (x >= n_old && y >= n_new)
            {
              mark (self, points, d, first, x, y);
              return;
            }
        }
    }
}

static void
add_line (GPtrArray *lines, char sign, const Line *line, gsize old_line, gsize new_line)
{
  CsConfigDiffLine *added = g_new (CsConfigDiffLine, 1);

  added->sign = sign;
  added->old_line = (guint) old_line;
  added->new_line = (guint) new_line;
  added->text = line != NULL ? g_utf8_make_valid (line->text, (gssize) line->length) : g_strdup ("");
  if (line != NULL && line->length > 0 && added->text[strlen (added->text) - 1] == '\r')
    added->text[strlen (added->text) - 1] = '\0';
  g_ptr_array_add (lines, added);
}

static void
free_line (gpointer line)
{
  if (line != NULL)
    cs_config_diff_line_free (line);
}

/* All lines of both texts, in order. */
static GPtrArray *
list_all (const Compare *self)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (free_line);

  for (gsize i = 0, j = 0; i < self->old->len || j < self->new->len;)
    if (i < self->old->len && !self->old_same[i])
      {
        add_line (lines, '-', &g_array_index (self->old, Line, i), i + 1, 0);
        i++;
      }
    else if (j < self->new->len && !self->new_same[j])
      {
        add_line (lines, '+', &g_array_index (self->new, Line, j), 0, j + 1);
        j++;
      }
    else
      {
        add_line (lines, ' ', &g_array_index (self->new, Line, j), i + 1, j + 1);
        i++, j++;
      }
  return lines;
}

/* Leaves out the lines that are far from each difference. */
static GPtrArray *
keep_near (GPtrArray *all, guint context)
{
  GPtrArray *near = g_ptr_array_new_with_free_func (free_line);
  g_autofree guint *distance = g_new (guint, all->len + 1);
  guint since = G_MAXUINT;

  for (guint i = 0; i < all->len; i++)
    {
      since = ((CsConfigDiffLine *) all->pdata[i])->sign != ' ' ? 0 : since == G_MAXUINT ? since : since + 1;
      distance[i] = since;
    }
  since = G_MAXUINT;
  for (guint i = all->len; i > 0; i--)
    {
      since = ((CsConfigDiffLine *) all->pdata[i - 1])->sign != ' ' ? 0 : since == G_MAXUINT ? since : since + 1;
      distance[i - 1] = MIN (distance[i - 1], since);
    }
  for (guint i = 0; i < all->len; i++)
    if (distance[i] <= context)
      {
        if (near->len > 0 && distance[i - 1] > context)
          add_line (near, '@', NULL, 0, 0);
        g_ptr_array_add (near, all->pdata[i]);
        all->pdata[i] = NULL;
      }
  return near;
}

/**
 * cs_config_diff:
 * @before: a text
 * @after: another one
 * @context: how many lines to show before and behind each difference
 *
 * Compares line by line. Very different texts are told as one difference.
 *
 * Returns: (transfer full) (element-type CsConfigDiffLine): the lines to show; none if both texts are the same
 */
GPtrArray *
cs_config_diff (const char *before, const char *after, guint context)
{
  g_autoptr (GArray) old = split_lines (before);
  g_autoptr (GArray) new = split_lines (after);
  g_autofree guint8 *old_same = g_new0 (guint8, old->len + 1);
  g_autofree guint8 *new_same = g_new0 (guint8, new->len + 1);
  Compare compare = { old, new, old_same, new_same };
  g_autoptr (GPtrArray) all = NULL;
  gsize first = 0, end = 0;

  while (first < MIN (old->len, new->len) && is_same (&compare, first, first))
    old_same[first] = new_same[first] = 1, first++;
  while (end < MIN (old->len, new->len) - first && is_same (&compare, old->len - 1 - end, new->len - 1 - end))
    end++, old_same[old->len - end] = new_same[new->len - end] = 1;
  compare_lines (&compare, (gssize) first, (gssize) (old->len - first - end), (gssize) (new->len - first - end));
  all = list_all (&compare);
  return keep_near (all, context);
}

/**
 * cs_config_diff_line_free:
 * @line: (transfer full): a line of a difference
 */
void
cs_config_diff_line_free (CsConfigDiffLine *line)
{
  g_free (line->text);
  g_free (line);
}
