/* SPDX-License-Identifier: MIT */
/*
 * stream_frame.h - zstd frames (RFC 8878): compressed by libzstd, or of raw blocks, which
 * take no library and hardly any time.
 */
#ifndef CALLSIGHT_STREAM_FRAME_H
#define CALLSIGHT_STREAM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef CALLSIGHT_NO_ZSTD
#include <zstd.h>
#endif

#define STREAM_FRAME_BLOCK 131072u /* the most that a block may hold */
#define STREAM_FRAME_RAW INT32_MIN /* a level: raw blocks */
#define STREAM_FRAME_FAST (-5)     /* where the ring fills up */
#define STREAM_FRAME_LEVEL 1

/* Room for a frame of `size` bytes, however it is made. */
#define STREAM_FRAME_BOUND(size) ((size) + ((size) >> 8) + 128u)

struct stream_frame {
    void *context; /* of libzstd */
};

/* A frame of raw blocks.  Returns its size. */
static size_t stream_frame_raw(unsigned char *out, const void *data, size_t size)
{
    const unsigned char *from = data;
    size_t used = 0;
    /* the magic, then a descriptor: one segment, its size in four bytes */
    static const unsigned char head[5] = {0x28, 0xB5, 0x2F, 0xFD, 0xA0};
    memcpy(out, head, sizeof head);
    used = sizeof head;
    for (int i = 0; i < 4; i++)
        out[used++] = (unsigned char)(size >> (i * 8));
    do {
        size_t n = size < STREAM_FRAME_BLOCK ? size : STREAM_FRAME_BLOCK;
        uint32_t block = (uint32_t)n << 3 | (n == size); /* of type 0; whether it is the last */
        for (int i = 0; i < 3; i++)
            out[used++] = (unsigned char)(block >> (i * 8));
        memcpy(out + used, from, n);
        used += n;
        from += n;
        size -= n;
    } while (size);
    return used;
}

/* Makes a frame of `size` bytes.  `out` has STREAM_FRAME_BOUND (size) bytes.  Returns its
 * size. */
static size_t stream_frame_make(struct stream_frame *frame, int level, unsigned char *out,
                                const void *data, size_t size)
{
#ifndef CALLSIGHT_NO_ZSTD
    if (level != STREAM_FRAME_RAW) {
        if (!frame->context)
            frame->context = ZSTD_createCCtx();
        if (frame->context) {
            size_t made =
                ZSTD_compressCCtx(frame->context, out, STREAM_FRAME_BOUND(size), data, size, level);
            if (!ZSTD_isError(made))
                return made;
        }
    }
#else
    (void)frame;
    (void)level;
#endif
    return stream_frame_raw(out, data, size);
}

#endif
