/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/lab.h"
#include "hash/hash.h"
#include "timing/timer.h"
#include "util/array.h"

#define LINES 32
#define LINES_PER_FLUSH 16

struct message {
    char line[LOG_LINE];
    size_t n;
};

struct log {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct message messages[LINES];
    unsigned first;
    unsigned n;
    bool closed;
    uint64_t posted;
    uint64_t written;
    uint64_t result;
};

struct log *log_new(void)
{
    struct log *log = array_new(1, sizeof *log);

    pthread_mutex_init(&log->lock, NULL);
    pthread_cond_init(&log->changed, NULL);
    return log;
}

void log_free(struct log *log)
{
    pthread_mutex_destroy(&log->lock);
    pthread_cond_destroy(&log->changed);
    free(log);
}

static void push(struct log *log, const struct message *message)
{
    pthread_mutex_lock(&log->lock);
    while (log->n == LINES)
        pthread_cond_wait(&log->changed, &log->lock);
    log->messages[(log->first + log->n++) % LINES] = *message;
    log->posted++;
    pthread_cond_broadcast(&log->changed);
    pthread_mutex_unlock(&log->lock);
}

/* Waits for a message; false when the log is closed and empty. */
static bool pop(struct log *log, struct message *message)
{
    bool got = false;

    pthread_mutex_lock(&log->lock);
    while (log->n == 0 && !log->closed)
        pthread_cond_wait(&log->changed, &log->lock);
    if (log->n > 0) {
        *message = log->messages[log->first];
        log->first = (log->first + 1) % LINES;
        log->n--;
        got = true;
        pthread_cond_broadcast(&log->changed);
    }
    pthread_mutex_unlock(&log->lock);
    return got;
}

void log_post(struct log *log, enum log_level level, const char *format, ...)
{
    struct message message;
    va_list args;

    va_start(args, format);
    message.n = log_format(message.line, sizeof message.line, level, format, args);
    va_end(args);
    push(log, &message);
}

void log_close(struct log *log)
{
    pthread_mutex_lock(&log->lock);
    log->closed = true;
    pthread_cond_broadcast(&log->changed);
    pthread_mutex_unlock(&log->lock);
}

uint64_t log_posted(struct log *log)
{
    return log->posted;
}

uint64_t log_written(struct log *log)
{
    return log->written;
}

/* Does not depend on the order of the messages. */
uint64_t log_result(struct log *log)
{
    return log->result;
}

static void write_line(struct log *log, const struct message *message)
{
    log->result += fnv1a(message->line, message->n);
    log->written++;
}

/* Stands for the disk. */
static void flush(void)
{
    timer_sleep_us(300);
}

void log_writer(struct task *task)
{
    struct log *log = task->lab->log;
    struct message message;

    while (pop(log, &message)) {
        write_line(log, &message);
        if (log->written % LINES_PER_FLUSH == 0)
            flush();
    }
}
