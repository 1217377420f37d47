/* SPDX-License-Identifier: MIT */
/*
 * trace_config.h - the TRACE_* environment, read once when recording starts.
 *
 * A value that makes no sense costs one line on stderr and the default is
 * used.  In setuid and setgid programs all of it is ignored: whoever starts
 * such a program must not choose where it writes.
 */
#ifndef CALLSIGHT_TRACE_CONFIG_H
#define CALLSIGHT_TRACE_CONFIG_H

#include <limits.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "trace_base.h"

#define TRACE_DEFAULT_SEGMENT_BYTES ((uint64_t)32 << 20)
#define TRACE_MIN_SEGMENT_BYTES ((uint64_t)4 << 10)
#define TRACE_DEFAULT_MAX_BYTES ((uint64_t)512 << 20)
#define TRACE_LEAST_MAX_BYTES ((uint64_t)64 << 10)
#define TRACE_DEFAULT_MIN_FREE ((uint64_t)64 << 20)
#define TRACE_DEFAULT_RING_BYTES ((uint64_t)16 << 20)
#define TRACE_LEAST_RING_BYTES ((uint64_t)64 << 10)
#define TRACE_MOST_RING_BYTES ((uint64_t)4095 << 20) /* its capacity is a u32 */
/* Bytes of a ring's name: NAME_MAX less what is put behind it. */
#define TRACE_SHM_MOST 200u

enum trace_clock_choice { TRACE_CLOCK_AUTO, TRACE_CLOCK_MONO, TRACE_CLOCK_RAW, TRACE_CLOCK_TSC };

struct trace_config {
    char dir[PATH_MAX];     /* absolute, without a trailing slash */
    char threads[1024];     /* comma-separated globs of thread names; "" records all */
    uint64_t segment_bytes; /* a file never grows beyond this */
    uint64_t max_bytes;     /* of all event files of the process; 0: no bound */
    uint64_t min_free;      /* bytes that stay free on the file system; 0: not asked */
    bool wrap;              /* at max_bytes the oldest segments go */
    bool tail;              /* buffers are files */
    bool summary;           /* totals by function, no events */
    bool packed;            /* events as 16-bit words */
    uint64_t max_events;    /* enters and exits of the whole process; 0: no cap */
    enum trace_clock_choice clock;
    bool armed;             /* begins switched off */
    int signal;             /* each one switches; 0: none */
    char control[PATH_MAX]; /* a file that says whether to record; "": none */
    int dir_error;          /* why `dir` is not absolute */
    uint64_t shm_bytes;     /* of the ring, whose name follows, without a slash; "": files */
    char shm[TRACE_SHM_MOST + 1];
};

/* Whether `value` says on: 1, yes, true, on. */
TRACE_FN bool trace_config_is_on(const char *value)
{
    static const char *const words[] = {"1", "yes", "true", "on", "YES", "TRUE", "ON"};
    for (size_t i = 0; value && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0)
            return true;
    }
    return false;
}

/* Whether `value` says off. */
TRACE_FN bool trace_config_is_off(const char *value)
{
    static const char *const words[] = {"0", "no", "false", "off", "NO", "FALSE", "OFF"};
    for (size_t i = 0; value && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0)
            return true;
    }
    return false;
}

/* Reads a positive decimal number of `unit`s with an optional suffix K, M or G
 * that replaces the unit.  Returns false, `*number` untouched, for anything else. */
TRACE_FN bool trace_config_number(const char *text, uint64_t unit, uint64_t *number)
{
    uint64_t value = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (p == text)
        return false;
    switch (*p) {
    case 'k':
    case 'K':
        unit = (uint64_t)1 << 10, p++;
        break;
    case 'm':
    case 'M':
        unit = (uint64_t)1 << 20, p++;
        break;
    case 'g':
    case 'G':
        unit = (uint64_t)1 << 30, p++;
        break;
    default:
        break;
    }
    if (*p || value > UINT64_MAX / unit)
        return false;
    *number = value * unit;
    return true;
}

/* Matches one character class; `*pattern` stands behind the '[' and is moved
 * behind the ']'.  A class without an end matches a literal '['. */
TRACE_FN bool trace_glob_class(const char **pattern, const char *end, char c)
{
    const char *p = *pattern;
    bool negated = p < end && (*p == '!' || *p == '^');
    bool found = false;
    if (negated)
        p++;
    const char *first = p;
    for (; p < end && (*p != ']' || p == first); p++) {
        unsigned char low = (unsigned char)*p, high = low;
        if (p + 2 < end && p[1] == '-' && p[2] != ']') {
            high = (unsigned char)p[2];
            p += 2;
        }
        if ((unsigned char)c >= low && (unsigned char)c <= high)
            found = true;
    }
    if (p >= end)
        return c == '[';
    *pattern = p + 1;
    return found != negated;
}

/* Whether `name` matches the glob that runs from `pattern` to `end`: * ? [...]. */
TRACE_FN bool trace_glob(const char *pattern, const char *end, const char *name)
{
    const char *star = NULL, *retry = NULL; /* behind the last '*', and what it has not eaten */
    for (;;) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            retry = name;
            continue;
        }
        if (*name == '\0' && pattern == end)
            return true;
        bool same = false;
        if (*name != '\0' && pattern < end) {
            const char *next = pattern + 1;
            if (*pattern == '?')
                same = true;
            else if (*pattern == '[')
                same = trace_glob_class(&next, end, *name);
            else
                same = *pattern == *name;
            if (same)
                pattern = next;
        }
        if (same) {
            name++;
        } else if (star && *retry != '\0') {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
}

/* Whether a thread of this name is to be recorded. */
TRACE_FN bool trace_config_wants(const struct trace_config *config, const char *name)
{
    const char *p = config->threads;
    if (!*p)
        return true;
    while (*p) {
        const char *end = strchr(p, ',');
        if (!end)
            end = p + strlen(p);
        const char *from = p, *to = end;
        while (from < to && *from == ' ')
            from++;
        while (to > from && to[-1] == ' ')
            to--;
        if (from < to && trace_glob(from, to, name))
            return true;
        p = *end ? end + 1 : end;
    }
    return false;
}

/* Makes `path` absolute in `out` (PATH_MAX bytes).  False: too long, or there is
 * no current folder; errno says which. */
TRACE_FN bool trace_config_absolute(const char *path, char *out)
{
    size_t used = 0;
    if (path[0] != '/') {
        if (!getcwd(out, PATH_MAX))
            return false;
        used = strlen(out);
        if (used && out[used - 1] != '/' && used + 1 < PATH_MAX)
            out[used++] = '/';
        while (path[0] == '.' && path[1] == '/')
            path += 2;
    }
    size_t length = strlen(path);
    if (used + length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out + used, path, length + 1);
    used += length;
    while (used > 1 && out[used - 1] == '/')
        out[--used] = '\0';
    return true;
}

/* Creates the folder and those above it, 0700.  False: errno says why. */
TRACE_FN bool trace_config_make_dir(char *path)
{
    for (char *p = path + 1;; p++) {
        char c = *p;
        if (c != '/' && c != '\0')
            continue;
        *p = '\0';
        struct stat info;
        bool there = mkdir(path, 0700) == 0;
        if (!there) {
            /* A folder above may be readable only; that it is there is enough. */
            int error = errno;
            there = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
            errno = error == EEXIST && !there ? ENOTDIR : error;
        }
        *p = c;
        if (!there)
            return false;
        if (c == '\0')
            return true;
    }
}

TRACE_FN void trace_config_read_number(const char *name, uint64_t unit, uint64_t *number)
{
    const char *text = getenv(name);
    if (text && *text && !trace_config_number(text, unit, number))
        trace_note("%s=%.64s is not a number; using the default", name, text);
}

/* The number of a signal: USR2, SIGUSR2, RTMIN+3, 12.  0: no such signal; -1: one that
 * cannot be a switch, since it can't be caught or says that the program is broken. */
TRACE_FN int trace_config_signal(const char *text)
{
    static const struct {
        const char *name;
        int number;
    } names[] = {{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP},   {"INT", SIGINT},
                 {"QUIT", SIGQUIT}, {"ALRM", SIGALRM}, {"TERM", SIGTERM}, {"CHLD", SIGCHLD},
                 {"CONT", SIGCONT}, {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN}, {"TTOU", SIGTTOU},
                 {"URG", SIGURG},   {"IO", SIGIO},     {"PROF", SIGPROF}, {"VTALRM", SIGVTALRM},
                 {"PWR", SIGPWR},   {"PIPE", SIGPIPE}, {"XCPU", SIGXCPU}, {"WINCH", SIGWINCH},
                 {"KILL", SIGKILL}, {"STOP", SIGSTOP}, {"SEGV", SIGSEGV}, {"BUS", SIGBUS},
                 {"FPE", SIGFPE},   {"ILL", SIGILL},   {"ABRT", SIGABRT}, {"TRAP", SIGTRAP},
                 {"SYS", SIGSYS},   {"XFSZ", SIGXFSZ}};
    static const int unfit[] = {SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE,
                                SIGILL,  SIGABRT, SIGTRAP, SIGSYS, SIGXFSZ};
    uint64_t number = 0, more = 0;
    if (strncasecmp(text, "SIG", 3) == 0)
        text += 3;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(text, names[i].name) == 0)
            number = (uint64_t)names[i].number;
    }
    bool from_max = strncasecmp(text, "RTMAX", 5) == 0;
    if (from_max || strncasecmp(text, "RTMIN", 5) == 0) {
        if (text[5] && (text[5] != (from_max ? '-' : '+') ||
                        !trace_config_number(text + 6, 1, &more) || more > 64))
            return 0;
        number = from_max ? (uint64_t)SIGRTMAX - more : (uint64_t)SIGRTMIN + more;
        if (number < (uint64_t)SIGRTMIN)
            return 0;
    } else if (!number && !trace_config_number(text, 1, &number)) {
        return 0;
    }
    for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++) {
        if (number == (uint64_t)unfit[i])
            return -1;
    }
    return number <= (uint64_t)SIGRTMAX ? (int)number : 0;
}

/* Reads what switches recording off and on. */
TRACE_FN void trace_config_read_switches(struct trace_config *config)
{
    const char *text = getenv("TRACE_SIGNAL");
    config->signal = text && *text ? trace_config_signal(text) : 0;
    if (config->signal < 0)
        trace_note("TRACE_SIGNAL=%.64s cannot be a switch: it is never caught, or it tells of a "
                   "fault; take USR2",
                   text);
    else if (text && *text && !config->signal)
        trace_note("TRACE_SIGNAL=%.64s is no signal (USR2, RTMIN+3, 12)", text);
    if (config->signal < 0)
        config->signal = 0;

    text = getenv("TRACE_CONTROL");
    config->control[0] = '\0';
    if (text && *text && !trace_config_absolute(text, config->control)) {
        trace_note("TRACE_CONTROL=%.512s cannot be watched: %s", text, strerror(errno));
        config->control[0] = '\0';
    }
}

/* Reads what says that events go to a ring. */
TRACE_FN void trace_config_read_ring(struct trace_config *config)
{
    const char *text = getenv("TRACE_SHM"), *name = text;
    config->shm[0] = '\0';
    config->shm_bytes = TRACE_DEFAULT_RING_BYTES;
    if (!text || !*text)
        return;
    if (*name == '/')
        name++;
    if (!*name || strlen(name) > TRACE_SHM_MOST || strchr(name, '/') || strcmp(name, ".") == 0 ||
        strcmp(name, "..") == 0) {
        trace_note("TRACE_SHM=%.64s is no name of a ring (/callsight0); recording to files", text);
        return;
    }
    if (config->summary) {
        trace_note("a summary is not for a ring: it is written to files, whatever TRACE_SHM says");
        return;
    }
    trace_config_read_number("TRACE_SHM_SIZE", 1, &config->shm_bytes);
    if (config->shm_bytes < TRACE_LEAST_RING_BYTES || config->shm_bytes > TRACE_MOST_RING_BYTES) {
        trace_note("TRACE_SHM_SIZE is too %s (64K to 4095M); recording to files",
                   config->shm_bytes < TRACE_LEAST_RING_BYTES ? "small" : "large");
        return;
    }
    strcpy(config->shm, name);
}

/* Creates the trace folder.  False: it has been said why not. */
TRACE_FN bool trace_config_make_folder(struct trace_config *config)
{
    errno = config->dir_error;
    if (!config->dir_error && trace_config_make_dir(config->dir))
        return true;
    trace_note("cannot create the trace folder %.512s: %s; nothing is recorded "
               "(set TRACE_DIR to a folder you may write to)",
               config->dir, strerror(errno));
    return false;
}

/* Fills `config` from the environment.  False: recording is off, or there is
 * nowhere to record to, which has then been said. */
TRACE_FN bool trace_config_read(struct trace_config *config)
{
    const char *enable = getenv("TRACE_ENABLE");
    config->armed = trace_config_is_off(enable);
    if (getauxval(AT_SECURE) || (!config->armed && !trace_config_is_on(enable)))
        return false;
    trace_config_read_switches(config);
    if (config->armed && !config->signal && !config->control[0])
        return false;

    config->segment_bytes = TRACE_DEFAULT_SEGMENT_BYTES;
    trace_config_read_number("TRACE_SEG_MB", (uint64_t)1 << 20, &config->segment_bytes);
    if (config->segment_bytes < TRACE_MIN_SEGMENT_BYTES) {
        trace_note("TRACE_SEG_MB is too small; using segments of %u KiB",
                   (unsigned)(TRACE_MIN_SEGMENT_BYTES >> 10));
        config->segment_bytes = TRACE_MIN_SEGMENT_BYTES;
    }
    config->max_bytes = TRACE_DEFAULT_MAX_BYTES;
    trace_config_read_number("TRACE_MAX_MB", (uint64_t)1 << 20, &config->max_bytes);
    if (config->max_bytes && config->max_bytes < TRACE_LEAST_MAX_BYTES) {
        trace_note("TRACE_MAX_MB is too small; using %u KiB",
                   (unsigned)(TRACE_LEAST_MAX_BYTES >> 10));
        config->max_bytes = TRACE_LEAST_MAX_BYTES;
    }
    config->min_free = TRACE_DEFAULT_MIN_FREE;
    trace_config_read_number("TRACE_MIN_FREE_MB", (uint64_t)1 << 20, &config->min_free);
    const char *full = getenv("TRACE_FULL");
    config->wrap = full && strcmp(full, "wrap") == 0;
    if (full && *full && !config->wrap && strcmp(full, "stop") != 0)
        trace_note("TRACE_FULL=%.64s is unknown (stop, wrap); using stop", full);

    config->tail = !trace_config_is_off(getenv("TRACE_TAIL"));

    const char *mode = getenv("TRACE_MODE");
    config->summary = mode && strcmp(mode, "summary") == 0;
    if (mode && *mode && !config->summary && strcmp(mode, "events") != 0)
        trace_note("TRACE_MODE=%.64s is unknown (events, summary); using events", mode);

    const char *format = getenv("TRACE_FORMAT");
    config->packed = format && strcmp(format, "packed") == 0 && !config->summary;
    if (format && *format && strcmp(format, "packed") != 0 && strcmp(format, "records") != 0)
        trace_note("TRACE_FORMAT=%.64s is unknown (records, packed); using records", format);

    config->max_events = 0;
    trace_config_read_number("TRACE_MAX", 1, &config->max_events);

    const char *clock = getenv("TRACE_CLOCK");
    config->clock = TRACE_CLOCK_AUTO;
    if (clock && strcmp(clock, "mono") == 0)
        config->clock = TRACE_CLOCK_MONO;
    else if (clock && strcmp(clock, "raw") == 0)
        config->clock = TRACE_CLOCK_RAW;
    else if (clock && strcmp(clock, "tsc") == 0)
        config->clock = TRACE_CLOCK_TSC;
    else if (clock && *clock && strcmp(clock, "auto") != 0)
        trace_note("TRACE_CLOCK=%.64s is unknown (auto, mono, raw, tsc); using auto", clock);

    const char *threads = getenv("TRACE_THREADS");
    config->threads[0] = '\0';
    if (threads && strlen(threads) < sizeof config->threads)
        strcpy(config->threads, threads);
    else if (threads)
        trace_note("TRACE_THREADS is longer than %zu bytes; recording all threads",
                   sizeof config->threads - 1);

    const char *dir = getenv("TRACE_DIR");
    if (!dir || !*dir)
        dir = "traces";
    config->dir_error = trace_config_absolute(dir, config->dir) ? 0 : errno;
    if (config->dir_error)
        snprintf(config->dir, sizeof config->dir, "%s", dir);
    trace_config_read_ring(config);
    return config->shm[0] || trace_config_make_folder(config);
}

#endif
