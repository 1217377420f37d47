/* ucontext: coroutines that take turns in the midst of their calls, end through
 * uc_link, start each other, and are left by setcontext. */
#include "truth.h"

#include <ucontext.h>

enum { COROUTINES = 5, STACK = 128 << 10 };

struct context {
    ucontext_t uc;
    int at; /* its innermost call */
};

static volatile int sink;
static struct context home, of[COROUTINES];
static char stacks[COROUTINES][STACK];

/* Whoever resumes a context, it goes on where it was. */
NOHOOK NOINLINE static void go(struct context *from, struct context *to)
{
    from->at = truth_at;
    truth_at = to->at;
    if (swapcontext(&from->uc, &to->uc) != 0)
        abort();
    truth_at = from->at;
}

NOHOOK static void make(int i, void (*function)(void), struct context *link)
{
    if (getcontext(&of[i].uc) != 0)
        abort();
    of[i].uc.uc_stack.ss_sp = stacks[i];
    of[i].uc.uc_stack.ss_size = STACK;
    of[i].uc.uc_link = link ? &link->uc : NULL;
    of[i].at = 0;
    makecontext(&of[i].uc, function, 0);
}

static inline void inlined(void)
{
    TRUTH;
    sink++;
}

NOINLINE static void leaf(void)
{
    TRUTH;
    inlined();
}

/* Goes deeper at every turn, and back. */
NOINLINE static void descend(int i, struct context *to, int depth)
{
    TRUTH;
    leaf();
    go(&of[i], to);
    if (depth > 0)
        descend(i, to, depth - 1);
    leaf();
    go(&of[i], to);
}

NOINLINE static void other_way(int i, struct context *to, int depth)
{
    TRUTH;
    if (depth > 0)
        other_way(i, to, depth - 1);
    go(&of[i], to);
    inlined();
}

static void first(void)
{
    TRUTH;
    descend(0, &home, 3);
}

static void second(void)
{
    TRUTH;
    other_way(1, &home, 7);
}

static void third(void)
{
    TRUTH;
    for (int i = 0; i < 8; i++) {
        go(&of[2], &home);
        leaf();
    }
}

/* Turns between three coroutines and main; each ends through its uc_link. */
NOINLINE static void turns(void)
{
    TRUTH;
    make(0, first, &home);
    make(1, second, &home);
    make(2, third, &home);
    for (int turn = 0; turn < 9; turn++)
        for (int i = 0; i < 3; i++) {
            inlined();
            go(&home, &of[i]);
            leaf();
        }
}

static void inner(void)
{
    TRUTH;
    leaf();
    go(&of[4], &of[3]);
    leaf();
}

/* A context that is started from another one and ends there. */
static void outer(void)
{
    TRUTH;
    make(4, inner, &of[3]);
    leaf();
    go(&of[3], &of[4]);
    leaf();
    go(&of[3], &home);
    go(&of[3], &of[4]); /* it ends, and we go on */
    leaf();
}

NOINLINE static void started_from_a_context(void)
{
    TRUTH;
    for (int i = 0; i < 5; i++) {
        make(3, outer, &home);
        go(&home, &of[3]);
        inlined();
        go(&home, &of[3]);
        leaf();
    }
}

NOINLINE static void leave_for_good(void)
{
    TRUTH;
    leaf();
    truth_at = home.at;
    setcontext(&home.uc);
}

static void left(void)
{
    TRUTH;
    leave_for_good();
}

/* A context that is left in the midst of its calls; its stack serves another. */
NOINLINE static void left_by_setcontext(void)
{
    TRUTH;
    for (int i = 0; i < 5; i++) {
        make(0, left, NULL);
        go(&home, &of[0]);
        leaf();
    }
}

int main(void)
{
    TRUTH;
    for (int i = 0; i < 3; i++) {
        turns();
        started_from_a_context();
        left_by_setcontext();
    }
    return 0;
}
