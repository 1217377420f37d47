/* SPDX-License-Identifier: MIT */
/* Small helpers that every folder uses, defined here so that each file has its own copy. */
#ifndef LAB_BITS_H
#define LAB_BITS_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t rotl64(uint64_t x, unsigned k)
{
    return (x << (k & 63)) | (x >> ((64 - k) & 63));
}

/* A bijection that spreads the bits of x over the whole word. */
static inline uint64_t mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline uint64_t load_le64(const unsigned char *p)
{
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--)
        x = x << 8 | p[i];
    return x;
}

/* Folds value into a checksum; the order of the calls matters. */
static inline uint64_t digest(uint64_t sum, uint64_t value)
{
    return mix64(sum ^ value) + UINT64_C(0x9e3779b97f4a7c15);
}

#endif
