/* SPDX-License-Identifier: MIT */
#include "hash.h"

#include "util/bits.h"

static void rounds(uint64_t v[4], int n)
{
    while (n-- > 0) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotl64(v[1], 13) ^ v[0];
        v[3] = rotl64(v[3], 16) ^ v[2];
        v[0] = rotl64(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotl64(v[1], 17) ^ v[2];
        v[3] = rotl64(v[3], 21) ^ v[0];
        v[2] = rotl64(v[2], 32);
    }
}

static void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

/* SipHash-2-4, after the paper by Aumasson and Bernstein. */
uint64_t siphash(const uint64_t key[2], const unsigned char *data, size_t n)
{
    uint64_t v[4] = {
        key[0] ^ UINT64_C(0x736f6d6570736575),
        key[1] ^ UINT64_C(0x646f72616e646f6d),
        key[0] ^ UINT64_C(0x6c7967656e657261),
        key[1] ^ UINT64_C(0x7465646279746573),
    };
    uint64_t last = (uint64_t)n << 56;
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        absorb(v, load_le64(data + i));
    for (size_t k = 0; i + k < n; k++)
        last |= (uint64_t)data[i + k] << (8 * k);
    absorb(v, last);
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
