/* Stacks that are switched between after some instructions, wherever they are: also within
 * hooks, and within those that begin while another stack's is not done.
 * steps between SWITCHES SEED EVERY
 * So many switches; a child that calls after() and ends is forked at every EVERYth.
 * steps away N
 * N times a stack is left for good, each time three instructions later, and its memory becomes
 * another stack, on which after() is called. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define UNHOOKED __attribute__((no_instrument_function, noinline))
#define TRAP 0x100 /* flag of the processor: a signal behind each instruction */

enum { STACKS = 3, FREE = 8, SIZE = 64 << 10 };
static ucontext_t stacks[STACKS + 1];
static char memory[STACKS][SIZE] __attribute__((aligned(64)));
static int current = STACKS;
static volatile int sink, finished[STACKS], open_stacks = STACKS;
static volatile long calls, switches, wanted, every;
static volatile int leaves; /* for good */
static uint32_t number;
static volatile unsigned left;

APART void leaf(int n)
{
    sink = n;
}

APART void step(int n)
{
    leaf(n);
}

APART void after(void)
{
    sink = 0;
}

/* A stretch ends within a hook or soon behind it.  Some end at once: a hook is left again where
 * it has just gone on. */
UNHOOKED static unsigned stretch(void)
{
    number = number * 1664525u + 1013904223u;
    return 1 + (number >> 16) % ((number >> 8) % 3 ? 60 : 6);
}

UNHOOKED static void go_to(int to)
{
    int from = current;
    current = to;
    swapcontext(&stacks[from], &stacks[to]);
}

UNHOOKED static int next_of(int which)
{
    do
        which = (which + 1) % STACKS;
    while (finished[which]);
    return which;
}

UNHOOKED static void have_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        after();
        exit(0);
    }
    waitpid(child, NULL, 0);
}

UNHOOKED static void on_step(int signal, siginfo_t *info, void *data)
{
    greg_t *registers = ((ucontext_t *)data)->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)registers[REG_RIP];
    (void)signal;
    (void)info;
    /* The system call may block the signal, which then would be the end. */
    if ((switches >= wanted && !leaves) || (code[0] == 0x0f && code[1] == 0x05)) {
        registers[REG_EFL] &= ~(greg_t)TRAP;
    } else if (--left == 0 && leaves) {
        go_to(STACKS);
    } else if (left == 0) {
        left = stretch();
        if (++switches % every == 0)
            have_child();
        go_to(next_of(current));
    }
}

UNHOOKED static void step_with(int which, long flag)
{
    __asm__ volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq" : : "r"(flag) : "memory", "cc");
    step(which);
    __asm__ volatile("pushfq\n\tandq %0, (%%rsp)\n\tpopfq" : : "i"(~TRAP) : "memory", "cc");
}

UNHOOKED static void run(int which)
{
    while (switches < wanted) {
        step_with(which, TRAP);
        for (int i = 0; i < FREE; i++)
            step(which);
        calls += 1 + FREE;
    }
    finished[which] = 1;
    go_to(--open_stacks ? next_of(which) : STACKS);
}

UNHOOKED static void run_away(void)
{
    for (long flag = 0;; flag = TRAP) /* first without, so that the call site is known */
        step_with(0, flag);
}

UNHOOKED static void run_after(void)
{
    after();
    go_to(STACKS);
}

UNHOOKED static void make(int which, void (*function)(void))
{
    getcontext(&stacks[which]);
    stacks[which].uc_stack.ss_sp = memory[which];
    stacks[which].uc_stack.ss_size = SIZE;
    makecontext(&stacks[which], function, 1, which);
}

UNHOOKED static void between(void)
{
    left = stretch();
    for (int i = 0; i < STACKS; i++)
        make(i, (void (*)(void))run);
    go_to(0);
    after();
}

UNHOOKED static void away(void)
{
    leaves = 1;
    for (int i = 1; i <= wanted; i++) {
        make(0, run_away);
        left = 3 * i;
        go_to(0);
        make(0, run_after);
        go_to(0);
    }
}

UNHOOKED int main(int count, char **argv)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_step;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, NULL);
    wanted = strtol(argv[2], NULL, 10);
    if (count == 3) {
        away();
    } else {
        number = (uint32_t)strtoul(argv[3], NULL, 10);
        every = strtol(argv[4], NULL, 10);
        between();
    }
    printf("process %d calls %ld\n", (int)getpid(), calls);
    return 0;
}
