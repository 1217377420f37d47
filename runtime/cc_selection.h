/* SPDX-License-Identifier: MIT */
/*
 * cc_selection.h - the selection file: its head, and files found by bisection.
 */
#ifndef CALLSIGHT_CC_SELECTION_H
#define CALLSIGHT_CC_SELECTION_H

#include <sys/mman.h>

#include "cc_base.h"

#define SELECTION_MAX ((off_t)1 << 30)

struct selection {
    char *path;
    const char *files, *end; /* the lines behind "files" */
    char *root, *config, *runtime, *command;
    int64_t config_time;
    uint64_t config_size;
    struct words mirrors, excludes;
    struct timespec written;
    bool after_inlining, widen, no_inline;
    bool torn; /* a search came to a line of no file */
    uint64_t headers;
};

/* A file of the selection. */
struct entry {
    char choice; /* '+', '%', '-'; '?': not in the selection */
    int64_t time;
    uint64_t size;
    const char *functions, *end; /* lines that begin with a tab */
    char *path;
};

static const char *line_end(const char *line, const char *end)
{
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    return newline ? newline : end;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The next byte of escaped text, which *at is moved behind. */
static unsigned char unescape_byte(const char **at, const char *end)
{
    const char *p = *at;
    if (*p != '\\' || end - p < 2) {
        *at = p + 1;
        return (unsigned char)*p;
    }
    *at = p + 2;
    if (p[1] == 'n')
        return '\n';
    if (p[1] == 't')
        return '\t';
    if (p[1] == 'x' && end - p >= 4 && hex_digit(p[2]) >= 0 && hex_digit(p[3]) >= 0) {
        *at = p + 4;
        return (unsigned char)(hex_digit(p[2]) * 16 + hex_digit(p[3]));
    }
    return (unsigned char)p[1];
}

static char *unescape(const char *from, const char *end)
{
    char *out = allocate(NULL, (size_t)(end - from) + 1), *to = out;
    while (from < end)
        *to++ = (char)unescape_byte(&from, end);
    *to = '\0';
    return out;
}

/* Escaped text against a path, as strcmp. */
static int compare_escaped(const char *from, const char *end, const char *path)
{
    while (from < end) {
        unsigned char a = unescape_byte(&from, end), b = (unsigned char)*path++;
        if (a != b || b == '\0')
            return a < b ? -1 : 1;
    }
    return *path ? -1 : 0;
}

/* A number that ends with a space, which *at is moved behind. */
static bool take_number(const char **at, const char *end, uint64_t *number)
{
    const char *p = *at;
    *number = 0;
    while (p < end && *p >= '0' && *p <= '9') {
        if (*number > (UINT64_MAX - 9) / 10)
            return false;
        *number = *number * 10 + (uint64_t)(*p++ - '0');
    }
    if (p == *at || p == end || *p != ' ')
        return false;
    *at = p + 1;
    return true;
}

static bool take_time_and_size(const char **at, const char *end, int64_t *time, uint64_t *size)
{
    bool before_1970 = *at < end && **at == '-';
    *at += before_1970;
    uint64_t ns;
    if (!take_number(at, end, &ns) || !take_number(at, end, size) || ns > INT64_MAX)
        return false;
    *time = before_1970 ? -(int64_t)ns : (int64_t)ns;
    return true;
}

/* What stands behind the keyword, if the line begins with it. */
static const char *value_of(const char *line, const char *end, const char *keyword)
{
    size_t length = strlen(keyword);
    if ((size_t)(end - line) <= length || memcmp(line, keyword, length) != 0 || line[length] != ' ')
        return NULL;
    return line + length + 1;
}

static bool read_header_line(struct selection *selection, const char *line, const char *end)
{
    const char *value;
    if ((value = value_of(line, end, "root"))) {
        selection->root = unescape(value, end);
        return selection->root[0] == '/';
    }
    if ((value = value_of(line, end, "config"))) {
        if (!take_time_and_size(&value, end, &selection->config_time, &selection->config_size))
            return false;
        selection->config = unescape(value, end);
    } else if ((value = value_of(line, end, "runtime")))
        selection->runtime = unescape(value, end);
    else if ((value = value_of(line, end, "command")))
        selection->command = unescape(value, end);
    else if ((value = value_of(line, end, "mirror"))) {
        char *mirror = unescape(value, end);
        words_add(&selection->mirrors, mirror);
        char *real = realpath(mirror, NULL);
        if (real && strcmp(real, mirror) != 0)
            words_add(&selection->mirrors, real);
    } else if ((value = value_of(line, end, "hooks")))
        selection->after_inlining = is_word(value, end, "after-inlining");
    else if ((value = value_of(line, end, "functions")))
        selection->widen = is_word(value, end, "widen");
    else if ((value = value_of(line, end, "inlining")))
        selection->no_inline = is_word(value, end, "no");
    else if ((value = value_of(line, end, "headers"))) {
        selection->headers = 0;
        while (value < end && *value >= '0' && *value <= '9' && selection->headers < UINT32_MAX)
            selection->headers = selection->headers * 10 + (uint64_t)(*value++ - '0');
    } else if ((value = value_of(line, end, "exclude-func")))
        words_add(&selection->excludes, unescape(value, end));
    return true;
}

/* The number of the line that is wrong, 0 if all is well. */
static size_t read_header(struct selection *selection, const char *data, size_t size)
{
    const char *end = data + size, *line = data;
    for (size_t number = 1; line < end; number++) {
        const char *stop = line_end(line, end);
        if (stop == end)
            return number;
        if (number == 1 && !is_word(line, stop, "CALLSIGHT-SELECTION 1"))
            return number;
        if (is_word(line, stop, "files")) {
            selection->files = stop + 1;
            selection->end = end;
            return selection->root ? 0 : number;
        }
        if (number > 1 && !read_header_line(selection, line, stop))
            return number;
        line = stop + 1;
    }
    return 1;
}

/* NULL if it can't be read, with *why. */
static struct selection *selection_load(const char *path, const char **why)
{
    struct selection *selection = allocate(NULL, sizeof *selection);
    memset(selection, 0, sizeof *selection);
    selection->path = copy_part(path, strlen(path));
    selection->headers = UINT32_MAX;
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0) {
        *why = strerror(errno);
        return NULL;
    }
    *why = "it is damaged";
    if (!S_ISREG(status.st_mode) || status.st_size == 0 || status.st_size > SELECTION_MAX) {
        close(fd);
        return NULL;
    }
    size_t size = (size_t)status.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED) {
        *why = strerror(errno);
        return NULL;
    }
    selection->written = status.st_mtim;
    return read_header(selection, data, size) == 0 ? selection : NULL;
}

static const char *skip_functions(const char *line, const char *end)
{
    while (line < end && *line == '\t') {
        const char *stop = line_end(line, end);
        line = stop < end ? stop + 1 : end;
    }
    return line;
}

/* Splits a file's line; its path is from *path to *stop. */
static bool read_file_line(const char *line, const char *end, struct entry *entry,
                           const char **path, const char **stop)
{
    *stop = line_end(line, end);
    if (*stop - line < 2 || *stop == end || !line[0] || !strchr("+%-", line[0]) || line[1] != ' ')
        return false;
    entry->choice = line[0];
    *path = line + 2;
    return take_time_and_size(path, *stop, &entry->time, &entry->size);
}

/* The first line of a file from `at` on, which is moved back to the beginning of its line. */
static const char *next_file_line(const char *at, const char *low, const char *high)
{
    const char *newline = at > low ? memrchr(low, '\n', (size_t)(at - low)) : NULL;
    return skip_functions(newline ? newline + 1 : low, high);
}

/* Bisection: the file, if it is there, begins at or behind low, and before high. */
static bool selection_find(struct selection *selection, const char *path, struct entry *entry)
{
    const char *low = selection->files, *high = selection->end;
    while (low < high) {
        const char *middle = low + (high - low) / 2, *name, *stop;
        const char *line = next_file_line(middle, low, high);
        if (line == high) {
            high = middle; /* functions of a file before are all that follows */
            continue;
        }
        if (!read_file_line(line, selection->end, entry, &name, &stop)) {
            selection->torn = true;
            return false;
        }
        int order = compare_escaped(name, stop, path);
        const char *next = stop < selection->end ? stop + 1 : selection->end;
        if (order == 0) {
            entry->functions = next;
            entry->end = skip_functions(next, selection->end);
            return true;
        }
        if (order < 0)
            low = next;
        else
            high = line > middle ? middle : line;
    }
    return false;
}

/* Calls add (context, name) for each function of that choice. */
static void each_function(const struct entry *entry, char choice,
                          void (*add)(void *context, char *name), void *context)
{
    for (const char *line = entry->functions; line && line < entry->end;) {
        const char *stop = line_end(line, entry->end);
        if (stop - line > 2 && line[1] == choice)
            add(context, unescape(line + 2, stop));
        line = stop < entry->end ? stop + 1 : entry->end;
    }
}

static bool has_function(const struct entry *entry, char choice)
{
    for (const char *line = entry->functions; line && line < entry->end;) {
        const char *stop = line_end(line, entry->end);
        if (stop - line > 2 && line[1] == choice)
            return true;
        line = stop < entry->end ? stop + 1 : entry->end;
    }
    return false;
}

/* The selection's path, NULL if there is none. */
static char *selection_look_for(const char *cwd, bool *named)
{
    const char *path = getenv("CALLSIGHT_SELECTION");
    *named = path && path[0];
    if (*named)
        return path[0] == '/' ? join(path, "", "") : join(cwd, "/", path);
    char *folder = join(cwd, "", "");
    for (;;) {
        char *candidate = join(folder, "/callsight/selection", "");
        if (access(candidate, F_OK) == 0)
            return candidate;
        free(candidate);
        char *slash = strrchr(folder, '/');
        if (!slash)
            return NULL;
        *slash = '\0';
    }
}

#endif
