/* SPDX-License-Identifier: MIT */
/*
 * stream_ring.h - the ring in shared memory that a traced process writes, read from outside.
 *
 * The header says how much was ever written (head) and read (tail); what lies between is
 * stable until tail moves.  Whatever else the header holds is taken once, when it is
 * attached: nothing that changes later decides where this program reads or writes.
 */
#ifndef CALLSIGHT_STREAM_RING_H
#define CALLSIGHT_STREAM_RING_H

#include <stddef.h>
#include <sys/mman.h>

#include "stream_base.h"

#define STREAM_RING_MAGIC "TKSHM\0\0" /* eight bytes with the terminating NUL */
#define STREAM_RING_VERSION 2u
#define STREAM_RING_HEADER 96u
#define STREAM_RING_PACKED 0x10u /* of flags: the ring holds packed blocks */
#define STREAM_RING_NAME 200u    /* bytes of a name, its NUL included */
#define STREAM_RING_FOLDER "/dev/shm/"
#define STREAM_LOCK_MS 1000 /* after which a holder that doesn't move is taken over */

struct stream_ring_header {
    char magic[8];
    uint32_t version;
    uint32_t capacity;                            /* bytes behind the header */
    uint32_t writers;                             /* that are attached */
    uint32_t lock;                                /* pid of its holder; 0: free */
    uint64_t head __attribute__((aligned(8)));    /* bytes ever written */
    uint64_t tail __attribute__((aligned(8)));    /* bytes ever read */
    uint64_t dropped __attribute__((aligned(8))); /* events that found the ring full */
    uint32_t flags; /* as in an event file's header; STREAM_RING_PACKED */
    uint32_t pad;
    uint64_t load_bias, tick_hz, t0_ticks, t0_ns, hook_ns;
};

_Static_assert(sizeof(struct stream_ring_header) == STREAM_RING_HEADER, "ring header is 96 bytes");
_Static_assert(offsetof(struct stream_ring_header, head) == 24, "ring header has no padding");
_Static_assert(offsetof(struct stream_ring_header, load_bias) == 56, "ring header has no padding");

enum stream_found {
    STREAM_RING,     /* attached */
    STREAM_NOT_YET,  /* nothing is there, or it is just being made */
    STREAM_NO_RING,  /* something else has that name */
    STREAM_BAD_RING, /* it is one that can't be read */
};

struct stream_ring {
    char name[STREAM_RING_NAME]; /* without a slash */
    struct stream_ring_header *header;
    const unsigned char *data;
    uint32_t capacity;
    uint32_t pid;     /* of the tracer; 0: not known */
    uint64_t started; /* when that process was, in the kernel's ticks; 0: not known */
    bool gone;        /* it was seen to be */
    dev_t device;
    ino_t inode;
    uint64_t at;                  /* position that is read next */
    uint64_t before;              /* what was given back to the tracer: all before this position */
    struct stream_ring_header as; /* as it was when it was attached */
};

/* --- files of /dev/shm --------------------------------------------------------- */

static int stream_shm_open(const char *name, const char *behind, int flags)
{
    char path[sizeof STREAM_RING_FOLDER + STREAM_RING_NAME + 32];
    if ((size_t)snprintf(path, sizeof path, STREAM_RING_FOLDER "%s%s", name, behind) >=
        sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

/* Removes a name, if it still is that of this file.  false: it isn't. */
static bool stream_shm_unlink(const char *name, const char *behind, dev_t device, ino_t inode)
{
    char path[sizeof STREAM_RING_FOLDER + STREAM_RING_NAME + 32];
    struct stat info;
    return (size_t)snprintf(path, sizeof path, STREAM_RING_FOLDER "%s%s", name, behind) <
               sizeof path &&
           lstat(path, &info) == 0 && info.st_dev == device && info.st_ino == inode &&
           unlink(path) == 0;
}

/* Opens a file that only this user can have made.  -1: there is none, with errno. */
static int stream_shm_own(const char *name, const char *behind, int flags, struct stat *info)
{
    int fd = stream_shm_open(name, behind, flags);
    if (fd < 0)
        return -1;
    if (fstat(fd, info) != 0 || !S_ISREG(info->st_mode) || info->st_uid != geteuid()) {
        close(fd);
        errno = EPERM;
        return -1;
    }
    return fd;
}

/* Reads all of a part of a file. */
static bool stream_read_at(int fd, void *out, size_t size, uint64_t offset)
{
    unsigned char *to = out;
    while (size) {
        ssize_t n = pread(fd, to, size, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
        offset += (uint64_t)n;
    }
    return true;
}

/* --- the lock, and what lies under it --------------------------------------------- */

#if defined __GCC_ATOMIC_LLONG_LOCK_FREE && __GCC_ATOMIC_LLONG_LOCK_FREE == 2 &&                   \
    !defined CALLSIGHT_STREAM_LOCKED
#define STREAM_LOCK_FREE 1
#else
#define STREAM_LOCK_FREE 0
#endif

#if !STREAM_LOCK_FREE
static void stream_ring_lock(struct stream_ring_header *header)
{
    uint32_t own = (uint32_t)getpid(), seen = 0;
    int64_t since = stream_now();
    for (;;) {
        uint32_t holder = 0;
        if (__atomic_compare_exchange_n(&header->lock, &holder, own, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return;
        if (holder != seen) {
            seen = holder;
            since = stream_now();
        }
        if ((holder == own || stream_now() - since >= STREAM_LOCK_MS ||
             (holder <= INT32_MAX && kill((pid_t)holder, 0) != 0 && errno == ESRCH)) &&
            __atomic_compare_exchange_n(&header->lock, &holder, own, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return;
        stream_sleep_us(50);
    }
}

/* Lets go of the lock, if nobody has taken it over. */
static void stream_ring_unlock(struct stream_ring_header *header)
{
    uint32_t own = (uint32_t)getpid();
    __atomic_compare_exchange_n(&header->lock, &own, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}
#endif

/* Of the three numbers that change: in one piece, though the processor may have no such
 * instruction.  libatomic's locks are of one process. */
static uint64_t stream_ring_load(struct stream_ring_header *header, uint64_t *field)
{
#if STREAM_LOCK_FREE
    (void)header;
    return __atomic_load_n(field, __ATOMIC_ACQUIRE);
#else
    stream_ring_lock(header);
    uint64_t value = *(volatile uint64_t *)field;
    stream_ring_unlock(header);
    return value;
#endif
}

static void stream_ring_store(struct stream_ring_header *header, uint64_t *field, uint64_t value)
{
#if STREAM_LOCK_FREE
    (void)header;
    __atomic_store_n(field, value, __ATOMIC_RELEASE);
#else
    stream_ring_lock(header);
    *(volatile uint64_t *)field = value;
    stream_ring_unlock(header);
#endif
}

/* --- attaching ----------------------------------------------------------------- */

/* Whether two headers are of the same run of the same process. */
static bool stream_ring_same_run(const struct stream_ring_header *a,
                                 const struct stream_ring_header *b)
{
    return a->t0_ns == b->t0_ns && a->t0_ticks == b->t0_ticks && a->load_bias == b->load_bias;
}

static enum stream_found stream_ring_bad(int fd, const char *why, const char **told)
{
    if (fd >= 0)
        close(fd);
    *told = why;
    return STREAM_BAD_RING;
}

/* Looks at what has that name.  STREAM_RING: `fd` is open and `as` is its header.
 * STREAM_BAD_RING: `why` says what is wrong; with one that is just being made, that passes.
 * `must`: it is to be a ring. */
static enum stream_found stream_ring_look(const char *name, bool must, int *fd, struct stat *info,
                                          struct stream_ring_header *as, const char **why)
{
    static const char none[8];
    *fd = stream_shm_open(name, "", O_RDWR);
    if (*fd < 0 && errno == ENOENT)
        return STREAM_NOT_YET;
    if (*fd < 0)
        return must ? stream_ring_bad(-1, "this shared memory can't be opened", why)
                    : STREAM_NO_RING;
    if (fstat(*fd, info) != 0 || !S_ISREG(info->st_mode) || info->st_uid != geteuid()) {
        if (must)
            return stream_ring_bad(*fd, "this shared memory belongs to another user", why);
        close(*fd);
        return STREAM_NO_RING;
    }
    if (info->st_size < (off_t)sizeof *as || !stream_read_at(*fd, as, sizeof *as, 0) ||
        memcmp(as->magic, none, sizeof none) == 0) {
        close(*fd);
        return STREAM_NOT_YET;
    }
    if (memcmp(as->magic, STREAM_RING_MAGIC, sizeof as->magic) != 0) {
        if (must)
            return stream_ring_bad(*fd, "this shared memory is no ring of a traced program", why);
        close(*fd);
        return STREAM_NO_RING;
    }
    if (as->version > 0xFFFF)
        return stream_ring_bad(*fd, "this ring has another byte order", why);
    if (as->version != STREAM_RING_VERSION)
        return stream_ring_bad(*fd, "this ring has a version that isn't known here", why);
    if (as->capacity == 0 || info->st_size != (off_t)sizeof *as + (off_t)as->capacity)
        return stream_ring_bad(*fd, "the size of this ring isn't what its header says", why);
    return STREAM_RING;
}

static enum stream_found stream_ring_attach(struct stream_ring *ring, const char *name,
                                            const char **why)
{
    struct stat info;
    int fd;
    memset(ring, 0, sizeof *ring);
    enum stream_found found = stream_ring_look(name, true, &fd, &info, &ring->as, why);
    if (found != STREAM_RING)
        return found;
    void *map = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return stream_ring_bad(fd, "there is no memory to attach this ring", why);
    close(fd);
    snprintf(ring->name, sizeof ring->name, "%s", name);
    ring->header = map;
    ring->data = (unsigned char *)map + sizeof *ring->header;
    ring->capacity = ring->as.capacity;
    ring->device = info.st_dev;
    ring->inode = info.st_ino;
    ring->at = ring->before = stream_ring_load(ring->header, &ring->header->tail);
    return STREAM_RING;
}

/* --- reading ------------------------------------------------------------------- */

/* How many bytes there are to read; false: the header can't be right. */
static bool stream_ring_used(struct stream_ring *ring, uint64_t *used)
{
    *used = stream_ring_load(ring->header, &ring->header->head) - ring->at;
    return *used <= ring->capacity;
}

/* Copies what lies at a position. */
static void stream_ring_copy(const struct stream_ring *ring, uint64_t position, void *out,
                             size_t size)
{
    size_t from = (size_t)(position % ring->capacity);
    size_t first = ring->capacity - from < size ? ring->capacity - from : size;
    memcpy(out, ring->data + from, first);
    memcpy((unsigned char *)out + first, ring->data, size - first);
}

/* Gives the tracer back the room before a position, if it hasn't got it. */
static void stream_ring_publish(struct stream_ring *ring, uint64_t position)
{
    if (position - ring->before - 1 >= ring->capacity)
        return;
    ring->before = position;
    stream_ring_store(ring->header, &ring->header->tail, position);
}

static uint64_t stream_ring_dropped(struct stream_ring *ring)
{
    return stream_ring_load(ring->header, &ring->header->dropped);
}

/* Whether another run has taken the ring over. */
static bool stream_ring_is_others(const struct stream_ring *ring)
{
    return !stream_ring_same_run(ring->header, &ring->as);
}

/* --- the tracer ----------------------------------------------------------------- */

/* What the kernel says of a process: its state, and when it was started, in ticks since
 * the machine was.  false: there is none. */
static bool stream_process_stat(uint32_t pid, char *state, uint64_t *started)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    const char *at = strrchr(text, ')'); /* behind the name, which may hold anything */
    if (!at || at[1] != ' ')
        return false;
    *state = at[2];
    for (int field = 2; field < 22 && at; field++)
        at = strchr(at + 1, ' ');
    *started = at ? strtoull(at, NULL, 10) : 0;
    return true;
}

/* Whether a process has threads though its first one has ended. */
static bool stream_process_has_threads(uint32_t pid)
{
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%u/task", (unsigned)pid);
    return stat(path, &info) == 0 && info.st_nlink > 3;
}

/* Whether the process that began at this time of CLOCK_BOOTTIME is younger than the run. */
static bool stream_process_is_later(const struct stream_ring *ring, uint64_t started)
{
    struct timespec boot, mono;
    long hz = sysconf(_SC_CLK_TCK);
    if (hz <= 0 || clock_gettime(CLOCK_BOOTTIME, &boot) || clock_gettime(CLOCK_MONOTONIC, &mono))
        return false;
    double age = (double)boot.tv_sec - (double)started / (double)hz;
    double run = (double)mono.tv_sec - (double)ring->as.t0_ns / 1e9;
    return age + 2 < run;
}

/* Learns whose ring it is, from the text beside it. */
static void stream_ring_ask_pid(struct stream_ring *ring)
{
    char text[256];
    struct stat info;
    int fd = stream_shm_own(ring->name, ".process", O_RDONLY, &info);
    if (fd < 0)
        return;
    ssize_t n = pread(fd, text, sizeof text - 1, 8);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *line = strstr(text, "\npid ");
    if (line)
        ring->pid = (uint32_t)strtoul(line + 5, NULL, 10);
}

/* Whether the tracer's process is known to be no more. */
static bool stream_ring_is_gone(struct stream_ring *ring)
{
    char state = 0;
    uint64_t started = 0;
    if (!ring->pid)
        stream_ring_ask_pid(ring);
    if (ring->gone || !ring->pid || ring->pid > INT32_MAX)
        return ring->gone;
    bool there = stream_process_stat(ring->pid, &state, &started);
    if (!there)
        ring->gone = kill((pid_t)ring->pid, 0) != 0 && errno == ESRCH;
    else if (state == 'X' || (state == 'Z' && !stream_process_has_threads(ring->pid)))
        ring->gone = true;
    else if (ring->started)
        ring->gone = started != ring->started;
    else
        ring->gone = stream_process_is_later(ring, started);
    if (there && !ring->gone)
        ring->started = started;
    return ring->gone;
}

/* Whether nothing more will come into the ring. */
static bool stream_ring_is_over(struct stream_ring *ring)
{
    return __atomic_load_n(&ring->header->writers, __ATOMIC_ACQUIRE) == 0 ||
           stream_ring_is_gone(ring);
}

#endif
