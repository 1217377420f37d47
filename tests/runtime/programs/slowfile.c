/* Forks while a thread writes to the process file, on a disk that is slow: `slowfile LIBRARY`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
static volatile unsigned sink;
static volatile int slow, writes;

__attribute__((noinline)) void step(void)
{
    sink++;
}

/* The runtime's too. */
NO_HOOK ssize_t write(int fd, const void *data, size_t size)
{
    if (slow && size > 7 && memcmp(data, "module ", 7) == 0) {
        writes = 1;
        usleep(300000);
    }
    return syscall(SYS_write, fd, data, size);
}

NO_HOOK static void *load(void *name)
{
    void *library = dlopen(name, RTLD_NOW);
    if (library)
        dlclose(dlopen(name, RTLD_NOW)); /* which looks at what is loaded */
    return library;
}

NO_HOOK int main(int argc, char **argv)
{
    pthread_t thread;
    step();
    slow = 1;
    pthread_create(&thread, NULL, load, argv[argc - 1]);
    while (!writes)
        usleep(1000);
    pid_t child = fork();
    slow = 0;
    step();
    if (child == 0)
        return 0;
    pthread_join(thread, NULL);
    waitpid(child, NULL, 0);
    printf("child %d\n", (int)child);
    return 0;
}
