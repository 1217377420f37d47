/* longjmp: out of several calls, in a loop, by each of its names, from inlined
 * functions, past a nearer landing. */
#include "truth.h"

#include <setjmp.h>
#include <signal.h>

static volatile int sink;
static jmp_buf landing, outer_landing;
static sigjmp_buf signal_landing;
static void (*jump)(void);

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

NOHOOK static void by_longjmp(void)
{
    longjmp(landing, 1);
}

NOHOOK static void by__longjmp(void)
{
    _longjmp(landing, 1);
}

NOHOOK static void by_siglongjmp(void)
{
    siglongjmp(signal_landing, 1);
}

static void on_signal(int signal)
{
    TRUTH;
    (void)signal;
    leaf();
    siglongjmp(signal_landing, 1);
}

NOHOOK static void by_handler(void)
{
    raise(SIGUSR1);
}

NOINLINE static void deeper(int n)
{
    TRUTH;
    leaf();
    if (n > 0)
        deeper(n - 1);
    else
        jump();
    leaf();
}

static inline void inlined_jumper(int n)
{
    TRUTH;
    leaf();
    if (n % 3)
        jump();
    leaf();
}

static inline void inlined_around(int n)
{
    TRUTH;
    inlined_jumper(n);
    inlined();
}

NOINLINE static void catcher(int n)
{
    TRUTH;
    int here = truth_at;
    if (setjmp(landing) == 0) {
        deeper(n);
    } else {
        truth_land(here);
        leaf();
    }
    leaf();
}

NOINLINE static void plain_catcher(int n)
{
    TRUTH;
    int here = truth_at;
    if (_setjmp(landing) == 0)
        deeper(n);
    truth_land(here);
    leaf();
}

NOINLINE static void signal_catcher(int n)
{
    TRUTH;
    int here = truth_at;
    if (sigsetjmp(signal_landing, 1) == 0)
        deeper(n);
    truth_land(here);
    leaf();
}

/* The calls that end lie in the frame of the function they land in. */
NOINLINE static void inlined_catcher(int n)
{
    TRUTH;
    int here = truth_at;
    if (setjmp(landing) == 0)
        inlined_around(n);
    truth_land(here);
    inlined();
    leaf();
}

/* Lands many times in one call, in a loop. */
NOINLINE static void loop_catcher(void)
{
    TRUTH;
    int here = truth_at;
    volatile int n = 0;
    setjmp(landing);
    truth_land(here);
    leaf();
    if (n < 8) {
        n = n + 1;
        if (n % 2)
            deeper(n);
        else
            inlined_around(n + n % 3 + 1);
    }
}

NOHOOK static void past(void)
{
    longjmp(outer_landing, 1);
}

NOINLINE static void nearer(int n)
{
    TRUTH;
    int here = truth_at;
    if (setjmp(landing) == 0) {
        jump = by_longjmp;
        deeper(n);
    }
    truth_land(here);
    jump = past;
    deeper(n);
}

NOINLINE static void outer_catcher(int n)
{
    TRUTH;
    int here = truth_at;
    if (setjmp(outer_landing) == 0)
        nearer(n);
    truth_land(here);
    leaf();
}

int main(int argc, char **argv)
{
    TRUTH;
    const char *how = argc > 1 ? argv[1] : "";
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 20; i++) {
        jump = by_longjmp;
        if (strcmp(how, "longjmp") == 0) {
            catcher(i % 6);
            loop_catcher();
            outer_catcher(i % 5);
        } else if (strcmp(how, "_longjmp") == 0) {
            jump = by__longjmp;
            plain_catcher(i % 6);
        } else if (strcmp(how, "siglongjmp") == 0) {
            jump = i % 2 ? by_siglongjmp : by_handler;
            signal_catcher(i % 6);
        } else if (strcmp(how, "inlined") == 0) {
            inlined_catcher(i);
        } else {
            abort();
        }
        leaf();
    }
    return 0;
}
