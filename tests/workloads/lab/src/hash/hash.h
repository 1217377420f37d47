/* SPDX-License-Identifier: MIT */
#ifndef LAB_HASH_H
#define LAB_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct task;

uint64_t fnv1a(const void *data, size_t n);
uint32_t crc32(const void *data, size_t n);
uint64_t siphash(const uint64_t key[2], const unsigned char *data, size_t n);

/* From nonzero keys to values; grows by itself. */
struct table {
    uint64_t *keys;
    uint32_t *values;
    size_t size; /* a power of two */
    size_t used;
};

void table_init(struct table *t, size_t size);
void table_clear(struct table *t);
void table_put(struct table *t, uint64_t key, uint32_t value);
bool table_get(const struct table *t, uint64_t key, uint32_t *value);

/* Remembers answers; what it does not know takes it a hundred thousand times longer. */
struct cache {
    uint64_t generation;
    uint64_t lines[256];
    unsigned rebuilds;
};

void cache_init(struct cache *c);
uint64_t cache_lookup(struct cache *c, uint64_t generation, unsigned slot);

uint64_t hash_round(struct task *task, uint64_t seed);

#endif
