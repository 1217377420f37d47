/* SPDX-License-Identifier: MIT */
/*
 * cc_lists.h - gcc's lists of files and functions without hooks, and what keeps
 * them from silencing what is chosen.
 *
 * What must not be matched by an entry of a list: the spellings, or the functions' names,
 * that are chosen.
 */
#ifndef CALLSIGHT_CC_LISTS_H
#define CALLSIGHT_CC_LISTS_H

#include "cc_compiler.h"
#include "cc_includes.h"

/* Options that are added stay below this: gcc hands all of them on in one string, for
 * which the kernel allows 128 KiB. */
#define OPTIONS_MAX (120 * 1024)

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

/* Entries as far as they fit into *room bytes, behind the option's name, which ends at start;
 * returns how many don't. */
static size_t write_list(struct text *option, size_t start, const struct list *list, size_t *room)
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
        if (option->length > start)
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
    const size_t functions_start = functions.length, files_start = files.length;
    size_t left_out = write_list(&functions, functions_start, &lists->functions, &room);
    left_out += write_list(&files, files_start, &lists->files, &room);
    write_list(&files, files_start, &lists->spare, &room);
    if (left_out > 0)
        tell("%s: %zu files and functions that aren't chosen get hooks: the compiler takes no "
             "longer list",
             source, left_out);
    if (functions.length > functions_start)
        words_add(options, functions.data);
    if (files.length > files_start)
        words_add(options, files.data);
}

#endif
