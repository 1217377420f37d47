/* SPDX-License-Identifier: MIT */
#include "pack.h"

#include <stdlib.h>

#include "util/array.h"

void buffer_init(struct buffer *b, size_t size)
{
    *b = (struct buffer){.at = array_new(size, 1), .size = size};
}

void buffer_clear(struct buffer *b)
{
    free(b->at);
    b->at = NULL;
}

void buffer_put(struct buffer *b, unsigned char byte)
{
    if (b->n < b->size)
        b->at[b->n++] = byte;
    else
        b->full = true;
}
