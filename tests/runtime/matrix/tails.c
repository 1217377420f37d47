/* Calls at the very end of functions.  The compilers keep such a call a call, since an
 * exit hook comes behind it; clang's musttail goes without, the exit hook before it. */
#include "truth.h"

static volatile int sink;

NOINLINE static int odd(int n);

NOINLINE static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}

NOINLINE static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

NOINLINE static int count(int n, int sum)
{
    return n == 0 ? sum : count(n - 1, sum + n);
}

NOINLINE static int leaf(int n)
{
    sink++;
    return n + 1;
}

NOINLINE static int through(int (*function)(int), int n)
{
    return function(n);
}

/* The calls that are known to come, put down before they are made. */
NOHOOK static void alternate(const char *first, const char *second, int n)
{
    struct truth_call calls[32];
    for (int i = 0; i <= n; i++)
        calls[i] = truth_enter(i % 2 ? second : first);
    for (int i = n; i >= 0; i--)
        truth_leave(&calls[i]);
}

#if defined(__clang__)
NOINLINE static int jump_odd(int n);

NOINLINE static int jump_even(int n)
{
    if (n == 0)
        return leaf(n);
    __attribute__((musttail)) return jump_odd(n - 1);
}

NOINLINE static int jump_odd(int n)
{
    if (n == 0)
        return leaf(n);
    __attribute__((musttail)) return jump_even(n - 1);
}

NOHOOK static void in_turn(int n)
{
    for (int i = 0; i < n; i++)
        alternate(i % 2 ? "jump_odd" : "jump_even", NULL, 0);
    alternate(n % 2 ? "jump_odd" : "jump_even", "leaf", 1);
}
#endif

int main(void)
{
    TRUTH;
    for (int i = 0; i < 20; i++) {
        alternate("even", "odd", i);
        sink += even(i);
        alternate("count", "count", i);
        sink += count(i, 0);
        alternate("through", "leaf", 1);
        sink += through(leaf, i);
#if defined(__clang__)
        in_turn(i);
        sink += jump_even(i);
#endif
    }
    return 0;
}
