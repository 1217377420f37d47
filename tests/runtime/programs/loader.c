/* Flushes where the loader's locks are held: in a library's constructor, and in a
 * callback of dl_iterate_phdr while other threads flush and load. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_HOOK __attribute__((no_instrument_function))
static __thread volatile unsigned sink;
static const char *library;

__attribute__((noinline)) void step(void)
{
    sink++;
}

NO_HOOK static void times(int n)
{
    for (int i = 0; i < n; i++)
        step();
}

NO_HOOK static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)info, (void)size, (void)data;
    times(5000);
    return 1;
}

NO_HOOK static void *walker(void *data)
{
    for (int i = 0; i < 10; i++)
        dl_iterate_phdr(visit, NULL);
    return data;
}

NO_HOOK static void *loads(void *data)
{
    for (int i = 0; i < 10; i++) {
        void *handle = dlopen(library, RTLD_NOW);
        if (!handle)
            abort();
        times(5000);
        dlclose(handle);
    }
    return data;
}

NO_HOOK int main(int argc, char **argv)
{
    pthread_t threads[4];
    library = argv[argc - 1];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i % 2 ? walker : loads, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("done\n");
    return 0;
}
