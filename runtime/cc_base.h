/* SPDX-License-Identifier: MIT */
/*
 * cc_base.h - texts, lists and sets, and the messages.
 *
 * What is allocated is never freed: the process becomes another one soon.
 */
#ifndef CALLSIGHT_CC_BASE_H
#define CALLSIGHT_CC_BASE_H

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_BYTES_MAX (64u << 20) /* of all that a unit includes */

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

static size_t set_place(const struct set *set, const char *key, uint64_t hash)
{
    size_t place = hash & (set->room - 1);
    while (set->keys[place] && strcmp(set->keys[place], key) != 0)
        place = (place + 1) & (set->room - 1);
    return place;
}

/* The hash is that of hash_word (HASH_START, key). */
static size_t *set_find_hashed(const struct set *set, const char *key, uint64_t hash)
{
    if (set->room == 0)
        return NULL;
    size_t place = set_place(set, key, hash);
    return set->keys[place] ? &set->values[place] : NULL;
}

static size_t *set_find(const struct set *set, const char *key)
{
    return set_find_hashed(set, key, hash_word(HASH_START, key));
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
    size_t place = set_place(set, key, hash_word(HASH_START, key));
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

static bool is_word(const char *value, const char *end, const char *word)
{
    return (size_t)(end - value) == strlen(word) && memcmp(value, word, strlen(word)) == 0;
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

/* A regular file, with a NUL behind it. */
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

#endif
