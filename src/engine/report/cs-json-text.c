/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-json-text.h"
#include "report/cs-report.h"

/* json-glib reads more than JSON (comments, assignments, hexadecimal and octal numbers), takes an
 * integer over 64 bits for -1, and some versions overrun the C stack where brackets nest by the
 * hundred thousand. So the text is looked through first: its tokens, their numbers and their nesting.
 * What goes where between them, json-glib checks. */
#define MAX_DEPTH 64

/* How much of a text an error quotes. */
#define MAX_QUOTE 24

typedef struct
{
  const char *text, *p, *end;
  guint line;
  guint depth;

  const char *array; /* name of the array of the outermost object that is cut into slices */
  GArray *slices;
  GString *rest;
  const char *copied;  /* up to where the text has gone into rest */
  gboolean inside;     /* in that array */
  gboolean seen;
  gboolean want_value; /* in that array: no element since the last comma */

  const char *string, *string_end; /* the last string, without its quotes */
  const char *key, *key_end;       /* the last one before a colon */
} Scan;

/* at: what to quote; NULL where `why` tells all. */
static gboolean
fail (Scan *scan, const char *at, const char *why, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "line %u", scan->line);
  if (scan->inside)
    g_string_append_printf (text, ", row %u", scan->slices->len + (scan->depth > 2 ? 0 : 1));
  if (scan->key != NULL && scan->depth > 0)
    g_string_append_printf (text, ", %.*s", (int) MIN (scan->key_end - scan->key, 40), scan->key);
  g_string_append (text, ": ");
  if (at != NULL)
    {
      gsize length = 1;

      while (at + length < scan->end && length < MAX_QUOTE && strchr (" \t\r\n,]}", at[length]) == NULL)
        length++;
      g_string_append_printf (text, "\"%.*s\" ", (int) length, at);
    }
  g_string_append (text, why);
  g_set_error_literal (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, text->str);
  return FALSE;
}

static gboolean
scan_string (Scan *scan, GError **error)
{
  const char *start = scan->p++;

  for (; scan->p < scan->end && *scan->p != '"'; scan->p++)
    {
      if ((guchar) *scan->p < 0x20)
        return fail (scan, start, "is a string with a control character in it, which JSON escapes", error);
      if (*scan->p == '\\' && ++scan->p == scan->end)
        break;
    }
  if (scan->p >= scan->end)
    return fail (scan, NULL, "a string has no end, as if the file were cut off", error);
  scan->string = start + 1;
  scan->string_end = scan->p++;
  return TRUE;
}

static const char *
skip_digits (Scan *scan, const char *p)
{
  while (p < scan->end && g_ascii_isdigit (*p))
    p++;
  return p;
}

static gboolean
scan_number (Scan *scan, GError **error)
{
  const char *start = scan->p;
  const char *digits = start + (*start == '-');
  const char *p = skip_digits (scan, digits);
  gboolean whole = TRUE;

  if (p == digits || (*digits == '0' && p > digits + 1))
    return fail (scan, start, "is no JSON number", error);
  /* 19 digits hold what a signed 64-bit integer does. */
  if (p - digits > 19 || (p - digits == 19 && memcmp (digits, "9223372036854775807", 19) > 0))
    return fail (scan, start, "is too large a number", error);
  if (p < scan->end && *p == '.')
    {
      const char *fraction = ++p;

      p = skip_digits (scan, p);
      whole = p > fraction;
    }
  if (whole && p < scan->end && (*p == 'e' || *p == 'E'))
    {
      const char *exponent = p + 1 + (p + 1 < scan->end && (p[1] == '+' || p[1] == '-'));

      p = skip_digits (scan, exponent);
      whole = p > exponent;
    }
  if (!whole || (p < scan->end && strchr (" \t\r\n,]}", *p) == NULL))
    return fail (scan, start, "is no JSON number", error);
  scan->p = p;
  return TRUE;
}

static gboolean
scan_word (Scan *scan, GError **error)
{
  static const char *const words[] = { "true", "false", "null" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize length = strlen (words[i]);

      if ((gsize) (scan->end - scan->p) >= length && memcmp (scan->p, words[i], length) == 0)
        {
          scan->p += length;
          return TRUE;
        }
    }
  return fail (scan, scan->p, "is not JSON", error);
}

static gboolean
open_bracket (Scan *scan, GError **error)
{
  if (scan->depth == 0 && *scan->p != '{')
    return fail (scan, scan->p, "begins no object", error);
  if (scan->depth == MAX_DEPTH)
    return fail (scan, scan->p, "is nested too deep", error);
  if (scan->inside && scan->depth == 2)
    {
      CsJsonSlice slice = { (gsize) (scan->p - scan->text), 0 };

      if (*scan->p != '{')
        return fail (scan, scan->p, "is no object", error);
      if (!scan->want_value)
        return fail (scan, scan->p, "comes without a comma before it", error);
      scan->want_value = FALSE;
      g_array_append_val (scan->slices, slice);
    }
  else if (scan->depth == 1 && *scan->p == '[' && scan->key != NULL &&
           (gsize) (scan->key_end - scan->key) == strlen (scan->array) &&
           memcmp (scan->key, scan->array, strlen (scan->array)) == 0)
    {
      if (scan->seen)
        return fail (scan, NULL, "it is there twice", error);
      scan->seen = scan->inside = scan->want_value = TRUE;
      g_string_append_len (scan->rest, scan->copied, scan->p + 1 - scan->copied);
    }
  scan->depth++;
  scan->p++;
  return TRUE;
}

static gboolean
close_bracket (Scan *scan, GError **error)
{
  if (scan->depth == 0)
    return fail (scan, scan->p, "closes what is not open", error);
  scan->depth--;
  if (scan->inside && scan->depth == 2)
    g_array_index (scan->slices, CsJsonSlice, scan->slices->len - 1).end = (gsize) (scan->p + 1 - scan->text);
  else if (scan->inside && scan->depth == 1)
    {
      if (scan->want_value && scan->slices->len > 0)
        return fail (scan, NULL, "a comma comes without a row after it", error);
      scan->inside = FALSE;
      scan->copied = scan->p;
    }
  scan->p++;
  return TRUE;
}

static gboolean
scan_token (Scan *scan, GError **error)
{
  gboolean element = scan->inside && scan->depth == 2;

  switch (*scan->p)
    {
    case '\n':
      scan->line++;
      scan->p++;
      return TRUE;
    case ' ':
    case '\t':
    case '\r':
      scan->p++;
      return TRUE;
    case '{':
    case '[':
      return open_bracket (scan, error);
    case '}':
    case ']':
      return close_bracket (scan, error);
    case ',':
      if (element && scan->want_value)
        return fail (scan, NULL, "a comma comes without a row before it", error);
      if (element)
        scan->want_value = TRUE;
      scan->key = NULL;
      scan->p++;
      return TRUE;
    case ':':
      scan->key = scan->string;
      scan->key_end = scan->string_end;
      scan->p++;
      return element ? fail (scan, scan->p - 1, "is no object", error) : TRUE;
    default:
      if (element || scan->depth == 0)
        return fail (scan, scan->p, "is no object", error);
      if (*scan->p == '"')
        return scan_string (scan, error);
      if (*scan->p == '-' || g_ascii_isdigit (*scan->p))
        return scan_number (scan, error);
      return scan_word (scan, error);
    }
}

/**
 * cs_json_text_check:
 * @text: UTF-8, an object
 * @length: its bytes
 * @array: the name of an array in it, which holds objects
 * @slices: gets a CsJsonSlice for each of these
 * @rest: gets the text without them
 * @error: where to say what is wrong, and in which line, row and field
 *
 * Cuts a text into pieces that json-glib can be trusted with, one after the other, so that memory
 * tracks the text and not what a tree of it takes. RFC 8259 tells what tokens JSON has.
 *
 * Returns: whether its tokens are those of JSON, nest as far as they may, and hold such an array
 */
gboolean
cs_json_text_check (const char *text, gsize length, const char *array, GArray *slices, GString *rest, GError **error)
{
  Scan scan = { .text = text, .p = text, .end = text + length, .line = 1, .array = array, .slices = slices,
                .rest = rest, .copied = text };

  while (scan.p < scan.end)
    if (!scan_token (&scan, error))
      return FALSE;
  if (scan.depth > 0)
    return fail (&scan, NULL, "the text ends too early, as if the file were cut off", error);
  if (!scan.seen)
    {
      g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "it has no array \"%s\"", array);
      return FALSE;
    }
  g_string_append_len (rest, scan.copied, scan.end - scan.copied);
  return TRUE;
}
