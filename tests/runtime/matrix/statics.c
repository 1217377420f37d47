/* Constructors and destructors by priority, and exit handlers among them. */
#include "truth.h"

static volatile int sink;

static inline void inlined(void)
{
    TRUTH;
    sink++;
}

NOINLINE static void leaf(void)
{
    TRUTH;
    inlined();
}

static void registered_early(void)
{
    TRUTH;
    leaf();
}

static void registered_late(void)
{
    TRUTH;
    leaf();
    atexit(registered_early);
}

__attribute__((constructor(101))) static void very_first(void)
{
    TRUTH;
    leaf();
}

__attribute__((constructor(200))) static void first(void)
{
    TRUTH;
    atexit(registered_early);
    leaf();
}

__attribute__((constructor)) static void second(void)
{
    TRUTH;
    inlined();
}

__attribute__((destructor)) static void first_gone(void)
{
    TRUTH;
    leaf();
}

__attribute__((destructor(200))) static void last_gone(void)
{
    TRUTH;
    inlined();
    leaf();
}

NOINLINE static void end(void)
{
    TRUTH;
    exit(0);
}

int main(int argc, char **argv)
{
    TRUTH;
    (void)argv;
    atexit(registered_late);
    leaf();
    if (argc > 1)
        end();
    return 0;
}
