/* `ends HOW`: threads that still run, and the ways in which a process ends. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
static __thread volatile unsigned sink;
static pthread_barrier_t begun;
static pthread_t main_thread;

__attribute__((noinline)) void step(void)
{
    sink++;
}

__attribute__((noinline)) void last_step(void)
{
    sink++;
}

/* Calls for ever, in pairs. */
NO_HOOK static void *spin(void *data)
{
    for (int i = 0; i < 100; i++)
        step();
    pthread_barrier_wait(&begun);
    for (;;)
        step();
    return data;
}

/* Has called and now waits. */
NO_HOOK static void *sleeper(void *data)
{
    for (int i = 0; i < 100; i++)
        step();
    pthread_barrier_wait(&begun);
    for (;;)
        pause();
    return data;
}

NO_HOOK static void *exiter(void *data)
{
    pthread_join(main_thread, NULL);
    last_step();
    if (strcmp(data, "thread-exit") == 0)
        exit(0);
    return NULL;
}

/* Is cancelled in the middle of calls that flush. */
NO_HOOK static void *cancelled(void *data)
{
    for (int i = 0; i < 100; i++)
        step();
    pthread_barrier_wait(&begun);
    for (;;) {
        for (int i = 0; i < 20000; i++)
            step();
        pthread_testcancel();
    }
    return data;
}

NO_HOOK int main(int argc, char **argv)
{
    const char *how = argv[1];
    pthread_t thread[4];
    main_thread = pthread_self();
    (void)argc;
    pthread_barrier_init(&begun, NULL, 3);
    printf("pid %d\n", (int)getpid());
    fflush(stdout);
    step();
    if (strcmp(how, "running") == 0) {
        pthread_create(&thread[0], NULL, spin, NULL);
        pthread_create(&thread[1], NULL, sleeper, NULL);
        pthread_barrier_wait(&begun);
        last_step();
        return 0;
    }
    if (strcmp(how, "quick") == 0) {
        last_step();
        quick_exit(0);
    }
    if (strcmp(how, "cancel") == 0) {
        pthread_create(&thread[0], NULL, cancelled, NULL);
        pthread_create(&thread[1], NULL, cancelled, NULL);
        pthread_barrier_wait(&begun);
        usleep(20000);
        pthread_cancel(thread[0]);
        pthread_cancel(thread[1]);
        pthread_join(thread[0], NULL);
        pthread_join(thread[1], NULL);
        last_step();
        return 0;
    }
    /* main-exits-last-thread, thread-exit */
    pthread_create(&thread[0], NULL, exiter, argv[1]);
    pthread_exit(NULL);
}
