/* SPDX-License-Identifier: MIT */
/*
 * cc_runtime.h - the runtime's object, compiled once for each compiler and kept.
 */
#ifndef CALLSIGHT_CC_RUNTIME_H
#define CALLSIGHT_CC_RUNTIME_H

#include <time.h>

#include "cc_args.h"
#include "cc_compiler.h"
#include "cc_run.h"
#include "cc_selection.h"

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
    char unique[64];
    struct timespec now = {0};
    /* The folder may be shared with machines that have the same numbers for processes. */
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(unique, sizeof unique, ".%ld.%lld%09ld", (long)getpid(), (long long)now.tv_sec,
             now.tv_nsec);
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
    /* The compiler is the same under a name and under its path. */
    for (size_t i = 1; i < words.count; i++)
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

#endif
