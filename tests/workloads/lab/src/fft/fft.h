/* SPDX-License-Identifier: MIT */
#ifndef LAB_FFT_H
#define LAB_FFT_H

#include <stddef.h>
#include <stdint.h>

struct task;

struct complex_number {
    double re;
    double im;
};

/* n is a power of two. */
void fft_forward(struct complex_number *data, size_t n);
void fft_inverse(struct complex_number *data, size_t n);

/* The same over the whole numbers modulo a prime: exact. */
#define NTT_PRIME 998244353u

uint32_t ntt_power(uint32_t base, uint32_t exponent);
void ntt_forward(uint32_t *data, size_t n);
void ntt_inverse(uint32_t *data, size_t n);

/* out[0 .. 2n) is the product of the polynomials a and b of n coefficients. */
void convolve_ntt(const uint32_t *a, const uint32_t *b, uint32_t *out, size_t n);
void convolve_fft(const uint32_t *a, const uint32_t *b, uint32_t *out, size_t n);
void convolve_plain(const uint32_t *a, const uint32_t *b, uint32_t *out, size_t n);

uint64_t fft_round(struct task *task, uint64_t seed);

#endif
