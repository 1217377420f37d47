/* `signals HOW`: hooked signal handlers at a high rate over hooked code.
 * plain: the handler returns.  stack: on an alternate stack.  jump: it leaves by
 * siglongjmp.  deep: it calls more than any side buffer can hold. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))
static volatile unsigned sink;
static volatile unsigned long handled, calls;
static int deep, jump;
static sigjmp_buf out;

NOINLINE void in_handler(void)
{
    sink++;
}

NOINLINE void step(void)
{
    sink++;
}

NOINLINE void outer(void)
{
    step();
    sink++;
}

NOINLINE void handler(int number)
{
    (void)number;
    for (int i = 0; i < (deep ? 2000 : 1); i++)
        in_handler();
    handled = handled + 1;
    if (jump)
        siglongjmp(out, 1);
}

NO_HOOK int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "plain";
    int rounds = (int)strtol(argv[2], NULL, 10);
    struct sigaction action = {.sa_handler = handler};
    deep = strcmp(how, "deep") == 0;
    jump = strcmp(how, "jump") == 0;
    if (strcmp(how, "stack") == 0) {
        static char memory[65536];
        stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
        sigaltstack(&stack, NULL);
        action.sa_flags = SA_ONSTACK;
    }
    sigaction(SIGALRM, &action, NULL);
    /* Fast enough to find the thread in a hook often. */
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    long period = deep ? 500000 : 20000;
    struct itimerspec every = {{0, period}, {0, period}};
    timer_t timer;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    volatile int i = 0;
    if (sigsetjmp(out, 1) == 0)
        timer_settime(timer, 0, &every, NULL);
    while (handled < (unsigned)rounds) {
        if (jump && ++i % 10 == 0)
            step(); /* other depths than the one that was left */
        outer();
        calls = calls + 1;
    }
    sigprocmask(SIG_BLOCK, &set, NULL);
    printf("handled %lu calls %lu\n", handled, calls);
    return 0;
}
