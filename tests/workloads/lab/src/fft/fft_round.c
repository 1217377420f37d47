/* SPDX-License-Identifier: MIT */
#include "fft.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

#define SIGNAL_SIZE 512
#define POLYNOMIAL_SIZE 128

static bool is_close(const struct complex_number *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double off = a[i].re - (double)b[i];
        if (!(off > -1e-3 && off < 1e-3 && a[i].im > -1e-3 && a[i].im < 1e-3))
            return false;
    }
    return true;
}

/* A signal survives the way there and back. */
static uint64_t round_trip_complex(struct task *task, struct prng *prng)
{
    uint32_t *signal = array_new(SIGNAL_SIZE, sizeof *signal);
    struct complex_number *data = array_new(SIGNAL_SIZE, sizeof *data);
    uint64_t sum;

    for (size_t i = 0; i < SIGNAL_SIZE; i++) {
        signal[i] = prng_below(prng, 1000);
        data[i].re = signal[i];
    }
    fft_forward(data, SIGNAL_SIZE);
    check(task,
          data[0].re - (double)array_sum(signal, SIGNAL_SIZE) < 1e-3 &&
              data[0].re - (double)array_sum(signal, SIGNAL_SIZE) > -1e-3,
          "the first bin is the sum");
    fft_inverse(data, SIGNAL_SIZE);
    check(task, is_close(data, signal, SIGNAL_SIZE), "the signal comes back");
    sum = array_digest(signal, SIGNAL_SIZE);
    free(signal);
    free(data);
    return sum;
}

static uint64_t round_trip_exact(struct task *task, struct prng *prng)
{
    uint32_t *signal = array_new(2 * SIGNAL_SIZE, sizeof *signal);
    uint32_t *data = signal + SIGNAL_SIZE;
    uint64_t sum;

    prng_words(prng, signal, SIGNAL_SIZE);
    for (size_t i = 0; i < SIGNAL_SIZE; i++)
        signal[i] %= NTT_PRIME;
    memcpy(data, signal, SIGNAL_SIZE * sizeof *data);
    ntt_forward(data, SIGNAL_SIZE);
    sum = array_digest(data, SIGNAL_SIZE);
    check_equal(task, data[0], array_sum(signal, SIGNAL_SIZE) % NTT_PRIME, "the first is the sum");
    ntt_inverse(data, SIGNAL_SIZE);
    check(task, memcmp(data, signal, SIGNAL_SIZE * sizeof *data) == 0, "the numbers come back");
    free(signal);
    return sum;
}

/* Three ways to multiply polynomials agree. */
static uint64_t multiply_polynomials(struct task *task, struct prng *prng)
{
    const size_t n = POLYNOMIAL_SIZE;
    uint32_t *a = array_new(8 * n, sizeof *a), *b = a + n;
    uint32_t *by_ntt = b + n, *by_fft = by_ntt + 2 * n, *plain = by_fft + 2 * n;
    uint64_t sum;

    for (size_t i = 0; i < n; i++) {
        a[i] = prng_below(prng, 100);
        b[i] = prng_below(prng, 100);
    }
    convolve_plain(a, b, plain, n);
    convolve_ntt(a, b, by_ntt, n);
    convolve_fft(a, b, by_fft, n);
    check(task, memcmp(by_ntt, plain, 2 * n * sizeof *a) == 0, "the exact product is right");
    check(task, memcmp(by_fft, plain, 2 * n * sizeof *a) == 0, "the rounded product is right");
    sum = array_digest(by_ntt, 2 * n);
    free(a);
    return sum;
}

uint64_t fft_round(struct task *task, uint64_t seed)
{
    static uint64_t (*const steps[])(struct task *task, struct prng *prng) = {
        round_trip_complex, round_trip_exact, multiply_polynomials,
    };
    struct prng prng;
    uint64_t sum = 0;

    prng_seed(&prng, seed);
    for (int i = 0; i < 3; i++)
        sum = digest(sum, steps[task->index % 3](task, &prng));
    return sum;
}
