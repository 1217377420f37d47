/* SPDX-License-Identifier: MIT */
#include "fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

void convolve_plain(const uint32_t *a, const uint32_t *b, uint32_t *out, size_t n)
{
    memset(out, 0, 2 * n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            out[i + j] += a[i] * b[j];
}

void convolve_ntt(const uint32_t *a, const uint32_t *b, uint32_t *out, size_t n)
{
    uint32_t *other = array_new(2 * n, sizeof *other);

    memset(out, 0, 2 * n * sizeof *out);
    memcpy(out, a, n * sizeof *out);
    memcpy(other, b, n * sizeof *other);
    ntt_forward(out, 2 * n);
    ntt_forward(other, 2 * n);
    for (size_t i = 0; i < 2 * n; i++)
        out[i] = (uint32_t)((uint64_t)out[i] * other[i] % NTT_PRIME);
    ntt_inverse(out, 2 * n);
    free(other);
}

/* One transform for both: a in the real part, b in the imaginary one; the square holds 2ab. */
void convolve_fft(const uint32_t *a, const uint32_t *b, uint32_t *out, size_t n)
{
    struct complex_number *both = array_new(2 * n, sizeof *both);

    for (size_t i = 0; i < n; i++) {
        both[i].re = a[i];
        both[i].im = b[i];
    }
    fft_forward(both, 2 * n);
    for (size_t i = 0; i < 2 * n; i++) {
        double re = both[i].re * both[i].re - both[i].im * both[i].im;
        both[i].im = 2 * both[i].re * both[i].im;
        both[i].re = re;
    }
    fft_inverse(both, 2 * n);
    for (size_t i = 0; i < 2 * n; i++)
        out[i] = (uint32_t)llround(both[i].im / 2);
    free(both);
}
