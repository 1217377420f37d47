/* `control HOW ...`: switches recording off and on by SIGUSR2, and says what it did when.
 *
 * self: one thread, in the middle of calls.  threads: one that calls all the time, one that
 * waits in a call, one that ends and one that begins while recording is off.  storm TIMES
 * THREADS: two threads switch TIMES times each under the load of THREADS others, which
 * another one interrupts; then main calls last() a hundred times.  forks: children switch for themselves.  wait: calls step()
 * as often as stdin says, a number a line.  waits: the same in a child.  handler: the program
 * has a handler of its own, from the start; later: from later on.  deep DEPTH: switches in
 * calls that are that deep, and comes back.  again: switches off and on twice without a call
 * between.  once: switches off and on between two calls.  alone: main leaves, and the last thread to end ends the process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
#define APART __attribute__((noinline))

static __thread volatile unsigned sink;
static volatile int handled, stop;
static int calls_on;
static pthread_barrier_t begun, later;

APART void step(void)
{
    sink++;
}

APART void last(void)
{
    sink++;
}

NO_HOOK static unsigned long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000u + (unsigned long long)time.tv_nsec;
}

NO_HOOK static void nap(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0)
        continue;
}

/* Switches; the handler has returned when this does. */
NO_HOOK static void toggle(void)
{
    unsigned long long before = now();
    pthread_kill(pthread_self(), SIGUSR2);
    printf("switched %llu %llu\n", before, now());
}

NO_HOOK static void say(const char *what)
{
    printf("%s %ld\n", what, (long)syscall(SYS_gettid));
    fflush(stdout);
}

APART void inner(void)
{
    step();
    toggle();
    step();
    nap(20);
    step();
    toggle();
    step();
}

APART void outer(void)
{
    step();
    inner();
    step();
}

APART void again(void)
{
    step();
    for (int i = 0; i < 4; i++)
        toggle();
    step();
}

APART void deep(int depth)
{
    if (depth == 0)
        toggle();
    else
        deep(depth - 1);
    if (depth == 0)
        toggle();
}

APART void waiting(void)
{
    step();
    pthread_barrier_wait(&begun);
    pause();
}

NO_HOOK static void *waiter(void *data)
{
    say("waiter");
    waiting();
    return data;
}

APART void ending(void)
{
    step();
    pthread_barrier_wait(&begun);
    pthread_barrier_wait(&later); /* off */
    step();
}

NO_HOOK static void *ender(void *data)
{
    say("ender");
    ending();
    return data;
}

APART void beginning(void)
{
    step();
    pthread_barrier_wait(&later);
    pthread_barrier_wait(&later); /* on */
    step();
}

NO_HOOK static void *beginner(void *data)
{
    say("beginner");
    beginning();
    return data;
}

APART void busy_call(void)
{
    step();
}

static unsigned busy_calls;

NO_HOOK static void *busy(void *data)
{
    say("busy");
    busy_call();
    if (!data)
        pthread_barrier_wait(&begun);
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        busy_call();
        __atomic_fetch_add(&busy_calls, 1, __ATOMIC_RELAXED);
        for (int i = 0; i < 2000; i++)
            sink++;
    }
    return data;
}

/* Until the busy thread has called so many times more. */
NO_HOOK static void await_calls(unsigned count)
{
    unsigned from = __atomic_load_n(&busy_calls, __ATOMIC_RELAXED);
    while (__atomic_load_n(&busy_calls, __ATOMIC_RELAXED) - from < count)
        nap(1);
}

NO_HOOK static void threads(void)
{
    pthread_t wait, end, begin, call;
    say("main");
    pthread_barrier_init(&begun, NULL, 4);
    pthread_barrier_init(&later, NULL, 2);
    pthread_create(&wait, NULL, waiter, NULL);
    pthread_create(&end, NULL, ender, NULL);
    pthread_create(&call, NULL, busy, NULL);
    pthread_barrier_wait(&begun);
    await_calls(20);
    nap(20);
    toggle();
    pthread_barrier_wait(&later);
    pthread_join(end, NULL);
    pthread_create(&begin, NULL, beginner, NULL);
    pthread_barrier_wait(&later);
    await_calls(20);
    toggle();
    pthread_barrier_wait(&later);
    pthread_join(begin, NULL);
    await_calls(20);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(call, NULL);
}

NO_HOOK static void *toggler(void *data)
{
    int times = *(int *)data;
    for (int i = 0; i < times; i++) {
        pthread_kill(pthread_self(), SIGUSR2);
        if (i % 5 < 2)
            nap(1);
    }
    return data;
}

APART void in_handler(void)
{
    step();
}

NO_HOOK static void interrupt(int signal)
{
    (void)signal;
    in_handler();
}

static pthread_t load[32];

/* Interrupts the threads, so that hooks of a handler interrupt hooks. */
NO_HOOK static void *interrupter(void *data)
{
    for (int i = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++) {
        pthread_kill(load[i % *(int *)data], SIGUSR1);
        if (i % 16 == 0)
            nap(1);
    }
    return data;
}

NO_HOOK static void storm(int times, int count)
{
    pthread_t togglers[2], noise;
    signal(SIGUSR1, interrupt);
    for (int i = 0; i < count && i < 32; i++)
        pthread_create(&load[i], NULL, busy, &times);
    pthread_create(&noise, NULL, interrupter, &count);
    for (int i = 0; i < 2; i++)
        pthread_create(&togglers[i], NULL, toggler, &times);
    for (int i = 0; i < 2; i++)
        pthread_join(togglers[i], NULL);
    nap(100); /* the thread that wakes up may have been left with the last switches */
    say("main");
    for (int i = 0; i < 100; i++)
        last();
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(noise, NULL);
    for (int i = 0; i < count && i < 32; i++)
        pthread_join(load[i], NULL);
}

NO_HOOK static void child(int switches)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid) {
        waitpid(pid, NULL, 0);
        return;
    }
    say("child");
    step();
    for (int i = 0; i < switches; i++) {
        toggle();
        last();
    }
    fflush(stdout);
    exit(0);
}

NO_HOOK static void forks(void)
{
    say("parent");
    step();
    child(1);
    step();
    toggle();
    step();
    child(0);
    child(1);
    child(2);
    toggle();
    step();
}

NO_HOOK static void wait_for_lines(void)
{
    char line[64];
    say("waits");
    while (fgets(line, sizeof line, stdin)) {
        for (long n = strtol(line, NULL, 10); n > 0; n--)
            step();
        printf("called\n");
        fflush(stdout);
    }
}

NO_HOOK static void handler(int signal)
{
    (void)signal;
    handled++;
}

NO_HOOK static void handle(void)
{
    signal(SIGUSR2, handler);
}

NO_HOOK __attribute__((constructor(101))) static void early(void)
{
    if (getenv("HANDLE_EARLY"))
        handle();
}

NO_HOOK static void *survivor(void *data)
{
    nap(300);
    step();
    printf("the last thread\n");
    return data;
}

NO_HOOK static void with_handler(int later)
{
    if (later)
        handle();
    step();
    raise(SIGUSR2);
    step();
    printf("handled %d\n", handled);
}

NO_HOOK int main(int argc, char **argv)
{
    const char *how = argv[1];
    if (strcmp(how, "self") == 0) {
        say("main");
        for (calls_on = 0; calls_on < 3; calls_on++)
            outer();
    } else if (strcmp(how, "threads") == 0) {
        threads();
    } else if (strcmp(how, "storm") == 0) {
        storm((int)strtol(argv[2], NULL, 10), (int)strtol(argv[3], NULL, 10));
    } else if (strcmp(how, "forks") == 0) {
        forks();
    } else if (strcmp(how, "wait") == 0) {
        wait_for_lines();
    } else if (strcmp(how, "waits") == 0) {
        if (fork() == 0) {
            wait_for_lines();
            return 0;
        }
        wait(NULL);
    } else if (strcmp(how, "deep") == 0) {
        deep((int)strtol(argv[2], NULL, 10));
        last();
    } else if (strcmp(how, "again") == 0) {
        again();
    } else if (strcmp(how, "once") == 0) {
        step();
        toggle();
        step();
        toggle();
        last();
    } else if (strcmp(how, "alone") == 0) {
        pthread_t thread;
        step();
        pthread_create(&thread, NULL, survivor, NULL);
        fflush(stdout);
        pthread_exit(NULL);
    } else {
        with_handler(strcmp(how, "later") == 0);
    }
    (void)argc;
    return 0;
}
