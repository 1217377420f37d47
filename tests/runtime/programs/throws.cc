/* Exceptions that pass a function and are caught in a loop; thrower() is inlined where the
 * optimiser runs. */
static volatile int sink;

static inline int thrower(int n)
{
    sink = n;
    if (n % 2)
        throw n;
    return n;
}

__attribute__((noinline)) static int middle(int n)
{
    int got = thrower(n);
    sink = got;
    return got;
}

__attribute__((noinline)) static void after(int n) { sink = n; }

__attribute__((noinline)) static void catcher(int n)
{
    for (int i = 0; i < n; i++) {
        try {
            middle(i);
        } catch (int caught) {
            after(caught);
        }
    }
}

__attribute__((no_instrument_function)) int main()
{
    catcher(10);
}
