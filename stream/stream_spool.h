/* SPDX-License-Identifier: MIT */
/*
 * stream_spool.h - a file that holds chunks while there is no connection: used as a ring, of
 * a size that it never exceeds.
 *
 * Its name is taken away as soon as it is open: however this program ends, no file is left.
 */
#ifndef CALLSIGHT_STREAM_SPOOL_H
#define CALLSIGHT_STREAM_SPOOL_H

#include "stream_base.h"

struct stream_spool {
    int fd;              /* -1: there is none */
    uint64_t limit;      /* bytes of the file */
    uint64_t head, tail; /* bytes ever written and read */
    bool failed;         /* a write failed; that was said */
};

/* false: it can't be made; that was said. */
static bool stream_spool_open(struct stream_spool *spool, const char *path, uint64_t limit)
{
    memset(spool, 0, sizeof *spool);
    spool->limit = limit;
    spool->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (spool->fd < 0) {
        stream_say("%s: cannot make the spool file: %s", path, strerror(errno));
        return false;
    }
    unlink(path);
    return true;
}

static bool stream_spool_is_empty(const struct stream_spool *spool)
{
    return spool->fd < 0 || spool->head == spool->tail;
}

/* Reads or writes a part of the ring. */
static bool stream_spool_move(const struct stream_spool *spool, bool out, void *data, size_t size,
                              uint64_t position)
{
    unsigned char *at = data;
    while (size) {
        uint64_t from = position % spool->limit;
        size_t part = spool->limit - from < size ? (size_t)(spool->limit - from) : size;
        ssize_t n = out ? pwrite(spool->fd, at, part, (off_t)from)
                        : pread(spool->fd, at, part, (off_t)from);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
        position += (uint64_t)n;
    }
    return true;
}

/* Appends a chunk.  false: it doesn't fit. */
static bool stream_spool_put(struct stream_spool *spool, const unsigned char *bytes, size_t size)
{
    uint32_t length = (uint32_t)size;
    if (spool->head - spool->tail + sizeof length + size > spool->limit)
        return false;
    if (!stream_spool_move(spool, true, &length, sizeof length, spool->head) ||
        !stream_spool_move(spool, true, (void *)(uintptr_t)bytes, size,
                           spool->head + sizeof length)) {
        if (!spool->failed)
            stream_say("the spool file takes no more: %s", strerror(errno));
        spool->failed = true;
        return false;
    }
    spool->head += sizeof length + size;
    return true;
}

/* Takes the oldest chunk out; at most `room` bytes.  0: it can't be read, and all is lost. */
static size_t stream_spool_get(struct stream_spool *spool, unsigned char *bytes, size_t room)
{
    uint32_t length = 0;
    if (!stream_spool_move(spool, false, &length, sizeof length, spool->tail) || length > room ||
        !stream_spool_move(spool, false, bytes, length, spool->tail + sizeof length)) {
        stream_say("the spool file can't be read, what it held is lost: %s", strerror(errno));
        spool->tail = spool->head;
        return 0;
    }
    spool->tail += sizeof length + length;
    return length;
}

#endif
