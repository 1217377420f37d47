/* SPDX-License-Identifier: MIT */
/*
 * stream_hash.h - SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for the proof that both sides
 * know the key.
 */
#ifndef CALLSIGHT_STREAM_HASH_H
#define CALLSIGHT_STREAM_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define STREAM_HASH_SIZE 32u
#define STREAM_HASH_BLOCK 64u

struct stream_hash {
    uint32_t state[8];
    uint64_t bytes; /* taken so far */
    unsigned char block[STREAM_HASH_BLOCK];
};

struct stream_hmac {
    struct stream_hash inner, outer;
};

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t stream_hash_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t stream_hash_turn(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void stream_hash_step(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[i * 4] << 24 | (uint32_t)block[i * 4 + 1] << 16 |
               (uint32_t)block[i * 4 + 2] << 8 | block[i * 4 + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (stream_hash_turn(a, 7) ^ stream_hash_turn(a, 18) ^ a >> 3) + w[i - 7] +
               (stream_hash_turn(b, 17) ^ stream_hash_turn(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t one =
            stream_hash_turn(s[4], 6) ^ stream_hash_turn(s[4], 11) ^ stream_hash_turn(s[4], 25);
        uint32_t zero =
            stream_hash_turn(s[0], 2) ^ stream_hash_turn(s[0], 13) ^ stream_hash_turn(s[0], 22);
        uint32_t first = s[7] + one + ((s[4] & s[5]) ^ (~s[4] & s[6])) + stream_hash_k[i] + w[i];
        uint32_t second = zero + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static void stream_hash_begin(struct stream_hash *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->bytes = 0;
}

static void stream_hash_add(struct stream_hash *hash, const void *data, size_t size)
{
    const unsigned char *from = data;
    while (size) {
        size_t used = (size_t)(hash->bytes % STREAM_HASH_BLOCK);
        size_t n = STREAM_HASH_BLOCK - used < size ? STREAM_HASH_BLOCK - used : size;
        memcpy(hash->block + used, from, n);
        hash->bytes += n;
        from += n;
        size -= n;
        if (used + n == STREAM_HASH_BLOCK)
            stream_hash_step(hash->state, hash->block);
    }
}

static void stream_hash_end(struct stream_hash *hash, unsigned char out[STREAM_HASH_SIZE])
{
    uint64_t bits = hash->bytes * 8;
    unsigned char end[STREAM_HASH_BLOCK + 8] = {0x80};
    size_t used = (size_t)(hash->bytes % STREAM_HASH_BLOCK);
    size_t fill = (used < 56 ? 56 : 120) - used;
    for (int i = 0; i < 8; i++)
        end[fill + (size_t)i] = (unsigned char)(bits >> (56 - i * 8));
    stream_hash_add(hash, end, fill + 8);
    for (int i = 0; i < 32; i++)
        out[i] = (unsigned char)(hash->state[i / 4] >> (24 - i % 4 * 8));
}

static void stream_hmac_begin(struct stream_hmac *hmac, const void *key, size_t size)
{
    unsigned char pad[STREAM_HASH_BLOCK] = {0};
    if (size > sizeof pad) {
        stream_hash_begin(&hmac->inner);
        stream_hash_add(&hmac->inner, key, size);
        stream_hash_end(&hmac->inner, pad);
    } else if (size) {
        memcpy(pad, key, size);
    }
    for (size_t i = 0; i < sizeof pad; i++)
        pad[i] ^= 0x36;
    stream_hash_begin(&hmac->inner);
    stream_hash_add(&hmac->inner, pad, sizeof pad);
    for (size_t i = 0; i < sizeof pad; i++)
        pad[i] ^= 0x36 ^ 0x5c;
    stream_hash_begin(&hmac->outer);
    stream_hash_add(&hmac->outer, pad, sizeof pad);
}

static void stream_hmac_add(struct stream_hmac *hmac, const void *data, size_t size)
{
    stream_hash_add(&hmac->inner, data, size);
}

static void stream_hmac_end(struct stream_hmac *hmac, unsigned char out[STREAM_HASH_SIZE])
{
    stream_hash_end(&hmac->inner, out);
    stream_hash_add(&hmac->outer, out, STREAM_HASH_SIZE);
    stream_hash_end(&hmac->outer, out);
}

/* Whether two proofs are the same, in a time that doesn't tell how much of them is. */
static bool stream_hash_same(const unsigned char *a, const unsigned char *b)
{
    volatile unsigned char differ = 0;
    for (size_t i = 0; i < STREAM_HASH_SIZE; i++)
        differ = (unsigned char)(differ | (a[i] ^ b[i]));
    return differ == 0;
}

#endif
