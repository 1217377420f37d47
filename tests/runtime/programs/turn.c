/* A library with a number, NUMBER, and a name of functions, NAME: two of these have the
 * same layout.  It counts how often it was loaded and unloaded. */
#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)

extern unsigned long loads[2], unloads[2];
extern void (*at_unload)(int number);
static volatile unsigned sink;

__attribute__((noinline)) void JOIN(NAME, leaf)(void)
{
    sink++;
}

__attribute__((constructor)) static void JOIN(NAME, born)(void)
{
    __atomic_fetch_add(&loads[NUMBER], 1, __ATOMIC_RELAXED);
    JOIN(NAME, leaf)();
}

__attribute__((destructor)) static void JOIN(NAME, dies)(void)
{
    __atomic_fetch_add(&unloads[NUMBER], 1, __ATOMIC_RELAXED);
    if (at_unload)
        at_unload(NUMBER);
    JOIN(NAME, leaf)();
}

void JOIN(NAME, work)(int calls)
{
    for (int i = 0; i < calls; i++)
        JOIN(NAME, leaf)();
}
