/* SPDX-License-Identifier: MIT */
/*
 * stream_session.h - one ring and its connection, from the first byte to the last.
 *
 * A chunk is kept until it is sent, over as many connections as that takes; what it was made
 * of stays in the ring until then.  The last ones are kept longer: see stream_window.h.  With a
 * spool, what would fill the ring goes into that while there is no connection, or a slow one, and
 * comes out first.
 */
#ifndef CALLSIGHT_STREAM_SESSION_H
#define CALLSIGHT_STREAM_SESSION_H

#include "stream_chunk.h"
#include "stream_link.h"
#include "stream_ring.h"
#include "stream_spool.h"
#include "stream_tail.h"
#include "stream_window.h"

#define STREAM_BACK_OFF_LEAST 100 /* ms */
#define STREAM_BACK_OFF_MOST 5000
#define STREAM_HOLD_MS 40         /* how long a few events wait for more */
#define STREAM_ENOUGH (64u << 10) /* bytes that wait for no more */
#define STREAM_POLL_LEAST 2       /* ms between two looks at an empty ring */
#define STREAM_POLL_MOST 40
#define STREAM_TELL_MS 100    /* between two looks at what else there is to tell */
#define STREAM_STEADY_MS 1000 /* a connection that held so long was a good one */
#define STREAM_TEXT_PART (256u << 10)
#define STREAM_EXIT_MS 2000 /* for a process that has detached to end */
#define STREAM_ENDS 3       /* tries to say that it is the end */

struct stream_session {
    struct stream_ring ring;
    struct stream_link link;
    struct stream_batch batch;
    struct stream_chunk chunk; /* that is to be sent next */
    struct stream_chunk spare; /* on its way into the spool */
    struct stream_spool spool;
    struct stream_window window;
    bool once;
    uint64_t told_drops;
    uint64_t told_text;            /* bytes of the process text */
    int64_t told;                  /* when it was last looked whether there is more */
    int64_t making_us, sending_us; /* what the last chunk of the ring took */
    int64_t over;                  /* since when nothing comes any more; 0: it may */
    bool in_tail;                  /* `tail` is open, and read up to `tail_from` */
    bool in_tails;                 /* the ring is empty for good */
    bool tails_done;
    int ends; /* connections that were lost at the very end */
    struct stream_tail tail;
    uint64_t tail_from;
    char behind[16]; /* the end of its name */
};

static bool stream_session_room(struct stream_session *session)
{
    session->batch.raw = malloc(STREAM_POSITION + STREAM_CHUNK_MOST);
    session->chunk.bytes = malloc(STREAM_CHUNK_ROOM);
    session->spare.bytes = session->spool.fd >= 0 ? malloc(STREAM_CHUNK_ROOM) : NULL;
    if (session->link.protocol == 3)
        session->window.bytes = malloc(STREAM_WINDOW); /* it goes without one, too */
    if (session->batch.raw && session->chunk.bytes &&
        (session->spare.bytes || session->spool.fd < 0))
        return true;
    stream_say("out of memory");
    return false;
}

/* --- from the ring into chunks ------------------------------------------------------ */

static bool stream_session_is_packed(const struct stream_session *session)
{
    return (session->ring.as.flags & STREAM_RING_PACKED) != 0;
}

/* Makes a chunk of what is next in the ring.  How much it is worth to make it small depends
 * on what is scarce: where the ring fills up though the connection takes all at once, time. */
static void stream_session_take(struct stream_session *session, struct stream_chunk *chunk,
                                uint64_t used)
{
    struct stream_ring *ring = &session->ring;
    bool packed = stream_session_is_packed(session);
    bool late = used > ring->capacity / 2 && session->sending_us <= 2 * session->making_us;
    uint32_t type = packed ? STREAM_PACKED : STREAM_EVENTS;
    int64_t began = stream_now_us();
    chunk->size = 0;
    stream_batch_take(&session->batch, ring, used);
    if (session->batch.size == 0) {
        stream_say("/%s: %llu bytes of the ring are no records and were passed over", ring->name,
                   (unsigned long long)used);
        stream_ring_publish(ring, ring->at);
        return;
    }
#ifdef CALLSIGHT_NO_ZSTD
    if (packed)
        type = STREAM_PACKED_STORED;
#endif
    if (packed && late && used > ring->capacity / 4 * (uint64_t)3)
        type = STREAM_PACKED_STORED;
    stream_chunk_of_batch(chunk, &session->batch, type,
                          late ? STREAM_FRAME_FAST : STREAM_FRAME_LEVEL, session->link.protocol);
    chunk->of_ring = true;
    chunk->end = ring->at;
    session->making_us = stream_now_us() - began;
}

/* How much of the ring can be taken.  false: the ring is damaged; that was said. */
static bool stream_session_used(struct stream_session *session, uint64_t *used)
{
    if (!stream_ring_used(&session->ring, used)) {
        stream_say("/%s: the ring is damaged: it is fuller than it is large", session->ring.name);
        return false;
    }
    if (*used < TRACE_EVENT_SIZE)
        *used = 0;
    return true;
}

/* Moves what the ring holds into the spool, as far as it has room.  What has none stays in
 * the ring, and what finds that full is counted there. */
static void stream_session_spool(struct stream_session *session)
{
    struct stream_ring *ring = &session->ring;
    uint64_t used;
    while (stream_ring_used(ring, &used) && used >= TRACE_EVENT_SIZE) {
        uint64_t at = ring->at;
        stream_session_take(session, &session->spare, used);
        if (!session->spare.size)
            continue;
        if (!stream_spool_put(&session->spool, session->spare.bytes, session->spare.size)) {
            ring->at = at;
            break;
        }
        stream_ring_publish(ring, ring->at);
    }
}

/* What is done while something else is waited for. */
static void stream_session_idle(void *data)
{
    struct stream_session *session = data;
    uint64_t used;
    if (session->spool.fd < 0 || !stream_ring_used(&session->ring, &used))
        return;
    if (!session->link.connected || used > session->ring.capacity / 2)
        stream_session_spool(session);
}

/* --- from chunks into the connection -------------------------------------------------- */

static bool stream_session_send(struct stream_session *session)
{
    struct stream_chunk *chunk = &session->chunk;
    int64_t began = stream_now_us();
    if (!chunk->size)
        return true;
    if (!stream_link_send(&session->link, chunk->bytes, chunk->size))
        return false;
    if (chunk->of_ring) {
        session->sending_us = stream_now_us() - began;
        stream_ring_publish(&session->ring, chunk->end);
    }
    if (chunk->is_data)
        stream_window_put(&session->window, chunk->bytes, chunk->size);
    chunk->size = 0;
    return true;
}

/* Tells how many events were dropped, if that changed. */
static bool stream_session_tell_drops(struct stream_session *session)
{
    uint64_t dropped = stream_ring_dropped(&session->ring);
    if (dropped == session->told_drops)
        return true;
    stream_chunk_make(&session->chunk, &session->batch.frame, STREAM_DROPS, STREAM_FRAME_RAW,
                      (const unsigned char *)&dropped, sizeof dropped);
    if (!stream_session_send(session)) {
        session->chunk.size = 0;
        return false;
    }
    session->told_drops = dropped;
    return true;
}

/* Tells what the process text has beyond what was told, in whole lines. */
static bool stream_session_tell_text(struct stream_session *session)
{
    struct stat info;
    uint64_t length = 0;
    bool sent = true;
    int fd = stream_shm_own(session->ring.name, ".process", O_RDONLY, &info);
    if (fd < 0)
        return true;
    while (sent && stream_read_at(fd, &length, sizeof length, 0) && length > session->told_text &&
           length <= (uint64_t)info.st_size - sizeof length) {
        unsigned char *text = session->batch.raw;
        uint64_t left = length - session->told_text;
        size_t size = left < STREAM_TEXT_PART ? (size_t)left : STREAM_TEXT_PART;
        if (!stream_read_at(fd, text, size, sizeof length + session->told_text))
            break;
        size_t lines = size;
        while (lines && text[lines - 1] != '\n')
            lines--;
        if (!lines && size < STREAM_TEXT_PART)
            break; /* the line isn't whole yet */
        lines = lines ? lines : size;
        stream_chunk_make(&session->chunk, &session->batch.frame, STREAM_PROCESS,
                          STREAM_FRAME_LEVEL, text, lines);
        sent = stream_session_send(session);
        session->chunk.size = 0;
        session->told_text += lines;
    }
    close(fd);
    return sent;
}

/* Tells all that isn't events.  No chunk is waiting. */
static bool stream_session_tell(struct stream_session *session)
{
    session->told = stream_now();
    return (session->link.protocol == 2 || stream_session_tell_text(session)) &&
           stream_session_tell_drops(session);
}

/* --- the life of a connection ---------------------------------------------------------- */

enum stream_step {
    STREAM_GO_ON,
    STREAM_DRAINED,
    STREAM_BROKEN,  /* the connection */
    STREAM_DAMAGED, /* the ring */
};

/* Opens the next buffer of a thread.  false: there is none. */
static bool stream_session_open_tail(struct stream_session *session)
{
    const struct dirent *entry;
    const char *behind;
    DIR *folder = opendir(STREAM_RING_FOLDER);
    while (folder && !session->in_tail && (entry = readdir(folder))) {
        session->in_tail = stream_tail_is_named(session->ring.name, entry->d_name, &behind) &&
                           stream_tail_open(&session->tail, &session->ring, behind);
        if (session->in_tail)
            snprintf(session->behind, sizeof session->behind, "%s", behind);
    }
    if (folder)
        closedir(folder);
    session->tail_from = 0;
    return session->in_tail;
}

/* Makes a chunk of what threads left, of an ended tracer whose ring is empty.  Each buffer
 * loses its name when all of it is in chunks. */
static enum stream_step stream_session_tails(struct stream_session *session)
{
    while (!session->tails_done) {
        if (!session->in_tail && !stream_session_open_tail(session))
            break;
        if (stream_tail_next(&session->tail, &session->ring, &session->batch,
                             &session->tail_from)) {
            bool packed = stream_session_is_packed(session);
            stream_chunk_of_batch(&session->chunk, &session->batch,
                                  packed ? STREAM_PACKED : STREAM_EVENTS, STREAM_FRAME_LEVEL,
                                  session->link.protocol);
            return STREAM_GO_ON;
        }
        session->in_tail = false;
        close(session->tail.fd);
        session->tails_done =
            !stream_shm_unlink(session->ring.name, session->behind, session->tail.info.st_dev,
                               session->tail.info.st_ino);
    }
    session->tails_done = true;
    return STREAM_DRAINED;
}

/* The ring is empty.  Whether that is the end, of which the threads' buffers come last: a
 * process that has detached is left some time to end. */
static enum stream_step stream_session_over(struct stream_session *session, bool over)
{
    if (!over) {
        session->over = 0;
        return STREAM_GO_ON;
    }
    if (!session->over)
        session->over = stream_now();
    if (session->ring.pid && !stream_ring_is_gone(&session->ring) &&
        stream_now() - session->over < STREAM_EXIT_MS)
        return STREAM_GO_ON;
    session->in_tails = true;
    return stream_session_tails(session);
}

/* Looks at the ring.  GO_ON: `used` bytes are worth a chunk; 0: wait. */
static enum stream_step stream_session_look(struct stream_session *session, int64_t *since,
                                            uint64_t *used)
{
    struct stream_ring *ring = &session->ring;
    *used = 0;
    if (stream_ring_is_others(ring))
        return STREAM_DRAINED;
    if (session->in_tails)
        return stream_session_tails(session);
    if (!stream_session_used(session, used))
        return STREAM_DAMAGED;
    if (*used >= STREAM_ENOUGH || *used >= ring->capacity / 8)
        return STREAM_GO_ON;
    bool over = stream_ring_is_over(ring);
    if (!stream_session_used(session, used))
        return STREAM_DAMAGED;
    if (!*used) {
        *since = 0;
        return stream_session_over(session, over);
    }
    if (!*since)
        *since = stream_now();
    if (!over && stream_now() - *since < STREAM_HOLD_MS)
        *used = 0;
    return STREAM_GO_ON;
}

/* One chunk, or a short wait. */
static enum stream_step stream_session_step(struct stream_session *session, int64_t *since,
                                            int64_t *pause)
{
    uint64_t used;
    if (!stream_link_is_open(&session->link) || !stream_session_send(session))
        return STREAM_BROKEN;
    stream_session_idle(session);
    if (!stream_spool_is_empty(&session->spool)) {
        session->chunk.of_ring = false;
        session->chunk.is_data = true;
        session->chunk.size =
            stream_spool_get(&session->spool, session->chunk.bytes, STREAM_CHUNK_ROOM);
        return STREAM_GO_ON;
    }
    if (stream_now() - session->told >= STREAM_TELL_MS && !stream_session_tell(session))
        return STREAM_BROKEN;
    enum stream_step step = stream_session_look(session, since, &used);
    if (step != STREAM_GO_ON)
        return step;
    if (session->chunk.size || used) {
        if (used)
            stream_session_take(session, &session->chunk, used);
        *since = 0;
        *pause = STREAM_POLL_LEAST;
        return STREAM_GO_ON;
    }
    stream_link_wait(&session->link, POLLIN, stream_now() + (*since ? STREAM_POLL_LEAST : *pause));
    *pause = *pause * 2 < STREAM_POLL_MOST ? *pause * 2 : STREAM_POLL_MOST;
    return STREAM_GO_ON;
}

/* Sends until there is no more, or the connection is lost, or the program is to end. */
static enum stream_step stream_session_pump(struct stream_session *session)
{
    enum stream_step step = STREAM_GO_ON;
    int64_t since = 0, pause = STREAM_POLL_LEAST;
    session->told_text = 0;
    session->told_drops = 0;
    session->told = 0;
    if (!stream_window_send(&session->window, &session->link) ||
        (!session->chunk.size && !stream_session_tell(session)))
        return STREAM_BROKEN;
    while (step == STREAM_GO_ON && !stream_stopping)
        step = stream_session_step(session, &since, &pause);
    return step;
}

/* What there is to say when the program was told to end.  What was read is sent. */
static int stream_session_stop(struct stream_session *session)
{
    uint64_t left;
    bool sent = session->link.fd >= 0;
    while (sent && (session->chunk.size || !stream_spool_is_empty(&session->spool))) {
        sent = stream_session_send(session);
        if (sent && !stream_spool_is_empty(&session->spool))
            session->chunk.size =
                stream_spool_get(&session->spool, session->chunk.bytes, STREAM_CHUNK_ROOM);
    }
    if (sent && stream_session_tell(session))
        stream_link_finish(&session->link);
    stream_link_close(&session->link);
    left = session->spool.fd >= 0 ? session->spool.head - session->spool.tail : 0;
    if (left)
        stream_say("/%s: %llu bytes in the spool were not sent", session->ring.name,
                   (unsigned long long)left);
    return STREAM_DONE;
}

/* Waits before the next try. */
static void stream_session_back_off(struct stream_session *session, int64_t ms)
{
    int64_t until = stream_now() + ms, left;
    while (!stream_stopping && (left = until - stream_now()) > 0) {
        stream_sleep_us((left < STREAM_SLICE_MS ? left : STREAM_SLICE_MS) * 1000);
        stream_session_idle(session);
    }
}

/* Removes what an ended tracer left.  Who does that holds the lock and keeps it: a program
 * that wants the name meanwhile takes another one. */
static void stream_session_clear(struct stream_session *session)
{
    struct stream_ring *ring = &session->ring;
    struct stat info;
    uint32_t free = 0;
    if (stream_ring_is_others(ring) || !stream_ring_is_over(ring) ||
        !__atomic_compare_exchange_n(&ring->header->lock, &free, (uint32_t)getpid(), false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    int fd = stream_shm_own(ring->name, ".process", O_RDONLY, &info);
    if (stream_shm_unlink(ring->name, "", ring->device, ring->inode) && fd >= 0)
        stream_shm_unlink(ring->name, ".process", info.st_dev, info.st_ino);
    if (fd >= 0)
        close(fd);
}

/* All is sent: says the rest, and that it is the end.  false: that may not have arrived. */
static bool stream_session_end(struct stream_session *session)
{
    bool done = stream_session_tell(session) && stream_link_finish(&session->link);
    if (done)
        stream_session_clear(session);
    return done;
}

/* Uses a connection.  GO_ON: it is lost, and there is more to send; else `status` is that of
 * the program. */
static enum stream_step stream_session_use(struct stream_session *session, int *status)
{
    enum stream_step step = stream_session_pump(session);
    *status = step == STREAM_DAMAGED ? STREAM_USAGE : STREAM_DONE;
    if (step == STREAM_DRAINED && !stream_session_end(session) && !stream_stopping) {
        *status = STREAM_NO;
        if (session->link.protocol == 3 && !session->once && ++session->ends < STREAM_ENDS)
            step = STREAM_BROKEN;
        else
            stream_say("/%s: the end may not have arrived: %s", session->ring.name,
                       session->link.why);
    } else if (step != STREAM_DRAINED && stream_stopping) {
        *status = stream_session_stop(session);
        step = STREAM_DRAINED;
    }
    stream_link_close(&session->link);
    return step == STREAM_BROKEN ? STREAM_GO_ON : step;
}

/* Serves a ring that is attached.  Returns an exit status. */
static int stream_session_run(struct stream_session *session)
{
    char said[sizeof session->link.why] = "";
    int64_t back_off = STREAM_BACK_OFF_LEAST;
    int status;
    session->link.fd = -1;
    session->link.idle = stream_session_idle;
    session->link.idle_data = session;
    if (session->link.protocol == 2 && stream_session_is_packed(session)) {
        stream_say(
            "/%s: the ring holds packed events, which version 2 of the protocol can't carry: "
            "leave out --protocol, or trace with TRACE_FORMAT=records",
            session->ring.name);
        return STREAM_USAGE;
    }
    while (!stream_stopping) {
        int64_t began = stream_now();
        enum stream_result result = stream_link_open(&session->link, &session->ring);
        if (result == STREAM_OK) {
            if (said[0])
                stream_say("/%s: connected again", session->ring.name);
            said[0] = '\0';
            began = stream_now();
            if (stream_session_use(session, &status) != STREAM_GO_ON)
                return status;
            if (stream_now() - began >= STREAM_STEADY_MS)
                back_off = STREAM_BACK_OFF_LEAST;
        }
        if (stream_stopping)
            break;
        if (strcmp(said, session->link.why) != 0)
            stream_say("/%s: %s", session->ring.name, session->link.why);
        snprintf(said, sizeof said, "%s", session->link.why);
        if (result == STREAM_REFUSED || session->once)
            return STREAM_NO;
        stream_session_back_off(session, back_off);
        back_off = back_off * 2 < STREAM_BACK_OFF_MOST ? back_off * 2 : STREAM_BACK_OFF_MOST;
    }
    return stream_session_stop(session);
}

#endif
