/* Signal handlers: in each other, on other stacks below and above the thread's, and
 * left by siglongjmp. */
#include "truth.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static volatile int sink;
static sigjmp_buf landing;
static volatile int jump;

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

NOINLINE static void in_handler(void)
{
    TRUTH;
    leaf();
    if (jump)
        siglongjmp(landing, 1);
}

static void on_term(int signal)
{
    TRUTH;
    (void)signal;
    in_handler();
}

static void on_usr2(int signal)
{
    TRUTH;
    (void)signal;
    leaf();
    raise(SIGTERM);
    leaf();
}

static void on_usr1(int signal)
{
    TRUTH;
    (void)signal;
    raise(SIGUSR2);
    leaf();
}

NOINLINE static void interrupted(int n)
{
    TRUTH;
    if (n > 0)
        interrupted(n - 1);
    else
        raise(SIGUSR1);
    leaf();
}

NOINLINE static void rounds(void)
{
    TRUTH;
    for (int i = 0; i < 20; i++) {
        interrupted(i % 4);
        leaf();
    }
}

NOINLINE static void jumps(void)
{
    TRUTH;
    int here = truth_at;
    for (volatile int i = 0; i < 20; i++) {
        if (sigsetjmp(landing, 1) == 0)
            interrupted(i % 4);
        truth_land(here);
        leaf();
    }
}

static void (*body)(void);

NOHOOK static void *on_thread(void *stack)
{
    stack_t other = {.ss_sp = stack, .ss_size = 256 << 10};
    if (sigaltstack(&other, NULL) != 0)
        abort();
    body();
    other.ss_flags = SS_DISABLE;
    sigaltstack(&other, NULL);
    return NULL;
}

/* Threads whose handlers run on a stack below and above their own. */
NOHOOK static void on_stacks(void)
{
    size_t size = 256 << 10;
    for (int above = 0; above < 2; above++) {
        char *area =
            mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        pthread_attr_t attr;
        pthread_t thread;
        pthread_attr_init(&attr);
        if (area == MAP_FAILED ||
            pthread_attr_setstack(&attr, area + (above ? 0 : size), size) != 0 ||
            pthread_create(&thread, &attr, on_thread, area + (above ? size : 0)) != 0)
            abort();
        pthread_join(thread, NULL);
    }
}

NOHOOK static void handle(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signal, &action, NULL);
}

int main(int argc, char **argv)
{
    TRUTH;
    const char *how = argc > 1 ? argv[1] : "";
    int flags = strstr(how, "stacks") ? SA_ONSTACK : 0;
    handle(SIGUSR1, on_usr1, flags);
    handle(SIGUSR2, on_usr2, flags);
    handle(SIGTERM, on_term, flags);
    jump = strstr(how, "jump") != NULL;
    body = jump ? jumps : rounds;
    if (flags)
        on_stacks();
    else
        body();
    leaf();
    return 0;
}
