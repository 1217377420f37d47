/* SPDX-License-Identifier: MIT */
/*
 * cc_includes.h - the files that a unit includes, in every spelling that the
 * compiler may know them by.
 *
 * Every name that an #include line may lead to, whatever conditions stand around it: more
 * than the compiler reads does no harm.
 */
#ifndef CALLSIGHT_CC_INCLUDES_H
#define CALLSIGHT_CC_INCLUDES_H

#include <dirent.h>

#include "cc_args.h"
#include "cc_places.h"

#define HEADERS_MAX 20000
#define INCLUDE_DEPTH_MAX 200 /* as gcc's */
#define SPELLINGS_MAX 16      /* of one file whose includes are followed */
#define MISSES_MAX 4
#define FOLDER_MAX 10000

/* A folder in which includes are looked for. */
struct folder {
    char *name;  /* as spelled, with a '/' at its end; "" is that of the command */
    bool system; /* of -isystem and the like */
    bool inside;
    const char *real;
    size_t listing;
};

/* What lies in a folder, read where much is looked for in vain. */
struct listing {
    const char *folder; /* as above */
    unsigned misses;
    bool tried, complete;
    struct set names;
};

struct folders {
    struct folder *at;
    size_t count, room;
    struct world *world;
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
    struct set paths; /* real folder and name → index of the file; NOWHERE: there is none */
    struct listing *listings;
    size_t listing_count;
    struct set listed; /* name of a folder → index of its listing */
    size_t coming;     /* names that the file that is followed still includes */
    char *buffer;      /* what was read last, of the file `fresh` */
    size_t buffer_room, buffer_used, fresh;
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
    if (name[0] && !ends(name, "/"))
        name = join(name, "/", "");
    const char *real = real_folder(folders->world, name);
    if (!real[0])
        return;
    if (folders->count == folders->room) {
        folders->room = folders->room * 2 + 16;
        folders->at = allocate(folders->at, folders->room * sizeof *folders->at);
    }
    folders->at[folders->count++] = (struct folder){.name = name, .system = system, .real = real};
}

static bool folders_have(const struct folders *folders, size_t until, const struct folder *folder)
{
    for (size_t i = 0; i < until; i++)
        if (strcmp(folders->at[i].real, folder->real) == 0)
            return true;
    return false;
}

/* Appends what is in neither of the two: gcc leaves out a folder that it searches anyway. */
static void folders_append(struct folders *chain, const struct folders *more,
                           const struct folders *system)
{
    size_t from = chain->count;
    for (size_t i = 0; i < more->count; i++) {
        struct folders own = {.at = chain->at + from, .count = chain->count - from};
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

static size_t listing_of(struct walk *walk, const char *folder)
{
    size_t *known = set_find(&walk->listed, folder);
    if (known)
        return *known;
    if (walk->listing_count % 64 == 0)
        walk->listings =
            allocate(walk->listings, (walk->listing_count + 64) * sizeof *walk->listings);
    walk->listings[walk->listing_count] = (struct listing){.folder = join(folder, "", "")};
    set_add(&walk->listed, walk->listings[walk->listing_count].folder, walk->listing_count);
    return walk->listing_count++;
}

static void read_folders(struct walk *walk, const struct command *command)
{
    struct folders quote = {.world = walk->world}, bracket = quote, system = quote, after = quote;
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
                bracket = (struct folders){.world = walk->world};
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
        folder->inside = in_root(walk->world->selection, folder->real) != NULL;
        folder->listing = listing_of(walk, folder->name);
        walk->systems = walk->systems || (folder->inside && folder->system);
    }
}

static size_t add_file(struct walk *walk)
{
    if (walk->file_count == walk->file_room) {
        walk->file_room = walk->file_room * 2 + 64;
        walk->files = allocate(walk->files, walk->file_room * sizeof *walk->files);
    }
    walk->files[walk->file_count] = (struct file){0};
    return walk->file_count++;
}

/* Reads a file into the buffer, with a NUL behind it.  False: it is none. */
static bool read_into_buffer(struct walk *walk, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return errno == EACCES && access(path, F_OK) == 0;
    size_t most = HEADER_BYTES_MAX - walk->bytes;
    ssize_t got = 1;
    walk->buffer_used = 0;
    while (got > 0 && walk->buffer_used <= most) {
        if (walk->buffer_used + 1 >= walk->buffer_room) {
            walk->buffer_room = walk->buffer_room ? walk->buffer_room * 2 : 64 * 1024;
            walk->buffer = allocate(walk->buffer, walk->buffer_room);
        }
        size_t room = walk->buffer_room - walk->buffer_used - 1;
        got = read(fd, walk->buffer + walk->buffer_used, room);
        walk->buffer_used += got > 0 ? (size_t)got : 0;
        if ((size_t)got < room)
            break;
    }
    bool is_file = got >= 0 || errno != EISDIR;
    close(fd);
    if (got < 0 || walk->buffer_used > most)
        walk->buffer_used = 0;
    walk->bytes += walk->buffer_used;
    walk->buffer[walk->buffer_used] = '\0';
    return is_file;
}

/* The file with this spelling, NOWHERE if there is none.  One in the project is read at once:
 * that it can be opened tells that it is there. */
static size_t find_file(struct walk *walk, const char *spelling)
{
    const char *real = real_folder(walk->world, folder_part(spelling));
    struct stat status;
    if (!real[0])
        return NOWHERE;
    char *path = join(strcmp(real, "/") == 0 ? "" : real, "/", base_name(spelling));
    size_t *known = set_find(&walk->paths, path);
    if (known)
        return *known;
    bool reads = in_root(walk->world->selection, path) != NULL;
    bool there = reads ? read_into_buffer(walk, spelling)
                       : stat(spelling, &status) == 0 && !S_ISDIR(status.st_mode);
    size_t file = there ? add_file(walk) : NOWHERE;
    set_add(&walk->paths, path, file);
    walk->fresh = reads ? file : NOWHERE;
    return file;
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
    /* gcc spells what it takes for the system's by its real path where that is shorter. */
    if (walk->systems) {
        char *real = realpath(spelling, NULL);
        if (real && strlen(real) < strlen(spelling))
            visit(walk, real, folder);
    }
    size_t file = walk->count < HEADERS_MAX ? find_file(walk, spelling) : NOWHERE;
    if (file == NOWHERE) {
        set_add(&walk->seen, spelling, 0);
        return NOWHERE;
    }
    size_t index = add_header(walk, spelling, folder, file);
    set_add(&walk->seen, spelling, index + 1);
    follow_file(walk, index);
    return index;
}

/* Reads a folder in which much is looked for in vain, so that this costs no system call. */
static void list_folder(struct listing *listing)
{
    DIR *dir = opendir(listing->folder[0] ? listing->folder : ".");
    struct dirent *file;
    if (!dir)
        return;
    while ((file = readdir(dir)) && listing->names.count < FOLDER_MAX)
        set_add(&listing->names, join(file->d_name, "", ""), 1);
    listing->complete = listing->names.count < FOLDER_MAX;
    closedir(dir);
}

/* A name that is looked for: its first part decides where it can't be. */
struct wanted {
    const char *name;
    char first[NAME_MAX + 1]; /* "": unknown */
    uint64_t hash;
};

static void want(struct wanted *wanted, const char *name)
{
    size_t length = strcspn(name, "/");
    wanted->name = name;
    if (length > NAME_MAX)
        length = 0;
    memcpy(wanted->first, name, length);
    wanted->first[length] = '\0';
    wanted->hash = hash_word(HASH_START, wanted->first);
}

/* Whether a folder may have it.  A folder is listed where so much is still to be looked for
 * that this costs less. */
static bool may_have(struct walk *walk, size_t index, const struct wanted *wanted)
{
    struct listing *listing = &walk->listings[index];
    if (!listing->tried &&
        (listing->misses >= MISSES_MAX || walk->coming > (size_t)2 * MISSES_MAX)) {
        listing->tried = true;
        list_folder(listing);
    }
    return !listing->complete || !wanted->first[0] ||
           set_find_hashed(&listing->names, wanted->first, wanted->hash);
}

static size_t search_chain(struct walk *walk, const char *name, size_t from)
{
    struct wanted wanted;
    want(&wanted, name);
    for (size_t i = from; i < walk->chain.count; i++) {
        struct folder *folder = &walk->chain.at[i];
        if (!may_have(walk, folder->listing, &wanted))
            continue;
        size_t index = visit(walk, join(folder->name, name, ""), i);
        if (index != NOWHERE)
            return index;
        walk->listings[folder->listing].misses++;
    }
    return NOWHERE;
}

/* A name of "" beside the file that includes it. */
static size_t visit_beside(struct walk *walk, size_t from, const char *name)
{
    char *folder = folder_part(walk->headers[from].spelling);
    size_t listing = listing_of(walk, folder);
    struct wanted wanted;
    want(&wanted, name);
    if (!may_have(walk, listing, &wanted))
        return NOWHERE;
    size_t index = visit(walk, join(folder, name, ""), walk->headers[from].folder);
    walk->listings[listing].misses += index == NOWHERE;
    return index;
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
    if (name[0] == '"' && visit_beside(walk, from, name + 1) != NOWHERE && !next)
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

static void read_directives(struct walk *walk, size_t index, const char *data, size_t size)
{
    const char *at = data;
    while ((at = memchr(at, '#', size - (size_t)(at - data)))) {
        const char *before = at;
        while (before > data && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before == data || before[-1] == '\n' || (before > data + 1 && before[-1] == '/'))
            read_directive(walk, index, at + 1);
        at++;
    }
}

static void read_file(struct walk *walk, size_t index)
{
    const struct header *header = &walk->headers[index];
    if (walk->fresh == header->file || read_into_buffer(walk, header->spelling))
        read_directives(walk, index, walk->buffer, walk->buffer_used);
    walk->fresh = NOWHERE;
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
    size_t outer = walk->coming;
    for (size_t i = 0; i < walk->files[number].includes.count; i++) {
        const char *name = walk->files[number].includes.at[i];
        walk->coming = walk->files[number].includes.count - i + outer;
        bool next = starts(name, "next<") || starts(name, "next\"");
        name += next ? 4 : 0;
        if (name[0] == '<' || name[0] == '"')
            follow(walk, index, name, next);
        else
            words_add(&walk->pending, name);
    }
    walk->coming = outer;
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

#endif
