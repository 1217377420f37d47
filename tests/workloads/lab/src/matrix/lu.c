/* SPDX-License-Identifier: MIT */
#include "matrix.h"

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

static size_t find_pivot(const struct matrix *m, size_t column)
{
    size_t best = column;

    for (size_t row = column + 1; row < m->n; row++)
        if (magnitude(matrix_get(m, row, column)) > magnitude(matrix_get(m, best, column)))
            best = row;
    return best;
}

/* Is called for every column, so that the number of calls does not depend on rounding. */
static void swap_rows(struct matrix *m, size_t *rows, size_t a, size_t b)
{
    size_t row = rows[a];

    rows[a] = rows[b];
    rows[b] = row;
    for (size_t column = 0; a != b && column < m->n; column++) {
        double t = m->at[a * m->n + column];
        m->at[a * m->n + column] = m->at[b * m->n + column];
        m->at[b * m->n + column] = t;
    }
}

static void eliminate(struct matrix *m, size_t pivot, size_t row)
{
    double factor = m->at[row * m->n + pivot] / m->at[pivot * m->n + pivot];

    m->at[row * m->n + pivot] = factor;
    for (size_t column = pivot + 1; column < m->n; column++)
        m->at[row * m->n + column] -= factor * m->at[pivot * m->n + column];
}

/* Replaces m by its factors; rows tells where each row came from. */
void lu_factor(struct matrix *m, size_t *rows)
{
    for (size_t i = 0; i < m->n; i++)
        rows[i] = i;
    for (size_t pivot = 0; pivot < m->n; pivot++) {
        swap_rows(m, rows, pivot, find_pivot(m, pivot));
        for (size_t row = pivot + 1; row < m->n; row++)
            eliminate(m, pivot, row);
    }
}

static void substitute_forward(const struct matrix *lu, double *x)
{
    for (size_t row = 0; row < lu->n; row++)
        for (size_t column = 0; column < row; column++)
            x[row] -= lu->at[row * lu->n + column] * x[column];
}

static void substitute_back(const struct matrix *lu, double *x)
{
    for (size_t row = lu->n; row-- > 0;) {
        for (size_t column = row + 1; column < lu->n; column++)
            x[row] -= lu->at[row * lu->n + column] * x[column];
        x[row] /= matrix_get(lu, row, row);
    }
}

void lu_solve(const struct matrix *lu, const size_t *rows, const double *b, double *x)
{
    for (size_t i = 0; i < lu->n; i++)
        x[i] = b[rows[i]];
    substitute_forward(lu, x);
    substitute_back(lu, x);
}
