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
#include "trace_thread.h"

/* Where segments go and what their headers have in common. */
struct trace_target {
    const char *dir;
    uint64_t segment_bytes;
    struct trace_header header; /* all but seq, first_index and the thread's flags */
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
            if (got == 0)
                errno = ENOSPC;
            break;
        }
    }
    return done;
}

/* Creates the thread's next segment under the first free number and writes its
 * header.  Returns a descriptor, or -1 with errno. */
TRACE_FN int trace_file_create(struct trace_thread *thread, const struct trace_target *target)
{
    int fd;
    for (;; thread->seq++) {
        snprintf(thread->path, sizeof thread->path, "%s/trace.%u.%u.%u.bin", target->dir,
                 (unsigned)target->header.pid, (unsigned)thread->tid, (unsigned)thread->seq);
        fd = open(thread->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        return -1;

    struct trace_header header = target->header;
    header.seq = thread->seq;
    header.first_index = thread->index + 1;
    if (!thread->begun)
        header.flags |= TRACE_FLAG_THREAD_START;
    struct stat info;
    /* A strange umask must not lock ourselves out. */
    if (fchmod(fd, 0600) != 0 || fstat(fd, &info) != 0 ||
        trace_file_write(fd, &header, sizeof header, 0) != sizeof header) {
        int error = errno;
        unlink(thread->path);
        close(fd);
        errno = error;
        return -1;
    }
    if (!thread->begun)
        thread->first_seq = thread->seq;
    thread->begun = true;
    thread->open = true;
    thread->offset = sizeof header;
    thread->device = info.st_dev;
    thread->inode = info.st_ino;
    return fd;
}

/* A descriptor of the segment that takes the next events, or -1 with errno. */
TRACE_FN int trace_file_open(struct trace_thread *thread, const struct trace_target *target)
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
            return -1;
        }
        /* Removed or replaced behind our back: what follows goes to a file of
         * its own, whose first_index tells what is missing. */
        thread->open = false;
        thread->seq++;
    }
    return trace_file_create(thread, target);
}

/* A failed write: leaves whole records only and, where there is any way to, says
 * why at their end; at need in place of the last one.  `written` bytes of the
 * buffer are in the file. */
TRACE_FN void trace_file_end_short(struct trace_thread *thread, int fd, size_t written, int error,
                                   uint64_t now)
{
    written -= written % TRACE_EVENT_SIZE;
    thread->offset += written;
    int unused = ftruncate(fd, (off_t)thread->offset);
    (void)unused;
    struct trace_event marker;
    trace_event_put(&marker, now, TRACE_MARK_WRITE_ERROR, (uint64_t)error,
                    trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
    if (trace_file_write(fd, &marker, sizeof marker, thread->offset) == sizeof marker) {
        thread->offset += sizeof marker;
    } else {
        unused = ftruncate(fd, (off_t)thread->offset);
        if (thread->offset > TRACE_HEADER_SIZE)
            trace_file_write(fd, &marker, sizeof marker, thread->offset - sizeof marker);
    }
}

/* A write beyond RLIMIT_FSIZE raised SIGXFSZ, which is blocked here: takes it
 * back, so that it does not kill a program that wrote nothing itself. */
TRACE_FN void trace_file_take_back_sigxfsz(void)
{
    sigset_t set;
    struct timespec at_once = {0, 0};
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    while (sigtimedwait(&set, NULL, &at_once) < 0 && errno == EINTR)
        continue;
}

/* Whether an error of opening a file will pass: the program uses up its descriptors. */
TRACE_FN bool trace_file_will_pass(int error)
{
    return error == EMFILE || error == ENFILE;
}

/* Writes `count` records from `events` to the thread's segment; begins another
 * one next time if a full buffer would no longer fit.  `now` is for the marker of
 * a failure.  Returns 0 or an errno: if it will not pass, the capture ends. */
TRACE_FN int trace_file_append(struct trace_thread *thread, const struct trace_target *target,
                               const struct trace_event *events, size_t count, uint64_t now)
{
    int error = 0;
    int fd = trace_file_open(thread, target);
    if (fd < 0) {
        error = errno;
        if (trace_file_will_pass(error) && thread->open) {
            /* These records are lost.  What follows goes to a file of its own,
             * whose first_index tells how many were. */
            thread->open = false;
            thread->seq++;
        }
    } else {
        size_t size = count * sizeof *events;
        size_t written = trace_file_write(fd, events, size, thread->offset);
        if (written == size) {
            thread->offset += size;
        } else {
            error = errno;
            trace_file_end_short(thread, fd, written, error, now);
        }
        close(fd);
    }
    if (error == EFBIG)
        trace_file_take_back_sigxfsz();

    size_t full = (thread->capacity + TRACE_BUFFER_SPARE) * sizeof *events;
    if (thread->open && thread->offset + full > target->segment_bytes) {
        thread->open = false;
        thread->seq++;
    }
    return error;
}

#endif
