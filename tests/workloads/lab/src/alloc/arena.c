/* SPDX-License-Identifier: MIT */
#include "alloc.h"

#include <stdlib.h>

#include "util/array.h"

static size_t align(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

void arena_init(struct arena *a, size_t size)
{
    *a = (struct arena){.memory = array_new(align(size), 1), .size = align(size)};
}

void arena_clear(struct arena *a)
{
    free(a->memory);
    a->memory = NULL;
}

/* NULL when it is full. */
void *arena_take(struct arena *a, size_t size)
{
    void *piece = a->memory + a->used;

    size = align(size);
    if (size > a->size - a->used)
        return NULL;
    a->used += size;
    return piece;
}

void arena_reset(struct arena *a)
{
    a->used = 0;
}
