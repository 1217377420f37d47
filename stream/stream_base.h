/* SPDX-License-Identifier: MIT */
/*
 * stream_base.h - messages, the clock, and the wish to end.
 */
#ifndef CALLSIGHT_STREAM_BASE_H
#define CALLSIGHT_STREAM_BASE_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* Exit statuses, as callsight-cli's. */
#define STREAM_DONE 0
#define STREAM_NO 1    /* the other side refused, or was lost with --once */
#define STREAM_USAGE 2 /* the command, a file or the ring is wrong */

static volatile sig_atomic_t stream_stopping; /* SIGTERM or SIGINT came */

/* One line on stderr, in one write: processes share it. */
static __attribute__((format(printf, 1, 2))) void stream_say(const char *format, ...)
{
    char line[1024] = "trace_stream: ";
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    if (n > 0)
        used += (size_t)n < sizeof line - used - 1 ? (size_t)n : sizeof line - used - 2;
    line[used++] = '\n';
    if (write(STDERR_FILENO, line, used) < 0)
        return; /* there is nobody to tell */
}

/* Milliseconds that never step back. */
static int64_t stream_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t stream_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Sleeps, or until a signal comes. */
static void stream_sleep_us(int64_t us)
{
    struct timespec pause = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    nanosleep(&pause, NULL);
}

#endif
