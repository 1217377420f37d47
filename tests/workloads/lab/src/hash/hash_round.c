/* SPDX-License-Identifier: MIT */
#include "hash.h"

#include <stdlib.h>

#include "core/check.h"
#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

#define KEYS 2000
#define LOOKUPS 6000
#define GENERATIONS 3
#define BLOCKS 24
#define BLOCK_SIZE 256

static uint64_t key_of(uint64_t seed, uint32_t i)
{
    return mix64(seed + i) | 1;
}

/* What went in comes out, and nothing else does. */
static uint64_t use_table(struct task *task, uint64_t seed)
{
    struct table t;
    uint32_t value, found = 0, right = 0, strangers = 0;

    table_init(&t, 64);
    for (uint32_t i = 0; i < KEYS; i++)
        table_put(&t, key_of(seed, i), i);
    for (uint32_t i = 0; i < KEYS; i++)
        if (table_get(&t, key_of(seed, i), &value)) {
            found++;
            right += value == i;
        }
    for (uint32_t i = 0; i < KEYS / 4; i++)
        strangers += table_get(&t, key_of(seed, i) - 1, &value);
    check_equal(task, t.used, KEYS, "all keys are in the table");
    check_equal(task, found, KEYS, "all keys are found");
    check_equal(task, right, KEYS, "with the right values");
    check_equal(task, strangers, 0, "no even key is found");
    table_clear(&t);
    return digest(t.size, found);
}

/* Thousands of lookups of a few nanoseconds, and one in two thousand that rebuilds all. */
static uint64_t use_cache(struct task *task, uint64_t seed)
{
    struct cache *cache = array_new(1, sizeof *cache);
    uint64_t sum = 0;

    cache_init(cache);
    for (unsigned i = 0; i < LOOKUPS; i++)
        sum += cache_lookup(cache, 1 + seed % 1000 + i / (LOOKUPS / GENERATIONS), i * 7);
    check_equal(task, cache->rebuilds, GENERATIONS, "the cache is rebuilt once a generation");
    free(cache);
    return sum;
}

/* The published check values of the three hash functions. */
static void check_vectors(struct task *task)
{
    static const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    unsigned char bytes[15];

    for (unsigned char i = 0; i < sizeof bytes; i++)
        bytes[i] = i;
    check_equal(task, siphash(key, bytes, sizeof bytes), UINT64_C(0xa129ca6149be45e5), "siphash");
    check_equal(task, crc32("123456789", 9), 0xcbf43926u, "crc32");
    check_equal(task, fnv1a("a", 1), UINT64_C(0xaf63dc4c8601ec8c), "fnv1a");
}

static uint64_t hash_blocks(struct task *task, uint64_t seed)
{
    unsigned char block[BLOCK_SIZE];
    uint64_t key[2] = {seed, ~seed}, sum = 0;
    struct prng prng;

    check_vectors(task);
    prng_seed(&prng, seed);
    for (int i = 0; i < BLOCKS; i++) {
        prng_text(&prng, block, sizeof block);
        sum = digest(sum, siphash(key, block, sizeof block));
        sum ^= crc32(block, sizeof block);
        sum += fnv1a(block, sizeof block);
    }
    return sum;
}

uint64_t hash_round(struct task *task, uint64_t seed)
{
    uint64_t sum;

    if (task->index == 0)
        return use_table(task, seed);
    sum = hash_blocks(task, seed);
    return digest(sum, use_cache(task, seed));
}
