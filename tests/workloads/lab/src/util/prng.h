/* SPDX-License-Identifier: MIT */
#ifndef LAB_PRNG_H
#define LAB_PRNG_H

#include <stddef.h>
#include <stdint.h>

/* xorshift64*: the same numbers on every machine. */
struct prng {
    uint64_t state;
};

void prng_seed(struct prng *p, uint64_t seed);
uint64_t prng_next(struct prng *p);
uint32_t prng_below(struct prng *p, uint32_t limit);
void prng_words(struct prng *p, uint32_t *out, size_t n);
void prng_text(struct prng *p, unsigned char *out, size_t n);

#endif
