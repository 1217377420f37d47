/* SPDX-License-Identifier: MIT */
/*
 * cc_options.h - the options that a source gets.
 */
#ifndef CALLSIGHT_CC_OPTIONS_H
#define CALLSIGHT_CC_OPTIONS_H

#include "cc_lists.h"
#include "cc_refresh.h"

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

/* Whether the command says itself what of debug information it wants; text of an assembler stays
 * readable. */
static bool tells_debug(const struct command *command)
{
    for (size_t i = 0; i < command->words.count; i++) {
        const char *word = command->words.at[i];
        if (strcmp(word, "-S") == 0 ||
            (strncmp(word, "-g", 2) == 0 && strncmp(word, "-gcc", 4) != 0))
            return true;
    }
    return false;
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
    /* Lines, where the project says nothing of debug information. */
    if (!tells_debug(command))
        words_add(&unit->options, "-g");
    for (size_t i = 0; i < world->selection->mirrors.count; i++) {
        char *map = join("-fdebug-prefix-map=", world->selection->mirrors.at[i], "=");
        words_add(&unit->options, join(map, world->selection->root, ""));
    }
    unit->hash = HASH_START;
    for (size_t i = 0; i < unit->options.count; i++)
        unit->hash = hash_word(unit->hash, unit->options.at[i]);
}

#endif
