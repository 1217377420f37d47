/* SPDX-License-Identifier: MIT */
#include "pack.h"

#include <stdlib.h>

#include "util/array.h"

#define SYMBOLS 256
#define NODES (2 * SYMBOLS)

struct coder {
    uint32_t weight[NODES];
    int child[NODES][2]; /* -1: a symbol */
    bool used[NODES];
    uint32_t code[SYMBOLS];
    unsigned length[SYMBOLS];
    int n;
    int root;
};

static int take_lightest(struct coder *c)
{
    int best = -1;

    for (int i = 0; i < c->n; i++)
        if (c->weight[i] > 0 && !c->used[i] && (best < 0 || c->weight[i] < c->weight[best]))
            best = i;
    if (best >= 0)
        c->used[best] = true;
    return best;
}

static int join(struct coder *c, int a, int b)
{
    c->weight[c->n] = c->weight[a] + c->weight[b];
    c->child[c->n][0] = a;
    c->child[c->n][1] = b;
    return c->n++;
}

static void assign_codes(struct coder *c, int node, uint32_t code, unsigned length)
{
    if (c->child[node][0] < 0) {
        c->code[node] = code;
        c->length[node] = length;
        return;
    }
    assign_codes(c, c->child[node][0], code << 1, length + 1);
    assign_codes(c, c->child[node][1], code << 1 | 1, length + 1);
}

/* weight[0 .. SYMBOLS) is filled in; at least two symbols have one. */
static void build_tree(struct coder *c)
{
    c->n = SYMBOLS;
    for (int i = 0; i < NODES; i++)
        c->child[i][0] = c->child[i][1] = -1;
    for (;;) {
        int a = take_lightest(c), b = take_lightest(c);
        if (b < 0) {
            c->root = a;
            break;
        }
        join(c, a, b);
    }
    assign_codes(c, c->root, 0, 0);
}

/* Two bytes a weight, then the codes. */
bool huffman_pack(const struct buffer *in, struct buffer *out)
{
    struct coder *c = array_new(1, sizeof *c);
    struct bits bits = {.buffer = out};

    for (size_t i = 0; i < in->n; i++)
        c->weight[in->at[i]]++;
    for (int i = 0; i < SYMBOLS; i++)
        bits_put(&bits, c->weight[i] & 0xffff, 16);
    build_tree(c);
    for (size_t i = 0; i < in->n; i++)
        bits_put(&bits, c->code[in->at[i]], c->length[in->at[i]]);
    bits_flush(&bits);
    free(c);
    return !out->full;
}

static unsigned char next_symbol(const struct coder *c, struct bits *bits)
{
    int node = c->root;

    while (c->child[node][0] >= 0)
        node = c->child[node][bits_get(bits)];
    return (unsigned char)node;
}

bool huffman_unpack(const struct buffer *in, struct buffer *out)
{
    struct coder *c = array_new(1, sizeof *c);
    struct bits bits = {.buffer = (struct buffer *)in, .at = 2 * SYMBOLS};
    size_t n = 0;

    for (int i = 0; i < SYMBOLS; i++) {
        c->weight[i] = (uint32_t)in->at[2 * i] << 8 | in->at[2 * i + 1];
        n += c->weight[i];
    }
    build_tree(c);
    while (n-- > 0)
        buffer_put(out, next_symbol(c, &bits));
    free(c);
    return !out->full;
}
