/* SPDX-License-Identifier: MIT */
/*
 * counted FILE: two threads call first and second until they are killed; how many calls
 * have returned stands in FILE, a u64 each, whatever the end is.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile uint64_t *counts;

__attribute__((noinline)) static void first(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void second(void)
{
    __asm__ volatile("");
}

static void *run_first(void *unused)
{
    (void)unused;
    for (;;) {
        first();
        counts[0]++;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

    if (fd < 0 || ftruncate(fd, 4096) != 0)
        return 1;
    counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (counts == MAP_FAILED || pthread_create(&thread, NULL, run_first, NULL) != 0)
        return 1;
    for (;;) {
        second();
        counts[1]++;
    }
}
