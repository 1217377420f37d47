/* SPDX-License-Identifier: MIT */
/*
 * trace_context.h - the stacks that a program switches between by itself.
 *
 * Each has its own open calls, and in the recording its own number (marker 260).  One is
 * known by the ucontext_t that it was left in last, and by where its stack lies.
 */
#ifndef CALLSIGHT_TRACE_CONTEXT_H
#define CALLSIGHT_TRACE_CONTEXT_H

#include "trace_base.h"
#include "trace_open.h"

/* Where jumps and switches are known: see trace_flow.h. */
#if defined(__GLIBC__) && !defined(__UCLIBC__) &&                                                  \
    (defined(__x86_64__) && defined(__LP64__) || defined(__aarch64__))
#define TRACE_HAVE_JUMPS 1
#endif

#define TRACE_CONTEXT_FIRST 16u /* entries that its open calls have room for at first */
#define TRACE_CONTEXT_PLACES 1024u
#define TRACE_CONTEXT_CHUNK ((size_t)64 << 10)
#define TRACE_CONTEXT_STACK ((uintptr_t)1 << 30) /* a larger one is not believed */

struct trace_context {
    uint64_t id;                /* 0: a thread's own stack, whose open calls are in trace_thread */
    const void *name;           /* the ucontext_t that it was left in last; NULL: none */
    uintptr_t low, high;        /* the stack; 0, 0: not known */
    const void *runner;         /* stands for the thread that runs on it; NULL: none */
    uintptr_t late;             /* the place of a hook in which it was left; see trace_hold() */
    const void *late_in;        /* and what that hook has of its thread */
    struct trace_context *next; /* of those whose names share a place, or that are unused */
    struct trace_opens opens;
    struct trace_open first[TRACE_CONTEXT_FIRST];
    /* In summary mode, while no thread runs on it: its open calls; see trace_sums.h. */
    uint64_t sums; /* number of the summary whose they are; 0: there are none */
    void *frames;
    size_t frames_size; /* bytes of memory there */
    uint32_t depth;
    uint64_t beyond, left;
};

struct trace_contexts {
    pthread_mutex_t lock;
    uint64_t last_id;
    struct trace_context *places[TRACE_CONTEXT_PLACES];
    struct trace_context **stacks; /* those whose stack is known, by `low`; none overlap */
    size_t n_stacks, room;
    struct trace_context *unused;
    struct trace_context *kept; /* gone, but for calls that their thread has to end */
    char *chunk;                /* what is left of memory */
    size_t chunk_left;
};

#ifdef TRACE_HAVE_JUMPS
/* All of these are called with the lock held. */

TRACE_FN void *trace_context_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* One with a number of its own, or a thread's own stack.  NULL: no memory. */
TRACE_FN struct trace_context *trace_context_new(struct trace_contexts *contexts, bool own)
{
    struct trace_context *context = contexts->unused;
    if (context) {
        contexts->unused = context->next;
    } else {
        if (contexts->chunk_left < sizeof *context) {
            contexts->chunk = trace_context_map(TRACE_CONTEXT_CHUNK);
            contexts->chunk_left = contexts->chunk ? TRACE_CONTEXT_CHUNK : 0;
            if (!contexts->chunk)
                return NULL;
        }
        context = (struct trace_context *)(void *)contexts->chunk;
        contexts->chunk += sizeof *context;
        contexts->chunk_left -= sizeof *context;
        trace_opens_begin(&context->opens, context->first, TRACE_CONTEXT_FIRST);
    }
    context->id = own ? 0 : ++contexts->last_id;
    context->name = context->runner = NULL;
    context->low = context->high = 0;
    context->next = NULL;
    context->sums = 0;
    context->late = 0;
    context->opens.next = context->opens.first + 1;
    return context;
}

TRACE_FN bool trace_context_holds(const struct trace_context *context, uintptr_t sp)
{
    return sp > context->low && sp <= context->high;
}

TRACE_FN struct trace_context **trace_context_place(struct trace_contexts *contexts,
                                                    const void *name)
{
    uint64_t hash = (uint64_t)(uintptr_t)name * 0x9e3779b97f4a7c15u;
    return &contexts->places[hash >> 54 & (TRACE_CONTEXT_PLACES - 1)];
}

TRACE_FN struct trace_context *trace_context_named(struct trace_contexts *contexts,
                                                   const void *name)
{
    struct trace_context *context = *trace_context_place(contexts, name);
    while (context && context->name != name)
        context = context->next;
    return context;
}

TRACE_FN void trace_context_unname(struct trace_contexts *contexts, struct trace_context *context)
{
    if (!context->name)
        return;
    struct trace_context **link = trace_context_place(contexts, context->name);
    while (*link != context)
        link = &(*link)->next;
    *link = context->next;
    context->name = NULL;
}

/* Whoever bore the name can't be switched to by it any more. */
TRACE_FN void trace_context_name(struct trace_contexts *contexts, struct trace_context *context,
                                 const void *name)
{
    if (context->name == name)
        return;
    struct trace_context *old = trace_context_named(contexts, name);
    if (old)
        trace_context_unname(contexts, old);
    trace_context_unname(contexts, context);
    struct trace_context **place = trace_context_place(contexts, name);
    context->name = name;
    context->next = *place;
    *place = context;
}

/* The index of the first known stack that ends at `sp` or behind it. */
TRACE_FN size_t trace_context_index(const struct trace_contexts *contexts, uintptr_t sp)
{
    size_t low = 0, high = contexts->n_stacks;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (contexts->stacks[middle]->high < sp)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The context on whose stack an address lies, or NULL. */
TRACE_FN struct trace_context *trace_context_around(const struct trace_contexts *contexts,
                                                    uintptr_t sp)
{
    size_t i = trace_context_index(contexts, sp);
    bool found = i < contexts->n_stacks && trace_context_holds(contexts->stacks[i], sp);
    return found ? contexts->stacks[i] : NULL;
}

/* Nobody can switch to the context any more.  One that a thread seems to run on, having
 * left it unseen, is not used again: that thread's hooks may still write to it. */
TRACE_FN void trace_context_drop(struct trace_contexts *contexts, struct trace_context *context)
{
    trace_context_unname(contexts, context);
    if (context->high) {
        size_t i = trace_context_index(contexts, context->high);
        contexts->n_stacks--;
        memmove(&contexts->stacks[i], &contexts->stacks[i + 1],
                (contexts->n_stacks - i) * sizeof(struct trace_context *));
    }
    context->low = context->high = 0;
    if (__atomic_load_n(&context->runner, __ATOMIC_ACQUIRE))
        return;
    struct trace_context **list = context->sums ? &contexts->kept : &contexts->unused;
    context->next = *list;
    __atomic_store_n(list, context, __ATOMIC_RELEASE);
}

/* Takes from a context the calls that a summary has open there, for its thread to end.  If
 * there is no memory, they are lost. */
TRACE_FN void trace_context_keep(struct trace_contexts *contexts, struct trace_context *context)
{
    struct trace_context *kept = trace_context_new(contexts, true);
    if (kept) {
        void *frames = kept->frames;
        size_t size = kept->frames_size;
        kept->frames = context->frames;
        kept->frames_size = context->frames_size;
        kept->depth = context->depth;
        kept->beyond = context->beyond;
        kept->left = context->left;
        kept->sums = context->sums;
        context->frames = frames;
        context->frames_size = size;
        trace_context_drop(contexts, kept);
    }
    context->sums = 0;
}

/* The context's stack lies there; those that lay there are no more.  False: no memory. */
TRACE_FN bool trace_context_lay(struct trace_contexts *contexts, struct trace_context *context,
                                uintptr_t low, uintptr_t high)
{
    if (contexts->n_stacks == contexts->room) {
        size_t room = contexts->room ? 2 * contexts->room : 512;
        struct trace_context **stacks = trace_context_map(room * sizeof(struct trace_context *));
        if (!stacks)
            return false;
        if (contexts->stacks) {
            memcpy(stacks, contexts->stacks, contexts->n_stacks * sizeof(struct trace_context *));
            munmap(contexts->stacks, contexts->room * sizeof(struct trace_context *));
        }
        contexts->stacks = stacks;
        contexts->room = room;
    }
    size_t i = trace_context_index(contexts, low + 1);
    while (i < contexts->n_stacks && contexts->stacks[i]->low < high)
        trace_context_drop(contexts, contexts->stacks[i]);
    memmove(&contexts->stacks[i + 1], &contexts->stacks[i],
            (contexts->n_stacks - i) * sizeof(struct trace_context *));
    contexts->stacks[i] = context;
    contexts->n_stacks++;
    context->low = low;
    context->high = high;
    return true;
}
#endif

#endif
