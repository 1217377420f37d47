/* SPDX-License-Identifier: MIT */
/*
 * trace_file.h - from a thread's buffer to its segments.
 *
 * No descriptor stays open between two flushes: a file is opened by its name,
 * compared with the device and inode that were created and the size that it must
 * have, written at our own offset and closed.  So a program that closes every descriptor and opens
 * its own never gets our bytes, and its descriptor numbers are what they would be without us.  The
 * price: a program that gives up the right to write to the trace folder (setuid, chroot) can record
 * no further; it says so.
 */
#ifndef CALLSIGHT_TRACE_FILE_H
#define CALLSIGHT_TRACE_FILE_H

#include <fcntl.h>
#include <sys/stat.h>

#include "trace_base.h"
#include "trace_tail.h"
#include "trace_thread.h"

/* Where segments go and what their headers have in common. */
struct trace_target {
    const char *dir;
    uint64_t segment_bytes;
    struct trace_space *space;
    const struct trace_clock *clock;
    struct trace_header header; /* all but seq, first_index and the thread's flags */
    bool packed;
};

/* Writes all of it at `offset`.  Returns how much was written; errno says why it
 * is less. */
TRACE_FN size_t trace_file_write(int fd, const void *data, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = pwrite(fd, (const char *)data + done, size - done, (off_t)(offset + done));
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            int error = got == 0 ? ENOSPC : errno;
            if (error == EFBIG)
                trace_take_back_sigxfsz();
            errno = error;
            break;
        }
    }
    return done;
}

/* What one flush writes: records as they are, or a block. */
struct trace_batch {
    const char *records;
    struct trace_packed block;
    bool packed;
    size_t size;     /* bytes; of a block, 0: there is nothing in it */
    uint64_t events; /* enters and exits */
    uint64_t first;  /* a time that none of them is before */
    uint64_t now;    /* for the marker of an ending */
    bool last;       /* the closing anchor, which is paid for */
};

/* A batch of the buffer's records up to `next`.  `own`: the buffer is the calling thread's, and
 * what is counted of it is true. */
TRACE_FN struct trace_batch trace_batch_of(const struct trace_thread *thread, const char *next,
                                           uint64_t now, bool own)
{
    struct trace_batch batch = {.records = thread->start,
                                .size = (size_t)(next - thread->start),
                                .packed = thread->hot->pack != NULL,
                                .first = now,
                                .now = now};
    if (batch.size == 0)
        return batch;
    if (!batch.packed) {
        batch.events = batch.size / TRACE_EVENT_SIZE - thread->markers;
        batch.first = ((const struct trace_event *)(const void *)thread->start)->ts;
        return batch;
    }
    const struct trace_pack *pack = &thread->pack;
    uint32_t sites = __atomic_load_n(&pack->block->sites, __ATOMIC_ACQUIRE);
    uint32_t events, records;
    batch.block = (struct trace_packed){.words = thread->start,
                                        .words_size = batch.size,
                                        .definitions = pack->end - sites};
    /* Its owner may just now define another site and count another event. */
    memcpy(&batch.block.header, pack->block, offsetof(struct trace_block, sites));
    batch.block.header.sites = sites;
    if (own) {
        events = pack->events;
        records = events + thread->markers;
    } else {
        struct trace_tally tally = trace_pack_tally(thread->start, next, 1, UINT64_MAX);
        records = tally.records;
        events = tally.events;
    }
    batch.events = events;
    batch.first = pack->block->base;
    batch.size = trace_pack_seal(&batch.block, records, events);
    return batch;
}

/* What `count` markers take in a file. */
TRACE_FN size_t trace_markers_size(size_t count, bool packed)
{
    return packed ? sizeof(struct trace_block) + count * (2 + sizeof(struct trace_event))
                  : count * sizeof(struct trace_event);
}

#define TRACE_MARKERS_MOST 32u

/* A batch of `count` markers, which are packed in `words`, if they are, with room for
 * TRACE_MARKERS_MOST.  `site` is the first id that is not defined where they come; 1: what is
 * defined is not needed behind them. */
TRACE_FN struct trace_batch trace_batch_of_markers(const struct trace_thread *thread,
                                                   const struct trace_event *markers, size_t count,
                                                   char *words, bool packed, uint32_t site,
                                                   uint64_t now)
{
    struct trace_batch batch = {.records = (const char *)markers,
                                .size = trace_markers_size(count, packed),
                                .packed = packed,
                                .first = now,
                                .now = now};
    if (!packed)
        return batch;
    char *end = words;
    for (size_t i = 0; i < count; i++)
        end = trace_pack_raw(end, &markers[i]);
    batch.block.header = (struct trace_block){
        .header_size = TRACE_BLOCK_SIZE, .tid = thread->tid, .base = now, .first_site = site};
    memcpy(batch.block.header.magic, TRACE_BLOCK_MAGIC, TRACE_MAGIC_SIZE);
    batch.block.words = words;
    batch.block.words_size = (size_t)(end - words);
    trace_pack_seal(&batch.block, (uint32_t)count, 0);
    return batch;
}

/* Writes a batch at `offset`.  Returns how much was written, as trace_file_write(). */
TRACE_FN size_t trace_batch_write(int fd, const struct trace_batch *batch, uint64_t offset)
{
    const struct trace_packed *block = &batch->block;
    if (!batch->packed || !batch->size)
        return trace_file_write(fd, batch->records, batch->size, offset);
    size_t size = block->header.sites * sizeof *block->definitions;
    size_t done = trace_file_write(fd, &block->header, sizeof block->header, offset);
    if (done == sizeof block->header)
        done += trace_file_write(fd, block->words, block->words_size, offset + done);
    if (done == sizeof block->header + block->words_size)
        done += trace_file_write(fd, block->definitions, size, offset + done);
    return done;
}

/* Leaves of a batch what has room in `room` bytes. */
TRACE_FN void trace_batch_cut(struct trace_batch *batch, uint64_t room)
{
    struct trace_packed *block = &batch->block;
    if (room >= batch->size)
        return;
    if (!batch->packed) {
        batch->size = (size_t)(room - room % TRACE_EVENT_SIZE);
        return;
    }
    room = room > sizeof block->header ? room - sizeof block->header : 0;
    struct trace_tally tally = trace_pack_tally(block->words, block->words + block->words_size,
                                                block->header.first_site, room);
    uint32_t sites = tally.sites + 1 - block->header.first_site;
    block->words_size = tally.size;
    block->definitions += block->header.sites - sites;
    block->header.sites = sites;
    batch->events = tally.events;
    batch->size = tally.records ? trace_pack_seal(block, tally.records, tally.events) : 0;
}

/* Ends the thread's segment: what was charged for it and not used goes back.  Under wrap it
 * joins those that may be discarded, unless it is `lost` to us: then all goes back. */
TRACE_FN void trace_file_close(struct trace_thread *thread, struct trace_space *space, bool lost)
{
    if (!thread->open)
        return;
    uint64_t bytes = thread->offset > TRACE_FILE_LEAST ? thread->offset : TRACE_FILE_LEAST;
    if (bytes > thread->paid)
        bytes = thread->paid;
    bool wraps = trace_space_wraps(space);
    pthread_mutex_lock(&space->lock);
    space->used -= wraps && lost ? thread->paid : thread->paid - bytes;
    struct trace_segment *segment = wraps && !lost ? trace_segment_new(space) : NULL;
    if (segment) {
        segment->device = thread->device;
        segment->inode = thread->inode;
        segment->tid = thread->tid;
        segment->seq = thread->seq;
        segment->bytes = bytes;
        segment->events = thread->recorded;
        segment->told_segments = thread->told_segments;
        segment->told_events = thread->told_events;
        trace_segments_add(&thread->old, segment);
    }
    pthread_mutex_unlock(&space->lock);
    thread->open = false;
    thread->seq++;
}

TRACE_FN void trace_file_path(struct trace_thread *thread, const struct trace_target *target,
                              uint32_t tid, uint32_t seq)
{
    snprintf(thread->path, sizeof thread->path, "%s/trace.%u.%u.%u.bin", target->dir,
             (unsigned)target->header.pid, (unsigned)tid, (unsigned)seq);
}

/* Charges `bytes` under wrap, discarding for them what must go; what took the place of
 * a segment is not ours and stays.  Returns 0 or an errno. */
TRACE_FN int trace_file_make_room(struct trace_thread *thread, const struct trace_target *target,
                                  uint64_t bytes)
{
    struct trace_segments discarded = {NULL, NULL};
    int error = 0;
    trace_space_make_room(target->space, &thread->old, bytes, &discarded);
    for (const struct trace_segment *old = discarded.first; old; old = old->next) {
        struct stat info;
        trace_file_path(thread, target, old->tid, old->seq);
        if (lstat(thread->path, &info) == 0 && info.st_dev == old->device &&
            info.st_ino == old->inode && unlink(thread->path) != 0 && errno != ENOENT)
            error = errno;
    }
    trace_file_path(thread, target, thread->tid, thread->seq); /* as it was: one may be open */
    pthread_mutex_lock(&target->space->lock);
    trace_segments_move(&target->space->untold, &discarded);
    pthread_mutex_unlock(&target->space->lock);
    return error;
}

/* Markers on their way to the head of a segment. */
struct trace_head {
    struct trace_thread *thread;
    int fd; /* -1: they are only counted */
    uint64_t now;
    bool packed;
    uint32_t site; /* as in trace_batch_of_markers() */
    bool failed;
    size_t count;
    struct trace_event markers[TRACE_MARKERS_MOST];
};

TRACE_FN void trace_head_write(struct trace_head *head)
{
    char words[TRACE_MARKERS_MOST * (2 + sizeof(struct trace_event))];
    if (head->count == 0)
        return;
    struct trace_batch batch = trace_batch_of_markers(head->thread, head->markers, head->count,
                                                      words, head->packed, head->site, head->now);
    if (head->fd >= 0 && trace_batch_write(head->fd, &batch, head->thread->offset) != batch.size)
        head->failed = true;
    head->thread->offset += batch.size;
    head->count = 0;
}

TRACE_FN void trace_head_put(struct trace_head *head, uint64_t code, uint64_t payload)
{
    if (head->count == sizeof head->markers / sizeof *head->markers)
        trace_head_write(head);
    trace_event_put(&head->markers[head->count++], head->now, code, payload,
                    trace_tid_word(head->thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
}

/* Puts what tells of discarded segments; see trace_space.h for the rule. */
TRACE_FN void trace_head_tell(struct trace_head *head, const struct trace_segments *discarded)
{
    uint64_t room = head->thread->bytes / 16 / TRACE_EVENT_SIZE; /* eight at least */
    uint64_t again = 0, events = 0;
    for (const struct trace_segment *old = discarded->first; old; old = old->next) {
        if (room > 2) {
            trace_head_put(head, TRACE_MARK_WRAP, old->events);
            room--;
        } else {
            again++;
            events += old->events;
        }
        again += old->told_segments;
        events += old->told_events;
    }
    for (; again && room > 1; again--, room--, events = 0)
        trace_head_put(head, TRACE_MARK_WRAP, events);
    if (again)
        trace_head_put(head, TRACE_MARK_WRAPS, again);
    trace_head_write(head);
}

/* Tells of what was discarded, at the end of the segment that is open as `fd`, and makes
 * the tail ready for what follows.  `now` is not later than that.  False: it could not be
 * written, errno says why. */
TRACE_FN bool trace_file_tell(struct trace_thread *thread, const struct trace_target *target,
                              int fd, uint32_t site, uint64_t now)
{
    struct trace_head head = {
        .thread = thread, .fd = -1, .now = now, .packed = target->packed, .site = site};
    struct trace_segments discarded = {NULL, NULL};
    uint64_t offset = thread->offset;
    pthread_mutex_lock(&target->space->lock);
    trace_segments_move(&discarded, &target->space->untold);
    pthread_mutex_unlock(&target->space->lock);
    trace_head_tell(&head, &discarded);
    trace_tail_sync(thread, target->clock);
    thread->offset = offset;
    head.fd = fd;
    trace_head_tell(&head, &discarded);
    for (const struct trace_segment *old = discarded.first; old; old = old->next) {
        thread->told_segments += old->told_segments + 1;
        thread->told_events += old->told_events + old->events;
    }
    pthread_mutex_lock(&target->space->lock);
    trace_segments_free(target->space, &discarded);
    pthread_mutex_unlock(&target->space->lock);
    return !head.failed;
}

/* Charges what a new segment needs where nothing is discarded, so that what is already
 * there can still tell the ending.  False: the budget is used up. */
TRACE_FN bool trace_file_prepay(struct trace_thread *thread, struct trace_space *space,
                                const struct trace_batch *batch)
{
    uint64_t own = TRACE_HEADER_SIZE + trace_end_reserve(batch->packed);
    uint64_t want = own + batch->size;
    if (want < TRACE_FILE_LEAST)
        want = TRACE_FILE_LEAST;
    if (!batch->last && !trace_space_wraps(space) && !thread->prepaid) {
        uint64_t least = own + (batch->size ? TRACE_EVENT_SIZE : 0);
        thread->prepaid = trace_space_take(space, want, least);
        return thread->prepaid != 0;
    }
    return true;
}

/* Pays for the thread's next segment, and discards what must make room for it.  False:
 * the capture ends, `ending` says why. */
TRACE_FN bool trace_file_pay(struct trace_thread *thread, const struct trace_target *target,
                             const struct trace_batch *batch, struct trace_ending *ending)
{
    thread->bytes = trace_space_segment_bytes(target->space, target->segment_bytes);
    if (batch->last) {
        thread->paid = TRACE_FILE_LEAST; /* since the process began */
    } else if (trace_space_wraps(target->space)) {
        /* Fewer threads may have been there when the buffer was made. */
        uint64_t least =
            2 * (TRACE_HEADER_SIZE + trace_end_reserve(batch->packed) + thread->buffer);
        if (thread->bytes < least)
            thread->bytes = least;
        thread->paid = thread->bytes;
        int error = trace_file_make_room(thread, target, thread->bytes);
        if (error) {
            ending->code = TRACE_MARK_WRITE_ERROR;
            ending->payload = (uint64_t)error;
            return false;
        }
    } else {
        if (!trace_file_prepay(thread, target->space, batch)) {
            ending->code = TRACE_MARK_BUDGET;
            ending->payload = target->space->max;
            return false;
        }
        thread->paid = thread->prepaid;
        thread->prepaid = 0;
    }
    return true;
}

#define TRACE_LIST_SITES 8192u

/* Writes the definitions that a block goes on with, which were in a segment that is gone, to
 * the new one that is open as `fd`.  (Of sites with addresses of over 48 bits there are none.)
 * Where there is no room for them, the block is lost to a reader, who will say so.  Returns
 * the first id that is not defined there. */
TRACE_FN uint32_t trace_file_put_dictionary(struct trace_thread *thread, struct trace_space *space,
                                            int fd, const struct trace_block *block)
{
    size_t most = TRACE_LIST_SITES * sizeof(struct trace_definition);
    uint64_t size = block->first_site * sizeof(struct trace_definition) +
                    (block->first_site / TRACE_LIST_SITES + 1) * sizeof *block;
    void *memory = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t site = 1;
    if (memory == MAP_FAILED)
        return site;
    bool wraps = trace_space_wraps(space); /* a segment is paid for whole */
    if (wraps || trace_space_take(space, size, size)) {
        thread->paid += wraps ? 0 : size;
        for (uint32_t count; site < block->first_site; site += count) {
            count = block->first_site - site;
            if (count > TRACE_LIST_SITES)
                count = TRACE_LIST_SITES;
            struct trace_batch batch = {.packed = true};
            memset(memory, 0, most);
            trace_pack_list(&thread->pack, site, count, memory);
            batch.block = (struct trace_packed){.header = *block, .definitions = memory};
            batch.block.header.index = 0;
            batch.block.header.first_site = site;
            batch.block.header.sites = count;
            batch.size = trace_pack_seal(&batch.block, 0, 0);
            thread->offset += trace_batch_write(fd, &batch, thread->offset);
        }
    }
    munmap(memory, most);
    return site;
}

/* Creates the thread's next segment under the first free number and writes its
 * header.  Returns a descriptor, or -1 and the ending. */
TRACE_FN int trace_file_create(struct trace_thread *thread, const struct trace_target *target,
                               const struct trace_batch *batch, struct trace_ending *ending)
{
    int fd;
    for (;; thread->seq++) {
        trace_file_path(thread, target, thread->tid, thread->seq);
        fd = open(thread->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0) {
        ending->code = TRACE_MARK_WRITE_ERROR;
        ending->payload = (uint64_t)errno;
        return -1;
    }
    bool paid = trace_file_pay(thread, target, batch, ending);
    struct trace_header header = target->header;
    header.seq = thread->seq;
    header.first_index = thread->index + 1;
    if (!thread->begun)
        header.flags |= TRACE_FLAG_THREAD_START;
    if (trace_space_rotated(target->space))
        header.flags |= TRACE_FLAG_ROTATED;
    struct stat info;
    thread->offset = sizeof header;
    thread->recorded = thread->told_segments = thread->told_events = 0;
    /* A strange umask must not lock ourselves out. */
    bool made = paid && fchmod(fd, 0600) == 0 && fstat(fd, &info) == 0 &&
                trace_file_write(fd, &header, sizeof header, 0) == sizeof header;
    if (made) {
        if (!thread->begun)
            thread->first_seq = thread->seq;
        thread->begun = true;
        thread->open = true;
        thread->device = info.st_dev;
        thread->inode = info.st_ino;
        uint32_t site = 1;
        if (batch->packed && batch->block.header.first_site > 1)
            site = trace_file_put_dictionary(thread, target->space, fd, &batch->block.header);
        made = trace_file_tell(thread, target, fd, site, batch->first);
    }
    if (paid && !made) {
        ending->code = TRACE_MARK_WRITE_ERROR;
        ending->payload = (uint64_t)errno;
    }
    if (!made) {
        if (paid && !batch->last)
            trace_space_give(target->space, thread->paid);
        thread->open = false;
        unlink(thread->path);
        close(fd);
        return -1;
    }
    return fd;
}

/* A descriptor of the segment that takes the next events, or -1 and the ending. */
TRACE_FN int trace_file_open(struct trace_thread *thread, const struct trace_target *target,
                             const struct trace_batch *batch, struct trace_ending *ending)
{
    if (thread->open) {
        struct stat info;
        int fd = open(thread->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0) {
            if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_dev == thread->device &&
                info.st_ino == thread->inode && (uint64_t)info.st_size == thread->offset)
                return fd; /* the size too: inode numbers are used again */
            close(fd);
        } else if (errno != ENOENT) {
            ending->code = TRACE_MARK_WRITE_ERROR;
            ending->payload = (uint64_t)errno;
            return -1;
        }
        /* Removed or replaced behind our back: what follows goes to a file of
         * its own, whose first_index tells what is missing. */
        trace_file_close(thread, target->space, true);
    }
    return trace_file_create(thread, target, batch, ending);
}

/* Appends the marker of an ending to the segment.  False: it has no room there. */
TRACE_FN bool trace_file_put_ending(struct trace_thread *thread, int fd,
                                    const struct trace_event *marker, bool packed)
{
    char words[TRACE_MARKERS_MOST * (2 + sizeof *marker)];
    struct trace_batch batch =
        trace_batch_of_markers(thread, marker, 1, words, packed, 1, marker->ts);
    if (trace_batch_write(fd, &batch, thread->offset) == batch.size) {
        thread->offset += batch.size;
        return true;
    }
    int unused = ftruncate(fd, (off_t)thread->offset);
    (void)unused;
    return false;
}

/* Leaves whole records only in a segment of which `written` bytes more of a batch were written
 * and, where there is any way to, says at their end why the capture ends; at need in place of
 * the last ones. */
TRACE_FN void trace_file_end(struct trace_thread *thread, int fd, struct trace_batch *batch,
                             size_t written, struct trace_ending ending)
{
    size_t room = written, marker_size = trace_markers_size(1, batch->packed);
    struct trace_event marker;
    trace_event_put(&marker, batch->now, ending.code, ending.payload,
                    trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
    for (int i = 0; i < 2; i++) {
        uint64_t begin = thread->offset;
        bool torn = room < batch->size;
        trace_batch_cut(batch, room);
        if (torn && batch->packed && trace_batch_write(fd, batch, begin) != batch->size)
            batch->size = 0;
        thread->offset += batch->size;
        int unused = torn ? ftruncate(fd, (off_t)thread->offset) : 0;
        (void)unused;
        if (trace_file_put_ending(thread, fd, &marker, batch->packed))
            return;
        if (batch->size < marker_size)
            break;
        thread->offset = begin;
        room = batch->size - marker_size;
    }
    if (!batch->packed && thread->offset > TRACE_HEADER_SIZE)
        trace_file_write(fd, &marker, sizeof marker, thread->offset - sizeof marker);
}

/* Whether a flush that failed does not end the capture: the program has used up its
 * descriptors. */
TRACE_FN bool trace_file_will_pass(struct trace_ending ending)
{
    return ending.code == TRACE_MARK_WRITE_ERROR &&
           (ending.payload == EMFILE || ending.payload == ENFILE);
}

/* Leaves of a batch what the budget lets into the thread's open segment.  Whether that is
 * all. */
TRACE_FN bool trace_file_allow(struct trace_thread *thread, struct trace_space *space,
                               struct trace_batch *batch)
{
    uint64_t reserve = trace_end_reserve(batch->packed);
    size_t size = batch->size;
    if (batch->last)
        return true;
    uint64_t end = thread->offset + size + reserve;
    if (end > thread->paid)
        thread->paid += trace_space_take(space, end - thread->paid, 0);
    if (end > thread->paid) {
        uint64_t begin = thread->offset + reserve;
        trace_batch_cut(batch, thread->paid > begin ? thread->paid - begin : 0);
    }
    return batch->size == size;
}

/* Whether a whole buffer more has room in the thread's open segment. */
TRACE_FN bool trace_file_fits(const struct trace_thread *thread, const struct trace_target *target)
{
    return thread->open &&
           thread->offset + thread->buffer + trace_end_reserve(target->packed) <= thread->bytes;
}

/* Writes a batch to the thread's segment, to a new one where it does not fit.  The
 * ending says whether the capture ends with it; its marker is then written. */
TRACE_FN struct trace_ending trace_file_append(struct trace_thread *thread,
                                               const struct trace_target *target,
                                               struct trace_batch batch)
{
    struct trace_ending ending = {0, 0};
    if (!batch.last) {
        bool first;
        ending = trace_space_check_free(target->space, target->dir, batch.size, &first);
        if (ending.code) {
            if (!first && !thread->begun)
                return ending; /* no file only to say what another one says */
            batch.size = 0;
        }
    }
    uint64_t end = thread->offset + batch.size;
    if (thread->open && end + (batch.last ? 0 : trace_end_reserve(batch.packed)) > thread->bytes) {
        if (trace_file_prepay(thread, target->space, &batch)) {
            trace_file_close(thread, target->space, false);
        } else {
            ending.code = TRACE_MARK_BUDGET;
            ending.payload = target->space->max;
            batch.size = 0;
        }
    }
    struct trace_ending failure = ending;
    int fd = trace_file_open(thread, target, &batch, &failure);
    if (fd < 0) {
        if (trace_file_will_pass(failure) && thread->open) {
            /* These records are lost.  What follows goes to a file of its own,
             * whose first_index tells how many were. */
            trace_file_close(thread, target->space, false);
        }
        ending = failure;
    } else {
        bool untold = false;
        if (batch.last) { /* the last chance to tell */
            pthread_mutex_lock(&target->space->lock);
            untold = target->space->untold.first != NULL;
            pthread_mutex_unlock(&target->space->lock);
        }
        if (untold)
            trace_file_tell(thread, target, fd, 1, batch.now);
        bool whole = trace_file_allow(thread, target->space, &batch);
        size_t written = trace_batch_write(fd, &batch, thread->offset);
        if (written != batch.size) {
            ending.code = TRACE_MARK_WRITE_ERROR;
            ending.payload = (uint64_t)errno;
        } else if (!whole) {
            ending.code = TRACE_MARK_BUDGET;
            ending.payload = target->space->max;
        }
        if (ending.code) {
            trace_file_end(thread, fd, &batch, written, ending);
        } else {
            thread->offset += batch.size;
            thread->recorded += batch.events;
        }
        close(fd);
    }
    return ending;
}

#endif
