/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Decimal numbers written in place: where millions of them are, printf is most of the time. */

#define CS_DIGITS_MAX 20 /* of a guint64 */

/**
 * cs_digits_put_pair:
 * @to: room for 2 bytes
 * @number: below 100
 *
 * Writes two digits.
 */
static inline void
cs_digits_put_pair (char *to, guint number)
{
  to[0] = (char) ('0' + number / 10);
  to[1] = (char) ('0' + number % 10);
}

/**
 * cs_digits_put:
 * @to: room for CS_DIGITS_MAX bytes
 * @number: written in decimal
 *
 * Returns: the end of it
 */
static inline char *
cs_digits_put (char *to, guint64 number)
{
  char digits[CS_DIGITS_MAX];
  guint start = CS_DIGITS_MAX;

  /* Two at a time: half as many divisions, each of which waits for the one before. */
  while (number >= 100)
    {
      guint64 rest = number / 100;

      start -= 2;
      cs_digits_put_pair (digits + start, (guint) (number - rest * 100));
      number = rest;
    }
  if (number >= 10)
    {
      start -= 2;
      cs_digits_put_pair (digits + start, (guint) number);
    }
  else
    digits[--start] = (char) ('0' + number);
  for (guint i = start; i < CS_DIGITS_MAX; i++)
    *to++ = digits[i];
  return to;
}

/**
 * cs_digits_put_thousandths:
 * @to: room for CS_DIGITS_MAX + 1 bytes
 * @number: a number times 1000
 *
 * Writes a number with three decimals: ns as µs, exactly.
 *
 * Returns: the end of it
 */
static inline char *
cs_digits_put_thousandths (char *to, guint64 number)
{
  guint rest = (guint) (number % 1000);

  to = cs_digits_put (to, number / 1000);
  *to++ = '.';
  *to++ = (char) ('0' + rest / 100);
  *to++ = (char) ('0' + rest / 10 % 10);
  *to++ = (char) ('0' + rest % 10);
  return to;
}

G_END_DECLS
