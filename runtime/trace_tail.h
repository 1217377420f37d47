/* SPDX-License-Identifier: MIT */
/*
 * trace_tail.h - the buffer of a thread as a file, so that a process that is killed
 * loses no event whose hook has returned.
 *
 * The buffer is a shared mapping of trace.<pid>.<tid>.<seq>.tail: what a hook stores
 * is in the page cache at once and stays there however the process ends.  Its blocks
 * are reserved before it is mapped, so that a disk that fills up later is no SIGBUS;
 * where a reservation promises nothing, the buffer is plain memory.
 *
 * Where the tail ends: every hook stores `used` after its record, with release
 * order.  (One store a hook; zeroing the buffer so that a reader could find its end
 * by itself would cost more.)  Events that a signal handler left in the side buffer
 * are not in it until the hook that was interrupted is followed by another.
 *
 * What the reader does: `offset` says where in segment `tail_seq` the buffer's first
 * byte belongs.  If the segment is shorter than that, or not there, or not of this
 * process (t0), nothing of the buffer is written yet; else the whole records behind
 * `offset` are the buffer's first ones, and half a record at the segment's end is to
 * be ignored: the buffer has it whole.  What is left up to `used` follows.
 * `generation` is odd while another thread of a living process changes the rest.
 * Where events are packed, the buffer is a block, and a segment that holds a whole block
 * at `offset` has as many of the buffer's first records as that says.
 *
 * The order of a flush.  A segment is created with its header alone; `tail_seq`, then
 * `offset` are moved to where the buffer will begin in it; then come the markers of
 * its head, then the buffer; then `used` becomes 0, and last the rest is made ready
 * for the next flush.  Killed between any two of these steps, the rule above takes
 * each event once.
 *
 * Beside a ring (trace_shm.h) the tail is shared memory, and `offset` a place in the ring: that of
 * the buffer while it is put there, and TRACE_RING_NOWHERE from the moment on at which it is empty
 * again.  So what a buffer holds is in the ring if `head` is beyond `offset`, whole, and is not if
 * it isn't.
 */
#ifndef CALLSIGHT_TRACE_TAIL_H
#define CALLSIGHT_TRACE_TAIL_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "trace_base.h"
#include "trace_clock.h"
#include "trace_thread.h"

/* Bytes of tails, over all threads, are about this part of the budget; with many
 * threads buffers become smaller, down to the least. */
#define TRACE_TAIL_PARTS 32u
#define TRACE_TAIL_NOMINAL ((uint64_t)512 << 20) /* a budget, where there is none */
#define TRACE_TAIL_LEAST ((uint64_t)16 << 10)

/* How large the tail of one of `threads` threads may be. */
TRACE_FN uint64_t trace_tail_bytes(uint64_t budget, unsigned threads)
{
    uint64_t bytes = (budget ? budget : TRACE_TAIL_NOMINAL) / TRACE_TAIL_PARTS;
    bytes /= threads ? threads : 1;
    return bytes > TRACE_TAIL_LEAST ? bytes : TRACE_TAIL_LEAST;
}

/* What the tail of a buffer takes of the disk. */
TRACE_FN uint64_t trace_tail_size(const struct trace_thread *thread)
{
    size_t page = trace_page_size();
    size_t size = sizeof(struct trace_tail) + thread->buffer;
    return (size + page - 1) & ~(page - 1);
}

/* Says in the tail where its buffer belongs now.  The thread's lock is held, or the
 * thread is not known to others yet. */
TRACE_FN void trace_tail_sync(struct trace_thread *thread, const struct trace_clock *clock)
{
    struct trace_tail *tail = thread->tail;
    if (thread->tail_path[0] == '\0')
        return;
    struct trace_anchor anchor = trace_clock_anchor(clock);
    __atomic_store_n(&tail->generation, tail->generation + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (thread->begun)
        tail->header.flags &= ~TRACE_FLAG_THREAD_START;
    tail->header.first_index = thread->index + 1;
    tail->tail_seq = thread->seq;
    TRACE_SIGNAL_FENCE(); /* see the order of a flush */
    tail->offset = thread->in_ring ? TRACE_RING_NOWHERE
                   : thread->open  ? thread->offset
                                   : TRACE_HEADER_SIZE;
    tail->anchor_ticks = anchor.ticks;
    tail->anchor_ns = anchor.ns;
    __atomic_store_n(&tail->generation, tail->generation + 1, __ATOMIC_RELEASE);
}

/* Whether blocks that are reserved on this file system stay reserved: not where it
 * copies on write, compresses, or is elsewhere. */
TRACE_FN bool trace_tail_is_safe(int fd)
{
    struct statfs info;
    if (fstatfs(fd, &info) != 0)
        return false;
    switch ((uint32_t)info.f_type) {
    case 0xEF53:     /* ext4 (and its forebears, which cannot reserve) */
    case 0x58465342: /* xfs */
    case 0x01021994: /* tmpfs */
        return true;
    default:
        errno = EOPNOTSUPP;
        return false;
    }
}

/* Creates the tail file under the thread's first free number, which its segments then
 * begin with.  Returns a descriptor, or -1 with errno. */
TRACE_FN int trace_tail_create(struct trace_thread *thread, const char *dir, uint32_t pid)
{
    struct stat info;
    for (;; thread->seq++) {
        snprintf(thread->tail_path, sizeof thread->tail_path, "%s/trace.%u.%u.%u.bin", dir,
                 (unsigned)pid, (unsigned)thread->tid, (unsigned)thread->seq);
        if (!thread->open && lstat(thread->tail_path, &info) == 0)
            continue;
        snprintf(thread->tail_path, sizeof thread->tail_path, "%s/trace.%u.%u.%u.tail", dir,
                 (unsigned)pid, (unsigned)thread->tid, (unsigned)thread->seq);
        int fd = open(thread->tail_path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST || thread->open)
            return fd;
    }
}

/* The same beside the ring `name`, where a thread's id is all of its name: what is there already
 * is that of a thread which is no more. */
TRACE_FN int trace_tail_create_shared(struct trace_thread *thread, const char *name)
{
    struct stat info;
    char magic[TRACE_MAGIC_SIZE];
    snprintf(thread->tail_path, sizeof thread->tail_path, TRACE_SHM_FOLDER "%s.%u", name,
             (unsigned)thread->tid);
    for (int i = 0;; i++) {
        int fd = open(thread->tail_path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST || i)
            return fd;
        fd = open(thread->tail_path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        bool old = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                   info.st_uid == geteuid() && read(fd, magic, sizeof magic) == sizeof magic &&
                   memcmp(magic, TRACE_MAGIC, sizeof magic) == 0;
        if (fd >= 0)
            close(fd);
        if (old)
            unlink(thread->tail_path);
    }
}

/* Makes the thread's empty buffer a tail, in `dir` or, where that is NULL, beside the ring `name`.
 * `header` is that of its segments.  Returns 0, or an errno and the buffer stays what it is. */
TRACE_FN int trace_tail_open(struct trace_thread *thread, const char *dir, const char *name,
                             const struct trace_header *header, const struct trace_clock *clock)
{
    size_t size = (size_t)trace_tail_size(thread);
    struct stat info;
    int fd =
        dir ? trace_tail_create(thread, dir, header->pid) : trace_tail_create_shared(thread, name);
    if (fd < 0) {
        thread->tail_path[0] = '\0';
        return errno;
    }
    /* A thread that had a tail before has its addresses still: see trace_tail_leave(). */
    bool again = thread->tail != thread->plain;
    void *map = MAP_FAILED;
    if (trace_tail_is_safe(fd) && fchmod(fd, 0600) == 0 && fstat(fd, &info) == 0 &&
        fallocate(fd, 0, 0, (off_t)size) == 0)
        map = mmap(again ? thread->tail : NULL, size, PROT_READ | PROT_WRITE,
                   MAP_SHARED | (again ? MAP_FIXED : 0), fd, 0);
    int error = errno;
    close(fd);
    if (map == MAP_FAILED) {
        unlink(thread->tail_path);
        thread->tail_path[0] = '\0';
        return error;
    }
    struct trace_tail *tail = map;
    tail->header = *header;
    tail->header.header_size = sizeof *tail;
    tail->header.seq = thread->seq;
    tail->header.flags |= TRACE_FLAG_THREAD_START;
    tail->capacity = (uint32_t)thread->buffer;
    thread->tail_inode = info.st_ino;
    thread->tail_device = info.st_dev;
    trace_thread_use(thread, tail);
    trace_tail_sync(thread, clock);
    return 0;
}

/* Removes the tail's name, if it still is that of the tail. */
TRACE_FN void trace_tail_remove(struct trace_thread *thread)
{
    struct stat info;
    if (lstat(thread->tail_path, &info) == 0 && info.st_ino == thread->tail_inode &&
        info.st_dev == thread->tail_device)
        unlink(thread->tail_path);
    thread->tail_path[0] = '\0';
}

/* Removes the tail's name; the buffer stays where it is.  Returns what that frees. */
TRACE_FN uint64_t trace_tail_unlink(struct trace_thread *thread)
{
    if (thread->tail_path[0] == '\0')
        return 0;
    trace_tail_remove(thread);
    return trace_tail_size(thread);
}

/* Unmaps the tail. */
TRACE_FN void trace_tail_unmap(struct trace_thread *thread)
{
    if (thread->tail != thread->plain)
        munmap(thread->tail, (size_t)trace_tail_size(thread));
}

/* Puts plain memory in the tail's place, which then holds nothing.  A hook that a signal
 * interrupted may still store there. */
TRACE_FN void trace_tail_forget(struct trace_thread *thread)
{
    if (thread->tail != thread->plain)
        mmap(thread->tail, (size_t)trace_tail_size(thread), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

#endif
