/* SPDX-License-Identifier: MIT */
#include "expr.h"

#include <stdio.h>

#include "util/prng.h"

static void put(struct text *out, char c)
{
    if (out->n + 1 < EXPR_MAX) {
        out->at[out->n++] = c;
        out->at[out->n] = '\0';
    }
}

static uint64_t write_number(struct text *out, struct prng *prng)
{
    uint32_t number = prng_below(prng, 1000);
    char digits[12];

    snprintf(digits, sizeof digits, "%u", (unsigned)number);
    for (const char *c = digits; *c; c++)
        put(out, *c);
    return number;
}

static uint64_t write_in_brackets(struct text *out, struct prng *prng, unsigned depth)
{
    uint64_t value;

    put(out, '(');
    value = expr_write(out, prng, depth);
    put(out, ')');
    return value;
}

/* One side is deep, the other a number: long chains instead of wide trees. */
uint64_t expr_write(struct text *out, struct prng *prng, unsigned depth)
{
    static const char signs[] = "+-*";
    char sign = signs[prng_below(prng, 3)];
    uint64_t left, right;

    if (depth == 0)
        return write_number(out, prng);
    if (prng_below(prng, 5) == 0) {
        put(out, '~');
        return ~write_in_brackets(out, prng, depth - 1);
    }
    left = write_number(out, prng);
    put(out, sign);
    right = write_in_brackets(out, prng, depth - 1);
    return sign == '+' ? left + right : sign == '-' ? left - right : left * right;
}
