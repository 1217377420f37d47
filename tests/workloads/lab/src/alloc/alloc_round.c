/* SPDX-License-Identifier: MIT */
#include "alloc.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

#define PIECES 256
#define STEPS 1800

/* Every piece holds its own number until it is given back. */
static uint64_t use_slab(struct task *task, struct prng *prng)
{
    uint32_t **pieces = array_new(PIECES, sizeof *pieces);
    unsigned spoiled = 0, takes = 0;
    struct slab slab;

    slab_init(&slab, 24, PIECES);
    for (unsigned step = 0; step < STEPS; step++) {
        uint32_t i = prng_below(prng, PIECES);
        if (pieces[i]) {
            spoiled += *pieces[i] != i;
            slab_give(&slab, pieces[i]);
            pieces[i] = NULL;
        } else {
            pieces[i] = slab_take(&slab);
            if (check(task, pieces[i] != NULL, "there is a piece left"))
                *pieces[i] = i;
            takes++;
        }
    }
    for (uint32_t i = 0; i < PIECES; i++)
        if (pieces[i])
            slab_give(&slab, pieces[i]);
    check_equal(task, spoiled, 0, "no piece is overwritten");
    check_equal(task, slab.live, 0, "all pieces are back");
    slab_clear(&slab);
    free(pieces);
    return takes;
}

static uint64_t use_arena(struct task *task, struct prng *prng)
{
    struct arena arena;
    uint64_t sum = 0;

    arena_init(&arena, 65536);
    for (unsigned step = 0; step < STEPS; step++) {
        size_t size = 1 + prng_below(prng, 200);
        unsigned char *piece = arena_take(&arena, size);
        if (!piece) {
            sum = digest(sum, arena.used);
            arena_reset(&arena);
            piece = arena_take(&arena, size);
        }
        if (piece)
            memset(piece, 0xa5, size);
    }
    check(task, arena.used <= arena.size && sum != 0, "the arena was filled and emptied");
    arena_clear(&arena);
    return sum;
}

/* No two live runs of blocks overlap. */
static bool mark(unsigned char *owner, uint32_t block, unsigned order, unsigned char from,
                 unsigned char to)
{
    for (uint32_t i = block; i < block + (1u << order); i++) {
        if (owner[i] != from)
            return false;
        owner[i] = to;
    }
    return true;
}

static uint64_t use_buddy(struct task *task, struct prng *prng)
{
    struct buddy *buddy = array_new(1, sizeof *buddy);
    unsigned char *owner = array_new(BUDDY_BLOCKS, 1);
    struct {
        uint32_t block;
        unsigned order;
    } live[32];
    uint64_t sum = 0;
    bool clean = true;

    buddy_init(buddy);
    for (unsigned i = 0; i < 32; i++)
        live[i].block = BUDDY_NONE;
    for (unsigned step = 0; step < STEPS / 2; step++) {
        uint32_t i = prng_below(prng, 32);
        if (live[i].block != BUDDY_NONE) {
            clean &= mark(owner, live[i].block, live[i].order, 1, 0);
            buddy_give(buddy, live[i].block, live[i].order);
            live[i].block = BUDDY_NONE;
        } else {
            live[i].order = i % 7;
            live[i].block = buddy_take(buddy, live[i].order);
            if (live[i].block != BUDDY_NONE)
                clean &= mark(owner, live[i].block, live[i].order, 0, 1);
            sum = sum * 31 + live[i].block;
        }
    }
    for (unsigned i = 0; i < 32; i++)
        if (live[i].block != BUDDY_NONE)
            buddy_give(buddy, live[i].block, live[i].order);
    check(task, clean, "no two runs of blocks overlap");
    check(task, buddy_is_whole(buddy), "all blocks have joined again");
    free(buddy);
    free(owner);
    return mix64(sum);
}

uint64_t alloc_round(struct task *task, uint64_t seed)
{
    struct prng prng;
    uint64_t sum;

    prng_seed(&prng, seed);
    if (task->index != 0)
        return use_buddy(task, &prng);
    sum = use_slab(task, &prng);
    return digest(sum, use_arena(task, &prng));
}
