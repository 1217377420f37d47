/* Calls before main, after it, and in the destructors of a thread's data.  Each
 * place calls its own function, so that a count says what was recorded. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#define NO_HOOK __attribute__((no_instrument_function))
static __thread volatile unsigned sink;

NOINLINE void in_first_constructor(void)
{
    sink++;
}

NOINLINE void in_constructor(void)
{
    sink++;
}

NOINLINE void in_destructor(void)
{
    sink++;
}

NOINLINE void in_atexit(void)
{
    sink++;
}

NOINLINE void in_key_round(void)
{
    sink++;
}

NOINLINE void in_thread(void)
{
    sink++;
}

/* Priority 101 is the runtime's own; the linker runs equal ones in link order, so
 * this one comes before it. */
__attribute__((constructor(101))) NO_HOOK static void first(void)
{
    in_first_constructor();
}

__attribute__((constructor)) NO_HOOK static void constructor(void)
{
    in_constructor();
}

__attribute__((destructor)) NO_HOOK static void destructor(void)
{
    in_destructor();
    in_destructor();
}

NO_HOOK static void at_exit(void)
{
    in_atexit();
    in_atexit();
    in_atexit();
}

/* A key of the program's own whose destructor comes back in every round. */
static pthread_key_t key;
static __thread int rounds;

NO_HOOK static void key_destructor(void *data)
{
    in_key_round();
    if (++rounds < 4)
        pthread_setspecific(key, data);
}

NO_HOOK static void *body(void *data)
{
    pthread_setspecific(key, data);
    in_thread();
    return NULL;
}

NO_HOOK int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, key_destructor);
    atexit(at_exit);
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, NULL, body, &rounds);
        pthread_join(thread, NULL);
    }
    return 0;
}
