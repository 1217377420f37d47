/* SPDX-License-Identifier: MIT */
/* Messages from every thread, written by one. */
#ifndef LAB_LOG_H
#define LAB_LOG_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct log;
struct task;

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING };

#define LOG_LINE 96

struct log *log_new(void);
void log_free(struct log *log);
void log_post(struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void log_close(struct log *log);
uint64_t log_posted(struct log *log);
uint64_t log_written(struct log *log);
uint64_t log_result(struct log *log);
void log_writer(struct task *task);

size_t log_format(char *line, size_t size, enum log_level level, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

#endif
