/* How threads end: destructors of their data, pthread_exit in the midst of calls,
 * cancellation, cleanup handlers. */
#include "truth.h"

#include <pthread.h>

static volatile int sink;
static pthread_key_t key, other_key;
static pthread_barrier_t barrier;
static __thread int rounds;

static inline void inlined(void)
{
    TRUTH;
    sink++;
}

NOINLINE static void leaf(void)
{
    TRUTH;
    inlined();
}

/* Comes back in a second round. */
static void key_gone(void *data)
{
    TRUTH;
    leaf();
    if (rounds++ == 0)
        pthread_setspecific(key, data);
}

static void other_key_gone(void *data)
{
    TRUTH;
    (void)data;
    inlined();
}

/* Runs in the function that pushed it; what that had called is gone. */
static void cleanup(void *at)
{
    truth_land(*(int *)at);
    TRUTH;
    leaf();
}

static void last_cleanup(void *at)
{
    truth_land(*(int *)at);
    {
        TRUTH;
        leaf();
    }
    truth_land(0);
}

NOINLINE static void keep_data(void)
{
    TRUTH;
    pthread_setspecific(key, &rounds);
    pthread_setspecific(other_key, &rounds);
}

NOINLINE static void leave(int n)
{
    TRUTH;
    leaf();
    if (n > 0)
        leave(n - 1);
    truth_land(0);
    pthread_exit(NULL);
}

NOINLINE static void leave_cleaning(int n)
{
    TRUTH;
    int here = truth_at;
    pthread_cleanup_push(cleanup, &here);
    if (n > 0)
        leave_cleaning(n - 1);
    leaf();
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
}

NOINLINE static void wait_for_ever(int n)
{
    TRUTH;
    int here = truth_at;
    leaf();
    pthread_cleanup_push(cleanup, &here);
    if (n > 0)
        wait_for_ever(n - 1);
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
}

static void *returns(void *data)
{
    TRUTH;
    keep_data();
    (void)data;
    leaf();
    return NULL;
}

static void *exits(void *data)
{
    TRUTH;
    keep_data();
    leave((int)(long)data);
    return NULL;
}

static void *exits_cleaning(void *data)
{
    TRUTH;
    int here = truth_at;
    keep_data();
    pthread_cleanup_push(last_cleanup, &here);
    leave_cleaning((int)(long)data);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *is_cancelled(void *data)
{
    TRUTH;
    int here = truth_at;
    keep_data();
    pthread_cleanup_push(last_cleanup, &here);
    wait_for_ever((int)(long)data);
    pthread_cleanup_pop(0);
    return NULL;
}

/* A handler that is popped and run, and one that is popped only. */
NOINLINE static void pops(void)
{
    TRUTH;
    int here = truth_at;
    pthread_cleanup_push(cleanup, &here);
    leaf();
    pthread_cleanup_pop(1);
    pthread_cleanup_push(cleanup, &here);
    leaf();
    pthread_cleanup_pop(0);
}

NOHOOK static void one_thread(void *(*body)(void *), long n)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, (void *)n) != 0)
        abort();
    if (body == is_cancelled) {
        pthread_barrier_wait(&barrier);
        pthread_cancel(thread);
    }
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    TRUTH;
    const char *how = argc > 1 ? argv[1] : "";
    pthread_key_create(&key, key_gone);
    pthread_key_create(&other_key, other_key_gone);
    pthread_barrier_init(&barrier, NULL, 2);
    for (long i = 0; i < 8; i++) {
        if (strcmp(how, "return") == 0)
            one_thread(returns, i);
        else if (strcmp(how, "exit") == 0)
            one_thread(exits, i % 3);
        else if (strcmp(how, "cleanup") == 0)
            one_thread(exits_cleaning, i % 3);
        else if (strcmp(how, "cancel") == 0)
            one_thread(is_cancelled, i % 3);
        else
            abort();
        pops();
    }
    return 0;
}
