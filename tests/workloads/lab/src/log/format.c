/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdio.h>

static const char *level_name(enum log_level level)
{
    static const char *const names[] = {"debug", "info", "warning"};
    return names[level];
}

static size_t clamp(int n, size_t size)
{
    return n < 0 ? 0 : (size_t)n >= size ? size - 1 : (size_t)n;
}

size_t log_format(char *line, size_t size, enum log_level level, const char *format, va_list args)
{
    size_t n = clamp(snprintf(line, size, "%s: ", level_name(level)), size);

    return n + clamp(vsnprintf(line + n, size - n, format, args), size - n);
}
