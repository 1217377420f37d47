/* SPDX-License-Identifier: MIT */
/*
 * trace_table.h - the summary of a thread as a file: while the thread runs, so that a
 * process that is killed loses no more than a call, and at its end.
 *
 * The table is a shared mapping of trace.summary.<pid>.<tid>.tail, a summary file with
 * `records` places of which those behind the last function are zeros.  Its blocks are
 * reserved before it is mapped; where a reservation promises nothing, the table is plain
 * memory.  It grows in place, in an order that leaves a whole table at each step: first
 * the file, by zeros; then the mapping; then `records`.  It is made beside the plain table
 * and has its magic last.
 *
 * At the thread's end the records of functions that were called are written to the .bin
 * file of the same number, and the table is removed after that: as long as both are there,
 * a .bin that is not whole is to be ignored.  Where it can't be written, the table stays.
 *
 * What a kill leaves out: calls that were open, and of each thread a part of one call.
 */
#ifndef CALLSIGHT_TRACE_TABLE_H
#define CALLSIGHT_TRACE_TABLE_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "trace_base.h"
#include "trace_clock.h"
#include "trace_file.h"
#include "trace_summary.h"
#include "trace_tail.h"
#include "trace_thread.h"

/* The name of the thread's summary of that number, `end` at its end. */
TRACE_FN void trace_table_path(const struct trace_thread *thread, const char *dir, uint32_t number,
                               const char *end, char *path, size_t size)
{
    const struct trace_summary_header *header = thread->summary->header;
    char middle[16] = "";
    if (number)
        snprintf(middle, sizeof middle, ".%u", (unsigned)number);
    snprintf(path, size, "%s/trace.summary.%u.%u%s.%s", dir, (unsigned)header->pid,
             (unsigned)header->tid, middle, end);
}

/* Fills in what is known of the thread when it begins. */
TRACE_FN void trace_table_name(struct trace_thread *thread, const struct trace_target *target)
{
    struct trace_summary_header *header = thread->summary->header;
    header->version = TRACE_SUMMARY_VERSION;
    header->record_size = sizeof *thread->summary->records;
    header->header_size = sizeof *header;
    header->flags = target->header.flags;
    header->load_bias = target->header.load_bias;
    header->tick_hz = target->header.tick_hz;
    header->t0_ticks = target->header.t0_ticks;
    header->t0_ns = target->header.t0_ns;
    header->hook_ns = target->header.hook_ns;
    header->pid = target->header.pid;
    header->tid = thread->tid;
}

/* The rate of the ticks from the start of the process until now. */
TRACE_FN void trace_table_rate(struct trace_summary_header *header, const struct trace_clock *clock)
{
    if (!header->tick_hz)
        return;
    struct trace_anchor now = trace_clock_anchor(clock);
    if (now.ns > header->t0_ns)
        header->tick_hz = (uint64_t)((double)(now.ticks - header->t0_ticks) * 1e9 /
                                         (double)(now.ns - header->t0_ns) +
                                     0.5);
}

/* Creates the table's file under the first number that neither a table nor a summary has.
 * Returns a descriptor, or -1 with errno. */
TRACE_FN int trace_table_create(struct trace_thread *thread, const char *dir, uint32_t *number)
{
    struct stat info;
    for (*number = 0;; ++*number) {
        trace_table_path(thread, dir, *number, "bin", thread->path, sizeof thread->path);
        if (lstat(thread->path, &info) == 0)
            continue;
        trace_table_path(thread, dir, *number, "tail", thread->tail_path, sizeof thread->tail_path);
        int fd = open(thread->tail_path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
}

/* Makes the thread's table a file.  Returns 0, or an errno and the table stays plain
 * memory. */
TRACE_FN int trace_table_open(struct trace_thread *thread, const char *dir, uint32_t *number)
{
    struct trace_summary *summary = thread->summary;
    size_t size = trace_summary_size(summary->capacity);
    struct stat info;
    int fd = trace_table_create(thread, dir, number);
    if (fd < 0) {
        thread->tail_path[0] = '\0';
        return errno;
    }
    void *map = MAP_FAILED;
    if (trace_tail_is_safe(fd) && fchmod(fd, 0600) == 0 && fstat(fd, &info) == 0 &&
        fallocate(fd, 0, 0, (off_t)size) == 0)
        map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int error = errno;
    close(fd);
    if (map == MAP_FAILED) {
        unlink(thread->tail_path);
        thread->tail_path[0] = '\0';
        return error;
    }
    struct trace_summary_header *plain = summary->header, *table = map;
    memcpy((char *)table + TRACE_MAGIC_SIZE, (char *)plain + TRACE_MAGIC_SIZE,
           size - TRACE_MAGIC_SIZE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(table->magic, TRACE_SUMMARY_MAGIC, TRACE_MAGIC_SIZE);
    trace_summary_use(summary, table);
    munmap(plain, size);
    thread->tail_inode = info.st_ino;
    thread->tail_device = info.st_dev;
    return 0;
}

/* Makes the table's file as long as one of twice the records.  Returns 0 or an errno. */
TRACE_FN int trace_table_extend(const struct trace_thread *thread)
{
    struct stat info;
    int fd = open(thread->tail_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno;
    int error = 0;
    if (fstat(fd, &info) != 0 || info.st_ino != thread->tail_inode ||
        info.st_dev != thread->tail_device)
        error = ENOENT; /* removed or replaced behind our back */
    else if (fallocate(fd, 0, 0, (off_t)trace_summary_size(2 * thread->summary->capacity)) != 0)
        error = errno;
    close(fd);
    return error;
}

/* Makes the table plain memory and removes its file.  Returns what that frees of the disk;
 * 0: there was no memory, and it stays a file. */
TRACE_FN uint64_t trace_table_leave(struct trace_thread *thread)
{
    struct trace_summary *summary = thread->summary;
    size_t size = trace_summary_size(summary->capacity);
    struct trace_summary_header *plain = trace_summary_map(size);
    if (!plain)
        return 0;
    memcpy(plain, summary->header, size);
    munmap(summary->header, size);
    trace_summary_use(summary, plain);
    trace_tail_remove(thread);
    return size;
}

/* In the child of a fork: puts plain memory in the table's place, which then holds
 * nothing.  A hook that a signal interrupted may still store there. */
TRACE_FN void trace_table_forget(struct trace_thread *thread)
{
    mmap(thread->summary->header, trace_summary_size(thread->summary->capacity),
         PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* How many functions have a call that ended: others have nothing to tell. */
TRACE_FN uint32_t trace_table_called(const struct trace_summary *summary)
{
    uint32_t called = 0;
    for (uint32_t i = 0; i < summary->count; i++)
        called += summary->records[i].calls != 0;
    return called;
}

/* Writes the header and the records of functions that were called.  False: errno says
 * why. */
TRACE_FN bool trace_table_put(const struct trace_summary *summary, int fd)
{
    struct trace_summary_header header = *summary->header;
    memcpy(header.magic, TRACE_SUMMARY_MAGIC, TRACE_MAGIC_SIZE);
    header.records = trace_table_called(summary);
    uint64_t offset = sizeof header;
    if (trace_file_write(fd, &header, sizeof header, 0) != sizeof header)
        return false;
    for (uint32_t i = 0, end; i < summary->count; i = end + 1) {
        for (end = i; end < summary->count && summary->records[end].calls;)
            end++;
        size_t size = (end - i) * sizeof *summary->records;
        if (trace_file_write(fd, &summary->records[i], size, offset) != size)
            return false;
        offset += size;
    }
    return true;
}

/* Writes the thread's summary to a file of its own.  Returns 0 or an errno.  `*number` is
 * the first one to try, then that of the file. */
TRACE_FN int trace_table_write(struct trace_thread *thread, const char *dir, uint32_t *number)
{
    struct stat info;
    int fd;
    for (;; ++*number) {
        trace_table_path(thread, dir, *number, "tail", thread->path, sizeof thread->path);
        if (strcmp(thread->path, thread->tail_path) != 0 && lstat(thread->path, &info) == 0)
            continue;
        trace_table_path(thread, dir, *number, "bin", thread->path, sizeof thread->path);
        fd = open(thread->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        return errno;
    int error = 0;
    if (fchmod(fd, 0600) != 0 || !trace_table_put(thread->summary, fd)) {
        error = errno;
        unlink(thread->path);
    }
    close(fd);
    return error;
}

#endif
