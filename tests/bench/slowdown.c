/* A function of a given length, called many times: what recording its calls costs.
 *
 * slowdown ROUNDS CALLS: for each of four lengths the least time of ROUNDS rounds of CALLS
 * calls, ns a call. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define OURS __attribute__((no_instrument_function))
#define APART __attribute__((noinline))

static uint64_t state = 1;

/* Steps of about 1.3 ns each: a chain of multiplications and additions. */
OURS static inline __attribute__((always_inline)) void steps(int n)
{
    uint64_t x = state;
    for (int i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x)); /* no step is folded into another */
    }
    state = x;
}

APART static void work_1(void) { steps(1); }
APART static void work_12(void) { steps(12); }
APART static void work_50(void) { steps(50); }
APART static void work_230(void) { steps(230); }

OURS static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

OURS static double measure(void (*work)(void), int rounds, int calls)
{
    double least = 1e18;
    for (int round = 0; round < rounds; round++) {
        double from = now();
        for (int i = 0; i < calls; i++)
            work();
        double took = (now() - from) / calls;
        if (took < least)
            least = took;
    }
    return least;
}

OURS int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int rounds = atoi(argv[1]), calls = atoi(argv[2]);
    void (*const works[])(void) = {work_1, work_12, work_50, work_230};
    for (int i = 0; i < 4; i++)
        printf("%.3f ", measure(works[i], rounds, calls));
    printf("\n");
    return state == 0;
}
