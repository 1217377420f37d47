/* SPDX-License-Identifier: MIT */
/*
 * trace_process.h - the process file: who ran, what was loaded where, and what
 * the threads were called.
 *
 * The loaded objects are walked at the start and again at a flush when the
 * loader's counters say that the set changed, never in a hook's fast path.
 * What is in memory is what is believed: build ids come from the mapped notes.
 */
#ifndef CALLSIGHT_TRACE_PROCESS_H
#define CALLSIGHT_TRACE_PROCESS_H

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "trace_base.h"

#define TRACE_LINE_MAX 16384 /* readers ignore longer lines */
#define TRACE_BUILD_ID_MAX 32
/* Names of threads and of libraries that come later end here: a program may start
 * threads for ever, and what wrap discards of them leaves their lines. */
#define TRACE_PROCESS_MOST (16 << 20)

struct trace_module {
    uint64_t bias, start, end; /* addresses; end is behind the last byte */
    const char *path;          /* absolute; in trace_modules' arena */
    uint8_t id[TRACE_BUILD_ID_MAX];
    uint8_t id_size; /* 0: none */
    bool loaded;     /* in the set as last written */
    bool seen;       /* by the walk that is under way */
};

struct trace_modules {
    pthread_mutex_t lock;
    struct trace_module *list;
    size_t count, capacity;
    char *arena; /* what is left of the current chunk of path bytes */
    size_t arena_left;
    unsigned long long adds, subs; /* the loader's counters at the last walk */
    uint64_t checked_ns;           /* when the set was last known to be as listed */
    bool broken;                   /* no memory, or torn by a fork: listed no more */
    bool no_walk;                  /* the child of a threaded process: see below */
    /* Scratch space under the lock: a thread's stack may be as small as 16 KiB. */
    char line[TRACE_LINE_MAX];
    char text[8192];
    char path[PATH_MAX];
};

/* The file of this process. */
struct trace_process {
    char path[PATH_MAX + 64];
    pid_t pid, parent;
    uint64_t load_bias; /* of the main executable */
    struct trace_modules modules;
};

/* --- lines ---------------------------------------------------------------- */

/* Opens the file for appending, up to `most` bytes; creates it if need be.  The descriptor is not
 * kept: the program's own numbers stay what they would have been, and nothing
 * is left open for a daemon to close.  -1: errno says why. */
TRACE_FN int trace_process_open(const struct trace_process *process, off_t most)
{
    int fd = open(process->path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                  0600);
    struct stat info;
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1 ||
                    info.st_uid != geteuid() || info.st_size > most)) {
        close(fd);
        errno = EEXIST;
        return -1;
    }
    return fd;
}

/* Appends `text`, escaped as in C, to the line of `size` bytes. */
TRACE_FN size_t trace_line_escape(char *line, size_t used, size_t size, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    for (const unsigned char *p = (const unsigned char *)text; *p && used + 5 < size; p++) {
        if (*p == '\n') {
            line[used++] = '\\';
            line[used++] = 'n';
        } else if (*p == '\\') {
            line[used++] = '\\';
            line[used++] = '\\';
        } else if (*p < 0x20 || *p == 0x7f) {
            line[used++] = '\\';
            line[used++] = 'x';
            line[used++] = hex[*p >> 4];
            line[used++] = hex[*p & 15];
        } else {
            line[used++] = (char)*p;
        }
    }
    return used;
}

/* Writes what `line` holds, then `tail` escaped where it is not NULL, as one line
 * in one write.  `size` is the room in `line`. */
TRACE_FN bool trace_process_line(int fd, char *line, size_t size, const char *tail)
{
    size_t used = strlen(line);
    if (tail)
        used = trace_line_escape(line, used, size - 1, tail);
    line[used++] = '\n';
    return write(fd, line, used) == (ssize_t)used;
}

/* --- the loaded objects --------------------------------------------------- */

TRACE_FN const char *trace_modules_intern(struct trace_modules *modules, const char *path)
{
    for (size_t i = 0; i < modules->count; i++) {
        if (strcmp(modules->list[i].path, path) == 0)
            return modules->list[i].path;
    }
    size_t size = strlen(path) + 1;
    if (size > modules->arena_left) {
        size_t chunk = 65536; /* a path is shorter: PATH_MAX bounds it */
        void *memory =
            mmap(NULL, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return NULL;
        modules->arena = memory;
        modules->arena_left = chunk;
    }
    char *copy = modules->arena;
    memcpy(copy, path, size);
    modules->arena += size;
    modules->arena_left -= size;
    return copy;
}

/* A place for one more module: where the same file stood before it was unloaded,
 * or a new one.  `path` is interned. */
TRACE_FN struct trace_module *trace_modules_place(struct trace_modules *modules, const char *path)
{
    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *old = &modules->list[i];
        if (old->path == path && !old->loaded && !old->seen)
            return old;
    }
    if (modules->count == modules->capacity) {
        size_t capacity = modules->capacity ? modules->capacity * 2 : 64;
        void *memory = mmap(NULL, capacity * sizeof *modules->list, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return NULL;
        if (modules->list) {
            memcpy(memory, modules->list, modules->count * sizeof *modules->list);
            munmap(modules->list, modules->capacity * sizeof *modules->list);
        }
        modules->list = memory;
        modules->capacity = capacity;
    }
    return &modules->list[modules->count++];
}

/* Puts the name of the file that is mapped at `address` into modules->path, from
 * /proc/self/maps: the loader keeps a relative name as it was given, and the
 * current folder may have changed. */
TRACE_FN bool trace_modules_mapped_path(struct trace_modules *modules, uint64_t address)
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
            char *dash;
            uint64_t from = strtoull(line, &dash, 16);
            uint64_t to = *dash == '-' ? strtoull(dash + 1, NULL, 16) : 0;
            const char *slash = strchr(line, '/');
            if (address >= from && address < to && slash && strlen(slash) < sizeof modules->path) {
                strcpy(modules->path, slash);
                found = true;
            }
            line = end + 1;
        }
        used -= (size_t)(line - buffer);
        memmove(buffer, line, used);
        if (used == room)
            break;
    }
    close(fd);
    return found;
}

TRACE_FN void trace_module_build_id(struct trace_module *module, const struct dl_phdr_info *info)
{
    module->id_size = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_NOTE)
            continue;
        const unsigned char *p =
            (const unsigned char *)(uintptr_t)(info->dlpi_addr + header->p_vaddr);
        const unsigned char *end = p + header->p_memsz;
        while ((size_t)(end - p) >= sizeof(ElfW(Nhdr))) {
            ElfW(Nhdr) note;
            memcpy(&note, p, sizeof note);
            uint64_t left = (uint64_t)(end - p), align = header->p_align == 8 ? 8 : 4;
            uint64_t desc = (sizeof note + (uint64_t)note.n_namesz + align - 1) & ~(align - 1);
            if (desc + note.n_descsz > left)
                break;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                memcmp(p + sizeof note, "GNU", 4) == 0 && note.n_descsz > 0 &&
                note.n_descsz <= TRACE_BUILD_ID_MAX) {
                module->id_size = (uint8_t)note.n_descsz;
                memcpy(module->id, p + desc, note.n_descsz);
                return;
            }
            uint64_t next = (desc + note.n_descsz + align - 1) & ~(align - 1);
            p += next < left ? next : left; /* the last one need not be padded */
        }
    }
}

/* Puts the path of the main executable into modules->path. */
TRACE_FN bool trace_process_exe(struct trace_modules *modules)
{
    ssize_t length = readlink("/proc/self/exe", modules->path, sizeof modules->path - 1);
    modules->path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

struct trace_modules_walk {
    struct trace_process *process;
    size_t objects; /* seen so far; the first is the main executable */
};

/* For dl_iterate_phdr: reads the loader's counters only. */
TRACE_FN int trace_modules_counters(struct dl_phdr_info *info, size_t size, void *data)
{
    unsigned long long *counters = data;
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
        counters[0] = info->dlpi_adds;
        counters[1] = info->dlpi_subs;
    }
    return 1;
}

/* For dl_iterate_phdr: marks the object as seen, or notes it as new. */
TRACE_FN int trace_modules_visit(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct trace_modules_walk *walk = data;
    struct trace_modules *modules = &walk->process->modules;
    bool is_main = walk->objects++ == 0;
    uint64_t low = UINT64_MAX, high = 0, page = trace_page_size();
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        if (header->p_vaddr < low)
            low = header->p_vaddr;
        if ((uint64_t)header->p_vaddr + header->p_memsz > high)
            high = (uint64_t)header->p_vaddr + header->p_memsz;
    }
    if (is_main)
        walk->process->load_bias = info->dlpi_addr;
    if (low >= high)
        return 0;
    struct trace_module found;
    memset(&found, 0, sizeof found);
    found.bias = info->dlpi_addr;
    found.start = (found.bias + low) & ~(page - 1);
    found.end = (found.bias + high + page - 1) & ~(page - 1);
    found.seen = true;

    const char *name = info->dlpi_name ? info->dlpi_name : "";
    if (is_main) {
        if (!trace_process_exe(modules))
            return 0;
        name = modules->path;
    } else if (!strchr(name, '/')) {
        return 0; /* the vdso: no file to read names from */
    } else if (name[0] != '/' && trace_modules_mapped_path(modules, found.start)) {
        name = modules->path;
    }
    trace_module_build_id(&found, info);

    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *old = &modules->list[i];
        if (old->loaded && old->bias == found.bias && old->start == found.start &&
            old->end == found.end && old->id_size == found.id_size &&
            memcmp(old->id, found.id, found.id_size) == 0 && strcmp(old->path, name) == 0) {
            old->seen = true;
            return 0;
        }
    }
    found.path = trace_modules_intern(modules, name);
    struct trace_module *place = found.path ? trace_modules_place(modules, found.path) : NULL;
    if (!place) {
        modules->broken = true;
        return 1;
    }
    *place = found;
    return 0;
}

TRACE_FN void trace_modules_write_one(struct trace_modules *modules, int fd,
                                      const struct trace_module *module, uint64_t since)
{
    static const char hex[] = "0123456789abcdef";
    char id[2 * TRACE_BUILD_ID_MAX + 1] = "-";
    for (size_t i = 0; i < module->id_size; i++) {
        id[2 * i] = hex[module->id[i] >> 4];
        id[2 * i + 1] = hex[module->id[i] & 15];
        id[2 * i + 2] = '\0';
    }
    snprintf(modules->line, sizeof modules->line, "module %llu %llx %llx %llx %s ",
             (unsigned long long)since, (unsigned long long)module->bias,
             (unsigned long long)module->start, (unsigned long long)module->end, id);
    trace_process_line(fd, modules->line, sizeof modules->line, module->path);
}

/* Walks the loaded objects and writes what came and went.  What was found now
 * came after the last check, so its `since` is that check: no event of it can be
 * earlier, and none of it is missed.  The caller holds modules->lock. */
TRACE_FN void trace_modules_walk(struct trace_process *process, int fd, uint64_t since)
{
    struct trace_modules *modules = &process->modules;
    uint64_t now = trace_clock_ns(CLOCK_MONOTONIC);
    struct trace_modules_walk walk = {process, 0};
    for (size_t i = 0; i < modules->count; i++)
        modules->list[i].seen = false;
    dl_iterate_phdr(trace_modules_visit, &walk);
    if (modules->broken)
        return;
    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *module = &modules->list[i];
        if (module->loaded && !module->seen) {
            char line[128];
            snprintf(line, sizeof line, "module-gone %llu %llx", (unsigned long long)now,
                     (unsigned long long)module->start);
            trace_process_line(fd, line, sizeof line, NULL);
            module->loaded = false;
        }
    }
    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *module = &modules->list[i];
        if (module->seen && !module->loaded) {
            trace_modules_write_one(modules, fd, module, since);
            module->loaded = true;
        }
    }
}

/* At a flush: has the set of loaded objects changed?  Only tries the lock: a
 * thread that holds the loader's own lock may be the one that flushes here while
 * another walks.  In the child of a process that had threads the loader's lock
 * may be held for ever by one that is no more, so there the inherited list stays. */
TRACE_FN void trace_modules_check(struct trace_process *process)
{
    struct trace_modules *modules = &process->modules;
    if (modules->no_walk || modules->broken || pthread_mutex_trylock(&modules->lock) != 0)
        return;
    unsigned long long counters[2] = {0, 0};
    uint64_t now = trace_clock_ns(CLOCK_MONOTONIC);
    dl_iterate_phdr(trace_modules_counters, counters);
    if (counters[0] != modules->adds || counters[1] != modules->subs) {
        int fd = trace_process_open(process, TRACE_PROCESS_MOST);
        if (fd >= 0) {
            trace_modules_walk(process, fd, modules->checked_ns);
            close(fd);
            modules->adds = counters[0];
            modules->subs = counters[1];
        }
    }
    modules->checked_ns = now;
    pthread_mutex_unlock(&modules->lock);
}

/* --- sections ------------------------------------------------------------- */

/* Begins this process's section of its file: who it is, and every module.  A
 * file that a killed writer left without a last newline gets one first.  `t0_ns`
 * is the start anchor that the section's event files carry.  Called under the lock
 * that starts a process, when no thread of it can flush yet, so without modules->lock.
 * False: the file cannot be written, errno says why. */
TRACE_FN bool trace_process_begin(struct trace_process *process, const char *dir, uint64_t t0_ns)
{
    struct trace_modules *modules = &process->modules;
    snprintf(process->path, sizeof process->path, "%s/trace.%d.process", dir, (int)process->pid);
    int fd = trace_process_open(process, (off_t)1 << 40);
    if (fd < 0)
        return false;

    struct stat info;
    char last = '\n';
    if (fstat(fd, &info) == 0 && info.st_size > 0 && pread(fd, &last, 1, info.st_size - 1) == 1 &&
        last != '\n') {
        ssize_t unused = write(fd, "\n", 1);
        (void)unused;
    }
    char *line = modules->line;
    size_t size = sizeof modules->line;
    bool written = true;
    snprintf(line, size, "CALLSIGHT-PROCESS 1");
    written = trace_process_line(fd, line, size, NULL) && written;
    snprintf(line, size, "pid %d", (int)process->pid);
    written = trace_process_line(fd, line, size, NULL) && written;
    snprintf(line, size, "parent %d", (int)process->parent);
    written = trace_process_line(fd, line, size, NULL) && written;
    if (trace_process_exe(modules)) {
        snprintf(line, size, "exe ");
        written = trace_process_line(fd, line, size, modules->path) && written;
    }
    /* The wall clock at t0, from both clocks now. */
    uint64_t real = trace_clock_ns(CLOCK_REALTIME) - (trace_clock_ns(CLOCK_MONOTONIC) - t0_ns);
    snprintf(line, size, "start-realtime-ns %llu", (unsigned long long)real);
    written = trace_process_line(fd, line, size, NULL) && written;
    snprintf(line, size, "start-monotonic-ns %llu", (unsigned long long)t0_ns);
    written = trace_process_line(fd, line, size, NULL) && written;

    if (modules->no_walk) {
        for (size_t i = 0; !modules->broken && i < modules->count; i++) {
            if (modules->list[i].loaded)
                trace_modules_write_one(modules, fd, &modules->list[i], t0_ns);
        }
    } else {
        unsigned long long counters[2] = {0, 0};
        for (size_t i = 0; i < modules->count; i++)
            modules->list[i].loaded = false;
        modules->checked_ns = t0_ns;
        dl_iterate_phdr(trace_modules_counters, counters);
        trace_modules_walk(process, fd, t0_ns);
        modules->adds = counters[0];
        modules->subs = counters[1];
    }
    int error = errno;
    close(fd);
    errno = error;
    return written;
}

/* Writes what a thread is called.  `seq` is that of its first file. */
TRACE_FN void trace_process_thread(const struct trace_process *process, uint32_t tid, uint32_t seq,
                                   const char *name)
{
    char line[192]; /* the kernel's names have at most 15 bytes, four times that escaped */
    int fd = trace_process_open(process, TRACE_PROCESS_MOST);
    if (fd < 0)
        return;
    snprintf(line, sizeof line, "thread %u %u ", (unsigned)tid, (unsigned)seq);
    trace_process_line(fd, line, sizeof line, name);
    close(fd);
}

/* Fork support: whether this process has more than one thread.  Threads that
 * are never recorded count too, so the kernel is asked. */
TRACE_FN bool trace_process_is_threaded(unsigned own)
{
    struct stat info;
    return stat("/proc/self/task", &info) != 0 || info.st_nlink > 3 + own;
}

#endif
