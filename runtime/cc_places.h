/* SPDX-License-Identifier: MIT */
/*
 * cc_places.h - which file of the selection a spelling names: working directory,
 * links, copies of the root.
 */
#ifndef CALLSIGHT_CC_PLACES_H
#define CALLSIGHT_CC_PLACES_H

#include <limits.h>

#include "cc_selection.h"

/* The command's surroundings. */
struct world {
    char *cwd;
    struct selection *selection;
    struct set folders;    /* a folder as spelled → index of its real path */
    struct words resolved; /* NULL never: "" if there is no such folder */
    struct set plain;      /* paths without links that are known to be there */
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

/* A folder's path without links, NULL if there is none.  The working directory and the root are
 * known to have none, and each part of a path is looked at once. */
static char *resolve_folder(struct world *world, const char *folder)
{
    const char *base = world->cwd, *rest = folder;
    char unused[2];
    if (folder[0] == '/') {
        rest = behind(folder, world->selection->root);
        base = rest ? world->selection->root : "/";
        rest = rest ? rest : folder;
    }
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
        if (set_find(&world->plain, path.data))
            continue;
        if (readlink(path.data, unused, sizeof unused) >= 0)
            return realpath(folder, NULL);
        if (errno != EINVAL)
            return NULL;
        set_add(&world->plain, copy_part(path.data, path.length), 1);
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
    struct selection *selection = world->selection;
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

#endif
