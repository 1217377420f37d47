/* SPDX-License-Identifier: MIT */
#include "alloc.h"

#include <string.h>

enum { FREE, SPLIT, TAKEN };

void buddy_init(struct buddy *b)
{
    memset(b->state, FREE, sizeof b->state);
}

/* Looks for a free node of the order below node, which has order `here`. */
static uint32_t take_below(struct buddy *b, uint32_t node, unsigned here, unsigned order)
{
    uint32_t found;

    if (b->state[node] == TAKEN || (here == order && b->state[node] != FREE))
        return BUDDY_NONE;
    if (here == order) {
        b->state[node] = TAKEN;
        return node;
    }
    found = take_below(b, 2 * node, here - 1, order);
    if (found == BUDDY_NONE)
        found = take_below(b, 2 * node + 1, here - 1, order);
    if (found != BUDDY_NONE)
        b->state[node] = SPLIT;
    return found;
}

/* The first of 2^order blocks in a row, or BUDDY_NONE. */
uint32_t buddy_take(struct buddy *b, unsigned order)
{
    uint32_t node = take_below(b, 1, BUDDY_ORDERS - 1, order);

    if (node == BUDDY_NONE)
        return BUDDY_NONE;
    return (node << order) - BUDDY_BLOCKS;
}

static void join_up(struct buddy *b, uint32_t node)
{
    b->state[node] = FREE;
    if (node > 1 && b->state[node ^ 1] == FREE)
        join_up(b, node / 2);
}

void buddy_give(struct buddy *b, uint32_t block, unsigned order)
{
    join_up(b, (block + BUDDY_BLOCKS) >> order);
}

bool buddy_is_whole(const struct buddy *b)
{
    return b->state[1] == FREE;
}
