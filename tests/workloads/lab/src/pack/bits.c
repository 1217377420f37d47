/* SPDX-License-Identifier: MIT */
#include "pack.h"

static void put_byte(struct bits *bits)
{
    bits->n_held -= 8;
    buffer_put(bits->buffer, (unsigned char)(bits->held >> bits->n_held));
}

/* Highest bit first. */
void bits_put(struct bits *bits, uint32_t value, unsigned n)
{
    bits->held = bits->held << n | value;
    bits->n_held += n;
    while (bits->n_held >= 8)
        put_byte(bits);
}

void bits_flush(struct bits *bits)
{
    if (bits->n_held > 0)
        bits_put(bits, 0, 8 - bits->n_held);
}

/* The next bit; zeros after the end. */
unsigned bits_get(struct bits *bits)
{
    if (bits->n_held == 0) {
        bits->held = bits->at < bits->buffer->n ? bits->buffer->at[bits->at] : 0;
        bits->at++;
        bits->n_held = 8;
    }
    return (unsigned)(bits->held >> --bits->n_held) & 1;
}
