/* SPDX-License-Identifier: MIT */
/*
 * cc_compiler.h - which words of the command are wrappers and the compiler, and
 * what the compiler is.
 */
#ifndef CALLSIGHT_CC_COMPILER_H
#define CALLSIGHT_CC_COMPILER_H

#include "cc_base.h"

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

#endif
