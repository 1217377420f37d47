/* What a program of the matrix knows of its own calls, kept by itself in code without
 * hooks: the call tree of all its threads, and where in it each thread is.  At its end a
 * process appends to "$TRUTH_FILE.<pid>" a line a path,
 *
 *     main;outer;inner <calls> <returns> <unwound>
 *
 * and `unmatched <n>' for returns out of calls that its parent had made.  What is
 * neither returned nor unwound by an exception was cut short: by a longjmp, by the end
 * of its thread or process, or it was still running.  truth.c is part of the program and
 * of none of its libraries. */
#ifndef TRUTH_H
#define TRUTH_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOHOOK __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))

#ifdef __cplusplus
extern "C" {
#endif

/* A call: its node in the tree, and a number of the process that began it. */
struct truth_call {
    int node, life;
};

/* The node of the thread's innermost call; 0: of none. */
extern __thread int truth_at;

struct truth_call truth_enter(const char *name);

/* Ends a call: by its return, or by an exception on its way out. */
void truth_end(struct truth_call call, int unwound);
void truth_leave(struct truth_call *call);

/* Where a jump landed: in the call that was the innermost one when truth_at was `node'. */
void truth_land(int node);

/* In the child of a fork: its recording begins here. */
void truth_child(void);

/* Before _exit or exec; otherwise the end of the process does it. */
void truth_write(void);

#ifdef __cplusplus
}
#endif

/* TRUTH at the head of a hooked function. */
#define TRUTH TRUTH_NAMED(__func__)

#ifdef __cplusplus
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_instrument_function)), apply_to = function)
#endif
#include <exception>
#if defined(__clang__)
#pragma clang attribute pop
#endif

/* With TRUTH_APART its destructor is a call of its own: then an exception lands in each
 * function that it leaves, inlined or not, for a destructor that has no hooks. */
#ifdef TRUTH_APART
#define TRUTH_DESTRUCTOR NOHOOK NOINLINE
#else
#define TRUTH_DESTRUCTOR NOHOOK
#endif

struct Truth {
    struct truth_call call;
    int flying;
    NOHOOK Truth(const char *name) : call(truth_enter(name)), flying(std::uncaught_exceptions())
    {
    }
    TRUTH_DESTRUCTOR ~Truth()
    {
        truth_end(call, std::uncaught_exceptions() > flying);
    }
};
#define TRUTH_NAMED(name) Truth truth_here(name)
#else
#define TRUTH_NAMED(name)                                                                          \
    __attribute__((cleanup(truth_leave), unused)) struct truth_call truth_here = truth_enter(name)
#endif

#endif
