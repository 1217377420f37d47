/* SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <stdlib.h>

#include "core/check.h"
#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

#define PRODUCT_SIZE 80
#define SYSTEM_SIZE 32
#define SYSTEMS 2

/* Two ways to multiply give the same product. */
static uint64_t multiply_both(struct task *task, struct prng *prng)
{
    struct matrix a, b, blocked, plain;
    uint64_t sum;

    matrix_init(&a, PRODUCT_SIZE);
    matrix_init(&b, PRODUCT_SIZE);
    matrix_init(&blocked, PRODUCT_SIZE);
    matrix_init(&plain, PRODUCT_SIZE);
    matrix_random(&a, prng, 99);
    matrix_transpose(&a, &b);

    for (int i = 0; i < 24; i++)
        multiply_blocked(&a, &b, &blocked);
    if (task->index == 0) {
        multiply_plain(&a, &b, &plain);
        check(task, matrix_equal(&blocked, &plain), "both products are equal");
    } else {
        matrix_transpose(&blocked, &plain);
        check(task, matrix_equal(&blocked, &plain), "a matrix times its transpose is symmetric");
    }
    sum = matrix_digest(&blocked);

    matrix_clear(&a);
    matrix_clear(&b);
    matrix_clear(&blocked);
    matrix_clear(&plain);
    return sum;
}

/* The right side of the system that has the solution 1, 2, 3, ... */
static void right_side(const struct matrix *m, double *b)
{
    for (size_t row = 0; row < m->n; row++) {
        b[row] = 0;
        for (size_t column = 0; column < m->n; column++)
            b[row] += matrix_get(m, row, column) * (double)(column + 1);
    }
}

static bool is_solution(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double off = x[i] - (double)(i + 1);
        if (!(off > -1e-6 && off < 1e-6))
            return false;
    }
    return true;
}

static uint64_t solve_system(struct task *task, struct prng *prng)
{
    struct matrix m;
    size_t *rows = array_new(SYSTEM_SIZE, sizeof *rows);
    double *b = array_new(2 * SYSTEM_SIZE, sizeof *b);
    double *x = b + SYSTEM_SIZE;
    uint64_t sum;

    matrix_init(&m, SYSTEM_SIZE);
    matrix_random(&m, prng, 9);
    /* A heavy diagonal makes the system solvable whatever the seed. */
    for (size_t i = 0; i < m.n; i++)
        m.at[i * m.n + i] += 1000;
    sum = matrix_digest(&m);
    right_side(&m, b);
    lu_factor(&m, rows);
    lu_solve(&m, rows, b, x);
    check(task, is_solution(x, m.n), "the system is solved");

    matrix_clear(&m);
    free(rows);
    free(b);
    return sum;
}

uint64_t matrix_round(struct task *task, uint64_t seed)
{
    struct prng prng;
    uint64_t sum;

    prng_seed(&prng, seed);
    sum = multiply_both(task, &prng);
    for (int i = 0; i < SYSTEMS; i++)
        sum = digest(sum, solve_system(task, &prng));
    return sum;
}
