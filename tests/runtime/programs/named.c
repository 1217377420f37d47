/* Threads that take their names late, and some that change them: `named`.
 * Each prints its tid; it calls once under the name that it was born with. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
static volatile unsigned sink;

__attribute__((noinline)) void early(void)
{
    sink++;
}

__attribute__((noinline)) void step(void)
{
    sink++;
}

NO_HOOK static void called(const char *name, int calls)
{
    pthread_setname_np(pthread_self(), name);
    for (int i = 0; i < calls; i++)
        step();
}

NO_HOOK static void *body(void *data)
{
    const char *name = data;
    printf("%s %ld\n", name, (long)syscall(SYS_gettid));
    early();
    if (name[0] == 'l') { /* late: a buffer full of calls before its name */
        for (int i = 0; i < 10000; i++)
            early();
    }
    called(name, 5000);
    if (name[0] == 'c') { /* changes to a name that nobody asked for, and back */
        called("elsewhere", 20000);
        called(name, 20000);
    }
    return NULL;
}

NO_HOOK int main(void)
{
    static const char *const names[] = {"work-1", "work-2", "other", "late", "change", "io[3]"};
    for (int i = 0; i < 6; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, body, (void *)names[i]);
        pthread_join(thread, NULL);
    }
    return 0;
}
