/* SPDX-License-Identifier: MIT */
#include "pack.h"

static size_t run_length(const struct buffer *in, size_t at)
{
    size_t n = 1;

    while (at + n < in->n && in->at[at + n] == in->at[at] && n < 255)
        n++;
    return n;
}

/* Pairs of a count and a byte. */
bool rle_pack(const struct buffer *in, struct buffer *out)
{
    for (size_t at = 0, n; at < in->n; at += n) {
        n = run_length(in, at);
        buffer_put(out, (unsigned char)n);
        buffer_put(out, in->at[at]);
    }
    return !out->full;
}

static void put_run(struct buffer *out, unsigned char byte, unsigned n)
{
    while (n-- > 0)
        buffer_put(out, byte);
}

bool rle_unpack(const struct buffer *in, struct buffer *out)
{
    if (in->n % 2 != 0)
        return false;
    for (size_t at = 0; at < in->n; at += 2)
        put_run(out, in->at[at + 1], in->at[at]);
    return !out->full;
}
