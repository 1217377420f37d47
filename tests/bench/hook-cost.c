/* What a hook costs beside the two things that it cannot do without.
 *
 * Bursts of bare, hook and empty calls alternate, so that a busy machine slows all
 * three; of each the median burst is taken.  A buffer holds eight bursts, so the
 * median hook burst has no flush in it and the mean has all of them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void __cyg_profile_func_enter(void *func, void *caller);
void __cyg_profile_func_exit(void *func, void *caller);

enum { BURST = 1024, ROUNDS = 801 };

static struct record {
    uint64_t ts, func, caller, word;
} records[8192];
static struct record *next = records;

#define OURS __attribute__((noinline, no_instrument_function))

/* A bare counter read and a 32-byte store. */
OURS static void bare(void *func, void *caller)
{
#if defined(__x86_64__) || defined(__i386__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    next->ts = (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(next->ts));
#endif
    next->func = (uintptr_t)func;
    next->caller = (uintptr_t)caller;
    next->word = 1;
    next = next == records + 8191 ? records : next + 1;
    __asm__ volatile("" ::: "memory");
}

OURS static void empty(void *func, void *caller)
{
    __asm__ volatile("" ::"r"(func), "r"(caller) : "memory");
}

OURS static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

OURS static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double bares[ROUNDS], hooks[ROUNDS], empties[ROUNDS];

OURS int main(void)
{
    double all = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double from = now();
        for (int i = 0; i < BURST; i++)
            bare(bares, hooks);
        double middle = now();
        bares[round] = (middle - from) / BURST;
        for (int i = 0; i < BURST / 2; i++) {
            __cyg_profile_func_enter(bares, hooks);
            __cyg_profile_func_exit(bares, hooks);
        }
        double to = now();
        hooks[round] = (to - middle) / BURST;
        all += hooks[round];
        for (int i = 0; i < BURST; i++)
            empty(bares, hooks);
        empties[round] = (now() - to) / BURST;
    }
    qsort(bares, ROUNDS, sizeof *bares, compare);
    qsort(hooks, ROUNDS, sizeof *hooks, compare);
    qsort(empties, ROUNDS, sizeof *empties, compare);
    printf("%.3f %.3f %.3f %.3f\n", bares[ROUNDS / 2], hooks[ROUNDS / 2], empties[ROUNDS / 2],
           all / ROUNDS);
    return 0;
}
