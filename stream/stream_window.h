/* SPDX-License-Identifier: MIT */
/*
 * stream_window.h - the events that were sent last, as they travelled.
 *
 * What a connection that breaks had taken may not have arrived.  The next one begins with all
 * of this again; positions tell the receiver what it has.
 */
#ifndef CALLSIGHT_STREAM_WINDOW_H
#define CALLSIGHT_STREAM_WINDOW_H

#include "stream_chunk.h"
#include "stream_link.h"

#define STREAM_WINDOW (1u << 20) /* bytes; more than the largest chunk has */

_Static_assert(STREAM_WINDOW >= STREAM_CHUNK_ROOM, "a chunk fits into the window");

struct stream_window {
    unsigned char *bytes;
    uint64_t head, tail; /* bytes ever put in and taken out */
    uint64_t begun;      /* head when the connection began */
};

static void stream_window_copy(const struct stream_window *window, uint64_t from, void *out,
                               size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)out)[i] = window->bytes[(from + i) % STREAM_WINDOW];
}

/* Takes the oldest chunks out, so that there are at most so many bytes. */
static void stream_window_cut(struct stream_window *window, uint64_t most)
{
    while (window->head - window->tail > most) {
        uint32_t head[3];
        stream_window_copy(window, window->tail, head, sizeof head);
        window->tail += STREAM_CHUNK_HEAD + head[2];
    }
}

/* Takes a chunk in, for the oldest ones. */
static void stream_window_put(struct stream_window *window, const unsigned char *chunk, size_t size)
{
    if (!window->bytes || size > STREAM_WINDOW)
        return;
    stream_window_cut(window, STREAM_WINDOW - size);
    size_t at = (size_t)(window->head % STREAM_WINDOW);
    size_t first = STREAM_WINDOW - at < size ? STREAM_WINDOW - at : size;
    memcpy(window->bytes + at, chunk, first);
    memcpy(window->bytes, chunk + first, size - first);
    window->head += size;
}

/* Sends all of it on a new connection.  Where the last one got no further than that, half as
 * much: else one that always breaks early would never get on. */
static bool stream_window_send(struct stream_window *window, struct stream_link *link)
{
    if (window->begun == window->head)
        stream_window_cut(window, (window->head - window->tail) / 2);
    window->begun = window->head;
    size_t size = (size_t)(window->head - window->tail);
    size_t at = (size_t)(window->tail % STREAM_WINDOW);
    size_t first = STREAM_WINDOW - at < size ? STREAM_WINDOW - at : size;
    return size == 0 || (stream_link_send(link, window->bytes + at, first) &&
                         stream_link_send(link, window->bytes, size - first));
}

#endif
