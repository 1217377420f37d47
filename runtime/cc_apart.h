/* SPDX-License-Identifier: MIT */
/*
 * cc_apart.h - a command whose sources need different options, each compiled by
 * itself.
 */
#ifndef CALLSIGHT_CC_APART_H
#define CALLSIGHT_CC_APART_H

#include "cc_options.h"

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

#endif
