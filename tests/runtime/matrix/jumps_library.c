/* longjmp through a library's calls, and from a library. */
#include "truth.h"

#include <setjmp.h>

#include "jumper.h"

static volatile int sink;
static jmp_buf landing;

static inline void inlined(void)
{
    TRUTH;
    sink++;
}

NOINLINE static void back(void)
{
    TRUTH;
    inlined();
    longjmp(landing, 1);
}

NOINLINE static void from_library(void)
{
    TRUTH;
    inlined();
    jumper_jump(landing);
}

NOINLINE static void catcher(int n)
{
    TRUTH;
    int here = truth_at;
    if (setjmp(landing) == 0)
        jumper_call(n % 2 ? back : from_library, n % 4);
    truth_land(here);
    inlined();
}

int main(void)
{
    TRUTH;
    for (int i = 0; i < 20; i++) {
        catcher(i);
        inlined();
        jumper_call(inlined, i % 3);
    }
    return 0;
}
