/* SPDX-License-Identifier: MIT */
/*
 * callsight-cc.c - the compiler launcher: adds hooks to the functions that a
 * selection file chooses, and the runtime to the programs that hold hooks.
 *
 *   cc -std=c11 -O2 -o callsight-cc callsight-cc.c
 *   CC="callsight-cc gcc" make
 *   cmake -DCMAKE_C_COMPILER_LAUNCHER=callsight-cc -DCMAKE_C_LINKER_LAUNCHER=callsight-cc ...
 *
 * One file, because it is copied into projects and compiled there alone; libc and
 * POSIX, nothing else.  The selection (docs/formats.md, "Selection") is written by
 * callsight-cli; here it is only looked up.
 *
 * What it does.  A command that compiles nothing of the project, and every command
 * where there is no selection, is executed as it came, byte for byte.  Otherwise the
 * options for a source go in front of the command's own, and so does the runtime's
 * object at a link.  The process becomes the compiler by exec, except where several
 * sources of one command need different options.
 *
 * gcc has lists of functions and files that get no hooks, and matches their entries
 * against any part of a function's name and of a file's path as that compile spells
 * it.  So the includes of a unit are followed here, by gcc's rules and only through
 * files of the project, to know the spellings.  An entry that is part of something
 * chosen is never used.  clang has no such lists: it hooks whole units.
 *
 * The order of this file: texts and lists, messages, the selection, files and places,
 * the command line, the compiler, a refresh, the includes of a unit, options for gcc,
 * options for clang, hooks in objects, the runtime, running, the log, main.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include <ctype.h>
#include <dirent.h>
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
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CALLSIGHT_VERSION
#define CALLSIGHT_VERSION "0.1.0"
#endif

/* Options that are added stay below this: gcc hands all of them on in one string, for
 * which the kernel allows 128 KiB. */
#define OPTIONS_MAX (120 * 1024)
#define HEADERS_MAX 20000
#define HEADER_BYTES_MAX (64u << 20)
#define INCLUDE_DEPTH_MAX 200 /* as gcc's */
#define SPELLINGS_MAX 16      /* of one file whose includes are followed */
#define MISSES_MAX 4
#define FOLDER_MAX 10000
#define RESPONSE_DEPTH_MAX 16
#define RESPONSE_WORDS_MAX 1000000
#define SELECTION_MAX ((off_t)1 << 30)

/* --- texts and lists --------------------------------------------------------
 * What is allocated is never freed: the process becomes another one soon. */

struct text {
    char *data; /* with a NUL behind it */
    size_t length, room;
};

struct words {
    char **at; /* with a NULL behind the last */
    size_t count, room;
};

/* A set of strings, each with a number. */
struct set {
    char **keys;
    size_t *values;
    size_t count, room;
};

static _Noreturn void die(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void *allocate(void *old, size_t bytes)
{
    void *block = realloc(old, bytes ? bytes : 1);
    if (!block)
        die(1, "out of memory");
    return block;
}

static void text_add(struct text *text, const char *bytes, size_t length)
{
    if (text->length + length + 1 > text->room) {
        text->room = (text->length + length + 1) * 2;
        text->data = allocate(text->data, text->room);
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

static void text_put(struct text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

static char *copy_part(const char *bytes, size_t length)
{
    char *copy = allocate(NULL, length + 1);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

static char *join(const char *a, const char *b, const char *c)
{
    size_t la = strlen(a), lb = strlen(b), lc = strlen(c);
    char *joined = allocate(NULL, la + lb + lc + 1);
    memcpy(joined, a, la);
    memcpy(joined + la, b, lb);
    memcpy(joined + la + lb, c, lc + 1);
    return joined;
}

static void words_add(struct words *words, const char *word)
{
    if (words->count + 2 > words->room) {
        words->room = words->room * 2 + 16;
        words->at = allocate(words->at, words->room * sizeof *words->at);
    }
    words->at[words->count++] = (char *)(uintptr_t)word;
    words->at[words->count] = NULL;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_word(uint64_t hash, const char *word)
{
    return hash_bytes(hash, word, strlen(word) + 1);
}

#define HASH_START 0xCBF29CE484222325u

static size_t set_place(const struct set *set, const char *key)
{
    size_t place = hash_word(HASH_START, key) & (set->room - 1);
    while (set->keys[place] && strcmp(set->keys[place], key) != 0)
        place = (place + 1) & (set->room - 1);
    return place;
}

static size_t *set_find(const struct set *set, const char *key)
{
    if (set->room == 0)
        return NULL;
    size_t place = set_place(set, key);
    return set->keys[place] ? &set->values[place] : NULL;
}

/* The key stays the caller's and must not change. */
static void set_add(struct set *set, const char *key, size_t value)
{
    if (set->count * 2 >= set->room) {
        struct set larger = {.room = set->room ? set->room * 2 : 64};
        larger.keys = allocate(NULL, larger.room * sizeof *larger.keys);
        memset(larger.keys, 0, larger.room * sizeof *larger.keys);
        larger.values = allocate(NULL, larger.room * sizeof *larger.values);
        for (size_t i = 0; i < set->room; i++)
            if (set->keys[i])
                set_add(&larger, set->keys[i], set->values[i]);
        free(set->keys);
        free(set->values);
        *set = larger;
    }
    size_t place = set_place(set, key);
    if (!set->keys[place]) {
        set->keys[place] = (char *)(uintptr_t)key;
        set->count++;
    }
    set->values[place] = value;
}

static bool starts(const char *string, const char *beginning)
{
    return strncmp(string, beginning, strlen(beginning)) == 0;
}

static bool ends(const char *string, const char *ending)
{
    size_t length = strlen(string), wanted = strlen(ending);
    return length >= wanted && strcmp(string + length - wanted, ending) == 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder's part of a path with its last '/', "" if it has none. */
static char *folder_part(const char *path)
{
    return copy_part(path, (size_t)(base_name(path) - path));
}

/* --- messages --------------------------------------------------------------- */

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell_list(const char *format, va_list list) __attribute__((format(printf, 1, 0)));

/* One line in one write, so that those of parallel jobs don't mix. */
static void tell_list(const char *format, va_list list)
{
    char line[4096] = "callsight-cc: ";
    size_t start = strlen(line);
    int length = vsnprintf(line + start, sizeof line - start - 1, format, list);
    size_t used = start + (length > 0 ? (size_t)length : 0);
    if (used > sizeof line - 2)
        used = sizeof line - 2;
    for (size_t i = start; i < used; i++)
        if (iscntrl((unsigned char)line[i]))
            line[i] = '?';
    line[used++] = '\n';
    if (write(STDERR_FILENO, line, used) < 0)
        return;
}

static void tell(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell_list(format, list);
    va_end(list);
}

static void die(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell_list(format, list);
    va_end(list);
    exit(status);
}

/* --- the selection ---------------------------------------------------------- */

struct selection {
    char *path;
    const char *files, *end; /* the lines behind "files" */
    char *root, *config, *runtime, *command;
    int64_t config_time;
    uint64_t config_size;
    struct words mirrors, excludes;
    struct timespec written;
    bool after_inlining, widen, no_inline;
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

static bool is_word(const char *value, const char *end, const char *word)
{
    return (size_t)(end - value) == strlen(word) && memcmp(value, word, strlen(word)) == 0;
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
    if (*stop - line < 2 || !strchr("+%-", line[0]) || line[1] != ' ')
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
static bool selection_find(const struct selection *selection, const char *path, struct entry *entry)
{
    const char *low = selection->files, *high = selection->end;
    while (low < high) {
        const char *middle = low + (high - low) / 2, *name, *stop;
        const char *line = next_file_line(middle, low, high);
        if (line == high) {
            high = middle; /* functions of a file before are all that follows */
            continue;
        }
        if (!read_file_line(line, selection->end, entry, &name, &stop))
            return false;
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

/* --- files and places ------------------------------------------------------- */

/* The command's surroundings. */
struct world {
    char *cwd;
    struct selection *selection;
    struct set folders;    /* a folder as spelled → index of its real path */
    struct words resolved; /* NULL never: "" if there is no such folder */
};

static char *absolute(const struct world *world, const char *path)
{
    return path[0] == '/' ? join(path, "", "") : join(world->cwd, "/", path);
}

/* Takes out "//", "/./" and "/x/.." of an absolute path, whatever links lie there. */
static char *normalise(char *path)
{
    char *to = path;
    for (const char *from = path; *from;) {
        while (*from == '/')
            from++;
        size_t length = strcspn(from, "/");
        if (length == 2 && from[0] == '.' && from[1] == '.') {
            while (to > path && *--to != '/')
                continue;
        } else if (length > 0 && !(length == 1 && from[0] == '.')) {
            *to++ = '/';
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    if (to == path)
        *to++ = '/';
    *to = '\0';
    return path;
}

static const char *behind(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (strncmp(path, folder, length) != 0)
        return NULL;
    if (length == 1 && folder[0] == '/')
        return path + 1;
    return path[length] == '/' ? path + length + 1 : path[length] == '\0' ? path + length : NULL;
}

/* A folder's path without links, NULL if there is none.  Only the part behind what is known to
 * have none, the working directory or the root, is looked at. */
static char *resolve_folder(const struct world *world, const char *folder)
{
    const char *rest = folder[0] == '/' ? behind(folder, world->selection->root) : folder;
    char unused[2];
    if (!rest)
        return realpath(folder, NULL);
    const char *base = folder[0] == '/' ? world->selection->root : world->cwd;
    struct text path = {0};
    text_put(&path, base);
    for (size_t length; *rest; rest += length) {
        rest += strspn(rest, "/");
        length = strcspn(rest, "/");
        if (length == 0 || (length == 1 && rest[0] == '.'))
            continue;
        if (length == 2 && rest[0] == '.' && rest[1] == '.') {
            path.length = (size_t)(base_name(path.data) - path.data);
            path.length -= path.length > 1;
            path.data[path.length] = '\0';
            continue;
        }
        if (!ends(path.data, "/"))
            text_put(&path, "/");
        text_add(&path, rest, length);
        if (readlink(path.data, unused, sizeof unused) >= 0)
            return realpath(folder, NULL);
        if (errno != EINVAL)
            return NULL;
    }
    return path.data;
}

/* The same, remembered; "" if there is no such folder.  "" as folder is the working directory. */
static const char *real_folder(struct world *world, const char *folder)
{
    size_t *known = set_find(&world->folders, folder);
    if (known)
        return world->resolved.at[*known];
    const char *real = resolve_folder(world, folder);
    set_add(&world->folders, join(folder, "", ""), world->resolved.count);
    words_add(&world->resolved, real ? real : "");
    return real ? real : "";
}

/* The part of an absolute path behind the root, or behind a copy of it; NULL: outside. */
static const char *in_root(const struct selection *selection, const char *path)
{
    for (size_t i = 0; i < selection->mirrors.count; i++) {
        const char *rest = behind(path, selection->mirrors.at[i]);
        if (rest)
            return rest;
    }
    return behind(path, selection->root);
}

/* Looks a file up by its spelling.  False: it lies outside the root. */
static bool place_file(struct world *world, const char *spelling, struct entry *entry)
{
    const struct selection *selection = world->selection;
    memset(entry, 0, sizeof *entry);
    const char *real = real_folder(world, folder_part(spelling));
    const char *rest = NULL;
    bool inside = false;
    if (real[0]) {
        char *path = join(strcmp(real, "/") == 0 ? "" : real, "/", base_name(spelling));
        rest = in_root(selection, path);
        inside = rest != NULL;
        if (rest && selection_find(selection, rest, entry)) {
            entry->path = path + (rest - path);
            return true;
        }
    }
    char unused[2];
    bool link = readlink(spelling, unused, sizeof unused) >= 0;
    char *others[] = {normalise(absolute(world, spelling)), link ? realpath(spelling, NULL) : NULL};
    for (size_t i = 0; i < 2; i++) {
        rest = others[i] ? in_root(selection, others[i]) : NULL;
        inside = inside || rest;
        if (rest && selection_find(selection, rest, entry)) {
            entry->path = others[i] + (rest - others[i]);
            return true;
        }
    }
    memset(entry, 0, sizeof *entry);
    entry->choice = '?';
    return inside;
}

static bool same_file(const struct stat *status, int64_t time, uint64_t size)
{
    return (uint64_t)status->st_size == size &&
           (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec == time;
}

/* --- the command line ------------------------------------------------------- */

enum option {
    OPTION_OTHER,
    OPTION_INPUT,
    OPTION_STOP, /* nothing is compiled to code: -E, -M, --version … */
    OPTION_COMPILE,
    OPTION_ASSEMBLE,
    OPTION_OUTPUT,
    OPTION_LANGUAGE,
    OPTION_BRACKET, /* -I */
    OPTION_QUOTE,
    OPTION_SYSTEM,
    OPTION_AFTER,
    OPTION_FORCED, /* -include */
    OPTION_PREFIX,
    OPTION_WITH_PREFIX,
    OPTION_WITH_PREFIX_BEFORE,
    OPTION_SYSROOT,
    OPTION_DEFINE,
    OPTION_TARGET, /* for the runtime, too */
    OPTION_DEPENDENCIES,
    OPTION_DEPENDENCY_FILE,
    OPTION_DEPENDENCY_TARGET,
    OPTION_LIBRARY_FOLDER,
    OPTION_LIBRARY,
    OPTION_LINKER_WORDS, /* -Wl,a,b */
    OPTION_LINKER_WORD,
    OPTION_LINKING, /* of no meaning where nothing is linked */
    OPTION_SHARED,
    OPTION_RELOCATABLE,
    OPTION_NO_START,
};

enum form {
    ALONE = 1,
    JOINED = 2,   /* the value follows in the same word */
    SEPARATE = 4, /* it is the next word */
    EITHER = JOINED | SEPARATE,
    FOLLOWED = 8, /* the next word belongs to it, whatever is joined */
};

/* Of two that fit, the first is taken. */
static const struct option_form {
    const char *name;
    enum option option;
    unsigned forms;
} option_forms[] = {
    {"-c", OPTION_COMPILE, ALONE},
    {"--compile", OPTION_COMPILE, ALONE},
    {"-S", OPTION_ASSEMBLE, ALONE},
    {"--assemble", OPTION_ASSEMBLE, ALONE},
    {"-E", OPTION_STOP, ALONE},
    {"--preprocess", OPTION_STOP, ALONE},
    {"-M", OPTION_STOP, ALONE},
    {"-MM", OPTION_STOP, ALONE},
    {"--dependencies", OPTION_STOP, ALONE},
    {"--user-dependencies", OPTION_STOP, ALONE},
    {"-fsyntax-only", OPTION_STOP, ALONE},
    {"-###", OPTION_STOP, ALONE},
    {"--version", OPTION_STOP, ALONE},
    {"--help", OPTION_STOP, ALONE | JOINED},
    {"--target-help", OPTION_STOP, ALONE},
    {"-dumpversion", OPTION_STOP, ALONE},
    {"-dumpfullversion", OPTION_STOP, ALONE},
    {"-dumpmachine", OPTION_STOP, ALONE},
    {"-dumpspecs", OPTION_STOP, ALONE},
    {"-print-", OPTION_STOP, JOINED},
    {"--print-", OPTION_STOP, JOINED},
    {"--precompile", OPTION_STOP, ALONE},
    {"--analyze", OPTION_STOP, ALONE},
    {"-objcmt-", OPTION_OTHER, JOINED},
    {"-o", OPTION_OUTPUT, EITHER},
    {"--output=", OPTION_OUTPUT, JOINED},
    {"--output", OPTION_OUTPUT, SEPARATE},
    {"-x", OPTION_LANGUAGE, EITHER},
    {"--language=", OPTION_LANGUAGE, JOINED},
    {"--language", OPTION_LANGUAGE, SEPARATE},
    {"-I", OPTION_BRACKET, EITHER},
    {"--include-directory=", OPTION_BRACKET, JOINED},
    {"--include-directory", OPTION_BRACKET, SEPARATE},
    {"-iquote", OPTION_QUOTE, EITHER},
    {"-isystem", OPTION_SYSTEM, EITHER},
    {"-cxx-isystem", OPTION_SYSTEM, EITHER},
    {"-idirafter", OPTION_AFTER, EITHER},
    {"--include-directory-after=", OPTION_AFTER, JOINED},
    {"-include-pch", OPTION_OTHER, SEPARATE},
    {"-include", OPTION_FORCED, EITHER},
    {"--include=", OPTION_FORCED, JOINED},
    {"--include", OPTION_FORCED, SEPARATE},
    {"-imacros", OPTION_OTHER, EITHER},
    {"--imacros", OPTION_OTHER, SEPARATE},
    {"-iprefix", OPTION_PREFIX, EITHER},
    {"-iwithprefixbefore", OPTION_WITH_PREFIX_BEFORE, EITHER},
    {"-iwithprefix", OPTION_WITH_PREFIX, EITHER},
    {"-isysroot", OPTION_SYSROOT, EITHER},
    {"--sysroot=", OPTION_SYSROOT, JOINED},
    {"--sysroot", OPTION_SYSROOT, SEPARATE},
    {"-imultilib", OPTION_OTHER, EITHER},
    {"-imultiarch", OPTION_OTHER, EITHER},
    {"-iframework", OPTION_OTHER, EITHER},
    {"-ivfsoverlay", OPTION_OTHER, SEPARATE},
    {"-D", OPTION_DEFINE, EITHER},
    {"--define-macro", OPTION_OTHER, SEPARATE},
    {"-U", OPTION_OTHER, EITHER},
    {"--undefine-macro", OPTION_OTHER, SEPARATE},
    {"-A", OPTION_OTHER, EITHER},
    {"--assert", OPTION_OTHER, SEPARATE},
    {"-MD", OPTION_DEPENDENCIES, ALONE},
    {"-MMD", OPTION_DEPENDENCIES, ALONE},
    {"--write-dependencies", OPTION_DEPENDENCIES, ALONE},
    {"--write-user-dependencies", OPTION_DEPENDENCIES, ALONE},
    {"-MF", OPTION_DEPENDENCY_FILE, EITHER},
    {"-MT", OPTION_DEPENDENCY_TARGET, EITHER},
    {"-MQ", OPTION_DEPENDENCY_TARGET, EITHER},
    {"-MJ", OPTION_OTHER, EITHER},
    {"-Xlinker", OPTION_LINKER_WORD, SEPARATE},
    {"--for-linker", OPTION_LINKER_WORD, SEPARATE},
    {"-Xassembler", OPTION_OTHER, SEPARATE},
    {"--for-assembler", OPTION_OTHER, SEPARATE},
    {"-Xpreprocessor", OPTION_OTHER, SEPARATE},
    {"-Xclang", OPTION_OTHER, SEPARATE},
    {"-Xanalyzer", OPTION_OTHER, SEPARATE},
    {"-Xopenmp-target", OPTION_OTHER, SEPARATE},
    {"-Xarch_", OPTION_OTHER, JOINED | FOLLOWED},
    {"-mllvm", OPTION_OTHER, SEPARATE},
    {"--param", OPTION_OTHER, SEPARATE},
    {"-wrapper", OPTION_OTHER, SEPARATE},
    {"-aux-info", OPTION_OTHER, SEPARATE},
    {"-dumpbase-ext", OPTION_OTHER, SEPARATE},
    {"-dumpbase", OPTION_OTHER, SEPARATE},
    {"-dumpdir", OPTION_OTHER, SEPARATE},
    {"-serialize-diagnostics", OPTION_OTHER, SEPARATE},
    {"--serialize-diagnostics", OPTION_OTHER, SEPARATE},
    {"-index-store-path", OPTION_OTHER, SEPARATE},
    {"-working-directory", OPTION_OTHER, SEPARATE},
    {"-framework", OPTION_LINKING, SEPARATE},
    {"-F", OPTION_OTHER, EITHER},
    {"-target", OPTION_TARGET, SEPARATE},
    {"--target=", OPTION_TARGET, JOINED},
    {"--target", OPTION_TARGET, SEPARATE},
    {"-arch", OPTION_TARGET, SEPARATE},
    {"-gcc-toolchain", OPTION_TARGET, SEPARATE},
    {"--gcc-toolchain=", OPTION_TARGET, JOINED},
    {"-specs=", OPTION_TARGET, JOINED},
    {"--specs=", OPTION_TARGET, JOINED},
    {"-specs", OPTION_TARGET, SEPARATE},
    {"--specs", OPTION_TARGET, SEPARATE},
    {"-B", OPTION_TARGET, EITHER},
    {"-mfloat-abi=", OPTION_TARGET, JOINED},
    {"-m", OPTION_TARGET, JOINED},
    {"-l", OPTION_LIBRARY, EITHER},
    {"-L", OPTION_LIBRARY_FOLDER, EITHER},
    {"--library-directory", OPTION_LIBRARY_FOLDER, SEPARATE},
    {"-Wl,", OPTION_LINKER_WORDS, JOINED},
    {"-z", OPTION_LINKING, EITHER},
    {"-undef", OPTION_OTHER, ALONE},
    {"-u", OPTION_LINKING, EITHER},
    {"-e", OPTION_LINKING, SEPARATE},
    {"--entry=", OPTION_LINKING, JOINED},
    {"--entry", OPTION_LINKING, SEPARATE},
    {"-h", OPTION_LINKING, SEPARATE},
    {"-Tdata", OPTION_LINKING, SEPARATE},
    {"-Ttext", OPTION_LINKING, SEPARATE},
    {"-Tbss", OPTION_LINKING, SEPARATE},
    {"-T", OPTION_LINKING, EITHER},
    {"-rpath", OPTION_LINKING, SEPARATE},
    {"-shared", OPTION_SHARED, ALONE},
    {"--shared", OPTION_SHARED, ALONE},
    {"-r", OPTION_RELOCATABLE, ALONE},
    {"-nostdlib", OPTION_NO_START, ALONE},
    {"--no-standard-libraries", OPTION_NO_START, ALONE},
    {"-nostartfiles", OPTION_NO_START, ALONE},
    {"-s", OPTION_LINKING, ALONE},
    {"-rdynamic", OPTION_LINKING, ALONE},
    {"-pie", OPTION_LINKING, ALONE},
    {"-no-pie", OPTION_LINKING, ALONE},
    {"-static", OPTION_LINKING, ALONE},
    {"-static-pie", OPTION_LINKING, ALONE},
};

/* What the launcher does with a file by its language. */
enum language {
    LANGUAGE_BY_NAME,
    LANGUAGE_SOURCE,       /* C or C++ */
    LANGUAGE_PREPROCESSED, /* the same, from a preprocessor */
    LANGUAGE_OTHER,        /* compiled, but no C or C++; headers to be precompiled */
    LANGUAGE_LINKED,
};

struct word {
    enum option option;
    const char *value; /* of an option; of an input the word itself */
    bool is_value;     /* it belongs to the word before */
    enum language language;
};

struct command {
    struct words compiler; /* wrappers and compiler */
    struct words words;    /* all others, with response files read */
    struct word *meaning;  /* of each */
    size_t sources;        /* C and C++ */
    size_t inputs;
    enum option mode; /* OPTION_STOP, _COMPILE, _ASSEMBLE, or OPTION_OTHER: linking */
    const char *output;
    bool responses, shared, relocatable, no_start;
};

/* Reads a response file's words as gcc and clang do: quotes of both kinds, and a backslash
 * that takes the next byte as it is everywhere. */
static void split_words(const char *text, size_t length, struct words *words)
{
    size_t at = 0;
    for (;;) {
        while (at < length && isspace((unsigned char)text[at]))
            at++;
        if (at >= length)
            return;
        char *word = allocate(NULL, length - at + 1), *to = word, quote = '\0';
        for (; at < length && (quote || !isspace((unsigned char)text[at])); at++) {
            if (text[at] == '\\' && at + 1 < length)
                *to++ = text[++at];
            else if (quote ? text[at] == quote : text[at] == '\'' || text[at] == '"')
                quote = quote ? '\0' : text[at];
            else
                *to++ = text[at];
        }
        *to = '\0';
        words_add(words, allocate(word, (size_t)(to - word) + 1));
    }
}

static bool read_whole(const char *path, char **data, size_t *size, size_t most)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (fd < 0)
        return false;
    bool good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 0 &&
                (uint64_t)status.st_size <= most;
    if (good) {
        *data = allocate(NULL, (size_t)status.st_size + 1);
        *size = 0;
        ssize_t got;
        while (*size < (size_t)status.st_size &&
               (got = read(fd, *data + *size, (size_t)status.st_size - *size)) > 0)
            *size += (size_t)got;
        (*data)[*size] = '\0';
    }
    close(fd);
    return good;
}

/* False: there is more in response files than is read. */
static bool add_words(struct command *command, const char *word, unsigned depth)
{
    char *data;
    size_t size;
    if (word[0] != '@' || !read_whole(word + 1, &data, &size, SIZE_MAX / 2)) {
        words_add(&command->words, word);
        return command->words.count <= RESPONSE_WORDS_MAX;
    }
    struct words inner = {0};
    command->responses = true;
    split_words(data, size, &inner);
    free(data);
    if (depth >= RESPONSE_DEPTH_MAX)
        return false;
    for (size_t i = 0; i < inner.count; i++)
        if (!add_words(command, inner.at[i], depth + 1))
            return false;
    free(inner.at);
    return true;
}

static const struct option_form *option_of(const char *word, const char **value)
{
    for (size_t i = 0; i < sizeof option_forms / sizeof *option_forms; i++) {
        const struct option_form *form = &option_forms[i];
        if (form->name[1] != word[1])
            continue;
        size_t length = strlen(form->name);
        if (strncmp(word, form->name, length) != 0)
            continue;
        if (word[length] ? form->forms & JOINED : form->forms & (ALONE | SEPARATE)) {
            *value = word[length] ? word + length : NULL;
            return form;
        }
    }
    return NULL;
}

static enum language language_of_name(const char *path)
{
    static const char *const sources[] = {".c", ".cc",   ".cp",  ".cxx", ".cpp",  ".CPP", ".c++",
                                          ".C", ".cppm", ".ccm", ".ixx", ".cxxm", ".c++m"};
    static const char *const others[] = {
        ".h",   ".hh",  ".H",   ".hp",  ".hxx", ".hpp", ".HPP", ".h++", ".tcc", ".s",
        ".S",   ".sx",  ".m",   ".mm",  ".mi",  ".mii", ".M",   ".f",   ".for", ".ftn",
        ".F",   ".FOR", ".fpp", ".FPP", ".f90", ".f95", ".f03", ".f08", ".F90", ".F95",
        ".F03", ".F08", ".ads", ".adb", ".d",   ".go",  ".bc",  ".ll",  ".cu",  ".cl"};
    const char *dot = strrchr(base_name(path), '.');
    if (!dot)
        return LANGUAGE_LINKED;
    if (strcmp(dot, ".i") == 0 || strcmp(dot, ".ii") == 0)
        return LANGUAGE_PREPROCESSED;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(dot, sources[i]) == 0)
            return LANGUAGE_SOURCE;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(dot, others[i]) == 0)
            return LANGUAGE_OTHER;
    return LANGUAGE_LINKED;
}

/* What -x says. */
static enum language language_of_option(const char *value)
{
    if (strcmp(value, "none") == 0)
        return LANGUAGE_BY_NAME;
    if (strcmp(value, "c") == 0 || strcmp(value, "c++") == 0)
        return LANGUAGE_SOURCE;
    if (strcmp(value, "cpp-output") == 0 || strcmp(value, "c++-cpp-output") == 0)
        return LANGUAGE_PREPROCESSED;
    return LANGUAGE_OTHER;
}

static void read_input(struct command *command, size_t index, enum language language)
{
    struct word *meaning = &command->meaning[index];
    meaning->option = OPTION_INPUT;
    meaning->value = command->words.at[index];
    meaning->language = language != LANGUAGE_BY_NAME ? language : language_of_name(meaning->value);
    command->inputs++;
    if (strcmp(meaning->value, "-") == 0)
        meaning->language = LANGUAGE_OTHER;
    if (meaning->language == LANGUAGE_SOURCE || meaning->language == LANGUAGE_PREPROCESSED)
        command->sources++;
}

static void note_option(struct command *command, const struct word *meaning,
                        enum language *language)
{
    switch ((int)meaning->option) {
    case OPTION_STOP:
        command->mode = OPTION_STOP;
        break;
    case OPTION_COMPILE:
        if (command->mode == OPTION_OTHER)
            command->mode = OPTION_COMPILE;
        break;
    case OPTION_ASSEMBLE:
        if (command->mode != OPTION_STOP)
            command->mode = OPTION_ASSEMBLE;
        break;
    case OPTION_OUTPUT:
        command->output = meaning->value;
        break;
    case OPTION_LANGUAGE:
        *language = meaning->value ? language_of_option(meaning->value) : LANGUAGE_OTHER;
        break;
    case OPTION_SHARED:
        command->shared = true;
        break;
    case OPTION_RELOCATABLE:
        command->relocatable = true;
        break;
    case OPTION_NO_START:
        command->no_start = true;
        break;
    default:
        break;
    }
}

static void read_command(struct command *command)
{
    size_t count = command->words.count;
    enum language language = LANGUAGE_BY_NAME;
    bool only_inputs = false;
    command->mode = OPTION_OTHER;
    command->meaning = allocate(NULL, count * sizeof *command->meaning);
    memset(command->meaning, 0, count * sizeof *command->meaning);
    for (size_t i = 0; i < count; i++) {
        const char *word = command->words.at[i];
        struct word *meaning = &command->meaning[i];
        if (only_inputs || word[0] != '-' || word[1] == '\0') {
            read_input(command, i, language);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_inputs = true;
            continue;
        }
        const struct option_form *form = option_of(word, &meaning->value);
        if (!form)
            continue;
        meaning->option = form->option;
        bool takes_next = form->forms & FOLLOWED || (form->forms & SEPARATE && !meaning->value);
        if (takes_next && i + 1 < count) {
            i++;
            command->meaning[i].is_value = true;
            meaning->value = command->words.at[i];
        }
        note_option(command, meaning, &language);
    }
}

/* --- the compiler ----------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool is_wrapper(const char *name)
{
    static const char *const wrappers[] = {"ccache", "distcc", "sccache",    "icecc",
                                           "gomacc", "fastcc", "buildcache", "callsight-cc"};
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (strcmp(base_name(name), wrappers[i]) == 0)
            return true;
    return false;
}

/* Where the program is; a file that is a wrapper under a compiler's name (ccache is, where its
 * links come first in PATH) is passed over.  NULL: nowhere. */
static char *find_program(const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? join(name, "", "") : NULL;
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/local/bin:/usr/bin:/bin"; path;) {
        size_t length = strcspn(path, ":");
        char *folder = copy_part(path, length);
        char *file = length ? join(folder, "/", name) : join("./", name, "");
        free(folder);
        if (is_program(file)) {
            char *real = realpath(file, NULL);
            bool wrapper = real && is_wrapper(real) && !is_wrapper(name);
            free(real);
            if (!wrapper)
                return file;
        }
        free(file);
        path = path[length] ? path + length + 1 : NULL;
    }
    return NULL;
}

/* A compiler's name as it is usual: gcc, x86_64-linux-gnu-g++-12, clang++, cc … */
static bool is_compiler_name(const char *path)
{
    const char *name = base_name(path);
    size_t length = strlen(name);
    while (length > 0 && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '.'))
        length--;
    if (length > 0 && length < strlen(name) && name[length - 1] == '-')
        length--;
    static const char *const names[] = {"gcc", "g++", "cc", "c++", "clang", "clang++"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t wanted = strlen(names[i]);
        if (length >= wanted && memcmp(name + length - wanted, names[i], wanted) == 0 &&
            (length == wanted || name[length - wanted - 1] == '-'))
            return true;
    }
    return false;
}

/* How many words of a command are wrappers and the compiler. */
static size_t compiler_words(char **argv)
{
    size_t count = 1;
    while (argv[count] && argv[count][0] != '-' && argv[count][0] != '@' &&
           (is_wrapper(argv[count - 1]) ||
            (!is_compiler_name(argv[count - 1]) && is_compiler_name(argv[count]) &&
             access(argv[count], F_OK) != 0) ||
            (!is_compiler_name(argv[count - 1]) && is_compiler_name(argv[count]) &&
             strchr(argv[count], '/') && is_program(argv[count]))))
        count++;
    return count;
}

static bool names_clang(const char *path)
{
    const char *name = base_name(path);
    return strstr(name, "clang") || strcmp(name, "icx") == 0 || strcmp(name, "icpx") == 0 ||
           strcmp(name, "emcc") == 0 || strcmp(name, "em++") == 0;
}

/* What is no clang by its name or by the program behind it is taken for gcc. */
static bool is_clang(const char *compiler)
{
    if (names_clang(compiler))
        return true;
    char *file = find_program(compiler);
    char *real = file ? realpath(file, NULL) : NULL;
    return real && names_clang(real);
}

/* --- running ---------------------------------------------------------------- */

static _Noreturn void cannot_run(const char *program)
{
    int why = errno;
    die(why == ENOENT || why == ENOTDIR ? 127 : 126, "%s: %s", program, strerror(why));
}

static _Noreturn void become(char **argv)
{
    execvp(argv[0], argv);
    cannot_run(argv[0]);
}

static volatile sig_atomic_t ending; /* the signal that ends this process */
static volatile sig_atomic_t child;  /* 0: none */

static void on_signal(int number)
{
    ending = number;
    if (child > 0)
        kill((pid_t)child, number);
}

static void catch_signals(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = on_signal}, old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

/* Runs a program to its end; out and err: descriptors for its output, or −1.  Returns what
 * waitpid tells. */
static int run(char **argv, int out, int err)
{
    if (ending)
        return ending;
    pid_t pid = fork();
    if (pid < 0)
        die(1, "%s: %s", argv[0], strerror(errno));
    if (pid == 0) {
        if (out >= 0)
            dup2(out, STDOUT_FILENO);
        if (err >= 0)
            dup2(err, STDERR_FILENO);
        become(argv);
    }
    child = pid;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    child = 0;
    return status;
}

/* Ends this process as the program ended. */
static _Noreturn void end_as(int status)
{
    int number = ending ? ending : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number) {
        signal(number, SIG_DFL);
        raise(number);
    }
    exit(number ? 128 + number : WEXITSTATUS(status));
}

/* --- a refresh -------------------------------------------------------------- */

/* True once a build for what is told of the selection: a file beside it remembers what was
 * told last, and to which process group. */
static bool first_time(const char *selection, const char *what)
{
    char *path = join(selection, ".told", ""), *old;
    char now[256];
    size_t size;
    snprintf(now, sizeof now, "%s %ld\n", what, (long)getpgrp());
    if (read_whole(path, &old, &size, sizeof now) && strcmp(old, now) == 0)
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0) {
        ssize_t done = write(fd, now, strlen(now));
        (void)done;
        close(fd);
    }
    return true;
}

static struct selection *load_or_tell(const char *path)
{
    const char *why;
    struct selection *selection = selection_load(path, &why);
    if (!selection && first_time(path, why))
        tell("%s: %s: nothing gets hooks; write it with callsight-cli scan DIR --write FILE", path,
             why);
    return selection;
}

static bool config_changed(const struct selection *selection, struct stat *status)
{
    return selection->config && stat(selection->config, status) == 0 &&
           !same_file(status, selection->config_time, selection->config_size);
}

static bool unit_changed(const struct selection *selection, const struct entry *entry)
{
    struct stat status;
    if (!entry || entry->choice != '%' || (entry->time == 0 && entry->size == 0))
        return false;
    char *path = join(selection->root, "/", entry->path);
    bool changed = stat(path, &status) == 0 && !same_file(&status, entry->time, entry->size);
    free(path);
    return changed;
}

static bool run_refresh(const struct selection *selection)
{
    struct words words = {0};
    words_add(&words, selection->command);
    words_add(&words, "scan");
    words_add(&words, selection->root);
    words_add(&words, "--config");
    words_add(&words, selection->config);
    words_add(&words, "--write");
    words_add(&words, selection->path);
    words_add(&words, "--quiet");
    setenv("CALLSIGHT_REFRESHING", "1", 1);
    int status = run(words.at, STDERR_FILENO, -1);
    unsetenv("CALLSIGHT_REFRESHING");
    if (ending)
        end_as(status);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Whether nothing was told yet, in this build, of this config beside this selection. */
static bool first_of_pair(const struct selection *selection, const struct stat *config)
{
    char key[160];
    snprintf(key, sizeof key, "%lld.%09ld %lld %lld.%09ld", (long long)config->st_mtim.tv_sec,
             config->st_mtim.tv_nsec, (long long)config->st_size,
             (long long)selection->written.tv_sec, selection->written.tv_nsec);
    return first_time(selection->path, key);
}

static bool is_stale(const struct selection *selection, const struct entry *entry,
                     struct stat *config)
{
    struct entry own;
    if (config_changed(selection, config))
        return true;
    if (!entry || !selection_find(selection, entry->path, &own))
        return false;
    own.path = entry->path;
    return unit_changed(selection, &own);
}

/* Refreshes a stale selection, at most once in a build.  entry: of a source whose own file
 * may have changed, or NULL.  Returns what is to be used, the same if nothing is new. */
static struct selection *refresh(struct selection *selection, const struct entry *entry)
{
    struct stat config = {0};
    if (!is_stale(selection, entry, &config))
        return selection;
    char *lock_path = join(selection->path, ".lock", "");
    const char *why;
    int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    while (lock >= 0 && flock(lock, LOCK_EX) < 0 && errno == EINTR)
        continue;
    /* Another one may have done it meanwhile. */
    struct selection *now = selection_load(selection->path, &why);
    if (now)
        selection = now;
    if (is_stale(selection, entry, &config) && first_of_pair(selection, &config)) {
        bool done = selection->command && run_refresh(selection);
        if (done && (now = load_or_tell(selection->path)))
            selection = now;
        if (!done || is_stale(selection, entry, &config)) {
            first_of_pair(selection, &config);
            tell("%s is newer than the selection: run callsight-cli scan %s --config %s --write %s",
                 selection->config ? selection->config : entry->path, selection->root,
                 selection->config ? selection->config : "trace.config", selection->path);
        }
    }
    if (lock >= 0)
        close(lock);
    return selection;
}

/* --- the includes of a unit -------------------------------------------------
 * Every name that an #include line may lead to, whatever conditions stand around it: more
 * than the compiler reads does no harm. */

/* A folder in which includes are looked for. */
struct folder {
    char *name;  /* as spelled, with a '/' at its end; "" is that of the command */
    bool system; /* of -isystem and the like */
    bool inside;
    dev_t device;
    ino_t inode;
    unsigned misses;   /* names that were looked for in vain */
    struct set listed; /* once these are some: what lies here */
};

struct folders {
    struct folder *at;
    size_t count, room;
};

/* A way to spell a file of the unit; the first is that of the unit itself. */
struct header {
    char *spelling;
    size_t folder; /* of the chain; NOWHERE: none */
    size_t file;
    bool inside;
    struct entry entry;
};

/* A file, however it is spelled. */
struct file {
    struct words includes; /* "<name" and "\"name", "next<name" …, and names of macros */
    size_t spellings;
    bool read, open; /* open: it is being followed */
};

struct walk {
    struct world *world;
    struct folders chain; /* for "": from 0; for <>: from `brackets` */
    size_t brackets;
    bool systems; /* one of them, inside the root, is a system's */
    struct words sysroots;
    struct header *headers;
    size_t count, room;
    struct file *files;
    size_t file_count, file_room;
    struct set numbers; /* device and inode → index of the file */
    size_t bytes, depth;
    struct set seen;      /* spelling → 1 + index, 0: no such file */
    struct set found;     /* what was looked for through the chain */
    struct set macros;    /* name of a macro → index of what its definitions say */
    struct words *values; /* of each macro: "<name" or "\"name" */
    size_t value_count;
    struct words pending; /* macros that are included */
};

#define NOWHERE SIZE_MAX

static void folders_add(struct folders *folders, char *name, bool system)
{
    struct stat status;
    if (stat(name[0] ? name : ".", &status) < 0 || !S_ISDIR(status.st_mode))
        return;
    if (folders->count == folders->room) {
        folders->room = folders->room * 2 + 16;
        folders->at = allocate(folders->at, folders->room * sizeof *folders->at);
    }
    if (name[0] && !ends(name, "/"))
        name = join(name, "/", "");
    folders->at[folders->count++] = (struct folder){
        .name = name, .system = system, .device = status.st_dev, .inode = status.st_ino};
}

static bool folders_have(const struct folders *folders, size_t until, const struct folder *folder)
{
    for (size_t i = 0; i < until; i++)
        if (folders->at[i].device == folder->device && folders->at[i].inode == folder->inode)
            return true;
    return false;
}

/* Appends what is in neither of the two: gcc leaves out a folder that it searches anyway. */
static void folders_append(struct folders *chain, const struct folders *more,
                           const struct folders *system)
{
    size_t from = chain->count;
    for (size_t i = 0; i < more->count; i++) {
        struct folders own = {chain->at + from, chain->count - from, 0};
        if (folders_have(&own, own.count, &more->at[i]) ||
            (system && folders_have(system, system->count, &more->at[i])))
            continue;
        if (chain->count == chain->room) {
            chain->room = chain->room * 2 + 16;
            chain->at = allocate(chain->at, chain->room * sizeof *chain->at);
        }
        chain->at[chain->count++] = more->at[i];
    }
}

static void add_path_variable(struct folders *folders, const char *name, bool system)
{
    const char *path = getenv(name);
    while (path && (path[0] || path == getenv(name))) {
        size_t length = strcspn(path, ":");
        if (path[0])
            folders_add(folders, length ? copy_part(path, length) : join(".", "", ""), system);
        if (!path[length])
            return;
        path += length + 1;
    }
}

/* "=dir" and "$SYSROOT/dir" begin in the system root. */
static char *with_sysroot(const char *name, const char *sysroot)
{
    if (name[0] == '=')
        return join(sysroot, name + 1, "");
    if (starts(name, "$SYSROOT"))
        return join(sysroot, name + strlen("$SYSROOT"), "");
    return join(name, "", "");
}

static void read_folders(struct walk *walk, const struct command *command)
{
    struct folders quote = {0}, bracket = {0}, system = {0}, after = {0};
    const char *sysroot = "", *prefix = "";
    for (size_t i = 0; i < command->words.count; i++) {
        const struct word *word = &command->meaning[i];
        if (!word->value)
            continue;
        switch ((int)word->option) {
        case OPTION_SYSROOT:
            sysroot = word->value;
            words_add(&walk->sysroots, sysroot);
            break;
        case OPTION_QUOTE:
            folders_add(&quote, with_sysroot(word->value, sysroot), false);
            break;
        case OPTION_BRACKET:
            if (strcmp(word->value, "-") == 0) { /* -I-: those before are for "" */
                quote = bracket;
                bracket = (struct folders){0};
            } else
                folders_add(&bracket, with_sysroot(word->value, sysroot), false);
            break;
        case OPTION_SYSTEM:
            folders_add(&system, with_sysroot(word->value, sysroot), true);
            break;
        case OPTION_AFTER:
            folders_add(&after, with_sysroot(word->value, sysroot), true);
            break;
        case OPTION_PREFIX:
            prefix = word->value;
            break;
        case OPTION_WITH_PREFIX:
            folders_add(&after, join(prefix, word->value, ""), true);
            break;
        case OPTION_WITH_PREFIX_BEFORE:
            folders_add(&bracket, join(prefix, word->value, ""), false);
            break;
        default:
            break;
        }
    }
    add_path_variable(&bracket, "CPATH", false);
    add_path_variable(&system, "C_INCLUDE_PATH", true);
    add_path_variable(&system, "CPLUS_INCLUDE_PATH", true);
    struct folders last = {0};
    folders_append(&last, &system, NULL);
    folders_append(&last, &after, NULL);
    folders_append(&walk->chain, &quote, &last);
    struct folders middle = {0};
    folders_append(&middle, &bracket, &last);
    struct folders *first = middle.count > 0 ? &middle : &last;
    /* The last for "" is left out where the first for <> is the same. */
    if (walk->chain.count > 0 && first->count > 0 &&
        folders_have(first, 1, &walk->chain.at[walk->chain.count - 1]))
        walk->chain.count--;
    walk->brackets = walk->chain.count;
    folders_append(&walk->chain, &middle, NULL);
    folders_append(&walk->chain, &system, NULL);
    folders_append(&walk->chain, &after, &system);
    for (size_t i = 0; i < walk->chain.count; i++) {
        struct folder *folder = &walk->chain.at[i];
        const char *real = real_folder(walk->world, folder->name);
        folder->inside = in_root(walk->world->selection, real) != NULL;
        walk->systems = walk->systems || (folder->inside && folder->system);
    }
}

/* The file with this status. */
static size_t file_of(struct walk *walk, const struct stat *status)
{
    char number[48];
    snprintf(number, sizeof number, "%llx:%llx", (unsigned long long)status->st_dev,
             (unsigned long long)status->st_ino);
    size_t *known = set_find(&walk->numbers, number);
    if (known)
        return *known;
    if (walk->file_count == walk->file_room) {
        walk->file_room = walk->file_room * 2 + 64;
        walk->files = allocate(walk->files, walk->file_room * sizeof *walk->files);
    }
    walk->files[walk->file_count] = (struct file){0};
    set_add(&walk->numbers, join(number, "", ""), walk->file_count);
    return walk->file_count++;
}

static size_t add_header(struct walk *walk, char *spelling, size_t folder, size_t file)
{
    if (walk->count == walk->room) {
        walk->room = walk->room * 2 + 64;
        walk->headers = allocate(walk->headers, walk->room * sizeof *walk->headers);
    }
    struct header *header = &walk->headers[walk->count];
    header->spelling = spelling;
    header->folder = folder;
    header->file = file;
    header->inside = place_file(walk->world, spelling, &header->entry);
    return walk->count++;
}

static void follow_file(struct walk *walk, size_t index);

/* The index of a file by its spelling, NOWHERE if there is none.  What it includes is followed. */
static size_t visit(struct walk *walk, char *spelling, size_t folder)
{
    size_t *known = set_find(&walk->seen, spelling);
    if (known)
        return *known - 1;
    struct stat status;
    if (walk->count >= HEADERS_MAX || stat(spelling, &status) < 0 || S_ISDIR(status.st_mode)) {
        set_add(&walk->seen, spelling, 0);
        return NOWHERE;
    }
    /* gcc spells what it takes for the system's by its real path where that is shorter. */
    if (walk->systems) {
        char *real = realpath(spelling, NULL);
        if (real && strlen(real) < strlen(spelling))
            visit(walk, real, folder);
    }
    size_t index = add_header(walk, spelling, folder, file_of(walk, &status));
    set_add(&walk->seen, spelling, index + 1);
    follow_file(walk, index);
    return index;
}

/* Reads a folder in which much is looked for in vain, so that this costs no system call. */
static void list_folder(struct folder *folder)
{
    DIR *dir = opendir(folder->name[0] ? folder->name : ".");
    struct dirent *file;
    while (dir && (file = readdir(dir)) && folder->listed.count < FOLDER_MAX)
        set_add(&folder->listed, join(file->d_name, "", ""), 1);
    if (folder->listed.count >= FOLDER_MAX)
        folder->listed = (struct set){0};
    if (dir)
        closedir(dir);
}

static bool may_have(const struct folder *folder, const char *name)
{
    char first[NAME_MAX + 1];
    size_t length = strcspn(name, "/");
    if (folder->listed.count == 0 || length > NAME_MAX || length == 0)
        return true;
    memcpy(first, name, length);
    first[length] = '\0';
    return set_find(&folder->listed, first) != NULL;
}

static size_t search_chain(struct walk *walk, const char *name, size_t from)
{
    for (size_t i = from; i < walk->chain.count; i++) {
        struct folder *folder = &walk->chain.at[i];
        if (!may_have(folder, name))
            continue;
        size_t index = visit(walk, join(folder->name, name, ""), i);
        if (index != NOWHERE)
            return index;
        if (++folder->misses == MISSES_MAX)
            list_folder(folder);
    }
    return NOWHERE;
}

/* Follows an include of a file; name begins with '<' or '"'. */
static void follow(struct walk *walk, size_t from, const char *name, bool next)
{
    size_t folder = walk->headers[from].folder;
    if (name[1] == '/') {
        visit(walk, join(name + 1, "", ""), NOWHERE);
        return;
    }
    if (next) {
        search_chain(walk, name + 1, 0);
        if (folder != NOWHERE)
            search_chain(walk, name + 1, folder + 1);
    }
    char *beside = join(folder_part(walk->headers[from].spelling), name + 1, "");
    if (name[0] == '"' && visit(walk, beside, folder) != NOWHERE && !next)
        return;
    if (!set_find(&walk->found, name)) {
        set_add(&walk->found, join(name, "", ""), 1);
        search_chain(walk, name + 1, name[0] == '"' ? 0 : walk->brackets);
    }
}

static const char *skip_blanks(const char *at)
{
    for (;;) {
        while (*at == ' ' || *at == '\t')
            at++;
        const char *end = at[0] == '/' && at[1] == '*' ? strstr(at + 2, "*/") : NULL;
        if (!end)
            return at;
        at = end + 2;
    }
}

/* "<name" or "\"name" where one stands, NULL otherwise. */
static char *quoted_name(const char *at)
{
    char close = *at == '<' ? '>' : *at == '"' ? '"' : '\0';
    const char *end = at + 1;
    while (close && *end && *end != close && *end != '\n')
        end++;
    return close && *end == close && end > at + 1 ? copy_part(at, (size_t)(end - at)) : NULL;
}

static char *identifier(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length ? copy_part(at, length) : NULL;
}

static void define_macro(struct walk *walk, const char *name, const char *value)
{
    char *include = quoted_name(value);
    if (!include)
        return;
    size_t *known = set_find(&walk->macros, name);
    if (!known) {
        walk->values = allocate(walk->values, (walk->value_count + 1) * sizeof *walk->values);
        memset(&walk->values[walk->value_count], 0, sizeof *walk->values);
        set_add(&walk->macros, join(name, "", ""), walk->value_count++);
        known = set_find(&walk->macros, name);
    }
    words_add(&walk->values[*known], include);
}

/* A name that a #line gives to what follows; it stands for the same file. */
static void rename_lines(struct walk *walk, size_t from, const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    char *name = quoted_name(skip_blanks(at));
    if (!name || name[0] != '"' || set_find(&walk->seen, name + 1))
        return;
    set_add(&walk->seen, name + 1, walk->count + 1);
    size_t index = add_header(walk, name + 1, NOWHERE, walk->headers[from].file);
    walk->headers[index].entry = walk->headers[from].entry;
    walk->headers[index].inside = true;
}

static void read_directive(struct walk *walk, size_t from, const char *at)
{
    struct words *includes = &walk->files[walk->headers[from].file].includes;
    at = skip_blanks(at);
    if (starts(at, "include") || starts(at, "import")) {
        bool next = starts(at, "include_next");
        at = skip_blanks(at + (next ? 12 : at[1] == 'n' ? 7 : 6));
        char *name = quoted_name(at);
        if (name && next)
            name = join("next", name, "");
        else if (!name)
            name = identifier(at);
        if (name)
            words_add(includes, name);
    } else if (starts(at, "define")) {
        char *name = identifier(at = skip_blanks(at + 6));
        if (name)
            define_macro(walk, name, skip_blanks(at + strlen(name)));
    } else if (starts(at, "line"))
        rename_lines(walk, from, skip_blanks(at + 4));
    else if (isdigit((unsigned char)*at))
        rename_lines(walk, from, at);
}

static void read_file(struct walk *walk, size_t index)
{
    char *data;
    size_t size;
    if (!read_whole(walk->headers[index].spelling, &data, &size, HEADER_BYTES_MAX - walk->bytes))
        return;
    walk->bytes += size;
    const char *at = data;
    while ((at = memchr(at, '#', size - (size_t)(at - data)))) {
        const char *before = at;
        while (before > data && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before == data || before[-1] == '\n' || (before > data + 1 && before[-1] == '/'))
            read_directive(walk, index, at + 1);
        at++;
    }
    free(data);
}

/* Follows what a file includes, in its order, once for each way to spell it.  A file that is
 * included by what it includes ends there, as its guard has it. */
static void follow_file(struct walk *walk, size_t index)
{
    size_t number = walk->headers[index].file;
    struct file *file = &walk->files[number];
    if (!walk->headers[index].inside || file->open || walk->depth == INCLUDE_DEPTH_MAX ||
        file->spellings++ >= SPELLINGS_MAX)
        return;
    if (!file->read) {
        file->read = true;
        read_file(walk, index);
    }
    walk->depth++;
    file->open = true;
    for (size_t i = 0; i < walk->files[number].includes.count; i++) {
        const char *name = walk->files[number].includes.at[i];
        bool next = starts(name, "next<") || starts(name, "next\"");
        name += next ? 4 : 0;
        if (name[0] == '<' || name[0] == '"')
            follow(walk, index, name, next);
        else
            words_add(&walk->pending, name);
    }
    walk->files[number].open = false;
    walk->depth--;
}

/* The next name that a line marker of preprocessed text gives to a file, without its quote;
 * *at is moved behind that line.  NULL: there is none. */
static char *next_marker(const char **at)
{
    for (const char *line = *at; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (line[0] != '#' || line[1] != ' ')
            continue;
        const char *number = line + 2;
        while (isdigit((unsigned char)*number))
            number++;
        char *name = quoted_name(skip_blanks(number));
        if (!name || name[0] != '"' || name[1] == '<' || ends(name, "//"))
            continue;
        *at = strchr(line, '\n');
        return name + 1;
    }
    return NULL;
}

static void read_line_markers(struct walk *walk, const char *data)
{
    char *name;
    while (data && (name = next_marker(&data)))
        if (!set_find(&walk->seen, name)) {
            set_add(&walk->seen, name, walk->count + 1);
            add_header(walk, name, NOWHERE, 0);
        }
}

/* Follows the unit, what is included on the command line, and macros that name files. */
static void walk_includes(struct walk *walk, const struct command *command, const char *source)
{
    for (size_t i = 0; i < command->words.count; i++) {
        const struct word *word = &command->meaning[i];
        char *name = word->option == OPTION_DEFINE && word->value ? identifier(word->value) : NULL;
        if (name && word->value[strlen(name)] == '=')
            define_macro(walk, name, word->value + strlen(name) + 1);
    }
    visit(walk, join(source, "", ""), NOWHERE);
    for (size_t i = 0; i < command->words.count; i++) {
        const char *name = command->meaning[i].value;
        if (command->meaning[i].option != OPTION_FORCED || !name)
            continue;
        if (visit(walk, join(name[0] == '/' ? "" : "./", name, ""), NOWHERE) == NOWHERE)
            search_chain(walk, name, 0);
    }
    for (size_t pending = 0; pending < walk->pending.count; pending++) {
        size_t *known = set_find(&walk->macros, walk->pending.at[pending]);
        for (size_t i = 0; known && i < walk->values[*known].count; i++)
            follow(walk, 0, walk->values[*known].at[i], false);
    }
}

/* --- options for gcc --------------------------------------------------------
 * What must not be matched by an entry of a list: the spellings, or the functions' names,
 * that are chosen. */

struct guard {
    struct text names;    /* one a line */
    uint64_t grams[1024]; /* a bit for each four bytes that occur, by their hash */
};

static size_t gram(const char *at)
{
    uint32_t four;
    memcpy(&four, at, 4);
    return four * 0x9E3779B1u >> 16;
}

static void guard_add(struct guard *guard, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + 4 <= length; i++)
        guard->grams[gram(name + i) / 64] |= (uint64_t)1 << gram(name + i) % 64;
    text_put(&guard->names, name);
    text_add(&guard->names, "\n", 1);
}

/* Whether the entry is part of a chosen name. */
static bool guard_hits(const struct guard *guard, const char *entry)
{
    size_t length = strlen(entry);
    for (size_t i = 0; i + 4 <= length; i++)
        if (!(guard->grams[gram(entry + i) / 64] >> gram(entry + i) % 64 & 1))
            return false;
    return guard->names.data && strstr(guard->names.data, entry);
}

/* A list of entries for one of gcc's options. */
struct list {
    struct words entries;
    struct set known;
};

static void list_add(struct list *list, const char *entry)
{
    if (!entry[0] || set_find(&list->known, entry))
        return;
    set_add(&list->known, entry, 1);
    words_add(&list->entries, entry);
}

/* What gcc gets to know about a unit. */
struct lists {
    struct guard files_chosen, functions_chosen;
    struct list files, functions;
    struct list spare; /* files that define nothing, as far as is known */
};

/* Calls use (lists, piece) for the parts of a name between the "<>" that stand for template
 * arguments; stops when that returns true. */
static bool each_piece(struct lists *lists, const char *name,
                       bool (*use)(struct lists *lists, const char *piece))
{
    struct words pieces = {0};
    const char *gap;
    for (; (gap = strstr(name, "<>")); name = gap + 1)
        words_add(&pieces, copy_part(name, (size_t)(gap - name) + 1));
    words_add(&pieces, name);
    bool used = false;
    for (size_t i = pieces.count; i > 0 && !used; i--)
        used = use(lists, pieces.at[i - 1]);
    free(pieces.at);
    return used;
}

static bool protect_piece(struct lists *lists, const char *piece)
{
    guard_add(&lists->functions_chosen, piece);
    return false;
}

static void protect_function(void *context, char *name)
{
    if (strstr(name, "<>"))
        each_piece(context, name, protect_piece);
    else
        guard_add(&((struct lists *)context)->functions_chosen, name);
}

static bool silence_piece(struct lists *lists, const char *piece)
{
    if (strlen(piece) < 4 || guard_hits(&lists->functions_chosen, piece))
        return false;
    list_add(&lists->functions, piece);
    return true;
}

static void silence_function(void *context, char *name)
{
    struct lists *lists = context;
    if (strstr(name, "<>"))
        each_piece(lists, name, silence_piece);
    else if (!guard_hits(&lists->functions_chosen, name))
        list_add(&lists->functions, name);
}

static bool silence_file(struct lists *lists, const char *spelling)
{
    if (!spelling[0] || guard_hits(&lists->files_chosen, spelling))
        return false;
    list_add(&lists->files, spelling);
    return true;
}

/* The folders of systems, and what lies in them where such a name is part of something
 * chosen. */
static void silence_system(struct lists *lists, const struct walk *walk, const char *compiler)
{
    static const char *const folders[] = {"/opt/", "/nix/store/", "/gnu/store/"};
    static const char *const usr[] = {"/usr/include/", "/usr/lib/", "/usr/lib64/",
                                      "/usr/local/include/", "/include/c++/"};
    if (!silence_file(lists, "/usr/"))
        for (size_t i = 0; i < sizeof usr / sizeof *usr; i++)
            silence_file(lists, usr[i]);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        silence_file(lists, folders[i]);
    for (size_t i = 0; i < walk->sysroots.count; i++) {
        const char *sysroot = walk->sysroots.at[i];
        if (sysroot[strspn(sysroot, "/")] == '\0')
            continue;
        silence_file(lists, ends(sysroot, "/") ? sysroot : join(sysroot, "/", ""));
        char *real = realpath(sysroot, NULL);
        if (real)
            silence_file(lists, join(real, "/", ""));
    }
    /* A compiler that was unpacked somewhere brings its headers. */
    char *file = find_program(compiler), *real = file ? realpath(file, NULL) : NULL;
    if (!real || starts(real, "/usr/"))
        return;
    for (int i = 0; i < 2 && strrchr(real, '/'); i++)
        *strrchr(real, '/') = '\0';
    if (real[0] && !behind(walk->world->selection->root, real))
        silence_file(lists, join(real, "/", ""));
}

/* A file of the project, by its path from the root if that is part of its spelling: one entry
 * serves for most ways to spell it then. */
static void silence_inside(struct list *list, const struct lists *lists,
                           const struct header *header)
{
    const char *path = header->entry.path;
    bool shorter = path && strchr(path, '/') && strstr(header->spelling, path) &&
                   !guard_hits(&lists->files_chosen, path);
    list_add(list, shorter ? path : header->spelling);
}

/* A file that lies outside the root: by the folder that it was found through if possible. */
static void silence_outside(struct lists *lists, const struct walk *walk,
                            const struct header *header)
{
    if (header->folder != NOWHERE && !walk->chain.at[header->folder].inside &&
        silence_file(lists, walk->chain.at[header->folder].name))
        return;
    char *folder = folder_part(header->spelling);
    if (folder[strspn(folder, "./")] && silence_file(lists, folder))
        return;
    silence_file(lists, header->spelling);
}

static bool is_chosen(const struct entry *entry)
{
    return entry->choice == '+' || entry->choice == '%';
}

/* False: nothing in the unit gets hooks. */
static bool make_lists(struct lists *lists, struct walk *walk, const char *compiler)
{
    const struct selection *selection = walk->world->selection;
    bool hooks = is_chosen(&walk->headers[0].entry);
    for (size_t i = 0; i < walk->count; i++) {
        const struct entry *entry = &walk->headers[i].entry;
        if (!is_chosen(entry))
            continue;
        guard_add(&lists->files_chosen, walk->headers[i].spelling);
        if (entry->path)
            guard_add(&lists->files_chosen, entry->path);
        hooks = hooks || has_function(entry, '+');
        each_function(entry, '+', protect_function, lists);
    }
    if (!hooks)
        return false;
    for (size_t i = 0; i < selection->excludes.count; i++)
        list_add(&lists->functions, selection->excludes.at[i]);
    for (size_t i = 0; i < walk->chain.count; i++)
        if (!walk->chain.at[i].inside)
            silence_file(lists, walk->chain.at[i].name);
    silence_system(lists, walk, compiler);
    for (size_t i = 0; i < walk->count; i++) {
        const struct header *header = &walk->headers[i];
        const struct entry *entry = &header->entry;
        if (!header->inside)
            silence_outside(lists, walk, header);
        else if (entry->choice == '%' ||
                 (!is_chosen(entry) && guard_hits(&lists->files_chosen, header->spelling)))
            each_function(entry, '-', silence_function, lists);
        else if (entry->choice == '-' && i > 0 && !has_function(entry, '-'))
            silence_inside(&lists->spare, lists, header);
        else if (!is_chosen(entry))
            silence_inside(&lists->files, lists, header);
    }
    return true;
}

/* Entries as far as they fit into *room bytes; returns how many don't. */
static size_t write_list(struct text *option, const struct list *list, size_t *room)
{
    size_t left_out = 0;
    for (size_t i = 0; i < list->entries.count; i++) {
        const char *entry = list->entries.at[i];
        size_t length = strlen(entry) + 2;
        for (const char *at = entry; *at; at++)
            length += *at == ',' || *at == '\'' ? 3 : 0;
        if (length > *room) {
            left_out++;
            continue;
        }
        *room -= length;
        if (option->data[option->length - 1] != '=')
            text_add(option, ",", 1);
        for (size_t run; *entry; entry += run) {
            if (*entry == ',')
                text_add(option, "\\", 1);
            run = 1 + strcspn(entry + 1, ",");
            text_add(option, entry, run);
        }
    }
    return left_out;
}

static void add_lists(struct words *options, const struct lists *lists, size_t own,
                      const char *source)
{
    struct text functions = {0}, files = {0};
    size_t room = own < OPTIONS_MAX - 1024 ? OPTIONS_MAX - 1024 - own : 0;
    text_put(&functions, "-finstrument-functions-exclude-function-list=");
    text_put(&files, "-finstrument-functions-exclude-file-list=");
    size_t left_out = write_list(&functions, &lists->functions, &room);
    left_out += write_list(&files, &lists->files, &room);
    write_list(&files, &lists->spare, &room);
    if (left_out > 0)
        tell("%s: %zu files and functions that aren't chosen get hooks: the compiler takes no "
             "longer list",
             source, left_out);
    if (functions.data[functions.length - 1] != '=')
        words_add(options, functions.data);
    if (files.data[files.length - 1] != '=')
        words_add(options, files.data);
}

/* --- the options of a source ------------------------------------------------ */

/* A source of the command. */
struct unit {
    size_t index; /* of its word */
    const char *source;
    char *text;           /* of a preprocessed one */
    struct words options; /* none: it gets no hooks */
    uint64_t hash;
};

static void gcc_options(struct world *world, const struct command *command, struct unit *unit,
                        const struct entry *entry, const char *compiler)
{
    struct walk walk = {.world = world};
    if (!is_chosen(entry) && world->selection->headers == 0)
        return;
    read_folders(&walk, command);
    if (unit->text)
        read_line_markers(&walk, unit->text);
    else
        walk_includes(&walk, command, unit->source);
    if (walk.count == 0)
        return;
    struct lists *lists = allocate(NULL, sizeof *lists);
    memset(lists, 0, sizeof *lists);
    if (!make_lists(lists, &walk, compiler))
        return;
    if (world->selection->after_inlining)
        die(1,
            "%s: gcc has no hooks after inlining: build with clang, or write the selection "
            "without --after-inlining",
            unit->source);
    size_t own = 0;
    for (size_t i = 0; i < command->words.count; i++)
        own += strlen(command->words.at[i]) + 4;
    words_add(&unit->options, "-finstrument-functions");
    add_lists(&unit->options, lists, own, unit->source);
}

/* Whether a rule of the selection's head, which clang can't follow, hits a function. */
struct rule_search {
    const struct selection *selection;
    bool hit;
};

static void try_rules(void *context, char *name)
{
    struct rule_search *search = context;
    for (size_t i = 0; i < search->selection->excludes.count; i++)
        if (search->selection->excludes.at[i][0] && strstr(name, search->selection->excludes.at[i]))
            search->hit = true;
    free(name);
}

static void clang_options(const struct selection *selection, struct unit *unit,
                          const struct entry *entry)
{
    if (!is_chosen(entry))
        return;
    struct rule_search search = {selection, entry->choice == '%'};
    each_function(entry, '+', try_rules, &search);
    each_function(entry, '-', try_rules, &search);
    if (search.hit && !selection->widen)
        die(1,
            "%s: only some of its functions are chosen, and clang hooks whole files: build with "
            "gcc, or write the selection with --widen",
            unit->source);
    words_add(&unit->options, selection->after_inlining ? "-finstrument-functions-after-inlining"
                                                        : "-finstrument-functions");
}

/* The file that a source is known by: a preprocessed one by the file that it was made of. */
static const char *source_file(struct unit *unit, enum language language)
{
    size_t size;
    if (language != LANGUAGE_PREPROCESSED ||
        !read_whole(unit->source, &unit->text, &size, HEADER_BYTES_MAX * 4))
        return unit->source;
    const char *at = unit->text, *name = next_marker(&at);
    return name ? name : unit->source;
}

/* Decides about a source. */
static void decide(struct world *world, const struct command *command, struct unit *unit)
{
    const char *compiler = command->compiler.at[command->compiler.count - 1];
    struct entry entry;
    unit->source = command->words.at[unit->index];
    const char *file = source_file(unit, command->meaning[unit->index].language);
    if (!place_file(world, file, &entry))
        return;
    struct selection *fresh = refresh(world->selection, entry.path ? &entry : NULL);
    if (fresh != world->selection) {
        world->selection = fresh;
        if (!place_file(world, file, &entry))
            return;
    }
    if (is_clang(compiler))
        clang_options(world->selection, unit, &entry);
    else
        gcc_options(world, command, unit, &entry, compiler);
    if (unit->options.count == 0)
        return;
    if (world->selection->no_inline)
        words_add(&unit->options, "-fno-inline");
    for (size_t i = 0; i < world->selection->mirrors.count; i++) {
        char *map = join("-fdebug-prefix-map=", world->selection->mirrors.at[i], "=");
        words_add(&unit->options, join(map, world->selection->root, ""));
    }
    unit->hash = HASH_START;
    for (size_t i = 0; i < unit->options.count; i++)
        unit->hash = hash_word(unit->hash, unit->options.at[i]);
}

/* --- hooks in objects ------------------------------------------------------- */

#define HOOK "__cyg_profile_func_enter"

enum {
    HOOKS_CALLED = 1,
    HOOKS_DEFINED = 2,
};

/* An object in memory. */
struct object {
    const unsigned char *data;
    size_t size;
    bool wide, big; /* 64 bits; big-endian */
};

static bool object_has(const struct object *object, uint64_t at, uint64_t length)
{
    return at <= object->size && length <= object->size - at;
}

/* A number of so many bytes; 0 beyond the end. */
static uint64_t object_number(const struct object *object, uint64_t at, unsigned bytes)
{
    uint64_t number = 0;
    if (!object_has(object, at, bytes))
        return 0;
    for (unsigned i = 0; i < bytes; i++)
        number = number << 8 | object->data[at + (object->big ? i : bytes - 1 - i)];
    return number;
}

/* A field of a section header or of a symbol, whose places differ with the class. */
static uint64_t object_field(const struct object *object, uint64_t base, unsigned narrow_at,
                             unsigned wide_at, unsigned narrow_bytes, unsigned wide_bytes)
{
    return object->wide ? object_number(object, base + wide_at, wide_bytes)
                        : object_number(object, base + narrow_at, narrow_bytes);
}

struct section {
    uint64_t offset, size, link, entry_size, type;
};

static struct section object_section(const struct object *object, uint64_t index)
{
    uint64_t table = object_field(object, 0, 32, 40, 4, 8);
    uint64_t base = table + index * (object->wide ? 64 : 40);
    struct section section = {
        object_field(object, base, 16, 24, 4, 8), object_field(object, base, 20, 32, 4, 8),
        object_field(object, base, 24, 40, 4, 4), object_field(object, base, 36, 56, 4, 8),
        object_number(object, base + 4, 4)};
    if (index > UINT32_MAX || !object_has(object, section.offset, section.size))
        return (struct section){0};
    return section;
}

/* What the symbols of that name, which begins at any offset of the strings, say. */
static unsigned symbols_named(const struct object *object, const struct section *table,
                              const struct section *strings, const char *name)
{
    const unsigned char *start = object->data + strings->offset, *at = start;
    size_t length = strlen(name) + 1;
    unsigned found = 0;
    uint64_t step = object->wide ? 24 : 16;
    while ((at = memmem(at, strings->size - (size_t)(at - start), name, length))) {
        for (uint64_t symbol = 0; symbol + step <= table->size; symbol += step) {
            uint64_t base = table->offset + symbol;
            if (object_number(object, base, 4) == (uint64_t)(at - start))
                found |= object_field(object, base, 14, 6, 2, 2) ? HOOKS_DEFINED : HOOKS_CALLED;
        }
        at++;
    }
    return found;
}

static bool contains(const unsigned char *data, size_t size, const char *string)
{
    return memmem(data, size, string, strlen(string)) != NULL;
}

/* gcc's objects for link-time optimisation have no symbols.  Of what they call only the
 * options tell; what they define is listed: a name, that of its group, and a byte for the
 * kind, which is 0 or 1 for a definition. */
static unsigned slim_object(const unsigned char *data, size_t size)
{
    unsigned found = contains(data, size, "'-finstrument-functions'") ? HOOKS_CALLED : 0;
    const unsigned char *name = memmem(data, size, HOOK, sizeof HOOK);
    if (!name)
        return found;
    const unsigned char *group = name + sizeof HOOK;
    const unsigned char *end = memchr(group, 0, size - (size_t)(group - data));
    bool defined = end && end + 1 < data + size && end[1] < 2;
    return found | (defined ? HOOKS_DEFINED : HOOKS_CALLED);
}

/* What an ELF file says of a symbol. */
static unsigned elf_symbol(const unsigned char *data, size_t size, const char *name)
{
    struct object object = {data, size, data[4] == 2, data[5] == 2};
    uint64_t count = object_field(&object, 0, 48, 60, 2, 2);
    unsigned found = 0;
    if (count == 0)
        count = object_section(&object, 0).size;
    for (uint64_t i = 0; i < count && i < size / 40; i++) {
        struct section table = object_section(&object, i);
        if (table.type != 2 && table.type != 11)
            continue;
        struct section strings = object_section(&object, table.link);
        found |= symbols_named(&object, &table, &strings, name);
        if (symbols_named(&object, &table, &strings, "__gnu_lto_slim"))
            found |= slim_object(data, size);
    }
    return found;
}

static unsigned data_hooks(const unsigned char *data, size_t size)
{
    if (size > 64 && memcmp(data, "\177ELF", 4) == 0)
        return elf_symbol(data, size, HOOK);
    return contains(data, size, HOOK) ? HOOKS_CALLED : 0;
}

static unsigned file_hooks(const char *path, unsigned depth);

/* The members of an archive; those of a thin one are files beside it. */
static unsigned archive_hooks(const char *path, const unsigned char *data, size_t size,
                              unsigned depth)
{
    bool thin = memcmp(data, "!<thin>", 7) == 0;
    const char *names = NULL;
    size_t names_size = 0;
    unsigned found = 0;
    for (size_t at = 8; at + 60 <= size;) {
        const char *header = (const char *)data + at;
        char digits[11] = {0};
        memcpy(digits, header + 48, 10);
        size_t length = (size_t)strtoull(digits, NULL, 10);
        bool special = header[0] == '/' && !isdigit((unsigned char)header[1]);
        bool inside = !thin || special;
        at += 60;
        if (inside && length > size - at)
            break;
        if (header[0] == '/' && header[1] == '/') {
            names = (const char *)data + at;
            names_size = length;
        } else if (inside && !special)
            found |= data_hooks(data + at, length);
        else if (!inside && header[0] == '/') {
            size_t offset = (size_t)strtoull(header + 1, NULL, 10), end = offset;
            while (end < names_size && names[end] != '\n')
                end++;
            if (end > offset + 1 && depth < 4) {
                char *name = copy_part(names + offset, end - offset - 1);
                found |= file_hooks(name[0] == '/' ? name : join(folder_part(path), name, ""),
                                    depth + 1);
            }
        }
        at += inside ? length + length % 2 : 0;
    }
    return found;
}

/* What a file that is linked says of the hooks. */
static unsigned file_hooks(const char *path, unsigned depth)
{
    struct stat status;
    unsigned found = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    size_t size = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
    void *data = size > 8 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (data == MAP_FAILED)
        return 0;
    if (memcmp(data, "!<arch>\n", 8) == 0 || memcmp(data, "!<thin>\n", 8) == 0)
        found = archive_hooks(path, data, size, depth);
    else
        found = data_hooks(data, size);
    munmap(data, size);
    /* libc has hooks that do nothing. */
    if (starts(base_name(path), "libc.") || starts(base_name(path), "libc-"))
        return 0;
    return found;
}

/* A library of -l, looked for only where the project's own may lie. */
static unsigned library_hooks(struct world *world, const struct words *folders, const char *name)
{
    static const char *const endings[] = {".so", ".a"};
    for (size_t i = 0; i < folders->count; i++) {
        if (!in_root(world->selection, real_folder(world, folders->at[i])))
            continue;
        char *beginning = join(folders->at[i], name[0] == ':' ? "/" : "/lib", "");
        for (size_t k = 0; k < 2; k++) {
            char *path =
                name[0] == ':' ? join(beginning, name + 1, "") : join(beginning, name, endings[k]);
            if (access(path, F_OK) == 0)
                return file_hooks(path, 0);
        }
    }
    return 0;
}

/* A word that is handed to the linker. */
static unsigned linker_word_hooks(struct world *world, const struct words *folders,
                                  const char *word)
{
    if (word[0] != '-')
        return file_hooks(word, 0);
    return starts(word, "-l") && word[2] ? library_hooks(world, folders, word + 2) : 0;
}

/* All that is linked, except what is compiled in this command. */
static unsigned linked_hooks(struct world *world, const struct command *command, bool *threads)
{
    struct words folders = {0};
    unsigned found = 0;
    for (size_t i = 0; i < command->words.count; i++)
        if (command->meaning[i].option == OPTION_LIBRARY_FOLDER && command->meaning[i].value)
            words_add(&folders, command->meaning[i].value);
    for (size_t i = 0; i < command->words.count; i++) {
        const struct word *word = &command->meaning[i];
        const char *value = word->value;
        *threads = *threads || strcmp(command->words.at[i], "-pthread") == 0;
        if (word->option == OPTION_INPUT && word->language == LANGUAGE_LINKED)
            found |= file_hooks(value, 0);
        else if (word->option == OPTION_LIBRARY && value) {
            found |= library_hooks(world, &folders, value);
            *threads = *threads || strcmp(value, "pthread") == 0;
        } else if (word->option == OPTION_LINKER_WORD && value)
            found |= linker_word_hooks(world, &folders, value);
        else if (word->option == OPTION_LINKER_WORDS && value)
            for (size_t length; *value; value += length + (value[length] == ',')) {
                length = strcspn(value, ",");
                found |= linker_word_hooks(world, &folders, copy_part(value, length));
            }
    }
    return found;
}

/* --- the runtime ------------------------------------------------------------ */

/* The folder of trace.c: the selection's, or one that lies where the launcher was installed. */
static char *runtime_folder(const struct selection *selection)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *choices[3] = {selection->runtime, NULL, NULL};
    if (length > 0) {
        self[length] = '\0';
        char *folder = folder_part(self);
        choices[1] = folder;
        choices[2] = join(folder, "../share/callsight/runtime", "");
    }
    for (size_t i = 0; i < 3; i++)
        if (choices[i] && access(join(choices[i], "/trace.c", ""), R_OK) == 0)
            return join(choices[i], "", "");
    return NULL;
}

static bool make_folders(char *path)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    return (mkdir(path, 0777) == 0 || errno == EEXIST) && access(path, W_OK | X_OK) == 0;
}

/* Where compiled runtimes are kept; NULL: nowhere. */
static char *cache_folder(const struct selection *selection)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder = NULL;
    if (cache && cache[0] == '/')
        folder = join(cache, "/callsight/runtime", "");
    else if (home && home[0] == '/')
        folder = join(home, "/.cache/callsight/runtime", "");
    if (folder && make_folders(folder))
        return folder;
    folder = join(folder_part(selection->path), "runtime-objects", "");
    return make_folders(folder) ? folder : NULL;
}

static uint64_t hash_file(uint64_t hash, const char *path)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return hash_word(hash, path);
    int64_t numbers[] = {(int64_t)status.st_size, (int64_t)status.st_mtim.tv_sec,
                         (int64_t)status.st_mtim.tv_nsec};
    return hash_bytes(hash_word(hash, path), numbers, sizeof numbers);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static uint64_t hash_sources(uint64_t hash, const char *folder)
{
    struct words names = {0};
    DIR *dir = opendir(folder);
    struct dirent *file;
    while (dir && (file = readdir(dir)))
        if (starts(file->d_name, "trace") && (ends(file->d_name, ".h") || ends(file->d_name, ".c")))
            words_add(&names, join(folder, "/", file->d_name));
    if (dir)
        closedir(dir);
    if (names.count > 0)
        qsort(names.at, names.count, sizeof *names.at, by_name);
    for (size_t i = 0; i < names.count; i++)
        hash = hash_file(hash, names.at[i]);
    return hash;
}

/* The command that compiles the runtime, without its output and source. */
static void runtime_command(const struct selection *selection, const struct command *command,
                            struct words *words)
{
    words_add(words, command->compiler.at[command->compiler.count - 1]);
    for (size_t i = 0; i < command->words.count; i++)
        if (command->meaning[i].option == OPTION_TARGET) {
            words_add(words, command->words.at[i]);
            if (i + 1 < command->words.count && command->meaning[i + 1].is_value)
                words_add(words, command->words.at[i + 1]);
        } else if (command->meaning[i].option == OPTION_SYSROOT && command->meaning[i].value) {
            words_add(words, command->words.at[i]);
            if (i + 1 < command->words.count && command->meaning[i + 1].is_value)
                words_add(words, command->words.at[i + 1]);
        }
    static const char *const own[] = {"-x", "c", "-std=c11", "-O2", "-fPIE", "-w", "-c"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        words_add(words, own[i]);
    if (selection->after_inlining)
        words_add(words, "-DTRACE_HOOKS_AFTER_INLINING");
}

/* The first line of a compiler's complaints that tells an error. */
static char *first_error(int fd)
{
    char text[8192];
    ssize_t length = pread(fd, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    char *error = strstr(text, "error:");
    while (error && error > text && error[-1] != '\n')
        error--;
    error = error ? error : text;
    error[strcspn(error, "\n")] = '\0';
    return join(error[0] ? error : "the compiler failed", "", "");
}

/* An object is compiled under another name and renamed, so that many may do it at once. */
static bool compile_runtime(const struct words *start, const char *source, const char *object,
                            const char **why)
{
    char unique[32];
    snprintf(unique, sizeof unique, ".%ld", (long)getpid());
    char *temporary = join(object, unique, ".o"), *errors = join(object, unique, ".err");
    struct words words = {0};
    for (size_t i = 0; i < start->count; i++)
        words_add(&words, start->at[i]);
    words_add(&words, "-o");
    words_add(&words, temporary);
    words_add(&words, source);
    int fd = open(errors, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    catch_signals();
    int status = run(words.at, fd, fd);
    bool done = status == 0 && !ending && rename(temporary, object) == 0;
    if (!done) {
        *why = fd >= 0 ? first_error(fd) : "the compiler failed";
        unlink(temporary);
    }
    unlink(errors);
    if (fd >= 0)
        close(fd);
    if (ending)
        end_as(status);
    return done;
}

/* The runtime's object for this command, compiled if it isn't yet; NULL with *why. */
static char *runtime_object(const struct selection *selection, const struct command *command,
                            const char **why)
{
    char *folder = runtime_folder(selection), *cache = cache_folder(selection);
    *why = !folder ? "there is no trace.c" : "no folder for it can be written";
    if (!folder || !cache)
        return NULL;
    struct words words = {0};
    runtime_command(selection, command, &words);
    char *program = find_program(words.at[0]);
    uint64_t hash = hash_file(HASH_START, program ? program : words.at[0]);
    for (size_t i = 0; i < words.count; i++)
        hash = hash_word(hash, words.at[i]);
    hash = hash_sources(hash, folder);
    char name[32];
    snprintf(name, sizeof name, "/%016llx.o", (unsigned long long)hash);
    char *object = join(cache, name, "");
    if (access(object, R_OK) == 0 ||
        compile_runtime(&words, join(folder, "/trace.c", ""), object, why))
        return object;
    return NULL;
}

/* Whether an object calls library functions for atomic access, as 32-bit PowerPC's does. */
static bool needs_libatomic(const char *path)
{
    char *data;
    size_t size;
    return read_whole(path, &data, &size, HEADER_BYTES_MAX) &&
           contains((unsigned char *)data, size, "__atomic_");
}

/* --- the log ---------------------------------------------------------------- */

static void log_path(struct text *line, const struct world *world, const char *path)
{
    char *full = absolute(world, path);
    for (const unsigned char *at = (unsigned char *)full; *at; at++) {
        char escape[8];
        if (*at == '\n' || *at == '\t' || *at == '\\')
            snprintf(escape, sizeof escape, "\\%c", *at == '\n' ? 'n' : *at == '\t' ? 't' : '\\');
        else if (*at < 32 || *at == 127)
            snprintf(escape, sizeof escape, "\\x%02x", *at);
        else
            snprintf(escape, sizeof escape, "%c", *at);
        text_put(line, escape);
    }
    free(full);
}

static void log_line(const struct text *line)
{
    int fd = open(getenv("CALLSIGHT_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, line->data, line->length) != (ssize_t)line->length)
        tell("%s: %s", getenv("CALLSIGHT_LOG"), strerror(errno));
    if (fd >= 0)
        close(fd);
}

static bool logs(void)
{
    const char *path = getenv("CALLSIGHT_LOG");
    return path && path[0];
}

/* What the compiler calls the output of a source. */
static char *output_of(const struct command *command, const char *source)
{
    if (command->output)
        return join(command->output, "", "");
    if (command->mode == OPTION_OTHER)
        return join("a.out", "", "");
    const char *name = base_name(source), *dot = strrchr(name, '.');
    char *stem = copy_part(name, dot ? (size_t)(dot - name) : strlen(name));
    return join(stem, command->mode == OPTION_ASSEMBLE ? ".s" : ".o", "");
}

static void log_unit(const struct world *world, const struct command *command,
                     const struct unit *unit)
{
    struct text line = {0};
    char hash[40] = "compile 0 ";
    if (unit->hash)
        snprintf(hash, sizeof hash, "compile %016llx ", (unsigned long long)unit->hash);
    text_put(&line, hash);
    log_path(&line, world, output_of(command, unit->source));
    text_put(&line, "\t");
    log_path(&line, world, unit->source);
    text_put(&line, "\n");
    log_line(&line);
}

static void log_link(const struct world *world, const struct command *command, int runtime)
{
    struct text line = {0};
    char start[16];
    snprintf(start, sizeof start, "link %d ", runtime);
    text_put(&line, start);
    log_path(&line, world, output_of(command, ""));
    text_put(&line, "\n");
    log_line(&line);
}

/* --- a command's sources apart ---------------------------------------------- */

static char *scratch; /* a folder for objects; NULL: none was made */

static void remove_scratch(size_t objects)
{
    for (size_t i = 0; scratch && i < objects; i++) {
        char name[32];
        snprintf(name, sizeof name, "/%zu.o", i);
        unlink(join(scratch, name, ""));
    }
    if (scratch) {
        unlink(join(scratch, "/words", ""));
        rmdir(scratch);
    }
}

static bool make_scratch(void)
{
    const char *folder = getenv("TMPDIR");
    scratch = join(folder && folder[0] ? folder : "/tmp", "/callsight-cc.XXXXXX", "");
    if (mkdtemp(scratch))
        return true;
    tell("%s: %s", scratch, strerror(errno));
    scratch = NULL;
    return false;
}

/* What follows the compiler goes to a response file if the command had one. */
static void shorten(const struct command *command, struct words *words)
{
    size_t from = command->compiler.count;
    if (!command->responses || !scratch)
        return;
    struct text text = {0};
    for (size_t i = from; i < words->count; i++) {
        text_put(&text, "\"");
        for (const char *at = words->at[i]; *at; at++) {
            if (*at == '"' || *at == '\\')
                text_put(&text, "\\");
            text_add(&text, at, 1);
        }
        text_put(&text, "\"\n");
    }
    char *path = join(scratch, "/words", "");
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (text.length > 0 && write(fd, text.data, text.length) == (ssize_t)text.length) {
        words->count = from;
        words_add(words, join("@", path, ""));
    }
    close(fd);
}

static void start_command(const struct command *command, struct words *words)
{
    for (size_t i = 0; i < command->compiler.count; i++)
        words_add(words, command->compiler.at[i]);
}

static bool is_for_linking(enum option option)
{
    return option == OPTION_LINKING || option == OPTION_LIBRARY || option == OPTION_SHARED ||
           option == OPTION_LIBRARY_FOLDER || option == OPTION_LINKER_WORDS ||
           option == OPTION_LINKER_WORD || option == OPTION_RELOCATABLE ||
           option == OPTION_NO_START;
}

static bool is_source(const struct word *word)
{
    return word->option == OPTION_INPUT &&
           (word->language == LANGUAGE_SOURCE || word->language == LANGUAGE_PREPROCESSED);
}

/* The names of what -MD writes are those of the whole command. */
static void add_dependency_names(const struct command *command, const struct unit *unit, bool clang,
                                 struct words *words)
{
    bool writes = false, file = false, target = false;
    for (size_t i = 0; i < command->words.count; i++) {
        writes = writes || command->meaning[i].option == OPTION_DEPENDENCIES;
        file = file || command->meaning[i].option == OPTION_DEPENDENCY_FILE;
        target = target || command->meaning[i].option == OPTION_DEPENDENCY_TARGET;
    }
    if (!writes)
        return;
    const char *name = base_name(unit->source), *dot = strrchr(name, '.');
    char *stem = copy_part(name, dot ? (size_t)(dot - name) : strlen(name));
    if (!target) {
        words_add(words, "-MQ");
        words_add(words, command->output ? command->output : join(stem, ".o", ""));
    }
    if (!file) {
        words_add(words, "-MF");
        if (command->output) {
            dot = strrchr(base_name(command->output), '.');
            stem = copy_part(command->output,
                             dot ? (size_t)(dot - command->output) : strlen(command->output));
        }
        words_add(words, join(command->output || clang ? "" : "a-", stem, ".d"));
    }
}

/* The command for one source. */
static void one_source(const struct command *command, const struct unit *unit, bool clang,
                       const char *object, struct words *words)
{
    start_command(command, words);
    for (size_t i = 0; i < unit->options.count; i++)
        words_add(words, unit->options.at[i]);
    if (object) {
        if (clang)
            words_add(words, "-Wno-unused-command-line-argument");
        words_add(words, "-c");
        words_add(words, "-o");
        words_add(words, object);
        add_dependency_names(command, unit, clang, words);
    }
    for (size_t i = 0; i < command->words.count; i++) {
        const struct word *word = &command->meaning[i];
        bool drop = (word->option == OPTION_INPUT && i != unit->index) ||
                    (object && (is_for_linking(word->option) || word->option == OPTION_OUTPUT));
        if (!drop)
            words_add(words, command->words.at[i]);
        else if (i + 1 < command->words.count && command->meaning[i + 1].is_value)
            i++;
    }
    shorten(command, words);
}

/* The link, with objects in place of sources. */
static void link_objects(const struct command *command, const struct words *options, bool clang,
                         const struct words *objects, struct words *words)
{
    const char *wanted = "none", *said = "none";
    size_t source = 0;
    start_command(command, words);
    for (size_t i = 0; i < options->count; i++)
        words_add(words, options->at[i]);
    if (clang)
        words_add(words, "-Wno-unused-command-line-argument");
    for (size_t i = 0; i < command->words.count; i++) {
        const struct word *word = &command->meaning[i];
        bool drop = word->option == OPTION_DEPENDENCIES || word->option == OPTION_LANGUAGE ||
                    word->option == OPTION_DEPENDENCY_FILE ||
                    word->option == OPTION_DEPENDENCY_TARGET;
        if (drop) {
            i += i + 1 < command->words.count && command->meaning[i + 1].is_value;
            wanted = word->option == OPTION_LANGUAGE && word->value ? word->value : wanted;
            continue;
        }
        const char *language = is_source(word) ? "none" : wanted;
        if (word->option == OPTION_INPUT && strcmp(language, said) != 0)
            words_add(words, join("-x", said = language, ""));
        words_add(words, is_source(word) ? objects->at[source++] : command->words.at[i]);
    }
    shorten(command, words);
}

/* Compiles each source by itself, and links. */
static _Noreturn void run_apart(const struct command *command, const struct unit *units,
                                const struct words *link_options)
{
    bool clang = is_clang(command->compiler.at[command->compiler.count - 1]);
    bool links = command->mode == OPTION_OTHER;
    struct words objects = {0};
    int result = 0;
    if ((links || command->responses) && !make_scratch())
        exit(1);
    catch_signals();
    for (size_t i = 0; i < command->sources && !ending; i++) {
        struct words words = {0};
        char name[32];
        snprintf(name, sizeof name, "/%zu.o", i);
        words_add(&objects, join(scratch ? scratch : "", name, ""));
        one_source(command, &units[i], clang, links ? objects.at[i] : NULL, &words);
        int status = run(words.at, -1, -1);
        result = result ? result : status;
    }
    if (result == 0 && links && !ending) {
        struct words words = {0};
        link_objects(command, link_options, clang, &objects, &words);
        result = run(words.at, -1, -1);
    }
    remove_scratch(objects.count);
    end_as(result);
}

/* --- main ------------------------------------------------------------------- */

static const char usage[] =
    "Usage: callsight-cc COMPILER ARGUMENTS…\n"
    "\n"
    "Runs the compiler, with hooks for the functions that the selection chooses and\n"
    "the runtime at the link of programs that hold hooks.  COMPILER may have wrappers\n"
    "before it (ccache gcc).  As CC=\"callsight-cc gcc\", or as CMake's compiler launcher\n"
    "and linker launcher.\n"
    "\n"
    "  CALLSIGHT_SELECTION  the selection (callsight/selection in the working directory\n"
    "                       or above it); callsight-cli scan --write makes it\n"
    "  CALLSIGHT_LOG        a file to which a line is added for each source and link\n";

/* Options for the link, and what the log says of it. */
static int decide_link(struct world *world, const struct command *command, const struct unit *units,
                       struct words *options)
{
    unsigned found = 0;
    bool threads = false;
    const char *why;
    if (command->shared)
        return 0;
    for (size_t i = 0; i < command->sources; i++)
        found |= units[i].hash ? HOOKS_CALLED : 0;
    found |= linked_hooks(world, command, &threads);
    if (!(found & HOOKS_CALLED))
        return 0;
    if (found & HOOKS_DEFINED)
        return 1;
    if (command->no_start)
        return 2;
    char *object = runtime_object(world->selection, command, &why);
    if (!object) {
        tell("%s: the runtime could not be added, so that nothing is recorded: %s",
             output_of(command, ""), why);
        return 2;
    }
    words_add(options, object);
    if (!threads)
        words_add(options, "-lpthread");
    if (needs_libatomic(object))
        words_add(options, "-latomic");
    return 1;
}

/* Whether one command can compile all sources. */
static bool all_alike(const struct command *command, const struct unit *units)
{
    for (size_t i = 1; i < command->sources; i++)
        if (units[i].hash != units[0].hash)
            return false;
    return true;
}

/* The command with options in front of its own. */
static _Noreturn void run_with(const struct command *command, const struct words *options,
                               const struct words *more, char **rest)
{
    struct words words = {0};
    start_command(command, &words);
    for (size_t i = 0; options && i < options->count; i++)
        words_add(&words, options->at[i]);
    for (size_t i = 0; i < more->count; i++)
        words_add(&words, more->at[i]);
    for (; *rest; rest++)
        words_add(&words, *rest);
    become(words.at);
}

static _Noreturn void launch(struct world *world, struct command *command, char **argv)
{
    char **rest = argv + command->compiler.count;
    struct words link_options = {0};
    struct unit *units = allocate(NULL, command->sources * sizeof *units);
    memset(units, 0, command->sources * sizeof *units);
    size_t count = 0;
    for (size_t i = 0; i < command->words.count; i++)
        if (is_source(&command->meaning[i])) {
            units[count].index = i;
            decide(world, command, &units[count++]);
        }
    for (size_t i = 0; i < count && logs(); i++)
        log_unit(world, command, &units[i]);
    if (command->mode == OPTION_OTHER && !command->relocatable) {
        int runtime = decide_link(world, command, units, &link_options);
        if (logs())
            log_link(world, command, runtime);
    }
    bool fails = command->output && command->mode != OPTION_OTHER && command->inputs > 1;
    if (fails ||
        (all_alike(command, units) && (count == 0 || !units[0].hash) && link_options.count == 0))
        become(argv);
    if (all_alike(command, units))
        run_with(command, count > 0 ? &units[0].options : NULL, &link_options, rest);
    run_apart(command, units, &link_options);
}

int main(int argc, char **argv)
{
    struct world world = {0};
    struct command command = {0};
    bool named;
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("callsight-cc " CALLSIGHT_VERSION);
        return 0;
    }
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc < 2 || argv[1][0] == '-' || !argv[1][0]) {
        fputs(usage, stderr);
        return 2;
    }
    argv++;
    world.cwd = getcwd(NULL, 0);
    char *path = world.cwd ? selection_look_for(world.cwd, &named) : NULL;
    if (!path || getenv("CALLSIGHT_REFRESHING"))
        become(argv);
    size_t count = compiler_words(argv);
    for (size_t i = 0; i < count; i++)
        words_add(&command.compiler, argv[i]);
    for (size_t i = count; argv[i]; i++)
        if (!add_words(&command, argv[i], 0))
            become(argv);
    read_command(&command);
    if (command.mode == OPTION_STOP || command.inputs == 0)
        become(argv);
    if (command.mode != OPTION_OTHER && command.sources == 0)
        become(argv);
    world.selection = load_or_tell(path);
    if (!world.selection)
        become(argv);
    launch(&world, &command, argv);
}
