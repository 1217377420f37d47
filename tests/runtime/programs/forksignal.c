/* Forks in a signal handler, wherever the signal finds the thread. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
/* Before each fork. */
#define MOST_CALLS 20000
static volatile unsigned sink;
static volatile int forks;
static volatile pid_t child;

__attribute__((noinline)) void in_parent(void)
{
    sink++;
}

__attribute__((noinline)) void in_child(void)
{
    sink++;
}

NO_HOOK static void handler(int number)
{
    (void)number;
    if (forks >= 60)
        return;
    pid_t pid = fork();
    if (pid == 0)
        child = 1; /* goes on where the signal found the parent */
    else
        waitpid(pid, NULL, 0);
    forks = forks + 1;
}

NO_HOOK int main(void)
{
    unsigned long calls = 0;
    signal(SIGALRM, handler);
    while (forks < 60 && !child) {
        /* Set anew for each: a timer that ran out in the handler would fire where
         * the last one did. */
        struct itimerval once = {{0, 0}, {0, 40 + forks % 17}};
        int before = forks;
        setitimer(ITIMER_REAL, &once, NULL);
        for (int made = 0; forks == before && !child; made++) {
            /* A signal that is late finds the thread asleep; the recording stays small. */
            if (made >= MOST_CALLS) {
                usleep(100);
                continue;
            }
            in_parent();
            calls++;
        }
    }
    signal(SIGALRM, SIG_IGN);
    if (child) {
        for (int i = 0; i < 5; i++)
            in_child();
        exit(0);
    }
    printf("parent %d calls %lu\n", (int)getpid(), calls);
    return 0;
}
