/* Plain calls: inlined and not, recursive, through pointers, before and after main. */
#include "truth.h"

static volatile int sink;

static inline int small(int x)
{
    TRUTH;
    return x + 1;
}

static inline int both(int x)
{
    TRUTH;
    return small(x) + small(x + 1);
}

NOINLINE static int fib(int n)
{
    TRUTH;
    return n < 2 ? small(n) : fib(n - 1) + fib(n - 2);
}

NOINLINE static int ping(int n);

NOINLINE static int pong(int n)
{
    TRUTH;
    return n > 0 ? ping(n - 1) : both(n);
}

NOINLINE static int ping(int n)
{
    TRUTH;
    return n > 0 ? pong(n - 1) : small(n);
}

NOINLINE static int apply(int (*function)(int), int x)
{
    TRUTH;
    return function(x);
}

static void at_exit(void)
{
    TRUTH;
    sink += small(1);
}

__attribute__((constructor)) static void before(void)
{
    TRUTH;
    sink += both(1);
}

__attribute__((destructor)) static void after(void)
{
    TRUTH;
    sink += both(2);
}

int main(void)
{
    TRUTH;
    atexit(at_exit);
    for (int i = 0; i < 20; i++) {
        sink += both(i);
        sink += fib(6);
        sink += ping(i);
        sink += apply(i % 2 ? small : fib, 3);
    }
    return 0;
}
