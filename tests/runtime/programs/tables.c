/* `tables HOW COUNTERS THREADS FUNCTIONS CALLS`: calls the hooks of made-up functions itself
 * and counts, in a file that it shares with whoever looks, the calls whose exit hook has
 * returned.  Function i is at 0x10000 + 64 i.  Each turn is a call of function 0, in which
 * one of those that came up so far is called; every 20 turns another one comes up.
 *
 * loop: THREADS threads do CALLS turns each and wait to be killed.  slow: the same, with
 * pauses.  _exit, abort, exec, exit: the main thread does them and ends so.  fork, _Fork: a
 * child does as many, and both leave with _exit. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void __cyg_profile_func_enter(void *func, void *caller);
void __cyg_profile_func_exit(void *func, void *caller);

#define NO_HOOK __attribute__((no_instrument_function))

static volatile uint64_t *counters; /* of each thread its tid, then a count a function */
static uint64_t functions, turns;
static int slow;
static pthread_barrier_t begun;

NO_HOOK static void *address(uint64_t function)
{
    return (void *)(uintptr_t)(0x10000 + 64 * function);
}

NO_HOOK static void call(uint64_t thread)
{
    volatile uint64_t *own = counters + thread * (functions + 1);
    own[0] = (uint64_t)syscall(SYS_gettid);
    for (uint64_t i = 0; i < turns; i++) {
        uint64_t known = 2 + i / 20 < functions ? 2 + i / 20 : functions;
        uint64_t function = i % 20 == 0 ? known - 1 : 1 + i * 7919 % (known - 1);
        __cyg_profile_func_enter(address(0), NULL);
        __cyg_profile_func_enter(address(function), NULL);
        __cyg_profile_func_exit(address(function), NULL);
        own[1 + function]++;
        __cyg_profile_func_exit(address(0), NULL);
        own[1]++;
        if (i == 0)
            pthread_barrier_wait(&begun);
        if (slow)
            usleep(10);
    }
}

NO_HOOK static void *body(void *data)
{
    call((uint64_t)(uintptr_t)data);
    for (;;)
        pause();
    return NULL;
}

NO_HOOK static void child(pid_t pid)
{
    if (pid == 0) {
        call(1);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    _exit(0);
}

NO_HOOK int main(int argc, char **argv)
{
    (void)argc;
    const char *how = argv[1];
    unsigned threads = (unsigned)strtoul(argv[3], NULL, 10);
    pthread_t thread;
    int fd = open(argv[2], O_RDWR | O_CREAT, 0600);
    functions = strtoull(argv[4], NULL, 10);
    turns = strtoull(argv[5], NULL, 10);
    size_t size = (threads + 2) * (functions + 1) * sizeof *counters;
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
        return 1;
    counters = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    slow = strcmp(how, "slow") == 0;
    pthread_barrier_init(&begun, NULL, threads ? threads + 1 : 1);
    if (threads) {
        for (unsigned i = 0; i < threads; i++)
            pthread_create(&thread, NULL, body, (void *)(uintptr_t)i);
        pthread_barrier_wait(&begun);
        printf("begun\n");
        fflush(stdout);
        for (;;)
            pause();
    }
    call(0);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "exec") == 0)
        execlp("true", "true", (char *)NULL);
    if (strcmp(how, "exit") == 0)
        exit(0);
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 34)
    if (strcmp(how, "_Fork") == 0)
        child(_Fork());
#endif
#endif
    if (strcmp(how, "fork") == 0 || strcmp(how, "_Fork") == 0)
        child(fork());
    _exit(0);
}
