/* SPDX-License-Identifier: MIT */
#ifndef LAB_MATRIX_H
#define LAB_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prng;
struct task;

/* Square, row after row.  Whole numbers, small enough that products are exact. */
struct matrix {
    size_t n;
    double *at;
};

void matrix_init(struct matrix *m, size_t n);
void matrix_clear(struct matrix *m);
void matrix_random(struct matrix *m, struct prng *prng, int limit);
void matrix_transpose(const struct matrix *m, struct matrix *out);
bool matrix_equal(const struct matrix *a, const struct matrix *b);
uint64_t matrix_digest(const struct matrix *m);

static inline double matrix_get(const struct matrix *m, size_t row, size_t column)
{
    return m->at[row * m->n + column];
}

void multiply_plain(const struct matrix *a, const struct matrix *b, struct matrix *out);
void multiply_blocked(const struct matrix *a, const struct matrix *b, struct matrix *out);

void lu_factor(struct matrix *m, size_t *rows);
void lu_solve(const struct matrix *lu, const size_t *rows, const double *b, double *x);

uint64_t matrix_round(struct task *task, uint64_t seed);

#endif
