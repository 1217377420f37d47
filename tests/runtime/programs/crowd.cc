/* A loop that catches what an inlined function's callee throws: crowd N. */
#include <cstdlib>

#define APART __attribute__((noinline))

static volatile int sink;

APART static void thrower(int n)
{
    sink = n;
    throw n;
}

static inline __attribute__((always_inline)) void inlined(int n)
{
    sink = n;
    thrower(n);
    sink = n + 1;
}

APART static void leaf(int n) { sink = n; }

APART static void server(long n)
{
    for (long i = 0; i < n; i++) {
        try {
            inlined(1);
        } catch (int caught) {
            sink = caught;
        }
    }
    leaf(2);
    thrower(5); /* leaves this function with all that it has left open */
}

APART static void outer(long n)
{
    try {
        server(n);
    } catch (int caught) {
        sink = caught;
    }
    leaf(6);
}

APART static void later()
{
    try {
        thrower(3);
    } catch (int caught) {
        sink = caught;
    }
    leaf(4);
}

__attribute__((no_instrument_function)) int main(int, char **argv)
{
    outer(std::strtol(argv[1], nullptr, 10));
    later();
}
