/* SPDX-License-Identifier: MIT */
/*
 * trace_thread.h - a thread's buffer.
 *
 * One mapping a thread: a page with what the hooks touch, a few pages with what
 * only the slow path needs and the first open calls, the events with the header of a tail before
 * them, and a small side buffer for hooks that interrupt a hook.  The events lie in a second
 * mapping instead, the tail file, where there can be one.  The first page is MADV_WIPEONFORK: in a
 * child, however it was made, it reads 0, so the first hook there goes the slow path and finds out.
 */
#ifndef CALLSIGHT_TRACE_THREAD_H
#define CALLSIGHT_TRACE_THREAD_H

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "trace_base.h"
#include "trace_clock.h"
#include "trace_config.h"
#include "trace_open.h"
#include "trace_pack.h"
#include "trace_process.h"
#include "trace_space.h"

#define TRACE_BUFFER_SPARE 512u /* bytes: room for 16 markers behind a full buffer of records */
#define TRACE_SIDE_EVENTS 1024u
#define TRACE_NAME_SIZE 16 /* the kernel's, with its NUL */

/* A thread whose name TRACE_THREADS does not want is looked at again after this
 * many hooks, and from then on. */
#define TRACE_NAME_INTERVAL 1024u

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* What a hook touches: one cache line, the top of the open calls, and the tail's `used`
 * behind the event.  Written by its own thread only; `next` is read by the thread that ends
 * the process. */
struct trace_hot {
    char *next;                    /* the next event's place */
    char *limit;                   /* next >= limit: the slow path */
    uintptr_t inside;              /* stack address of the hook that is under way; 0: none */
    uintptr_t *used;               /* the low word of the tail's `used` */
    struct trace_open *open;       /* the first free entry of the open calls */
    struct trace_open *open_end;   /* the last entry of their room, which a hook doesn't take */
    struct trace_pack *pack;       /* the thread's; NULL: events are not packed */
    uint64_t tid_word;             /* tid as it lies in bytes 24..31 of an event */
    struct trace_summary *summary; /* the thread's; NULL: events */
    uint32_t side_used;            /* events in the side buffer */
    uint32_t skipped;              /* hooks refused since the last marker 261 */
};

/* An event that waits for its place in the buffer.  A marker 259 or 266 in it stands for
 * a landing. */
struct trace_side {
    struct trace_event event; /* a tid of 0: not written */
    uintptr_t sp;             /* the stack pointer of an enter, or of a landing */
};

/* Recording was off. */
struct trace_switch {
    uint64_t off, on; /* times */
    uint64_t away;    /* how long it was off in all, by `on` */
    uint32_t offs;    /* how often by then */
};

enum trace_mode {
    TRACE_RECORDING,
    TRACE_FILTERED, /* not wanted by TRACE_THREADS under its present name */
    TRACE_STOPPED   /* for good: the cap is reached, or a write failed */
};

struct trace_thread {
    struct trace_pack pack; /* first: in a cache line of its own */
    struct trace_hot *hot;
    char *start;              /* of the buffer's records */
    struct trace_side *side;  /* TRACE_SIDE_EVENTS of them */
    uint64_t paid_events;     /* that TRACE_MAX allows, among them those in the buffer */
    struct trace_tail *tail;  /* the header before the buffer: a tail's, or */
    struct trace_tail *plain; /* the one in this block */
    size_t buffer;            /* bytes of the buffer */
    size_t map_size;
    pthread_mutex_t lock; /* held while the buffer is flushed */
    struct trace_thread *next, **link;
    uint32_t tid;
    enum trace_mode mode;
    unsigned countdown; /* hooks until a filtered thread's name is read again */
    unsigned rounds;    /* of thread-specific destructors */

    uint64_t index;   /* enters and exits before the buffer's first event */
    unsigned markers; /* among the buffer's records */
    char name[TRACE_NAME_SIZE];

    bool in_ring; /* its events go to the process's ring, and what follows is of no use */
    bool dropped; /* a batch found no room there, and the thread has not told of it */

    /* the segment */
    uint32_t seq;       /* of the current file, or the first to try for the next one */
    uint32_t first_seq; /* of the thread's first file */
    bool begun;         /* the thread has a first file */
    bool open;          /* `path` is a file that takes more */
    uint64_t offset;    /* its size */
    uint64_t bytes;     /* what it may grow to */
    uint64_t paid;      /* what is charged for it */
    uint64_t prepaid;   /* what is charged for the next one */
    uint64_t recorded;  /* enters and exits in it */
    uint64_t told_segments, told_events; /* by its markers 5 and 265 */
    struct trace_segments old;           /* those before it, where they may be discarded */
    dev_t device;
    ino_t inode;
    char path[PATH_MAX + 64];

    struct trace_opens opens;    /* of the thread's own stack */
    struct trace_opens *running; /* of the stack that it runs on */
    struct trace_context *left;  /* its own stack, once it has left it in summary mode */
    uintptr_t vfork_sp;          /* where it called vfork(); 0: the child is gone */

    /* the tail, or the table of a summary where that is a file */
    dev_t tail_device;
    ino_t tail_inode;
    char tail_path[PATH_MAX + 64];

    struct trace_summary *summary; /* in summary mode; the buffer then stays empty */

    struct trace_switch away; /* what the thread has not told of yet; see trace_control.h */
    bool cut;                 /* recording was switched off: `away` is valid */
    bool back;                /* and on again */
    uint32_t known;           /* times it was switched off, as far as the thread was told */
};

/* The events that TRACE_MAX still allows; threads take them by the batch, so no
 * hook touches a shared cache line. */
struct trace_budget {
    pthread_mutex_t lock;
    uint64_t cap; /* 0: no cap */
    uint64_t left;
};

/* Takes up to `want` events, at least one where any is left.  The share shrinks
 * as the cap comes near, so that one thread does not hoard what others could
 * record. */
TRACE_FN size_t trace_budget_take(struct trace_budget *budget, size_t want)
{
    if (budget->cap == 0)
        return want;
    pthread_mutex_lock(&budget->lock);
    uint64_t share = budget->left / 8 + 1;
    if (share > budget->left)
        share = budget->left;
    if (share > want)
        share = want;
    budget->left -= share;
    pthread_mutex_unlock(&budget->lock);
    return (size_t)share;
}

TRACE_FN void trace_budget_give(struct trace_budget *budget, size_t events)
{
    if (budget->cap == 0)
        return;
    pthread_mutex_lock(&budget->lock);
    budget->left += events;
    pthread_mutex_unlock(&budget->lock);
}

/* Bytes 24..31 of an event: tid, kind and padding, as one word. */
TRACE_INLINE uint64_t trace_tid_word(uint32_t tid)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (uint64_t)tid << 32;
#else
    return tid;
#endif
}

TRACE_INLINE uint64_t trace_kind_word(unsigned kind)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (uint64_t)kind << 24;
#else
    return (uint64_t)kind << 32;
#endif
}

TRACE_INLINE void trace_event_put(struct trace_event *event, uint64_t ts, uint64_t func,
                                  uint64_t caller, uint64_t word)
{
    event->ts = ts;
    event->func = func;
    event->caller = caller;
    memcpy(&event->tid, &word, sizeof word); /* one store */
}

TRACE_FN uint32_t trace_gettid(void)
{
    return (uint32_t)syscall(SYS_gettid);
}

/* Reads the name of a thread of this process, padded with NUL.  False: it is gone. */
TRACE_FN bool trace_thread_name(uint32_t tid, char *name)
{
    char path[64];
    memset(name, 0, TRACE_NAME_SIZE);
    if (tid == trace_gettid())
        return prctl(PR_GET_NAME, name, 0, 0, 0) == 0;
    snprintf(path, sizeof path, "/proc/self/task/%u/comm", (unsigned)tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, name, TRACE_NAME_SIZE);
    close(fd);
    if (got <= 0)
        return false;
    name[got - 1] = '\0'; /* the newline */
    return true;
}

/* Bytes of a buffer where `bytes` are to be had. */
TRACE_FN size_t trace_buffer_size(uint64_t bytes, bool packed)
{
    uint64_t most = packed ? TRACE_BLOCK_MOST : TRACE_BLOCK_MOST + TRACE_BUFFER_SPARE;
    bytes &= ~(uint64_t)(TRACE_EVENT_SIZE - 1);
    return (size_t)(bytes < most ? bytes : most);
}

/* The low word of `used` in a tail's header.  A place for an event lies this far
 * behind it plus what is used before that place, so a hook needs no other address. */
TRACE_FN uintptr_t *trace_used_word(struct trace_tail *tail)
{
    char *word = (char *)&tail->used;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word += sizeof tail->used - sizeof(uintptr_t);
#endif
    return (uintptr_t *)(void *)word;
}

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TRACE_USED_GAP (sizeof(struct trace_event) - sizeof(uint64_t) + sizeof(uintptr_t))
#else
#define TRACE_USED_GAP sizeof(struct trace_event)
#endif

_Static_assert(sizeof(struct trace_tail) - offsetof(struct trace_tail, used) ==
                   sizeof(struct trace_event),
               "a tail's events begin one event's size behind its `used`");

/* Moves the end of the buffer. */
TRACE_INLINE void trace_set_next(struct trace_hot *hot, uintptr_t *used, char *next)
{
    __atomic_store_n(used, (uintptr_t)next - (uintptr_t)used - TRACE_USED_GAP, __ATOMIC_RELEASE);
    __atomic_store_n(&hot->next, next, __ATOMIC_RELEASE);
}

/* The hook that was under way has ended. */
TRACE_INLINE void trace_inside_end(struct trace_hot *hot)
{
    TRACE_SIGNAL_FENCE();
    __atomic_store_n(&hot->inside, 0, __ATOMIC_RELEASE);
}

/* A handler jumped out of the hook that was under way. */
TRACE_INLINE void trace_leave_hook(struct trace_hot *hot)
{
    if (hot->inside && hot->pack) {
        hot->pack->torn = true;
        __atomic_store_n(&hot->limit, NULL, __ATOMIC_RELAXED);
    }
    trace_inside_end(hot);
}

/* The thread's hooks go on with these open calls. */
TRACE_FN void trace_thread_run(struct trace_thread *thread, struct trace_opens *opens)
{
    thread->running = opens;
    thread->hot->open = opens->next;
    thread->hot->open_end = opens->end - 1;
}

/* The open calls of the stack that the thread runs on, as its hooks left them; to be changed
 * and given to trace_thread_run(). */
TRACE_FN struct trace_opens *trace_thread_opens(struct trace_thread *thread)
{
    thread->running->next = thread->hot->open;
    return thread->running;
}

/* The thread's buffer, which is empty, takes the next records.  `stay`: see trace_pack.h. */
TRACE_FN void trace_thread_begin_buffer(struct trace_thread *thread, bool stay)
{
    char *buffer = (char *)(thread->tail + 1);
    thread->start = buffer;
    thread->markers = 0;
    if (thread->hot->pack) {
        thread->start = buffer + sizeof(struct trace_block);
        trace_set_next(thread->hot, thread->hot->used, thread->start);
        trace_pack_begin(&thread->pack, (struct trace_block *)(void *)buffer, thread->buffer,
                         thread->tid, thread->index, stay);
        trace_pack_forget(&thread->pack, trace_thread_opens(thread), NULL, false);
    } else {
        trace_set_next(thread->hot, thread->hot->used, thread->start);
    }
}

/* The thread's buffer, which is empty and not paid for, is the one behind `tail` now. */
TRACE_FN void trace_thread_use(struct trace_thread *thread, struct trace_tail *tail)
{
    thread->tail = tail;
    thread->hot->used = trace_used_word(tail);
    trace_thread_begin_buffer(thread, false);
    thread->paid_events = 0;
    thread->hot->limit = thread->start;
}

/* Where the buffer is full; behind it is room for markers. */
TRACE_FN char *trace_thread_full(const struct trace_thread *thread)
{
    if (thread->hot->pack)
        return (char *)thread->pack.definitions - TRACE_PACK_SPARE;
    return thread->start + thread->buffer - TRACE_BUFFER_SPARE;
}

TRACE_FN bool trace_thread_is_full(const struct trace_thread *thread)
{
    return thread->hot->next >= trace_thread_full(thread);
}

TRACE_FN bool trace_thread_is_empty(const struct trace_thread *thread)
{
    return thread->hot->next == thread->start;
}

/* Enters and exits in the buffer. */
TRACE_FN uint64_t trace_thread_events(const struct trace_thread *thread)
{
    if (thread->hot->pack)
        return thread->pack.events;
    return (uint64_t)(thread->hot->next - thread->start) / TRACE_EVENT_SIZE - thread->markers;
}

/* The time of the last record before `next` in the buffer, which may be another thread's; 0: it
 * is empty. */
TRACE_FN uint64_t trace_thread_time(const struct trace_thread *thread, const char *next)
{
    const struct trace_event *event = (const void *)next;
    if (next == thread->start)
        return 0;
    if (thread->hot->pack)
        return trace_pack_time(thread->start, next, thread->pack.block->base);
    return event[-1].ts;
}

/* Maps a thread's block with a buffer of so many bytes; nothing is linked or paid for yet.
 * `now`: from which on time is packed; 0: it isn't.  NULL: no memory.  trace_thread_free()
 * gives it back. */
TRACE_FN struct trace_thread *trace_thread_new(size_t buffer, uint64_t now)
{
    size_t page = trace_page_size();
    size_t opens = TRACE_OPEN_FIRST * sizeof(struct trace_open);
    size_t cold = (opens + sizeof(struct trace_thread) + page - 1) & ~(page - 1);
    size_t size = page + cold + sizeof(struct trace_tail) + buffer +
                  TRACE_SIDE_EVENTS * sizeof(struct trace_side);
    size = (size + page - 1) & ~(page - 1);
    char *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    madvise(map, page, MADV_WIPEONFORK); /* an old kernel: pthread_atfork() alone */

    struct trace_thread *thread = (struct trace_thread *)(void *)(map + page + opens);
    thread->hot = (struct trace_hot *)(void *)map;
    thread->map_size = size;
    if (now) {
        if (!trace_pack_resize(&thread->pack, TRACE_TABLE_FIRST)) {
            munmap(map, size);
            return NULL;
        }
        thread->pack.last = now;
        thread->hot->pack = &thread->pack;
    }
    trace_opens_begin(&thread->opens, (struct trace_open *)(void *)(map + page), TRACE_OPEN_FIRST);
    trace_thread_run(thread, &thread->opens);
    thread->plain = (struct trace_tail *)(void *)(map + page + cold);
    thread->side = (struct trace_side *)(void *)((char *)(thread->plain + 1) + buffer);
    thread->buffer = buffer;
    pthread_mutex_init(&thread->lock, NULL);
    thread->tid = trace_gettid();
    thread->mode = TRACE_RECORDING;
    thread->hot->tid_word = trace_tid_word(thread->tid);
    trace_thread_use(thread, thread->plain);
    return thread;
}

TRACE_FN void trace_thread_free(struct trace_thread *thread)
{
    void *map = thread->hot;
    trace_pack_free(&thread->pack);
    trace_opens_free(&thread->opens);
    munmap(map, thread->map_size);
}

/* Gives the memory of the block's events and sites back and keeps their addresses: what is
 * still stored there goes nowhere. */
TRACE_FN void trace_thread_forget(struct trace_thread *thread)
{
    char *events = (char *)thread->plain, *map = (char *)thread->hot;
    madvise(events, thread->map_size - (size_t)(events - map), MADV_DONTNEED);
    trace_pack_forget_table(&thread->pack);
}

#endif
