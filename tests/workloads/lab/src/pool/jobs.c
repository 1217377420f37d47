/* SPDX-License-Identifier: MIT */
#include "jobs.h"

#include <stdlib.h>

#include "core/check.h"
#include "hash/hash.h"
#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

#define JOBS 48
#define SIEVE_SIZE 200000
#define WORD_SIZE 20

static void strike(unsigned char *sieve, size_t prime)
{
    for (size_t i = prime * prime; i < SIEVE_SIZE; i += prime)
        sieve[i] = 1;
}

static uint64_t count_primes(struct task *task, uint64_t argument)
{
    unsigned char *sieve = array_new(SIEVE_SIZE, 1);
    uint64_t n = 0;

    for (size_t i = 2; i < SIEVE_SIZE; i++) {
        if (sieve[i])
            continue;
        n++;
        if (i <= (SIEVE_SIZE - 1) / i)
            strike(sieve, i);
    }
    free(sieve);
    check_equal(task, n, 17984, "the primes below 200000");
    return mix64(n + argument);
}

static uint64_t collatz_step(uint64_t n)
{
    return n % 2 ? 3 * n + 1 : n / 2;
}

static unsigned collatz_length(uint64_t n)
{
    unsigned steps = 0;

    for (; n != 1; n = collatz_step(n))
        steps++;
    return steps;
}

static uint64_t longest_collatz(struct task *task, uint64_t argument)
{
    uint64_t best = 0;

    check_equal(task, collatz_length(27), 111, "27 takes 111 steps");
    for (uint64_t n = 1; n <= 5; n++) {
        unsigned length = collatz_length(argument % 100000 + n);
        if (length > best)
            best = length;
    }
    return best;
}

/* One row of the Mandelbrot set, in fixed point: whole numbers only. */
static unsigned escape_time(int64_t re, int64_t im)
{
    int64_t x = 0, y = 0;
    unsigned n = 0;

    for (; n < 1000 && x * x + y * y < (int64_t)4 << 40; n++) {
        int64_t t = (x * x - y * y) / (1 << 20) + re;
        y = 2 * x * y / (1 << 20) + im;
        x = t;
    }
    return n;
}

static uint64_t mandelbrot_row(struct task *task, uint64_t argument)
{
    int64_t im = (int64_t)(argument % 2048) * 1024 - (1 << 20);
    uint64_t sum = 0;

    for (int64_t column = 0; column < 240; column++)
        sum = sum * 31 + escape_time(column * 13107 - (2 << 20), im);
    check_equal(task, escape_time(0, 0), 1000, "the origin is inside");
    return sum;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    return a < b ? (a < c ? a : c) : (b < c ? b : c);
}

static unsigned edit_distance(const unsigned char *a, const unsigned char *b)
{
    unsigned row[WORD_SIZE + 1];

    for (unsigned j = 0; j <= WORD_SIZE; j++)
        row[j] = j;
    for (unsigned i = 1; i <= WORD_SIZE; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= WORD_SIZE; j++) {
            unsigned above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1]));
            corner = above;
        }
    }
    return row[WORD_SIZE];
}

static uint64_t compare_texts(struct task *task, uint64_t argument)
{
    unsigned char a[WORD_SIZE], b[WORD_SIZE];
    unsigned there, back;
    struct prng prng;

    prng_seed(&prng, argument);
    prng_text(&prng, a, sizeof a);
    prng_text(&prng, b, sizeof b);
    there = edit_distance(a, b);
    back = edit_distance(b, a);
    check_equal(task, there, back, "the distance is the same both ways");
    return digest(crc32(a, sizeof a), there);
}

/* Hands the jobs of one round to whichever threads are free. */
void jobs_submit(struct pool *pool, uint64_t seed)
{
    static uint64_t (*const kinds[])(struct task *task, uint64_t argument) = {
        count_primes, longest_collatz, mandelbrot_row, compare_texts,
    };

    for (unsigned i = 0; i < JOBS; i++)
        pool_submit(pool, (struct job){kinds[i % 4], mix64(seed + i)});
}
