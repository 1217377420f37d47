/* Threads that are now such as are wanted, now others: `renames THREADS TIMES`. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_HOOK __attribute__((no_instrument_function))
static volatile unsigned sink;

__attribute__((noinline)) void step(void)
{
    sink++;
}

/* Unwanted from its next flush on, wanted again from one of its next looks on. */
NO_HOOK static void *body(void *data)
{
    for (int i = atoi(data); i > 0; i--) {
        pthread_setname_np(pthread_self(), "wanted");
        for (int k = 0; k < 20000; k++)
            step();
        pthread_setname_np(pthread_self(), "other");
        for (int k = 0; k < 20000; k++)
            step();
    }
    return NULL;
}

NO_HOOK int main(int argc, char **argv)
{
    pthread_t threads[16];
    int count = argc > 2 ? atoi(argv[1]) : 1;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, body, argv[argc - 1]);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    puts("ran to its end");
    return 0;
}
