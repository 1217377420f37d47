/* SPDX-License-Identifier: MIT */
/*
 * cc_args.h - the command line: options with their values, response files,
 * languages of inputs.
 */
#ifndef CALLSIGHT_CC_ARGS_H
#define CALLSIGHT_CC_ARGS_H

#include "cc_base.h"

#define RESPONSE_DEPTH_MAX 16
#define RESPONSE_WORDS_MAX 1000000

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
    OPTION_DIRECTORY, /* clang's: what is relative begins there */
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
    {"-cc1", OPTION_STOP, ALONE | JOINED}, /* clang's own inside */
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
    {"-isystem-after", OPTION_OTHER, EITHER},
    {"-isystem", OPTION_SYSTEM, EITHER},
    {"-iwithsysroot", OPTION_OTHER, EITHER},
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
    {"-working-directory=", OPTION_DIRECTORY, JOINED},
    {"-working-directory", OPTION_DIRECTORY, SEPARATE},
    {"--config=", OPTION_TARGET, JOINED},
    {"--config", OPTION_TARGET, SEPARATE},
    {"-dependency-file", OPTION_OTHER, SEPARATE},
    {"-dependency-dot", OPTION_OTHER, SEPARATE},
    {"-framework", OPTION_LINKING, SEPARATE},
    {"-F", OPTION_OTHER, EITHER},
    {"-target", OPTION_TARGET, SEPARATE},
    {"--target=", OPTION_TARGET, JOINED},
    {"--target", OPTION_TARGET, SEPARATE},
    {"-arch", OPTION_TARGET, SEPARATE},
    {"-gcc-toolchain", OPTION_TARGET, SEPARATE},
    {"--gcc-install-dir=", OPTION_TARGET, JOINED},
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
    size_t compiled;       /* inputs that are not only linked */
    enum option mode; /* OPTION_STOP, _COMPILE, _ASSEMBLE, or OPTION_OTHER: linking */
    const char *output;
    const char *directory; /* NULL: the working directory */
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
    command->compiled += meaning->language != LANGUAGE_LINKED;
    if (meaning->language == LANGUAGE_SOURCE || meaning->language == LANGUAGE_PREPROCESSED)
        command->sources++;
}

/* What is told to the linker itself. */
static void note_linker_word(struct command *command, const char *word, size_t length)
{
    static const char *const relocatable[] = {"-r", "-i", "-Ur", "--relocatable"};
    static const char *const shared[] = {"-shared", "--shared", "-Bshareable"};
    for (size_t i = 0; i < sizeof relocatable / sizeof *relocatable; i++)
        if (is_word(word, word + length, relocatable[i]))
            command->relocatable = true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (is_word(word, word + length, shared[i]))
            command->shared = true;
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
    case OPTION_DIRECTORY:
        command->directory = meaning->value;
        break;
    case OPTION_LINKER_WORD:
    case OPTION_LINKER_WORDS:
        for (const char *word = meaning->value; word && *word;) {
            size_t length = strcspn(word, ",");
            note_linker_word(command, word, length);
            word += length + (word[length] == ',');
        }
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

#endif
