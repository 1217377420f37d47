/* SPDX-License-Identifier: MIT */
/*
 * cc_objects.h - whether what is linked calls or defines the hooks: objects,
 * archives, libraries.
 */
#ifndef CALLSIGHT_CC_OBJECTS_H
#define CALLSIGHT_CC_OBJECTS_H

#include "cc_args.h"
#include "cc_places.h"

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
    return data && memmem(data, size, string, strlen(string)) != NULL;
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

#endif
