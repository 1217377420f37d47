/* SPDX-License-Identifier: MIT */
#include "alloc.h"

void slab_init(struct slab *s, size_t piece, size_t n)
{
    *s = (struct slab){.piece = (piece + 15) & ~(size_t)15};
    arena_init(&s->arena, s->piece * n);
}

void slab_clear(struct slab *s)
{
    arena_clear(&s->arena);
}

static void *reuse(struct slab *s)
{
    void **piece = s->free_list;

    s->free_list = *piece;
    return piece;
}

void *slab_take(struct slab *s)
{
    void *piece = s->free_list ? reuse(s) : arena_take(&s->arena, s->piece);

    if (piece)
        s->live++;
    return piece;
}

void slab_give(struct slab *s, void *piece)
{
    *(void **)piece = s->free_list;
    s->free_list = piece;
    s->live--;
}
