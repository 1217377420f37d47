/* What a program of the matrix knows of its own calls, kept by itself in code without
 * hooks: the call tree of all its threads, and where in it each thread is.  At the end,
 * or in truth_write(), a process appends to "$TRUTH_FILE.<pid>" a line a path,
 *
 *     main;outer;inner <calls> <returns> <unwound>
 *
 * and `unmatched <n>' for returns out of calls that its parent had made.  What is
 * neither returned nor unwound by an exception was cut short: by a longjmp, by the end
 * of its thread or process, or it was still running.
 *
 * One file of a program defines TRUTH_HERE and so holds the tree; libraries share it. */
#ifndef TRUTH_H
#define TRUTH_H

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOHOOK __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))
#define TRUTH_FN static NOHOOK NOINLINE __attribute__((unused))

enum { TRUTH_NODES = 1024, TRUTH_NAME = 48 };

struct truth_node {
    char name[TRUTH_NAME]; /* a copy: a library's goes with it */
    int parent, child, next;
    unsigned long calls, returns, unwound;
};

struct truth {
    struct truth_node nodes[TRUTH_NODES]; /* the first is the root */
    int used, lock, life, written;
    unsigned long unmatched;
};

/* A call: its node, and the process that began it. */
struct truth_call {
    int node, life;
};

#ifdef __cplusplus
extern "C" {
#endif
extern struct truth truth;
extern __thread int truth_at; /* the innermost call's node */
#ifdef __cplusplus
}
#endif

#ifdef TRUTH_HERE
struct truth truth;
__thread int truth_at;
#endif

TRUTH_FN void truth_lock(void)
{
    while (__atomic_exchange_n(&truth.lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

TRUTH_FN void truth_unlock(void)
{
    __atomic_store_n(&truth.lock, 0, __ATOMIC_RELEASE);
}

TRUTH_FN struct truth_call truth_enter(const char *name)
{
    struct truth_call call = {0, 0};
    truth_lock();
    int node = truth.nodes[truth_at].child;
    while (node && strcmp(truth.nodes[node].name, name) != 0)
        node = truth.nodes[node].next;
    if (!node) {
        if (truth.used + 1 == TRUTH_NODES || strlen(name) >= TRUTH_NAME)
            abort();
        node = ++truth.used;
        strcpy(truth.nodes[node].name, name);
        truth.nodes[node].parent = truth_at;
        truth.nodes[node].next = truth.nodes[truth_at].child;
        truth.nodes[truth_at].child = node;
    }
    truth.nodes[node].calls++;
    truth_at = call.node = node;
    call.life = truth.life;
    truth_unlock();
    return call;
}

/* Ends a call: by its return, or by an exception on its way out. */
TRUTH_FN void truth_end(struct truth_call call, int unwound)
{
    truth_lock();
    if (call.life != truth.life) {
        truth.unmatched++;
    } else {
        struct truth_node *node = &truth.nodes[call.node];
        *(unwound ? &node->unwound : &node->returns) += 1;
        truth_at = node->parent;
    }
    truth_unlock();
}

TRUTH_FN void truth_leave(struct truth_call *call)
{
    truth_end(*call, 0);
}

/* Where a jump landed: in the call that was innermost at `node'; 0: in none. */
TRUTH_FN void truth_land(int node)
{
    truth_at = node;
}

/* In the child of a fork: its recording begins here. */
TRUTH_FN void truth_child(void)
{
    memset(truth.nodes, 0, sizeof truth.nodes);
    truth.used = truth.written = 0;
    truth.unmatched = 0;
    truth.life++;
    truth_at = 0;
}

TRUTH_FN void truth_path(FILE *file, int node)
{
    if (truth.nodes[node].parent) {
        truth_path(file, truth.nodes[node].parent);
        fputc(';', file);
    }
    fputs(truth.nodes[node].name, file);
}

/* Before _exit or exec; otherwise the end of the process does it. */
TRUTH_FN void truth_write(void)
{
    const char *name = getenv("TRUTH_FILE");
    char path[4096];
    if (!name || !*name || truth.written)
        return;
    truth.written = 1;
    snprintf(path, sizeof path, "%s.%d", name, (int)getpid());
    FILE *file = fopen(path, "a");
    if (!file)
        abort();
    for (int node = 1; node <= truth.used; node++) {
        struct truth_node *n = &truth.nodes[node];
        truth_path(file, node);
        fprintf(file, " %lu %lu %lu\n", n->calls, n->returns, n->unwound);
    }
    fprintf(file, "unmatched %lu\n", truth.unmatched);
    if (fclose(file) != 0)
        abort();
}

#ifdef TRUTH_HERE
/* The last of the program's destructors. */
static __attribute__((destructor(101))) NOHOOK void truth_at_end(void)
{
    truth_write();
}
#endif

/* At the head of a hooked function. */
#ifdef __cplusplus
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_instrument_function)), apply_to = function)
#endif
#include <exception>
#if defined(__clang__)
#pragma clang attribute pop
#endif
struct Truth {
    struct truth_call call;
    int flying = std::uncaught_exceptions();
    NOHOOK NOINLINE Truth(const char *name) : call(truth_enter(name)) {}
    NOHOOK NOINLINE ~Truth() { truth_end(call, std::uncaught_exceptions() > flying); }
};
#define TRUTH_NAMED(name) Truth truth_here(name)
#else
#define TRUTH_NAMED(name) \
    __attribute__((cleanup(truth_leave), unused)) struct truth_call truth_here = truth_enter(name)
#endif
#define TRUTH TRUTH_NAMED(__func__)

#endif
