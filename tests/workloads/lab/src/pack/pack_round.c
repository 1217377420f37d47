/* SPDX-License-Identifier: MIT */
#include "pack.h"

#include <string.h>

#include "core/check.h"
#include "hash/hash.h"
#include "util/bits.h"
#include "util/prng.h"

#define TEXT_SIZE 1600

struct method {
    pack_fn pack;
    pack_fn unpack;
    const char *failure;
    bool shrinks;
};

static const struct method methods[] = {
    {rle_pack, rle_unpack, "run lengths", false},
    {lz_pack, lz_unpack, "matches", true},
    {huffman_pack, huffman_unpack, "codes", true},
};

static bool is_same(const struct buffer *a, const struct buffer *b)
{
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

static uint64_t there_and_back(struct task *task, const struct method *m, const struct buffer *text)
{
    struct buffer packed, unpacked;
    uint64_t sum;

    buffer_init(&packed, 2 * text->n + 1024);
    buffer_init(&unpacked, text->n);
    check(task, m->pack(text, &packed) && m->unpack(&packed, &unpacked), m->failure);
    check(task, is_same(text, &unpacked), "the text comes back");
    check(task, !m->shrinks || packed.n < text->n, "the text becomes shorter");
    sum = fnv1a(packed.at, packed.n);
    buffer_clear(&packed);
    buffer_clear(&unpacked);
    return sum;
}

uint64_t pack_round(struct task *task, uint64_t seed)
{
    struct buffer text;
    struct prng prng;
    uint64_t sum = 0;

    prng_seed(&prng, seed);
    buffer_init(&text, TEXT_SIZE);
    prng_text(&prng, text.at, text.size);
    text.n = text.size;
    /* The first thread does the first two, the second the third. */
    for (unsigned i = 2 * task->index; i < 3 && i < 2 * task->index + 2; i++)
        sum = digest(sum, there_and_back(task, &methods[i], &text));
    buffer_clear(&text);
    return sum;
}
