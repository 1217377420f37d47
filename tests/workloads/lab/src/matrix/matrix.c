/* SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

void matrix_init(struct matrix *m, size_t n)
{
    m->n = n;
    m->at = array_new(n * n, sizeof *m->at);
}

void matrix_clear(struct matrix *m)
{
    free(m->at);
    m->at = NULL;
}

static double clamp(int value, int limit)
{
    return value < -limit ? -limit : value > limit ? limit : value;
}

/* Whole numbers from -limit to limit. */
void matrix_random(struct matrix *m, struct prng *prng, int limit)
{
    for (size_t row = 0; row < m->n; row++) {
        uint64_t bits = prng_next(prng);
        for (size_t column = 0; column < m->n; column++) {
            bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407u;
            m->at[row * m->n + column] = (int)(bits >> 33) % (limit + 1);
        }
        m->at[row * m->n + row] = clamp((int)(bits >> 40) - (1 << 23), limit);
    }
}

void matrix_transpose(const struct matrix *m, struct matrix *out)
{
    for (size_t row = 0; row < m->n; row++)
        for (size_t column = 0; column < m->n; column++)
            out->at[column * m->n + row] = m->at[row * m->n + column];
}

bool matrix_equal(const struct matrix *a, const struct matrix *b)
{
    for (size_t i = 0; i < a->n * a->n; i++)
        if (a->at[i] < b->at[i] || a->at[i] > b->at[i])
            return false;
    return true;
}

uint64_t matrix_digest(const struct matrix *m)
{
    uint64_t sum = m->n;

    for (size_t row = 0; row < m->n; row++) {
        uint64_t line = row;
        for (size_t column = 0; column < m->n; column++)
            line = line * 31 + (uint64_t)(int64_t)m->at[row * m->n + column];
        sum = digest(sum, line);
    }
    return sum;
}
