/* `killed HOW COUNTERS THREADS HOOKS`: calls the hooks itself, with the number of the
 * event as the call site, and counts those that have returned in a file that it shares
 * with whoever looks.
 *
 * loop: THREADS threads call HOOKS hooks each and wait to be killed.  slow: the same, with
 * pauses.  _exit, abort, segv, exec, exit: the main thread calls them and
 * ends so.  fork, _Fork, clone: a child calls as many, and both leave with _exit. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
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

struct counter {
    volatile uint64_t tid, returned;
    uint64_t unused[6];
};

static struct counter *counters;
static uint64_t hooks;
static int slow;
static pthread_barrier_t begun;

NO_HOOK static void call(struct counter *counter)
{
    counter->tid = (uint64_t)syscall(SYS_gettid);
    for (uint64_t i = 0; i < hooks; i++) {
        if (i % 2 == 0)
            __cyg_profile_func_enter((void *)call, (void *)(uintptr_t)i);
        else
            __cyg_profile_func_exit((void *)call, (void *)(uintptr_t)i);
        counter->returned = i + 1;
        if (i == 0)
            pthread_barrier_wait(&begun);
        if (slow)
            usleep(10);
    }
}

NO_HOOK static void *body(void *data)
{
    call(data);
    for (;;)
        pause();
    return NULL;
}

NO_HOOK static pid_t child_by(const char *how)
{
    if (strcmp(how, "clone") == 0)
        return (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 34)
    if (strcmp(how, "_Fork") == 0)
        return _Fork();
#endif
#endif
    return fork();
}

NO_HOOK int main(int argc, char **argv)
{
    (void)argc;
    const char *how = argv[1];
    int threads = (int)strtol(argv[3], NULL, 10);
    pthread_t thread;
    int fd = open(argv[2], O_RDWR | O_CREAT, 0600);
    size_t size = (size_t)(threads + 2) * sizeof *counters;
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
        return 1;
    counters = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    hooks = strtoull(argv[4], NULL, 10);
    slow = strcmp(how, "slow") == 0;
    pthread_barrier_init(&begun, NULL, threads ? (unsigned)threads + 1 : 1);
    if (threads) {
        for (int i = 0; i < threads; i++)
            pthread_create(&thread, NULL, body, &counters[i]);
        pthread_barrier_wait(&begun);
        printf("begun\n");
        fflush(stdout);
        for (;;)
            pause();
    }
    call(&counters[0]);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "exec") == 0)
        execlp("true", "true", (char *)NULL);
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    pid_t pid = child_by(how);
    if (pid == 0) {
        call(&counters[1]);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    _exit(0);
}
