/* SPDX-License-Identifier: MIT */
#include "pack.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bits.h"

#define SLOTS 4096u
#define SHORTEST 4u
#define LONGEST 255u
#define FARTHEST 65535u

static size_t clamp(size_t n, size_t most)
{
    return n > most ? most : n;
}

static unsigned slot_of(const unsigned char *p)
{
    uint32_t word = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                    (uint32_t)p[3] << 24;
    return word * 2654435761u >> 20;
}

static size_t match_length(const struct buffer *in, size_t from, size_t at)
{
    size_t most = clamp(in->n - at, LONGEST), n = 0;

    while (n < most && in->at[from + n] == in->at[at + n])
        n++;
    return n;
}

/* Where the bytes at `at` stood last; remembers them for the next time. */
static size_t find_match(const struct buffer *in, size_t *slots, size_t at, size_t *from)
{
    size_t *slot;

    if (in->n - at < SHORTEST)
        return 0;
    slot = &slots[slot_of(in->at + at)];
    *from = *slot - 1;
    *slot = at + 1;
    return *from == (size_t)-1 || at - *from > FARTHEST ? 0 : match_length(in, *from, at);
}

static void put_match(struct buffer *out, size_t length, size_t distance)
{
    buffer_put(out, (unsigned char)length);
    buffer_put(out, (unsigned char)(distance >> 8));
    buffer_put(out, (unsigned char)distance);
}

/* 0 and a byte, or a length and how far back. */
bool lz_pack(const struct buffer *in, struct buffer *out)
{
    size_t *slots = array_new(SLOTS, sizeof *slots);
    size_t at = 0;

    while (at < in->n) {
        size_t from = 0, length = find_match(in, slots, at, &from);
        if (length >= SHORTEST) {
            put_match(out, length, at - from);
            at += length;
        } else {
            buffer_put(out, 0);
            buffer_put(out, in->at[at++]);
        }
    }
    free(slots);
    return !out->full;
}

static bool copy_match(struct buffer *out, size_t length, size_t distance)
{
    if (distance == 0 || distance > out->n || length > out->size - out->n)
        return false;
    for (; length > 0; length--, out->n++)
        out->at[out->n] = out->at[out->n - distance];
    return true;
}

bool lz_unpack(const struct buffer *in, struct buffer *out)
{
    size_t at = 0;

    while (at + 1 < in->n) {
        size_t length = in->at[at];
        if (length == 0) {
            buffer_put(out, in->at[at + 1]);
            at += 2;
        } else {
            size_t distance = at + 2 < in->n ? (size_t)in->at[at + 1] << 8 | in->at[at + 2] : 0;
            if (!copy_match(out, length, distance))
                return false;
            at += min_size(3, in->n - at);
        }
    }
    return at == in->n && !out->full;
}
