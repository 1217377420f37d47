/* SPDX-License-Identifier: MIT */
#include "fft.h"

static uint32_t multiply(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b % NTT_PRIME);
}

uint32_t ntt_power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;

    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = multiply(result, base);
        base = multiply(base, base);
    }
    return result;
}

static void reverse_bits(uint32_t *data, size_t n)
{
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            uint32_t t = data[i];
            data[i] = data[j];
            data[j] = t;
        }
    }
}

static void pass(uint32_t *data, size_t half, uint32_t root)
{
    uint64_t w = 1;

    for (size_t k = 0; k < half; k++) {
        uint32_t u = data[k], v = (uint32_t)(data[k + half] * w % NTT_PRIME);
        data[k] = u + v >= NTT_PRIME ? u + v - NTT_PRIME : u + v;
        data[k + half] = u >= v ? u - v : u + NTT_PRIME - v;
        w = w * root % NTT_PRIME;
    }
}

/* generator: 3, or its inverse for the way back. */
static void transform(uint32_t *data, size_t n, uint32_t generator)
{
    reverse_bits(data, n);
    for (size_t half = 1; half < n; half *= 2) {
        uint32_t root = ntt_power(generator, (NTT_PRIME - 1) / (uint32_t)(2 * half));
        for (size_t at = 0; at < n; at += 2 * half)
            pass(data + at, half, root);
    }
}

void ntt_forward(uint32_t *data, size_t n)
{
    transform(data, n, 3);
}

void ntt_inverse(uint32_t *data, size_t n)
{
    uint32_t scale = ntt_power((uint32_t)n, NTT_PRIME - 2);

    transform(data, n, ntt_power(3, NTT_PRIME - 2));
    for (size_t i = 0; i < n; i++)
        data[i] = (uint32_t)((uint64_t)data[i] * scale % NTT_PRIME);
}
