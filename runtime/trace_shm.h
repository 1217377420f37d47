/* SPDX-License-Identifier: MIT */
/*
 * trace_shm.h - the ring in shared memory, where events go instead of to files.
 *
 * TRACE_SHM=/NAME: a flush copies its batch into the ring and a client on the same machine takes
 * it from there.  The layout and who writes what is in trace.h and docs/formats.md.
 *
 * One process a ring.  NAME is its first choice.  One that is there already is taken as it is if a
 * client made it and nobody wrote to it yet; it is replaced if its process is no more, by a new
 * object under the name: a client that has the old one mapped reads on in that.  It is left
 * alone if a process writes it, if it is that of this process before an exec, or if it isn't ours;
 * then the ring is NAME.<pid>, which is also what the child of a fork has, or NAME.<pid>.1 and so
 * on. Whoever replaces takes the old one's lock first, for ever, so that of two only one does.
 *
 * The program never waits for the client: a batch that finds no room is dropped and its enters and
 * exits are counted.  The thread says so at the begin of its next batch (marker 262).  Room for the
 * closing anchor is kept.
 *
 * The lock holds the pid of who has it.  Threads of this process wait for each other at a mutex, so
 * that who meets the lock taken meets a client, or what one left that died: that is taken over at
 * once, and from one that keeps it a second (it is stopped; it has it for a few instructions) then.
 * Where it goes on after that it finds that it isn't its own to release.  Nothing is torn: what is
 * copied lies behind `head`, which is stored last.
 *
 * All that is read of the ring later is `tail` and the lock; capacity and head are the process's
 * own copies, so nobody can make it write elsewhere.
 *
 * Processes are told by their pid, and those with one number by when they were started: who shares
 * /dev/shm must share the numbers as well.
 */
#ifndef CALLSIGHT_TRACE_SHM_H
#define CALLSIGHT_TRACE_SHM_H

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "trace_base.h"
#include "trace_file.h"
#include "trace_process.h"
#include "trace_tail.h"

/* Of the ring, for the closing anchor. */
#define TRACE_RING_RESERVE 128u
/* A buffer is at most this part of the ring. */
#define TRACE_RING_PARTS 4u
#define TRACE_RING_LOCK_NS 1000000000u
#define TRACE_RING_START_NS 100000000u /* how well the kernel's time of a start is known */
#define TRACE_RING_NAMES 10u           /* that are tried with the process's number */

struct trace_ring {
    pthread_mutex_t lock;
    struct trace_ring_header *map; /* NULL: there is none */
    uint32_t capacity;
    uint32_t pid;
    uint64_t head;
    uint64_t dropped;
    char name[TRACE_SHM_MOST + 32]; /* without a slash */
    dev_t device;
    ino_t inode;
};

/* --- the words that both sides read ---------------------------------------------- */

/* Where a u64 is not stored in one step, both sides touch head and tail with the lock only. */
#if defined __GCC_ATOMIC_LLONG_LOCK_FREE && __GCC_ATOMIC_LLONG_LOCK_FREE == 2
typedef uint64_t trace_ring_word __attribute__((aligned(8)));

TRACE_FN uint64_t trace_ring_load(const uint64_t *word)
{
    return __atomic_load_n((const trace_ring_word *)(const void *)word, __ATOMIC_ACQUIRE);
}

TRACE_FN void trace_ring_store(uint64_t *word, uint64_t value)
{
    __atomic_store_n((trace_ring_word *)(void *)word, value, __ATOMIC_RELEASE);
}
#else
TRACE_FN uint64_t trace_ring_load(const volatile uint64_t *word)
{
    return *word;
}

TRACE_FN void trace_ring_store(volatile uint64_t *word, uint64_t value)
{
    *word = value;
}
#endif

/* --- the lock ---------------------------------------------------------------------- */

/* The state of a process, and the ns since the machine began at which it was started, as the kernel
 * says.  False: it doesn't say. */
TRACE_FN bool trace_ring_ask(uint32_t pid, char *state, uint64_t *started)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    long hz = sysconf(_SC_CLK_TCK);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    char *at = strrchr(text, ')'); /* behind its name, which may hold anything */
    if (!at || at[1] != ' ' || hz <= 0)
        return false;
    *state = at[2];
    for (int field = 2; field < 22 && at; field++)
        at = strchr(at + 1, ' ');
    *started = at ? strtoull(at, NULL, 10) * (1000000000u / (unsigned long)hz) : 0;
    return at != NULL;
}

TRACE_FN bool trace_ring_is_alive(uint32_t pid)
{
    char state, path[64];
    uint64_t started;
    struct stat info;
    if (!pid || (pid_t)pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno == ESRCH))
        return false;
    if (!trace_ring_ask(pid, &state, &started) || state != 'Z')
        return true;
    /* Nobody has asked how it ended yet; or only its first thread has. */
    snprintf(path, sizeof path, "/proc/%u/task", (unsigned)pid);
    return stat(path, &info) == 0 && info.st_nlink > 3;
}

/* Whether a process wrote this from `t0_ns` on, rather than an earlier one of the same number. */
TRACE_FN bool trace_ring_is_of(uint32_t pid, uint64_t t0_ns)
{
    char state;
    uint64_t started;
    if (!trace_ring_is_alive(pid))
        return false;
    if (!t0_ns || !trace_ring_ask(pid, &state, &started))
        return true;
    /* While the machine slept, the process became older and the recording didn't. */
    uint64_t age = trace_clock_ns(CLOCK_BOOTTIME) - started;
    return age + TRACE_RING_START_NS >= trace_clock_ns(CLOCK_MONOTONIC) - t0_ns;
}

TRACE_FN bool trace_ring_swap(struct trace_ring_header *map, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&map->lock, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

TRACE_FN void trace_ring_lock(const struct trace_ring *ring)
{
    static const struct timespec moment = {0, 50000};
    uint64_t since = 0;
    uint32_t last = 0;
    while (!trace_ring_swap(ring->map, 0, ring->pid)) {
        uint32_t holder = __atomic_load_n(&ring->map->lock, __ATOMIC_RELAXED);
        uint64_t now = trace_clock_ns(CLOCK_MONOTONIC);
        if (holder == 0)
            continue;
        if (holder != last)
            since = now;
        last = holder;
        /* Its own pid: left by an earlier image, or by somebody who plays with it. */
        bool gone = holder == ring->pid || !trace_ring_is_alive(holder);
        if ((gone || now - since >= TRACE_RING_LOCK_NS) &&
            trace_ring_swap(ring->map, holder, ring->pid))
            return;
        nanosleep(&moment, NULL);
    }
}

TRACE_FN void trace_ring_unlock(const struct trace_ring *ring)
{
    trace_ring_swap(ring->map, ring->pid, 0);
}

/* --- a batch ------------------------------------------------------------------------- */

TRACE_FN void trace_ring_copy(struct trace_ring *ring, const void *data, size_t size)
{
    char *bytes = (char *)(ring->map + 1);
    size_t place = (size_t)(ring->head % ring->capacity), first = ring->capacity - place;
    if (size == 0)
        return; /* definitions of which there are none */
    if (first > size)
        first = size;
    memcpy(bytes + place, data, first);
    memcpy(bytes, (const char *)data + first, size - first);
    ring->head += size;
}

/* Says in the thread's tail, if it has one, that its buffer is about to be in the ring. */
TRACE_FN void trace_ring_place(const struct trace_ring *ring, struct trace_thread *thread)
{
    struct trace_tail *tail = thread->tail;
    if (thread->tail_path[0] == '\0')
        return;
    __atomic_store_n(&tail->generation, tail->generation + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    tail->offset = ring->head;
    __atomic_store_n(&tail->generation, tail->generation + 1, __ATOMIC_RELEASE);
}

/* Copies a batch of the thread into the ring, as a whole or not at all.  `own`: it is what the
 * thread's buffer holds. */
TRACE_FN void trace_ring_append(struct trace_ring *ring, struct trace_thread *thread,
                                const struct trace_batch *batch, bool own)
{
    const struct trace_packed *block = &batch->block;
    if (batch->size == 0)
        return;
    pthread_mutex_lock(&ring->lock);
    trace_ring_lock(ring);
    uint64_t used = ring->head - trace_ring_load(&ring->map->tail);
    uint64_t most = ring->capacity - (batch->last ? 0 : TRACE_RING_RESERVE);
    if (used > most || batch->size > most - used) {
        ring->dropped += batch->events;
        trace_ring_store(&ring->map->dropped, ring->dropped);
        thread->dropped = true;
    } else {
        if (own)
            trace_ring_place(ring, thread);
        if (batch->packed) {
            trace_ring_copy(ring, &block->header, sizeof block->header);
            trace_ring_copy(ring, block->words, block->words_size);
            trace_ring_copy(ring, block->definitions,
                            block->header.sites * sizeof *block->definitions);
        } else {
            trace_ring_copy(ring, batch->records, batch->size);
        }
        trace_ring_store(&ring->map->head, ring->head);
        if (!thread->begun)
            thread->first_seq = thread->seq;
        thread->begun = true;
    }
    trace_ring_unlock(ring);
    pthread_mutex_unlock(&ring->lock);
}

TRACE_FN uint64_t trace_ring_dropped(struct trace_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    uint64_t dropped = ring->dropped;
    pthread_mutex_unlock(&ring->lock);
    return dropped;
}

/* --- what others left ------------------------------------------------------------------ */

/* Opens what lies in /dev/shm under `name` and `rest`, for reading and more, if it is a file of
 * ours.  -1: it isn't. */
TRACE_FN int trace_ring_open(const char *name, const char *rest, int flags, struct stat *info)
{
    char path[sizeof TRACE_SHM_FOLDER + NAME_MAX + 1];
    snprintf(path, sizeof path, TRACE_SHM_FOLDER "%s%s", name, rest);
    int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, info) != 0 || !S_ISREG(info->st_mode) || info->st_nlink != 1 ||
                    info->st_uid != geteuid())) {
        close(fd);
        errno = EEXIST;
        return -1;
    }
    return fd;
}

TRACE_FN void trace_ring_unlink(const char *name, const char *rest)
{
    char path[sizeof TRACE_SHM_FOLDER + NAME_MAX + 1];
    snprintf(path, sizeof path, TRACE_SHM_FOLDER "%s%s", name, rest);
    unlink(path);
}

/* The process whose ring that is, as the text beside it says; 0: it says nothing. */
TRACE_FN uint32_t trace_ring_owner(const char *name)
{
    struct stat info;
    char text[128];
    int fd = trace_ring_open(name, ".process", O_RDONLY, &info);
    if (fd < 0)
        return 0;
    ssize_t got = pread(fd, text, sizeof text - 1, TRACE_LENGTH_SIZE);
    close(fd);
    text[got > 0 ? got : 0] = '\0';
    char *line = strstr(text, "\npid ");
    return line ? (uint32_t)strtoul(line + 5, NULL, 10) : 0;
}

/* Whether whoever wrote there last is no more, so that nobody will.  Of this process it is what ran
 * before an exec. */
TRACE_FN bool trace_ring_is_left(const struct trace_ring_header *map, const char *name,
                                 uint32_t own)
{
    uint32_t holder = __atomic_load_n(&map->lock, __ATOMIC_ACQUIRE);
    if (holder != own && trace_ring_is_alive(holder))
        return false;
    if (!__atomic_load_n(&map->writers, __ATOMIC_ACQUIRE))
        return true;
    return !trace_ring_is_of(trace_ring_owner(name), map->t0_ns);
}

TRACE_FN bool trace_ring_is_blank(const struct trace_ring_header *map)
{
    static const char none[offsetof(struct trace_ring_header, writers)];
    return memcmp(map, none, sizeof none) == 0;
}

TRACE_FN bool trace_ring_is_right(const struct trace_ring_header *map, uint64_t size)
{
    return memcmp(map->magic, TRACE_RING_MAGIC, TRACE_MAGIC_SIZE) == 0 &&
           map->version == TRACE_RING_VERSION && size == sizeof *map + (uint64_t)map->capacity;
}

/* Removes one object of that name if the process that left it is no more, and no client will miss
 * it. */
TRACE_FN void trace_ring_sweep_one(const char *name, uint32_t own)
{
    union {
        struct trace_ring_header ring;
        struct trace_header file;
    } head;
    struct stat info;
    int fd = trace_ring_open(name, "", O_RDONLY, &info);
    if (fd < 0)
        return;
    memset(&head, 0, sizeof head);
    ssize_t got = read(fd, &head, sizeof head);
    close(fd);
    if (got != (ssize_t)sizeof head)
        return;
    if (memcmp(head.file.magic, TRACE_MAGIC, TRACE_MAGIC_SIZE) == 0) {
        if (!trace_ring_is_of(head.file.pid, head.file.t0_ns))
            trace_ring_unlink(name, "");
    } else if (trace_ring_is_right(&head.ring, (uint64_t)info.st_size) && head.ring.tail == 0 &&
               trace_ring_is_left(&head.ring, name, own)) {
        trace_ring_unlink(name, "");
        trace_ring_unlink(name, ".process");
    }
}

/* Removes what processes left beside the ring `name`, which no client ever read: tails, and rings
 * of others with their texts.  (By the system call: readdir() allocates.) */
TRACE_FN void trace_ring_sweep(const char *name, uint32_t own)
{
    struct entry {
        uint64_t inode, next;
        uint16_t size;
        uint8_t type;
        char name[];
    };
    union {
        uint64_t aligned;
        char bytes[2048];
    } buffer;
    size_t length = strlen(name);
    int fd = open(TRACE_SHM_FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    for (long got; (got = syscall(SYS_getdents64, fd, &buffer, sizeof buffer)) > 0;) {
        const struct entry *entry;
        for (long at = 0; at < got; at += entry->size) {
            entry = (const struct entry *)(const void *)(buffer.bytes + at);
            const char *rest = entry->name + length;
            if (strncmp(entry->name, name, length) == 0 && rest[0] == '.' && rest[1] >= '1' &&
                rest[1] <= '9' && !strstr(rest, ".process"))
                trace_ring_sweep_one(entry->name, own);
        }
    }
    close(fd);
}

/* --- how it begins and ends ---------------------------------------------------------------- */

TRACE_FN void trace_ring_use(struct trace_ring *ring, struct trace_ring_header *map,
                             uint32_t capacity, const struct stat *info, const char *name)
{
    ring->map = map;
    ring->capacity = capacity;
    ring->head = ring->dropped = 0;
    ring->device = info->st_dev;
    ring->inode = info->st_ino;
    snprintf(ring->name, sizeof ring->name, "%s", name);
}

/* What is there under the name: takes it, removes it, or leaves it.  Returns 0: it is the ring now;
 * EAGAIN: the name is free; else an errno. */
TRACE_FN int trace_ring_examine(struct trace_ring *ring, const char *name)
{
    struct stat info;
    int fd = trace_ring_open(name, "", O_RDWR, &info);
    if (fd < 0)
        return errno == ENOENT ? EAGAIN : EEXIST;
    size_t size = (size_t)info.st_size;
    struct trace_ring_header *map = MAP_FAILED;
    if (info.st_size > (off_t)sizeof *map && (uint64_t)info.st_size - sizeof *map <= UINT32_MAX)
        map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        close(fd);
        return EEXIST;
    }
    uint32_t seen = __atomic_load_n(&map->lock, __ATOMIC_ACQUIRE);
    bool right = trace_ring_is_right(map, size);
    /* A process that died in making it has left its pid in the lock. */
    bool free =
        (right || (trace_ring_is_blank(map) && seen)) && trace_ring_is_left(map, name, ring->pid);
    if (right && !free && map->writers && trace_ring_owner(name) == ring->pid)
        __atomic_store_n(&map->writers, 0, __ATOMIC_RELEASE); /* a client sees that it has ended */
    int error = free && trace_ring_swap(map, seen, ring->pid) ? 0 : EEXIST;
    bool unused = right && !map->head && !map->tail && !map->t0_ns && !map->writers &&
                  map->capacity >= TRACE_LEAST_RING_BYTES;
    if (!error && unused && trace_tail_is_safe(fd) && fallocate(fd, 0, 0, info.st_size) == 0) {
        close(fd);
        trace_ring_use(ring, map, (uint32_t)(size - sizeof *map), &info, name);
        return 0;
    }
    if (!error) {
        bool unread = !map->tail;
        trace_ring_unlink(name, "");
        trace_ring_unlink(name, ".process");
        if (unread)
            trace_ring_sweep(name, ring->pid);
    }
    close(fd);
    munmap(map, size);
    return error ? error : EAGAIN;
}

/* Makes a new ring.  Returns 0 or an errno, EEXIST: there is one of that name. */
TRACE_FN int trace_ring_create(struct trace_ring *ring, const char *name, uint64_t capacity)
{
    char path[sizeof TRACE_SHM_FOLDER + NAME_MAX + 1];
    size_t size = sizeof *ring->map + (size_t)capacity;
    struct stat info;
    snprintf(path, sizeof path, TRACE_SHM_FOLDER "%s", name);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    struct trace_ring_header *map = MAP_FAILED;
    if (trace_tail_is_safe(fd) && fchmod(fd, 0600) == 0 && fallocate(fd, 0, 0, (off_t)size) == 0 &&
        fstat(fd, &info) == 0)
        map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int error = map == MAP_FAILED ? errno : 0;
    close(fd);
    if (error) {
        unlink(path);
        if (error == EFBIG)
            trace_take_back_sigxfsz();
        return error;
    }
    __atomic_store_n(&map->lock, ring->pid, __ATOMIC_RELEASE);
    trace_ring_use(ring, map, (uint32_t)capacity, &info, name);
    return 0;
}

/* Makes or takes the ring of this process, whose lock is then held.  `child`: not `name`, which is
 * the parent's.  Returns 0 or an errno. */
TRACE_FN int trace_ring_begin(struct trace_ring *ring, const char *name, uint64_t bytes, pid_t pid,
                              bool child)
{
    char other[sizeof ring->name];
    uint64_t capacity = bytes & ~(uint64_t)63;
    int error = EEXIST;
    ring->pid = (uint32_t)pid;
    for (unsigned i = child ? 1 : 0; error == EEXIST && i <= TRACE_RING_NAMES; i++) {
        if (i == 0)
            snprintf(other, sizeof other, "%s", name);
        else if (i == 1)
            snprintf(other, sizeof other, "%s.%u", name, (unsigned)pid);
        else
            snprintf(other, sizeof other, "%s.%u.%u", name, (unsigned)pid, i - 1);
        error = trace_ring_create(ring, other, capacity);
        if (error == EEXIST)
            error = trace_ring_examine(ring, other);
        if (error == EAGAIN)
            error = trace_ring_create(ring, other, capacity);
    }
    return error;
}

/* The ring is whole: a client may read it.  `header` is what a file of the process would have. */
TRACE_FN void trace_ring_publish(struct trace_ring *ring, const struct trace_header *header)
{
    struct trace_ring_header *map = ring->map;
    map->version = TRACE_RING_VERSION;
    map->capacity = ring->capacity;
    map->flags = header->flags & (TRACE_FLAG_TICKS | TRACE_FLAG_BIG_ENDIAN);
    if (header->version == TRACE_PACKED_VERSION)
        map->flags |= TRACE_FLAG_PACKED;
    map->load_bias = header->load_bias;
    map->tick_hz = header->tick_hz;
    map->t0_ticks = header->t0_ticks;
    map->hook_ns = header->hook_ns;
    trace_ring_store(&map->dropped, 0);
    trace_ring_store(&map->t0_ns, header->t0_ns);
    __atomic_store_n(&map->writers, 1, __ATOMIC_RELEASE);
    memcpy(map->magic, TRACE_RING_MAGIC, TRACE_MAGIC_SIZE);
    trace_ring_unlock(ring);
}

/* The process writes no more. */
TRACE_FN void trace_ring_end(struct trace_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    if (__atomic_load_n(&ring->map->writers, __ATOMIC_RELAXED))
        __atomic_fetch_sub(&ring->map->writers, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&ring->lock);
}

/* In a child: it is the parent's. */
TRACE_FN void trace_ring_forget(struct trace_ring *ring)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    if (ring->map)
        munmap(ring->map, sizeof *ring->map + (size_t)ring->capacity);
    ring->map = NULL;
    ring->lock = fresh;
}

/* Nothing was recorded to it, and nothing will be. */
TRACE_FN void trace_ring_remove(struct trace_ring *ring)
{
    if (!ring->map)
        return;
    trace_ring_unlink(ring->name, "");
    trace_ring_unlink(ring->name, ".process");
    trace_ring_forget(ring);
}

#endif
