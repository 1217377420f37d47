/* SPDX-License-Identifier: MIT */
/*
 * trace_base.h - what every part of the runtime shares.
 *
 * The trace_*.h files are the parts of one translation unit, trace.c, so that
 * a project adds the runtime with one compile line.  Their order:
 *
 *   trace.h          the layout of an event file (public)
 *   trace_base.h     attributes, messages, locks that survive signals
 *   trace_config.h   the TRACE_* environment
 *   trace_clock.h    ticks, anchors, the tick rate
 *   trace_process.h  the process file
 *   trace_maps.h     the loaded objects as the kernel knows them
 *   trace_modules.h  the list of loaded objects
 *   trace_space.h    the budget of bytes, and what is discarded to keep it
 *   trace_open.h     the calls that are open
 *   trace_pack.h     events packed into 16-bit words
 *   trace_context.h  stacks that a program switches between
 *   trace_thread.h   a thread's buffer, its name, the shared budget of events
 *   trace_tail.h     the buffer as a file that outlives a kill
 *   trace_file.h     segments: from a buffer to a file
 *   trace_shm.h      the ring in shared memory, where events go there
 *   trace_summary.h  totals by function instead of events
 *   trace_table.h    these as files
 *   trace_state.h    the state of a capture, and what is told of it
 *   trace_sums.h     a summary in the slow path
 *   trace_run.h      a buffer's way through the slow path; how a thread begins and ends
 *   trace_control.h  recording switched off and on while the program runs
 *   trace_hook.h     the fast path
 *   trace_life.h     start, fork and exit
 *   trace_dlclose.h  the moments before and after a library goes
 *   trace_flow.h     exceptions, longjmp and switches of the stack
 *   trace.c          the hooks and the slow path's door
 *
 * Every function carries no_instrument_function, so that the hooks stay out of
 * the runtime even where a project's flags reach trace.c.
 */
#ifndef CALLSIGHT_TRACE_BASE_H
#define CALLSIGHT_TRACE_BASE_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "trace.h"

#define TRACE_NO_HOOK __attribute__((no_instrument_function))
#define TRACE_FN static TRACE_NO_HOOK
#define TRACE_INLINE static inline __attribute__((no_instrument_function, always_inline))
#define TRACE_COLD __attribute__((no_instrument_function, noinline, cold))
#define TRACE_LIKELY(x) __builtin_expect(!!(x), 1)
#define TRACE_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Keeps the compiler, not the processor, from moving accesses: what a signal
 * handler of the same thread sees is in program order. */
#define TRACE_SIGNAL_FENCE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Weak: before glibc 2.34 it is in libdl, which a program need not link, and a static
 * program has it only where it loads libraries. */
#pragma weak dlsym

/* The definition of a function of libc that this one's own stands before, in the
 * executable or in a preloaded library.  NULL: there is none, as in a static program.
 * It takes the loader's lock, so its callers keep what it returned. */
TRACE_FN __attribute__((noinline)) void *trace_next_symbol(const char *name)
{
    void *found = dlsym ? dlsym(RTLD_NEXT, name) : NULL;
    /* Not a tail call: "next" is seen from the caller's address. */
    __asm__ volatile("" : "+r"(found));
    return found;
}

/* Tells the person who runs the program one thing, in one line on stderr.
 * Never allocates; safe wherever the slow path may be. */
TRACE_FN __attribute__((format(printf, 1, 2))) void trace_note(const char *format, ...)
{
    char line[1024] = "callsight: ";
    size_t used = strlen(line);
    va_list args;
    va_start(args, format);
    int more = vsnprintf(line + used, sizeof line - used - 1, format, args);
    va_end(args);
    if (more < 0)
        return;
    used += (size_t)more;
    if (used > sizeof line - 2)
        used = sizeof line - 2;
    line[used++] = '\n';
    ssize_t unused = write(STDERR_FILENO, line, used);
    (void)unused;
}

/* What the slow path suspends while it works: signals (so that no handler's
 * hook meets a half-done flush, and locks are never taken twice), cancellation
 * (write() is a cancellation point, a hook must not become one), and errno. */
struct trace_quiet {
    sigset_t signals;
    int cancel;
    int error;
};

TRACE_FN void trace_quiet_begin(struct trace_quiet *quiet)
{
    quiet->error = errno;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &quiet->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &quiet->cancel);
}

TRACE_FN void trace_quiet_end(const struct trace_quiet *quiet)
{
    int unused;
    pthread_setcancelstate(quiet->cancel, &unused);
    pthread_sigmask(SIG_SETMASK, &quiet->signals, NULL);
    errno = quiet->error;
}

/* A write beyond RLIMIT_FSIZE raised SIGXFSZ, which is blocked here: takes it
 * back, so that it does not kill a program that wrote nothing itself. */
TRACE_FN void trace_take_back_sigxfsz(void)
{
    sigset_t set;
    struct timespec at_once = {0, 0};
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    while (sigtimedwait(&set, NULL, &at_once) < 0 && errno == EINTR)
        continue;
}

TRACE_FN uint64_t trace_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

TRACE_FN size_t trace_page_size(void)
{
    long size = sysconf(_SC_PAGESIZE);
    return size > 0 ? (size_t)size : 4096;
}

#endif
