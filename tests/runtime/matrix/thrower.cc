#include "thrower.h"

#include "truth.h"

static volatile int sink;

extern "C" {
inline void library_inlined()
{
    TRUTH;
    sink = sink + 1;
}

NOINLINE void library_call(void (*function)(), int depth)
{
    TRUTH;
    library_inlined();
    if (depth > 0)
        library_call(function, depth - 1);
    else
        function();
    library_inlined();
}

NOINLINE void library_throw(int depth)
{
    TRUTH;
    library_inlined();
    if (depth > 0)
        library_throw(depth - 1);
    throw Oops{depth};
}

NOINLINE void library_catch(void (*function)())
{
    TRUTH;
    try {
        library_call(function, 1);
    } catch (Oops &) {
        library_inlined();
    }
    library_inlined();
}
}
