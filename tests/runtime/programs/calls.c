/* Known calls on known threads: `calls THREADS LOOPS`.  Every thread prints its tid
 * and the name that it gives itself after it has begun. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
static __thread volatile unsigned sink;
static int loops;

NOINLINE static void leaf(void)
{
    sink++;
}

NOINLINE static void middle(void)
{
    leaf();
    leaf();
    leaf();
    sink++;
}

NOINLINE static void top(void)
{
    middle();
    middle();
    sink++;
}

NOINLINE static unsigned fib(unsigned n)
{
    unsigned value = n < 2 ? n : fib(n - 1) + fib(n - 2);
    sink++;
    return value;
}

NOINLINE static void work(void)
{
    for (int i = 0; i < loops; i++)
        top();
    sink += fib(10);
}

NOINLINE static void *worker(void *data)
{
    char name[16];
    snprintf(name, sizeof name, "%s", (const char *)data);
    pthread_setname_np(pthread_self(), name);
    printf("thread %ld %s\n", (long)syscall(SYS_gettid), name);
    work();
    sink++;
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0;
    loops = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 10;
    pthread_t *ids = calloc((size_t)threads + 1, sizeof *ids);
    char (*names)[16] = calloc((size_t)threads + 1, sizeof *names);
    printf("main %d\n", (int)getpid());
    for (int i = 0; i < threads; i++) {
        snprintf(names[i], sizeof names[i], "%s-%d", i % 2 ? "odd" : "even", i);
        if (pthread_create(&ids[i], NULL, worker, names[i]) != 0)
            abort();
    }
    work();
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    free(ids);
    free(names);
    return 0;
}
