#include "jumper.h"
#include "truth.h"

static volatile int jumper_sink;

static inline void jumper_inlined(void)
{
    TRUTH;
    jumper_sink++;
}

NOINLINE void jumper_call(void (*function)(void), int depth)
{
    TRUTH;
    jumper_inlined();
    if (depth > 0)
        jumper_call(function, depth - 1);
    else
        function();
    jumper_inlined();
}

NOINLINE void jumper_jump(jmp_buf landing)
{
    TRUTH;
    jumper_inlined();
    longjmp(landing, 1);
}
