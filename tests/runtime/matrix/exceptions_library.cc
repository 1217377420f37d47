// Exceptions out of a library, through it, and caught in it.  The functions have C's
// names, which __func__ and the report agree about.
#include "truth.h"

#include "thrower.h"

static volatile int sink;

extern "C" {
inline void inlined()
{
    TRUTH;
    sink = sink + 1;
}

NOINLINE void throw_from_program()
{
    TRUTH;
    inlined();
    throw Oops{1};
}

NOINLINE void throw_from_library()
{
    TRUTH;
    library_throw(2);
}

NOINLINE void catcher(int n)
{
    TRUTH;
    try {
        library_call(n % 2 ? throw_from_program : throw_from_library, n % 3);
    } catch (Oops &) {
        inlined();
    }
    library_catch(n % 2 ? throw_from_library : throw_from_program);
    inlined();
}
}

int main()
{
    TRUTH;
    for (int i = 0; i < 12; i++) {
        catcher(i);
        inlined();
    }
    return 0;
}
