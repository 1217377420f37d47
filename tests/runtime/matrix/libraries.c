/* Two libraries in turn, at one address, many times within one buffer of events. */
#include "truth.h"

#include <dlfcn.h>

static volatile int sink;

static inline void inlined(void)
{
    TRUTH;
    sink++;
}

NOINLINE void called_back(void)
{
    TRUTH;
    inlined();
}

NOINLINE static void *use(const char *name)
{
    TRUTH;
    void *library = dlopen(name, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        abort();
    }
    void (*work)(int) = (void (*)(int))dlsym(library, "work");
    work(3);
    inlined();
    dlclose(library);
    return (void *)work;
}

int main(int argc, char **argv)
{
    TRUTH;
    int same = 0;
    void *last = NULL;
    for (int i = 0; i < 100 && argc > 2; i++) {
        void *address = use(argv[1 + i % (argc - 1)]);
        same += address == last;
        last = address;
        called_back();
    }
    printf("same address %d\n", same);
    return 0;
}
