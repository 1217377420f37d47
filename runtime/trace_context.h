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
#if defined(__GLIBC__) && (defined(__x86_64__) && defined(__LP64__) || defined(__aarch64__))
#define TRACE_HAVE_JUMPS 1
#endif

#define TRACE_CONTEXT_FIRST 16u /* entries that its open calls have room for at first */
#define TRACE_CONTEXT_PLACES 1024u
#define TRACE_CONTEXT_CHUNK ((size_t)64 << 10)

struct trace_context {
    uint64_t id;         /* 0: a thread's own stack, whose open calls are in trace_thread */
    const void *name;    /* the ucontext_t; NULL: none yet */
    uintptr_t low, high; /* the stack; 0, 0: not known */
    struct trace_context *next;  /* of those whose names share a place */
    struct trace_context *older; /* in the list of all */
    struct trace_opens opens;
    struct trace_open first[TRACE_CONTEXT_FIRST];
};

struct trace_contexts {
    pthread_mutex_t lock;
    uint64_t last_id;
    struct trace_context *places[TRACE_CONTEXT_PLACES];
    struct trace_context *newest;
    struct trace_context *unused; /* by `next` */
    char *chunk;                  /* what is left of memory */
    size_t chunk_left;
};

#ifdef TRACE_HAVE_JUMPS
/* All of these are called with the lock held. */

/* NULL: no memory. */
TRACE_FN struct trace_context *trace_context_new(struct trace_contexts *contexts, uint64_t id)
{
    struct trace_context *context = contexts->unused;
    if (context) {
        contexts->unused = context->next;
    } else {
        if (contexts->chunk_left < sizeof *context) {
            void *memory = mmap(NULL, TRACE_CONTEXT_CHUNK, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED)
                return NULL;
            contexts->chunk = memory;
            contexts->chunk_left = TRACE_CONTEXT_CHUNK;
        }
        context = (struct trace_context *)(void *)contexts->chunk;
        contexts->chunk += sizeof *context;
        contexts->chunk_left -= sizeof *context;
        context->older = contexts->newest;
        contexts->newest = context;
        trace_opens_begin(&context->opens, context->first, TRACE_CONTEXT_FIRST);
    }
    context->id = id;
    context->name = NULL;
    context->low = context->high = 0;
    context->next = NULL;
    context->opens.next = context->opens.first + 1;
    return context;
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

/* Nobody can switch to the context any more. */
TRACE_FN void trace_context_drop(struct trace_contexts *contexts, struct trace_context *context)
{
    trace_context_unname(contexts, context);
    context->low = context->high = 0;
    context->next = contexts->unused;
    contexts->unused = context;
}

/* Whoever bore the name can't be switched to any more. */
TRACE_FN void trace_context_name(struct trace_contexts *contexts, struct trace_context *context,
                                 const void *name)
{
    if (context->name == name)
        return;
    struct trace_context *old = trace_context_named(contexts, name);
    if (old && old->id)
        trace_context_drop(contexts, old);
    else if (old)
        trace_context_unname(contexts, old);
    trace_context_unname(contexts, context);
    struct trace_context **place = trace_context_place(contexts, name);
    context->name = name;
    context->next = *place;
    *place = context;
}

/* The context on whose stack an address lies, or NULL. */
TRACE_FN struct trace_context *trace_context_around(const struct trace_contexts *contexts,
                                                    uintptr_t sp)
{
    struct trace_context *context = contexts->newest;
    while (context && !(sp > context->low && sp <= context->high))
        context = context->older;
    return context;
}
#endif

#endif
