/* A library that knows its name: of one layout, whatever that is. */
#include "truth.h"

#define JOIN(a, b) a##_##b
#define NAME(prefix, name) JOIN(prefix, name)
#define STEP NAME(LIBRARY, step)
#define INLINED NAME(LIBRARY, inlined)
#define WORK NAME(LIBRARY, work)

void called_back(void);
static volatile int sink;

static inline void INLINED(void)
{
    TRUTH;
    sink++;
}

NOINLINE static void STEP(int n)
{
    TRUTH;
    if (n > 0)
        STEP(n - 1);
    else
        called_back();
    INLINED();
}

NOINLINE static void WORK(int n)
{
    TRUTH;
    for (int i = 0; i < n; i++)
        STEP(i);
}

/* The name that both have is no hooked function's. */
__attribute__((visibility("default"))) NOHOOK void work(int n)
{
    WORK(n);
}

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void NAME(LIBRARY, loaded)(void)
{
    TRUTH;
    STEP(1);
}

__attribute__((destructor)) static void NAME(LIBRARY, unloaded)(void)
{
    TRUTH;
    INLINED();
}
#endif
