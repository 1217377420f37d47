/* `many HOW THREADS CALLS`: threads that call step() CALLS times each, and main, which
 * does the same at the end.  together: they run at the same time.  in-turn: each ends
 * before the next begins.  Every thread prints its tid. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
static __thread volatile unsigned sink;
static long calls;

__attribute__((noinline)) void step(void)
{
    sink++;
}

NO_HOOK static void times(long n)
{
    for (long i = 0; i < n; i++)
        step();
}

NO_HOOK static void *body(void *data)
{
    printf("tid %ld\n", (long)syscall(SYS_gettid));
    times(calls);
    return data;
}

NO_HOOK int main(int argc, char **argv)
{
    int together = argc > 1 && strcmp(argv[1], "together") == 0;
    int count = (int)strtol(argv[2], NULL, 10);
    pthread_t threads[256];
    calls = strtol(argv[3], NULL, 10);
    for (int i = 0; i < count && i < 256; i++) {
        pthread_create(&threads[i], NULL, body, NULL);
        if (!together)
            pthread_join(threads[i], NULL);
    }
    for (int i = 0; together && i < count && i < 256; i++)
        pthread_join(threads[i], NULL);
    body(NULL);
    printf("ran to its end\n");
    return 0;
}
