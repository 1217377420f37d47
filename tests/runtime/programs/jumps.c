/* Ways out of functions and of stacks that no exit hook sees.
 * jumps MODE N */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#define APART __attribute__((noinline))
#define UNHOOKED __attribute__((no_instrument_function, noinline))

static volatile int sink;
static sigjmp_buf out;

APART void leaf(int n) { sink = n; }

/* --- deep: a jump out of `depth` calls, a few times ------------------------------------- */

APART void down(int depth)
{
    if (depth == 0)
        siglongjmp(out, 1);
    down(depth - 1);
    sink = depth;
}

APART void deep(int depth)
{
    for (int i = 0; i < 3; i++) {
        if (sigsetjmp(out, 0) == 0)
            down(depth);
        leaf(i);
    }
}

/* --- loop: jumps out of a function that is inlined into the one that lands --------------- */

static inline void thrower(int i)
{
    sink = i;
    longjmp(out, 1);
}

APART void loop(int n)
{
    for (volatile int i = 0; i < n; i++) {
        if (setjmp(out) == 0)
            thrower(i);
    }
    leaf(n);
}

/* --- contexts: a timer switches between stacks, wherever they are ------------------------ */

enum { STACKS = 3, SIZE = 64 << 10 };
static ucontext_t stacks[STACKS + 1];
static char memory[STACKS][SIZE] __attribute__((aligned(64)));
static volatile int current = STACKS;
static volatile long switches, calls[STACKS];

UNHOOKED static void on_timer(int signal)
{
    int from = current, to = (from + 1) % STACKS;
    (void)signal;
    if (from == STACKS)
        return;
    switches++;
    current = to;
    swapcontext(&stacks[from], &stacks[to]);
}

APART void step(int i)
{
    leaf(i);
}

UNHOOKED static void run(int which)
{
    while (calls[which] < 20000 || switches < 20) {
        step(which);
        for (int i = 0; i < 2000; i++)
            sink = i;
        calls[which]++;
    }
    /* The stack that is done first ends it all, with the others where they are. */
    current = STACKS;
    setcontext(&stacks[STACKS]);
}

UNHOOKED static int contexts(void)
{
    struct itimerval every = {{0, 1000}, {0, 1000}};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_timer;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    for (int i = 0; i < STACKS; i++) {
        getcontext(&stacks[i]);
        stacks[i].uc_stack.ss_sp = memory[i];
        stacks[i].uc_stack.ss_size = SIZE;
        stacks[i].uc_link = &stacks[STACKS];
        makecontext(&stacks[i], (void (*)(void))run, 1, i);
    }
    setitimer(ITIMER_PROF, &every, NULL);
    current = 0;
    swapcontext(&stacks[STACKS], &stacks[0]);
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_PROF, &every, NULL);
    printf("switches %ld calls %ld\n", switches, calls[0] + calls[1] + calls[2]);
    return 0;
}

/* --- hop: two stacks that are switched between by longjmp, after they began --------------- */

static sigjmp_buf here[2];
static ucontext_t first, second;
static int rounds;

APART void far(void)
{
    leaf(1);
    if (sigsetjmp(here[1], 0) == 0)
        siglongjmp(here[0], 1);
    leaf(2);
}

APART void guest(void)
{
    for (;;)
        far();
}

APART void visit(void)
{
    if (sigsetjmp(here[0], 0) == 0) {
        if (rounds++ == 0)
            swapcontext(&first, &second);
        siglongjmp(here[1], 1);
    }
    leaf(3);
}

APART void hop(int n)
{
    getcontext(&second);
    second.uc_stack.ss_sp = memory[0];
    second.uc_stack.ss_size = SIZE;
    makecontext(&second, guest, 0);
    for (int i = 0; i < n; i++)
        visit();
}

UNHOOKED int main(int argc, char **argv)
{
    int n = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
    if (strcmp(argv[1], "deep") == 0)
        deep(n);
    else if (strcmp(argv[1], "loop") == 0)
        loop(n);
    else if (strcmp(argv[1], "hop") == 0)
        hop(n);
    else
        return contexts();
    return 0;
}
