/* `plugins LIBRARY...`: loads each by its name as given, from the current folder,
 * calls into it, unloads it. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void step(void)
{
    sink++;
}

__attribute__((no_instrument_function)) static void flush(void)
{
    for (int i = 0; i < 5000; i++) /* more than a buffer */
        step();
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
    flush();
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW);
        if (!library) {
            printf("%s\n", dlerror());
            return 1;
        }
        void (*work)(int) = (void (*)(int))dlsym(library, "plugin_work");
        printf("work %p\n", (void *)work);
        if (i == 1 && argc > 2 && chdir("/") != 0) /* the name is relative to the old one */
            return 1;
        work(10);
        flush();
        if (argc > 2) {
            dlclose(library);
            flush();
        }
    }
    return 0;
}
