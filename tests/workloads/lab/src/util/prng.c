/* SPDX-License-Identifier: MIT */
#include "prng.h"

#include "bits.h"

void prng_seed(struct prng *p, uint64_t seed)
{
    p->state = mix64(seed + 1);
    if (p->state == 0)
        p->state = 1;
}

uint64_t prng_next(struct prng *p)
{
    uint64_t x = p->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    p->state = x;
    return x * UINT64_C(2685821657736338717);
}

/* A number in [0, limit). */
uint32_t prng_below(struct prng *p, uint32_t limit)
{
    return (uint32_t)(((prng_next(p) >> 32) * limit) >> 32);
}

void prng_words(struct prng *p, uint32_t *out, size_t n)
{
    for (size_t i = 0; i < n; i += 2) {
        uint64_t x = prng_next(p);
        out[i] = (uint32_t)x;
        if (i + 1 < n)
            out[i + 1] = (uint32_t)(x >> 32);
    }
}

/* Words of a small vocabulary, so that the text packs well. */
void prng_text(struct prng *p, unsigned char *out, size_t n)
{
    static const char *const words[] = {
        "lorem ", "ipsum ", "dolor ", "sit ", "amet ", "aaaaaaaa ", "elit ", "sed ",
        "do ", "eiusmod ", "tempor ", "magna ", "0000000000 ", "aliqua ", "enim ", "veniam\n",
    };
    size_t at = 0;

    while (at < n) {
        const char *word = words[prng_below(p, sizeof words / sizeof words[0])];
        while (*word && at < n)
            out[at++] = (unsigned char)*word++;
    }
}
