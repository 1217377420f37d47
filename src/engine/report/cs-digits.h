/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Decimal numbers written in place: where millions of them are, printf is most of the time. */

#define CS_DIGITS_MAX 20 /* of a guint64 */

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
  guint64 limit = 10;
  guint n = 1;
  char *end;

  while (n < CS_DIGITS_MAX && number >= limit)
    {
      n++;
      limit *= 10; /* of no use behind the last digit, where it overflows */
    }
  end = to += n;
  for (; number >= 10; number /= 10)
    *--to = (char) ('0' + number % 10);
  *--to = (char) ('0' + number);
  return end;
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
