/* SPDX-License-Identifier: MIT */
/*
 * trace_maps.h - the loaded objects as the kernel knows them.
 *
 * /proc/self/maps tells the file behind an address, and which objects there are in the
 * child of a process that had threads: the loader's lock may be held there for ever by one
 * that is no more, and dl_iterate_phdr() would wait for it.
 */
#ifndef CALLSIGHT_TRACE_MAPS_H
#define CALLSIGHT_TRACE_MAPS_H

#include <link.h>

#include "trace_process.h"

#define TRACE_MAPS_HEADERS 32 /* program headers of an object; libraries have about ten */

/* A line of /proc/self/maps. */
struct trace_map {
    uint64_t start, end, offset;
    bool runs;        /* executable */
    const char *path; /* "": none, or of no file */
};

/* Splits a line, without its newline.  False: it is none. */
TRACE_FN bool trace_map_parse(struct trace_map *map, const char *line)
{
    char *p;
    map->start = strtoull(line, &p, 16);
    if (*p != '-')
        return false;
    map->end = strtoull(p + 1, &p, 16);
    if (strlen(p) < 6)
        return false;
    map->runs = p[3] == 'x';
    map->offset = strtoull(p + 5, &p, 16);
    const char *slash = strchr(p, '/');
    map->path = slash ? slash : "";
    return true;
}

/* Calls `visit` for each line until it returns true.  False: the file cannot be read. */
TRACE_FN bool trace_maps_each(struct trace_modules *modules,
                              bool (*visit)(const struct trace_map *map, void *data), void *data)
{
    char *buffer = modules->text;
    size_t used = 0, room = sizeof modules->text - 1;
    bool found = false;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (!found) {
        ssize_t got = read(fd, buffer + used, room - used);
        if (got <= 0)
            break;
        used += (size_t)got;
        buffer[used] = '\0';
        char *line = buffer, *end;
        while (!found && (end = strchr(line, '\n'))) {
            *end = '\0';
            struct trace_map map;
            found = trace_map_parse(&map, line) && visit(&map, data);
            line = end + 1;
        }
        used -= (size_t)(line - buffer);
        memmove(buffer, line, used);
        if (used == room)
            break;
    }
    close(fd);
    return true;
}

struct trace_maps_search {
    struct trace_modules *modules;
    uint64_t address;
    bool found;
};

TRACE_FN bool trace_maps_search_visit(const struct trace_map *map, void *data)
{
    struct trace_maps_search *search = data;
    if (search->address < map->start || search->address >= map->end)
        return false;
    search->found = map->path[0] && strlen(map->path) < sizeof search->modules->path;
    if (search->found)
        strcpy(search->modules->path, map->path);
    return true;
}

/* Puts the name of the file that is mapped at `address` into modules->path: the loader
 * keeps a relative name as it was given, and the current folder may have changed. */
TRACE_FN bool trace_maps_path(struct trace_modules *modules, uint64_t address)
{
    struct trace_maps_search search = {.modules = modules, .address = address};
    return trace_maps_each(modules, trace_maps_search_visit, &search) && search.found;
}

/* For a walk over the objects: what dl_iterate_phdr() would tell of each.  The path is in
 * modules->path. */
struct trace_maps_objects {
    struct trace_modules *modules;
    int (*visit)(struct dl_phdr_info *info, size_t size, void *data);
    void *data;
    int memory;   /* /proc/self/mem: where another thread unmaps what is read, an error */
    bool pending; /* a file begins at `start`; none of it was seen to be executable yet */
    uint64_t start, end;
    struct dl_phdr_info info;
    ElfW(Phdr) headers[TRACE_MAPS_HEADERS];
};

/* Reads the ELF header at a file's beginning in memory, sets info and end. */
TRACE_FN bool trace_maps_take(struct trace_maps_objects *objects, uint64_t start)
{
    static const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    ElfW(Ehdr) header;
    if (pread(objects->memory, &header, sizeof header, (off_t)start) != (ssize_t)sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != class ||
        header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phnum == 0 ||
        header.e_phnum > TRACE_MAPS_HEADERS)
        return false;
    ssize_t size = (ssize_t)(header.e_phnum * sizeof(ElfW(Phdr)));
    if (pread(objects->memory, objects->headers, (size_t)size, (off_t)(start + header.e_phoff)) !=
        size)
        return false;
    uint64_t low = UINT64_MAX, high = 0, page = trace_page_size();
    for (int i = 0; i < header.e_phnum; i++) {
        const ElfW(Phdr) *part = &objects->headers[i];
        if (part->p_type != PT_LOAD)
            continue;
        low = part->p_vaddr < low ? part->p_vaddr : low;
        if ((uint64_t)part->p_vaddr + part->p_memsz > high)
            high = (uint64_t)part->p_vaddr + part->p_memsz;
    }
    if (low >= high)
        return false;
    low &= ~(page - 1);
    memset(&objects->info, 0, sizeof objects->info);
    objects->info.dlpi_addr = (ElfW(Addr))(start - low);
    objects->info.dlpi_phdr = objects->headers;
    objects->info.dlpi_phnum = header.e_phnum;
    objects->start = start;
    objects->end = start - low + high;
    return true;
}

/* A file that is mapped from its beginning, and somewhere executable, is an object. */
TRACE_FN bool trace_maps_objects_visit(const struct trace_map *map, void *data)
{
    static const char deleted[] = " (deleted)";
    struct trace_maps_objects *objects = data;
    struct trace_modules *modules = objects->modules;
    size_t length = strlen(map->path);
    bool same = strncmp(map->path, modules->path, strlen(modules->path)) == 0;
    if (map->start >= objects->end || (objects->pending && !same && map->offset == 0)) {
        objects->pending = map->path[0] && map->offset == 0 && length < sizeof modules->path &&
                           trace_maps_take(objects, map->start);
        if (objects->pending) {
            strcpy(modules->path, map->path);
            length -= length > sizeof deleted ? sizeof deleted - 1 : 0;
            if (strcmp(modules->path + length, deleted) == 0)
                modules->path[length] = '\0';
            same = true;
        }
    }
    if (!objects->pending || !same || !map->runs || map->start >= objects->end)
        return false;
    objects->pending = false;
    objects->info.dlpi_name = modules->path;
    return objects->visit(&objects->info, 0, objects->data) != 0;
}

/* Does what dl_iterate_phdr() does, without the counters.  False: /proc does not tell. */
TRACE_FN bool trace_maps_objects(struct trace_maps_objects *objects)
{
    objects->memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (objects->memory < 0)
        return false;
    bool told = trace_maps_each(objects->modules, trace_maps_objects_visit, objects);
    close(objects->memory);
    return told;
}

#endif
