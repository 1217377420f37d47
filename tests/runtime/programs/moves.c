/* Changes the current folder before the first flush. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void step(void)
{
    sink++;
}

__attribute__((no_instrument_function)) static void say(const char *word)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%s %lld\n", word, (long long)now.tv_sec * 1000000000LL + now.tv_nsec);
}

__attribute__((no_instrument_function)) int main(void)
{
    if (chdir("/") != 0)
        return 1;
    say("before");
    step();
    usleep(100000);
    step();
    say("after");
    return 0;
}
