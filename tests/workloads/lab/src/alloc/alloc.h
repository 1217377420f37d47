/* SPDX-License-Identifier: MIT */
#ifndef LAB_ALLOC_H
#define LAB_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct task;

/* All at once: memory that is only given back as a whole. */
struct arena {
    unsigned char *memory;
    size_t size;
    size_t used;
};

void arena_init(struct arena *a, size_t size);
void arena_clear(struct arena *a);
void *arena_take(struct arena *a, size_t size);
void arena_reset(struct arena *a);

/* Pieces of one size. */
struct slab {
    struct arena arena;
    void **free_list;
    size_t piece;
    size_t live;
};

void slab_init(struct slab *s, size_t piece, size_t n);
void slab_clear(struct slab *s);
void *slab_take(struct slab *s);
void slab_give(struct slab *s, void *piece);

/* Blocks that halve and join again. */
#define BUDDY_ORDERS 10u
#define BUDDY_BLOCKS (1u << (BUDDY_ORDERS - 1))

struct buddy {
    unsigned char state[2 * BUDDY_BLOCKS]; /* a tree: node k has 2k and 2k + 1 */
};

#define BUDDY_NONE UINT32_MAX

void buddy_init(struct buddy *b);
uint32_t buddy_take(struct buddy *b, unsigned order);
void buddy_give(struct buddy *b, uint32_t block, unsigned order);
bool buddy_is_whole(const struct buddy *b);

uint64_t alloc_round(struct task *task, uint64_t seed);

#endif
