/* SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <string.h>

#include "util/bits.h"

#define BLOCK 32

static double dot(const struct matrix *a, const struct matrix *b, size_t row, size_t column)
{
    double sum = 0;

    for (size_t k = 0; k < a->n; k++)
        sum += a->at[row * a->n + k] * b->at[k * b->n + column];
    return sum;
}

void multiply_plain(const struct matrix *a, const struct matrix *b, struct matrix *out)
{
    for (size_t row = 0; row < a->n; row++)
        for (size_t column = 0; column < a->n; column++)
            out->at[row * out->n + column] = dot(a, b, row, column);
}

static void multiply_block(const struct matrix *a, const struct matrix *b, struct matrix *out,
                           size_t row, size_t inner, size_t column)
{
    size_t n = a->n;
    size_t row_end = min_size(row + BLOCK, n);
    size_t inner_end = min_size(inner + BLOCK, n);
    size_t column_end = min_size(column + BLOCK, n);

    for (size_t i = row; i < row_end; i++)
        for (size_t k = inner; k < inner_end; k++)
            for (size_t j = column; j < column_end; j++)
                out->at[i * n + j] += a->at[i * n + k] * b->at[k * n + j];
}

void multiply_blocked(const struct matrix *a, const struct matrix *b, struct matrix *out)
{
    size_t n = a->n;

    memset(out->at, 0, n * n * sizeof *out->at);
    for (size_t i = 0; i < n; i += BLOCK)
        for (size_t k = 0; k < n; k += BLOCK)
            for (size_t j = 0; j < n; j += BLOCK)
                multiply_block(a, b, out, i, k, j);
}
