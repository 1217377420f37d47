/* Calls in an order that is theirs alone, which the program prints: for recordings
 * that end too early. */
#include <stdio.h>

#define NOHOOK __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))

enum { EVENTS = 400000 };

static char order[EVENTS];
static int events;

NOHOOK static inline void note(char c)
{
    if (events < EVENTS)
        order[events++] = c;
}

NOINLINE static void a(void)
{
    note('a');
    note('.');
}

static inline void b(int n)
{
    note('b');
    if (n % 7 == 0)
        a();
    note('.');
}

NOINLINE static void c(int n)
{
    note('c');
    if (n % 5 == 0)
        b(n);
    if (n % 3 == 0)
        a();
    if (n % 11 == 0)
        c(n / 11 + 1);
    note('.');
}

NOHOOK int main(void)
{
    for (int i = 1; i < 40000; i++)
        c(i * 17 % 1009);
    printf("%.*s\nran to its end\n", events, order);
    return 0;
}
