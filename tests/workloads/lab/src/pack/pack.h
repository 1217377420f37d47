/* SPDX-License-Identifier: MIT */
#ifndef LAB_PACK_H
#define LAB_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct task;

/* Bytes with a capacity; what does not fit sets `full`. */
struct buffer {
    unsigned char *at;
    size_t n;
    size_t size;
    bool full;
};

void buffer_init(struct buffer *b, size_t size);
void buffer_clear(struct buffer *b);
void buffer_put(struct buffer *b, unsigned char byte);

struct bits {
    struct buffer *buffer;
    uint64_t held;
    unsigned n_held;
    size_t at;
};

void bits_put(struct bits *bits, uint32_t value, unsigned n);
void bits_flush(struct bits *bits);
unsigned bits_get(struct bits *bits);

typedef bool (*pack_fn)(const struct buffer *in, struct buffer *out);

bool rle_pack(const struct buffer *in, struct buffer *out);
bool rle_unpack(const struct buffer *in, struct buffer *out);
bool lz_pack(const struct buffer *in, struct buffer *out);
bool lz_unpack(const struct buffer *in, struct buffer *out);
bool huffman_pack(const struct buffer *in, struct buffer *out);
bool huffman_unpack(const struct buffer *in, struct buffer *out);

uint64_t pack_round(struct task *task, uint64_t seed);

#endif
