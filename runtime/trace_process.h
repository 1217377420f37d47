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

/* The file of this process. */
struct trace_process {
    char path[PATH_MAX + 64];
    pid_t pid, parent;
    uint64_t load_bias; /* of the main executable */
    const struct trace_clock *clock;
    struct trace_modules modules;
};

/* --- lines ---------------------------------------------------------------- */

/* Opens the file for appending, up to `most` bytes; creates it if need be.  The descriptor is not
 * kept: the program's own numbers stay what they would have been, and nothing
 * is left open for a daemon to close.  -1: errno says why. */
TRACE_FN int trace_process_open(const struct trace_process *process, off_t most)
{
    int fd = open(process->path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                  0600);
    struct stat info;
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1 ||
                    info.st_uid != geteuid() || info.st_size > most)) {
        close(fd);
        errno = EEXIST;
        return -1;
    }
    return fd;
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
    bool done = write(fd, line, used) == (ssize_t)used;
    if (!done && errno == EFBIG)
        trace_take_back_sigxfsz();
    return done;
}

/* Writes what a thread is called.  `seq` is that of its first file. */
TRACE_FN void trace_process_thread(const struct trace_process *process, uint32_t tid, uint32_t seq,
                                   const char *name)
{
    char line[192]; /* the kernel's names have at most 15 bytes, four times that escaped */
    int fd = trace_process_open(process, TRACE_PROCESS_MOST);
    if (fd < 0)
        return;
    snprintf(line, sizeof line, "thread %u %u ", (unsigned)tid, (unsigned)seq);
    trace_process_line(fd, line, sizeof line, name);
    close(fd);
}

/* Writes what a marker of the thread would tell in an event file. */
TRACE_FN void trace_process_mark(const struct trace_process *process, uint32_t tid, uint64_t code,
                                 uint64_t payload)
{
    char line[96];
    int fd = trace_process_open(process, TRACE_PROCESS_MOST);
    if (fd < 0)
        return;
    snprintf(line, sizeof line, "mark %u %llu %llu", (unsigned)tid, (unsigned long long)code,
             (unsigned long long)payload);
    trace_process_line(fd, line, sizeof line, NULL);
    close(fd);
}

/* Fork support: whether this process has more than one thread.  Threads that
 * are never recorded count too, so the kernel is asked. */
TRACE_FN bool trace_process_is_threaded(unsigned own)
{
    struct stat info;
    return stat("/proc/self/task", &info) != 0 || info.st_nlink > 3 + own;
}

#endif
