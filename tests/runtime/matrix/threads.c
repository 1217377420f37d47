/* Threads: many short ones, many at once, and ones that outlive main. */
#include "truth.h"

#include <pthread.h>
#include <sys/syscall.h>

enum { SHORT = 300, TOGETHER = 512 };

static volatile int sink;
static pthread_barrier_t barrier;
static long last_tid;

static inline void inlined(void)
{
    TRUTH;
    sink = sink + 1;
}

NOINLINE static void leaf(void)
{
    TRUTH;
    inlined();
}

static void *short_body(void *data)
{
    TRUTH;
    char name[16];
    long i = (long)data;
    last_tid = syscall(SYS_gettid);
    snprintf(name, sizeof name, "short-%ld", i);
    pthread_setname_np(pthread_self(), name);
    printf("thread %ld %s\n", last_tid, name);
    for (long n = 0; n < i % 5; n++)
        leaf();
    return NULL;
}

static void *other_body(void *data)
{
    TRUTH;
    (void)data;
    inlined();
    return NULL;
}

static void *together_body(void *data)
{
    TRUTH;
    pthread_barrier_wait(&barrier);
    for (long n = 0; n <= (long)data % 7; n++)
        leaf();
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void *outliving_body(void *data)
{
    TRUTH;
    if (data)
        pthread_join(*(pthread_t *)data, NULL);
    pthread_barrier_wait(&barrier);
    leaf();
    return NULL;
}

NOHOOK static pthread_t start(void *(*body)(void *), void *data)
{
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 128 << 10);
    if (pthread_create(&thread, &attr, body, data) != 0)
        abort();
    return thread;
}

/* Where one may choose, the next thread gets the id of the one before. */
NOHOOK static void again(void)
{
    static int fd = -2;
    char text[32];
    int n = snprintf(text, sizeof text, "%ld", last_tid - 1);
    if (fd == -2)
        fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && pwrite(fd, text, (size_t)n, 0) != n)
        fd = -1;
}

NOINLINE static void churn(void)
{
    TRUTH;
    for (long i = 0; i < SHORT; i++) {
        pthread_join(start(short_body, (void *)i), NULL);
        if (i % 3 == 0) {
            again();
            pthread_join(start(other_body, NULL), NULL);
        }
    }
}

NOINLINE static void together(void)
{
    TRUTH;
    static pthread_t threads[TOGETHER];
    pthread_barrier_init(&barrier, NULL, TOGETHER);
    for (long i = 0; i < TOGETHER; i++)
        threads[i] = start(together_body, (void *)i);
    for (int i = 0; i < TOGETHER; i++)
        pthread_join(threads[i], NULL);
}

NOINLINE static void leave_main(void)
{
    TRUTH;
    static pthread_t self;
    self = pthread_self();
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 4; i++)
        start(outliving_body, i ? NULL : &self);
    leaf();
    truth_land(0);
    pthread_exit(NULL);
}

int main(int argc, char **argv)
{
    TRUTH;
    const char *how = argc > 1 ? argv[1] : "";
    leaf();
    if (strcmp(how, "churn") == 0)
        churn();
    else if (strcmp(how, "together") == 0)
        together();
    else if (strcmp(how, "outlive") == 0)
        leave_main();
    return 0;
}
