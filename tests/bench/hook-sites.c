/* What a hook costs by how many sites, how deep and in how many threads it is called, beside a
 * function that is not inlined, takes the same two arguments and reads the counter.
 *
 * Usage: hook-sites SITES DEPTH THREADS EVENTS.  Each thread goes down DEPTH calls and up again,
 * of sites drawn at random beforehand.  Bursts of bare calls and of hooks alternate; of each
 * thread the burst is taken that a tenth of them are faster than: on a host where others use
 * the core as well, the median says what these did.  Prints ns an event: bare, hook, and hook as the mean of all
 * bursts, buffers being written included; then the number of events. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void __cyg_profile_func_enter(void *func, void *caller);
void __cyg_profile_func_exit(void *func, void *caller);

#define OURS __attribute__((noinline, no_instrument_function))

enum { TAPE = 1 << 16, BURST = 3000 }; /* a multiple of twice each depth */

static struct site {
    char *func, *caller;
} *sites;
static unsigned n_sites, depth;
static size_t rounds;

struct worker {
    pthread_t thread;
    uint32_t seed;
    double bare, hook, mean;
};

OURS static void bare(void *func, void *caller)
{
#if defined(__x86_64__) || defined(__i386__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : "r"(func), "r"(caller));
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks) : "r"(func), "r"(caller));
#endif
}

OURS static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

OURS static uint32_t draw(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    return *seed ^= *seed << 5;
}

OURS static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* BURST events. */
OURS static void burst(const uint32_t *tape, size_t at, void (*enter)(void *, void *),
                       void (*leave)(void *, void *))
{
    for (unsigned done = 0; done < BURST; done += 2 * depth, at += depth) {
        for (unsigned i = 0; i < depth; i++) {
            const struct site *site = &sites[tape[(at + i) % TAPE]];
            enter(site->func, site->caller);
        }
        for (unsigned i = depth; i-- > 0;) {
            const struct site *site = &sites[tape[(at + i) % TAPE]];
            leave(site->func, site->caller);
        }
    }
}

OURS static void *work(void *data)
{
    struct worker *worker = data;
    uint32_t *tape = malloc(TAPE * sizeof *tape);
    double *bares = malloc(rounds * sizeof *bares), *hooks = malloc(rounds * sizeof *hooks), all = 0;
    for (size_t i = 0; i < TAPE; i++)
        tape[i] = draw(&worker->seed) % n_sites;
    for (size_t i = 0; i < rounds; i++) {
        double from = now();
        burst(tape, i * BURST / 2, bare, bare);
        double middle = now();
        burst(tape, i * BURST / 2, __cyg_profile_func_enter, __cyg_profile_func_exit);
        double to = now();
        bares[i] = (middle - from) / BURST;
        hooks[i] = (to - middle) / BURST;
        all += hooks[i];
    }
    qsort(bares, rounds, sizeof *bares, compare);
    qsort(hooks, rounds, sizeof *hooks, compare);
    worker->bare = bares[rounds / 10];
    worker->hook = hooks[rounds / 10];
    worker->mean = all / (double)rounds;
    free(tape);
    free(bares);
    free(hooks);
    return NULL;
}

OURS int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    n_sites = (unsigned)atoi(argv[1]);
    depth = (unsigned)atoi(argv[2]);
    unsigned threads = (unsigned)atoi(argv[3]);
    rounds = (size_t)atoll(argv[4]) / BURST / threads;
    if (!n_sites || !depth || BURST % (2 * depth) || !threads || !rounds)
        return 2;
    uint32_t seed = 42;
    sites = malloc(n_sites * sizeof *sites);
    char *code = (char *)(uintptr_t)0x555555554000;
    for (unsigned i = 0; i < n_sites; i++) { /* functions of 64 bytes, called from anywhere */
        sites[i].func = code + 64 * (i / 2);
        sites[i].caller = code + 4 + draw(&seed) % (64 * n_sites);
    }
    struct worker *workers = calloc(threads, sizeof *workers);
    for (unsigned i = 0; i < threads; i++) {
        workers[i].seed = 7 + i;
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    double sums[3] = {0, 0, 0};
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        sums[0] += workers[i].bare;
        sums[1] += workers[i].hook;
        sums[2] += workers[i].mean;
    }
    printf("%.3f %.3f %.3f %zu\n", sums[0] / threads, sums[1] / threads, sums[2] / threads,
           rounds * BURST * threads);
    return 0;
}
