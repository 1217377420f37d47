/* SPDX-License-Identifier: MIT */
/*
 * trace_process.h - the process file: who ran, what was loaded where, and what
 * the threads were called.
 */
#ifndef CALLSIGHT_TRACE_PROCESS_H
#define CALLSIGHT_TRACE_PROCESS_H

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "trace_base.h"
#include "trace_clock.h"

/* POSIX shared memory is a folder, and its objects are files there.  (shm_open() is in librt
 * before glibc 2.34, which a program need not link, and doesn't take O_NOFOLLOW on every libc.) */
#define TRACE_SHM_FOLDER "/dev/shm/"

#define TRACE_LINE_MAX 16384 /* readers ignore longer lines */
#define TRACE_BUILD_ID_MAX 32
/* Names of threads and of libraries that come later end here: a program may start
 * threads for ever, and what wrap discards of them leaves their lines. */
#define TRACE_PROCESS_MOST (16 << 20)

struct trace_module {
    uint64_t bias, start, end; /* addresses; end is behind the last byte */
    const char *path;          /* absolute; in trace_modules' arena */
    uint8_t id[TRACE_BUILD_ID_MAX];
    uint8_t id_size; /* 0: none */
    bool loaded;     /* in the set as last written */
    bool seen;       /* by the walk that is under way, or the last one */
    bool there;      /* as the last of `changes` says */
    bool told;       /* in this section */
    bool again;      /* it was gone, and came back to its place */
    uint64_t aside;  /* what is added to its addresses in files */
};

/* The loader's count of objects that it ever added and removed. */
struct trace_counters {
    unsigned long long adds, subs;
};

struct trace_modules {
    pthread_mutex_t lock;
    struct trace_module *list;
    size_t count, capacity;
    char *arena; /* what is left of the current chunk of path bytes */
    size_t arena_left;
    struct trace_counters known; /* at the last walk */
    struct trace_anchor checked; /* when the set was last known to be as listed */
    uint64_t told_ns;            /* the time of the last `clock` line */
    unsigned changes;            /* of the set */
    bool aside;                  /* a summary: see trace_modules_aside() */
    bool begun;                  /* the section of this process is there */
    bool full_noted;             /* that the file takes no more was said */
    bool broken;                 /* no memory: listed no more */
    bool by_maps;                /* the child of a threaded process: see trace_maps.h */
    /* Scratch space under the lock: a thread's stack may be as small as 16 KiB. */
    char line[TRACE_LINE_MAX];
    char text[8192];
    char path[PATH_MAX];
};

/* The file of this process; beside a ring it is shared memory, and begins with the length of
 * its text in eight bytes, which tell a reader how much of it is there. */
struct trace_process {
    char path[PATH_MAX + 64];
    uint32_t *length;     /* the low word of that length, mapped; NULL: a file */
    pthread_mutex_t lock; /* of that text; a file's lines are appended in one step each */
    ino_t inode;          /* of that text */
    pid_t pid, parent;
    uint64_t load_bias; /* of the main executable */
    const struct trace_clock *clock;
    struct trace_modules modules;
};

/* --- lines ---------------------------------------------------------------- */

#define TRACE_LENGTH_SIZE 8u

/* Opens the file for appending, up to `most` bytes; creates it if need be.  The descriptor is not
 * kept: the program's own numbers stay what they would have been, and nothing
 * is left open for a daemon to close.  -1: errno says why. */
TRACE_FN int trace_process_open(struct trace_process *process, off_t most)
{
    bool shared = process->length != NULL;
    if (shared)
        pthread_mutex_lock(&process->lock);
    int fd = open(process->path,
                  O_RDWR | (shared ? 0 : O_CREAT | O_APPEND) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                  0600);
    struct stat info;
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1 ||
                    info.st_uid != geteuid() || info.st_size > most ||
                    (shared && info.st_ino != process->inode))) {
        close(fd);
        errno = EEXIST;
        fd = -1;
    }
    if (shared && fd >= 0)
        lseek(fd, (off_t)*process->length + TRACE_LENGTH_SIZE, SEEK_SET);
    if (shared && fd < 0)
        pthread_mutex_unlock(&process->lock);
    return fd;
}

/* Closes it again: what was written is there for readers. */
TRACE_FN void trace_process_close(struct trace_process *process, int fd)
{
    if (process->length) {
        off_t end = lseek(fd, 0, SEEK_CUR);
        if (end > (off_t)TRACE_LENGTH_SIZE)
            __atomic_store_n(process->length, (uint32_t)end - TRACE_LENGTH_SIZE, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&process->lock);
    }
    close(fd);
}

/* Makes the empty text beside the ring `name`, in place of one that a process left which is no
 * more.  0, or an errno. */
TRACE_FN int trace_process_share(struct trace_process *process, const char *name)
{
    struct stat info;
    static const char none[TRACE_LENGTH_SIZE];
    snprintf(process->path, sizeof process->path, TRACE_SHM_FOLDER "%s.process", name);
    if (lstat(process->path, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid())
        unlink(process->path);
    int fd = open(process->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    void *map = MAP_FAILED;
    if (fchmod(fd, 0600) == 0 && fstat(fd, &info) == 0 &&
        write(fd, none, sizeof none) == (ssize_t)sizeof none)
        map = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int error = map == MAP_FAILED ? errno : 0;
    close(fd);
    if (error) {
        unlink(process->path);
        return error;
    }
    process->inode = info.st_ino;
    process->length = map;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    process->length++;
#endif
    return 0;
}

/* The text, if there is one, is none of this process's any more. */
TRACE_FN void trace_process_unshare(struct trace_process *process)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    size_t page = trace_page_size();
    if (process->length)
        munmap((void *)((uintptr_t)process->length & ~(uintptr_t)(page - 1)), TRACE_LENGTH_SIZE);
    process->length = NULL;
    process->lock = fresh;
}

/* Appends `text`, escaped as in C, to the line of `size` bytes. */
TRACE_FN size_t trace_line_escape(char *line, size_t used, size_t size, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    for (const unsigned char *p = (const unsigned char *)text; *p && used + 5 < size; p++) {
        if (*p == '\n') {
            line[used++] = '\\';
            line[used++] = 'n';
        } else if (*p == '\\') {
            line[used++] = '\\';
            line[used++] = '\\';
        } else if (*p < 0x20 || *p == 0x7f) {
            line[used++] = '\\';
            line[used++] = 'x';
            line[used++] = hex[*p >> 4];
            line[used++] = hex[*p & 15];
        } else {
            line[used++] = (char)*p;
        }
    }
    return used;
}

/* Writes what `line` holds, then `tail` escaped where it is not NULL, as one line
 * in one write.  `size` is the room in `line`. */
TRACE_FN bool trace_process_line(int fd, char *line, size_t size, const char *tail)
{
    size_t used = strlen(line);
    if (tail)
        used = trace_line_escape(line, used, size - 1, tail);
    line[used++] = '\n';
    ssize_t got = write(fd, line, used);
    if (got < 0 && errno == EFBIG)
        trace_take_back_sigxfsz();
    if (got > 0 && got < (ssize_t)used) /* of a shared text: what follows takes its place */
        lseek(fd, -(off_t)got, SEEK_CUR);
    return got == (ssize_t)used;
}

/* Writes what a thread is called.  `seq` is that of its first file. */
TRACE_FN void trace_process_thread(struct trace_process *process, uint32_t tid, uint32_t seq,
                                   const char *name)
{
    char line[192]; /* the kernel's names have at most 15 bytes, four times that escaped */
    int fd = trace_process_open(process, TRACE_PROCESS_MOST);
    if (fd < 0)
        return;
    snprintf(line, sizeof line, "thread %u %u ", (unsigned)tid, (unsigned)seq);
    trace_process_line(fd, line, sizeof line, name);
    trace_process_close(process, fd);
}

/* Writes what a marker of the thread would tell in an event file. */
TRACE_FN void trace_process_mark(struct trace_process *process, uint32_t tid, uint64_t code,
                                 uint64_t payload)
{
    char line[96];
    int fd = trace_process_open(process, TRACE_PROCESS_MOST);
    if (fd < 0)
        return;
    snprintf(line, sizeof line, "mark %u %llu %llu", (unsigned)tid, (unsigned long long)code,
             (unsigned long long)payload);
    trace_process_line(fd, line, sizeof line, NULL);
    trace_process_close(process, fd);
}

/* Fork support: whether this process has more than one thread.  Threads that
 * are never recorded count too, so the kernel is asked. */
TRACE_FN bool trace_process_is_threaded(unsigned own)
{
    struct stat info;
    return stat("/proc/self/task", &info) != 0 || info.st_nlink > 3 + own;
}

#endif
