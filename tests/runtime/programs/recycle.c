/* Two threads, one after the other, with the same id: the second is created after
 * the kernel was told which id comes next. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef LOOPS
#define LOOPS 0
#endif

static volatile unsigned sink;
static long ids[2];

__attribute__((noinline)) static void step(void)
{
    sink++;
}

__attribute__((noinline)) static void *body(void *data)
{
    long which = (long)data;
    pthread_setname_np(pthread_self(), which ? "second" : "first");
    ids[which] = syscall(SYS_gettid);
    for (long i = 0; i < LOOPS + 3 + which; i++)
        step();
    return NULL;
}

__attribute__((no_instrument_function)) int main(void)
{
    for (int attempt = 0; attempt < 1; attempt++) {
        pthread_t thread;
        pthread_create(&thread, NULL, body, (void *)0L);
        pthread_join(thread, NULL);
        char text[32];
        int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);
        snprintf(text, sizeof text, "%ld", ids[0] - 1);
        if (fd < 0 || write(fd, text, strlen(text)) < 0) {
            printf("unable\n");
            return 0;
        }
        pthread_create(&thread, NULL, body, (void *)1L);
        pthread_join(thread, NULL);
        if (ids[0] != ids[1])
            printf("unable\n");
        else
            printf("twice %ld\n", ids[0]);
    }
    return 0;
}
