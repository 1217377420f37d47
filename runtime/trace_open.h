/* SPDX-License-Identifier: MIT */
/*
 * trace_open.h - the calls that are open on a stack, with where on it they lie.
 *
 * An exception that clang's code lets pass and a longjmp leave calls without calling
 * their exit hooks.  Which ones ended is told by the stack pointer of where the program
 * lands: every call that lies below it is no more.  So each hook notes its function and
 * the stack pointer that it was called with, and takes the note back at the exit.
 *
 * An exit ends the nearest open call of its function and those above it; if there is none,
 * it is ignored: what a reader does with the events, so both know the same calls, except
 * that functions inlined into the one where the program landed lie no deeper than it: they
 * stay noted here until that one is left, while a reader with debug information ends them.
 */
#ifndef CALLSIGHT_TRACE_OPEN_H
#define CALLSIGHT_TRACE_OPEN_H

#include <sys/mman.h>

#include "trace_base.h"

#define TRACE_OPEN_FIRST 256u /* entries that a thread's stack has room for at first */
#ifndef TRACE_OPEN_MOST
#define TRACE_OPEN_MOST ((size_t)1 << 20)
#endif

/* Entries of one stack frame, from which on those that landings left are forgotten. */
#define TRACE_OPEN_CROWD 4096u
#define TRACE_OPEN_KEPT 64u

/* The stack pointer that a hook was called with.  (Taken in the hook itself.) */
#define TRACE_STACK_POINTER() ((uintptr_t)__builtin_dwarf_cfa())

struct trace_open {
    uintptr_t func; /* 0 for what isn't a call: the bottom, and the entry at the limit */
    uintptr_t sp;
    uintptr_t caller; /* where events are packed; see trace_pack.h */
};

/* The open calls of one stack.  first[0] is the bottom.  Those of a deeper stack than the
 * limit are only counted, by the `sp` of its last entry. */
struct trace_opens {
    struct trace_open *first; /* `given`, or a mapping of its own */
    struct trace_open *next;  /* the first free entry; while a thread runs on the stack it is
                                 in its struct trace_hot */
    struct trace_open *end;   /* behind the last entry */
    struct trace_open *given; /* what it began with; not its own to unmap */
    size_t crowd;             /* so many entries are worth a look; see trace_opens_thin() */
};

TRACE_FN size_t trace_opens_room(const struct trace_opens *opens)
{
    return (size_t)(opens->end - opens->first);
}

/* Makes the stack an empty one in `memory`, which takes `room` entries, a power of two. */
TRACE_FN void trace_opens_begin(struct trace_opens *opens, struct trace_open *memory, size_t room)
{
    memory[0].func = 0;
    memory[0].sp = memory[0].caller = UINTPTR_MAX;
    opens->first = opens->given = memory;
    opens->next = memory + 1;
    opens->end = memory + room;
    opens->crowd = TRACE_OPEN_CROWD;
}

TRACE_FN void trace_opens_free(struct trace_opens *opens)
{
    if (opens->first != opens->given)
        munmap(opens->first, trace_opens_room(opens) * sizeof *opens->first);
    opens->first = opens->given;
}

/* Whether the entry at the top stands for the calls beyond the limit. */
TRACE_FN bool trace_opens_is_over(const struct trace_opens *opens)
{
    return opens->next[-1].func == 0 && opens->next - opens->first > 1;
}

/* How many calls are open. */
TRACE_FN uint64_t trace_opens_depth(const struct trace_opens *opens)
{
    uint64_t depth = (uint64_t)(opens->next - opens->first) - 1;
    return trace_opens_is_over(opens) ? depth - 1 + opens->next[-1].sp : depth;
}

/* Doubles the room.  False: it is at the limit, or there is no memory. */
TRACE_FN bool trace_opens_grow(struct trace_opens *opens)
{
    size_t room = trace_opens_room(opens), used = (size_t)(opens->next - opens->first);
    if (room >= TRACE_OPEN_MOST)
        return false;
    struct trace_open *memory = mmap(NULL, 2 * room * sizeof *memory, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    memcpy(memory, opens->first, used * sizeof *memory);
    trace_opens_free(opens);
    opens->first = memory;
    opens->next = memory + used;
    opens->end = memory + 2 * room;
    return true;
}

/* A call begins. */
TRACE_FN void trace_opens_enter(struct trace_opens *opens, uintptr_t func, uintptr_t caller,
                                uintptr_t sp)
{
    if (trace_opens_is_over(opens)) {
        opens->next[-1].sp++;
        return;
    }
    if (opens->next + 1 >= opens->end && !trace_opens_grow(opens)) {
        func = 0; /* the entry at the limit: one call */
        sp = 1;
    }
    opens->next->func = func;
    opens->next->sp = sp;
    opens->next->caller = caller;
    opens->next++;
}

/* A call ends.  Of those beyond the limit nobody knows more than that. */
TRACE_FN void trace_opens_exit(struct trace_opens *opens, uintptr_t func)
{
    if (trace_opens_is_over(opens)) {
        if (--opens->next[-1].sp == 0)
            opens->next--;
        return;
    }
    struct trace_open *open = opens->next;
    while (open > opens->first + 1 && open[-1].func != func)
        open--;
    if (open > opens->first + 1)
        opens->next = open - 1;
}

/* Calls of functions that were inlined into the one where the program lands again and again
 * stay noted as long as that one runs.  Forgets the oldest of them where there are many.
 * Returns how many. */
TRACE_FN size_t trace_opens_thin(struct trace_opens *opens)
{
    size_t used = (size_t)(opens->next - opens->first);
    if (used < opens->crowd || trace_opens_is_over(opens))
        return 0;
    struct trace_open *first = opens->next - 1;
    while (first[-1].sp == first->sp)
        first--;
    size_t run = (size_t)(opens->next - first), gone = 0;
    if (run >= TRACE_OPEN_CROWD / 2) {
        gone = run - 1 - TRACE_OPEN_KEPT;
        memmove(first + 1, opens->next - TRACE_OPEN_KEPT, TRACE_OPEN_KEPT * sizeof *first);
        opens->next -= gone;
    }
    opens->crowd = used - gone + TRACE_OPEN_CROWD;
    return gone;
}

/* The program has landed at `sp`: the calls that lie below it are over, and before that
 * those on the signal's own stack, from `low` up to `high`, where it has left that. */
TRACE_FN void trace_opens_cut(struct trace_opens *opens, uintptr_t sp, uintptr_t low,
                              uintptr_t high)
{
    struct trace_open *top = opens->next;
    if (trace_opens_is_over(opens))
        top--;
    struct trace_open *known = top;
    while (top[-1].func && top[-1].sp >= low && top[-1].sp < high)
        top--;
    while (top[-1].sp < sp)
        top--;
    if (top != known) /* calls beyond the limit lie deeper still */
        opens->next = top;
}

#endif
