/* SPDX-License-Identifier: MIT */
/*
 * trace_modules.h - the loaded objects, and the section of the process file that
 * lists them.
 *
 * They are walked at the start, and again when the loader's counters say that the
 * set changed: at a flush, and on both sides of a dlclose (trace_dlclose.h), never
 * in a hook's fast path.  What is in memory is what is believed: build ids come
 * from the mapped notes.
 */
#ifndef CALLSIGHT_TRACE_MODULES_H
#define CALLSIGHT_TRACE_MODULES_H

#include <link.h>

#include "trace_maps.h"
#include "trace_process.h"

/* In the child of a process that had threads, flushes look for what is loaded so often. */
#define TRACE_MAPS_INTERVAL_NS 20000000u
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

/* Sums don't tell when a function was called.  So a library that lies where another one lay
 * before has addresses of its own in the files of a summary: the module's line and the
 * threads' records have a number in the highest byte.  A file has one such number for each
 * place, and one line, however often it comes back. */
#define TRACE_ASIDE_SHIFT 56
#define TRACE_ASIDE_MOST 127u /* beyond that they share it */

/* What to add to the addresses of a module that is new in its place. */
TRACE_FN uint64_t trace_modules_aside(const struct trace_modules *modules,
                                      const struct trace_module *found)
{
    uint64_t number = 0;
    for (size_t i = 0; modules->aside && i < modules->count; i++) {
        const struct trace_module *old = &modules->list[i];
        if (old->start < found->end && found->start < old->end &&
            old->aside >> TRACE_ASIDE_SHIFT >= number)
            number = (old->aside >> TRACE_ASIDE_SHIFT) + 1;
    }
    return (number < TRACE_ASIDE_MOST ? number : TRACE_ASIDE_MOST) << TRACE_ASIDE_SHIFT;
}

/* The module that holds `address`, or whose addresses in files do where `filed` says so; one
 * that is there now rather than others.  NULL: none. */
TRACE_FN const struct trace_module *trace_modules_find(const struct trace_modules *modules,
                                                       uint64_t address, bool filed)
{
    const struct trace_module *found = NULL;
    for (size_t i = 0; i < modules->count; i++) {
        const struct trace_module *module = &modules->list[i];
        uint64_t start = module->start + (filed ? module->aside : 0);
        if (address - start < module->end - module->start && (!found || module->seen))
            found = module;
    }
    return found;
}

/* A place for one more module: where the same file stood before it was unloaded,
 * or a new one.  `path` is interned. */
TRACE_FN struct trace_module *trace_modules_place(struct trace_modules *modules, const char *path)
{
    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *old = &modules->list[i];
        if (old->path == path && !old->loaded && !old->seen && !modules->aside)
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

/* Takes the build id out of `size` bytes of notes.  False: it is not among them. */
TRACE_FN bool trace_module_note(struct trace_module *module, const unsigned char *p, size_t size,
                                uint64_t align)
{
    const unsigned char *end = p + size;
    while ((size_t)(end - p) >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, p, sizeof note);
        uint64_t left = (uint64_t)(end - p);
        uint64_t desc = (sizeof note + (uint64_t)note.n_namesz + align - 1) & ~(align - 1);
        if (desc + note.n_descsz > left)
            break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(p + sizeof note, "GNU", 4) == 0 && note.n_descsz > 0 &&
            note.n_descsz <= TRACE_BUILD_ID_MAX) {
            module->id_size = (uint8_t)note.n_descsz;
            memcpy(module->id, p + desc, note.n_descsz);
            return true;
        }
        uint64_t next = (desc + note.n_descsz + align - 1) & ~(align - 1);
        p += next < left ? next : left; /* the last one need not be padded */
    }
    return false;
}

/* `memory` is /proc/self/mem where the loader does not keep the object in its place,
 * otherwise -1. */
TRACE_FN void trace_module_build_id(struct trace_modules *modules, struct trace_module *module,
                                    const struct dl_phdr_info *info, int memory)
{
    module->id_size = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_NOTE)
            continue;
        uintptr_t address = (uintptr_t)(info->dlpi_addr + header->p_vaddr);
        const unsigned char *notes = (const unsigned char *)address;
        size_t size = header->p_memsz;
        if (memory >= 0) {
            ssize_t got =
                pread(memory, modules->line,
                      size < sizeof modules->line ? size : sizeof modules->line, (off_t)address);
            notes = (const unsigned char *)modules->line;
            size = got > 0 ? (size_t)got : 0;
        }
        if (trace_module_note(module, notes, size, header->p_align == 8 ? 8 : 4))
            return;
    }
}

/* Puts the path of the main executable into modules->path. */
TRACE_FN bool trace_process_exe(struct trace_modules *modules)
{
    ssize_t length = readlink("/proc/self/exe", modules->path, sizeof modules->path - 1);
    modules->path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

TRACE_INLINE void trace_counters_take(struct trace_counters *counters,
                                      const struct dl_phdr_info *info, size_t size)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
        counters->adds = info->dlpi_adds;
        counters->subs = info->dlpi_subs;
    }
}

struct trace_modules_walk {
    struct trace_process *process;
    size_t objects;                  /* seen so far; the first is the main executable */
    struct trace_maps_objects *maps; /* where they come from there: in any order */
    struct trace_counters counters;
};

/* For dl_iterate_phdr: reads the loader's counters only. */
TRACE_FN int trace_modules_counters(struct dl_phdr_info *info, size_t size, void *data)
{
    trace_counters_take(data, info, size);
    return 1;
}

/* Whether a module is one that is listed.  The kernel's name of a file is not the
 * loader's where that is a link's. */
TRACE_FN bool trace_module_is(const struct trace_module *old, const struct trace_module *found,
                              const char *name, bool mapped)
{
    if (old->bias != found->bias || old->start != found->start || old->end != found->end ||
        old->id_size != found->id_size || memcmp(old->id, found->id, found->id_size) != 0)
        return false;
    return strcmp(old->path, name) == 0 || (mapped && found->id_size);
}

/* For dl_iterate_phdr: marks the object as seen, or notes it as new. */
TRACE_FN int trace_modules_visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct trace_modules_walk *walk = data;
    struct trace_modules *modules = &walk->process->modules;
    trace_counters_take(&walk->counters, info, size);
    bool is_main = !walk->maps && walk->objects++ == 0;
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
    } else if (name[0] != '/' && trace_maps_path(modules, found.start)) {
        name = modules->path;
    }
    trace_module_build_id(modules, &found, info, walk->maps ? walk->maps->memory : -1);

    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *old = &modules->list[i];
        if ((old->loaded || modules->aside) && trace_module_is(old, &found, name, walk->maps)) {
            old->again |= old->told && !old->loaded;
            old->seen = true;
            return 0;
        }
    }
    found.aside = trace_modules_aside(modules, &found);
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
             (unsigned long long)since, (unsigned long long)(module->bias + module->aside),
             (unsigned long long)(module->start + module->aside),
             (unsigned long long)(module->end + module->aside), id);
    trace_process_line(fd, modules->line, sizeof modules->line, module->path);
}

/* Events are compared with a module's times in their own clock, so a line
 * `clock <ns> <ticks>` goes before the first that has such a time. */
TRACE_FN void trace_modules_write_clock(struct trace_modules *modules, int fd,
                                        struct trace_anchor when)
{
    char line[64];
    if (when.ticks == when.ns || when.ns == modules->told_ns)
        return;
    snprintf(line, sizeof line, "clock %llu %llu", (unsigned long long)when.ns,
             (unsigned long long)when.ticks);
    trace_process_line(fd, line, sizeof line, NULL);
    modules->told_ns = when.ns;
}

/* The present moment.  Of the two the ticks count. */
TRACE_FN struct trace_anchor trace_modules_now(const struct trace_process *process)
{
    struct trace_anchor now;
    now.ticks = trace_clock_now(process->clock);
    now.ns = trace_clock_ns(CLOCK_MONOTONIC);
    if (process->clock->state == TRACE_NS && process->clock->id == CLOCK_MONOTONIC)
        now.ticks = now.ns;
    return now;
}

/* Writes what the last walk found: what went was there until `gone` at most, what came
 * was not there yet at `since`. */
TRACE_FN void trace_modules_write(struct trace_modules *modules, int fd, struct trace_anchor since,
                                  struct trace_anchor gone)
{
    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *module = &modules->list[i];
        if (module->loaded && !module->seen && modules->aside) {
            module->loaded = false;
        } else if (module->loaded && !module->seen) {
            char line[128];
            trace_modules_write_clock(modules, fd, gone);
            snprintf(line, sizeof line, "module-gone %llu %llx", (unsigned long long)gone.ns,
                     (unsigned long long)module->start);
            trace_process_line(fd, line, sizeof line, NULL);
            module->loaded = false;
        }
    }
    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *module = &modules->list[i];
        if (module->seen && !module->loaded) {
            if (!module->told || !modules->aside) {
                trace_modules_write_clock(modules, fd, since);
                trace_modules_write_one(modules, fd, module, since.ns);
            }
            module->loaded = module->told = true;
        }
    }
}

/* Finds a moment and the loader's counters at that moment: they are the same before
 * and after it. */
TRACE_FN struct trace_anchor trace_modules_moment(const struct trace_process *process,
                                                  struct trace_counters *counters)
{
    struct trace_anchor now;
    struct trace_counters before;
    *counters = (struct trace_counters){0, 0};
    dl_iterate_phdr(trace_modules_counters, counters);
    for (int i = 0; i < 100; i++) {
        before = *counters;
        now = trace_modules_now(process);
        dl_iterate_phdr(trace_modules_counters, counters);
        if (before.adds == counters->adds && before.subs == counters->subs)
            break;
    }
    return now;
}

/* Walks the loaded objects behind a moment.  Sets `gone` to when what it did not find had
 * gone at the latest, and `since` to when what is new had not come yet: the moment
 * itself where what came and went did so on its other side.  The caller holds
 * modules->lock, except at the start. */
TRACE_FN void trace_modules_walk(struct trace_process *process, struct trace_anchor moment,
                                 struct trace_counters counters, struct trace_anchor *since,
                                 struct trace_anchor *gone)
{
    struct trace_modules *modules = &process->modules;
    struct trace_anchor before = trace_modules_now(process);
    struct trace_modules_walk walk = {.process = process};
    for (size_t i = 0; i < modules->count; i++)
        modules->list[i].seen = false;
    dl_iterate_phdr(trace_modules_visit, &walk);
    *since = counters.adds == modules->known.adds ? moment : modules->checked;
    *gone = walk.counters.subs == counters.subs ? moment : trace_modules_now(process);
    bool same = walk.counters.subs == counters.subs && walk.counters.adds == counters.adds;
    modules->checked = same ? moment : before;
    modules->known = walk.counters;
}

/* The same where the loader must not be asked.  False: nothing is known, and the list stays. */
TRACE_FN bool trace_modules_walk_maps(struct trace_process *process)
{
    struct trace_modules *modules = &process->modules;
    struct trace_maps_objects maps = {.modules = modules, .visit = trace_modules_visit};
    struct trace_modules_walk walk = {.process = process, .maps = &maps};
    maps.data = &walk;
    for (size_t i = 0; i < modules->count; i++)
        modules->list[i].seen = false;
    bool told = trace_maps_objects(&maps);
    for (size_t i = 0; !told && i < modules->count; i++)
        modules->list[i].seen = modules->list[i].loaded;
    return told && !modules->broken;
}

/* Writes to the process file, if there is something to write.  False: that was not possible. */
TRACE_FN bool trace_modules_tell(struct trace_process *process, struct trace_anchor since,
                                 struct trace_anchor gone)
{
    struct trace_modules *modules = &process->modules;
    size_t changed = 0, moved = 0;
    for (size_t i = 0; i < modules->count; i++) {
        struct trace_module *module = &modules->list[i];
        changed += module->loaded != module->seen;
        moved += module->there != module->seen;
        module->there = module->seen;
    }
    if (moved)
        __atomic_store_n(&modules->changes, modules->changes + 1, __ATOMIC_RELEASE);
    if (!changed || modules->broken)
        return true;
    int fd = trace_process_open(process, TRACE_PROCESS_MOST);
    if (fd < 0) {
        if (!modules->full_noted)
            trace_note("%.512s takes no more: libraries that are loaded from now on get no or "
                       "wrong names",
                       process->path);
        modules->full_noted = true;
        return false;
    }
    trace_modules_write(modules, fd, since, gone);
    trace_process_close(process, fd);
    return true;
}

/* Takes the lock, or gives up: at once, or after about a tenth of a second where the
 * caller is patient.  It must not wait for ever: a thread that holds the loader's own
 * lock may be the one that comes here while another, which has this lock, waits for the
 * loader's. */
TRACE_FN bool trace_modules_lock(struct trace_modules *modules, bool patient)
{
    static const struct timespec pause = {0, 100000};
    for (int i = 0; i < (patient ? 2000 : 1); i++) {
        if (pthread_mutex_trylock(&modules->lock) == 0)
            return true;
        if (i > 1000)
            nanosleep(&pause, NULL);
        else if (patient)
            sched_yield();
    }
    return false;
}

/* In a process whose loader must not be asked.  What came since the last look is known to
 * be of no later time than that; at flushes that is not looked for each time. */
TRACE_FN void trace_modules_check_maps(struct trace_process *process, bool patient)
{
    struct trace_modules *modules = &process->modules;
    struct trace_anchor moment = trace_modules_now(process);
    if (!patient && moment.ns - modules->checked.ns < TRACE_MAPS_INTERVAL_NS)
        return;
    if (trace_modules_walk_maps(process) && trace_modules_tell(process, modules->checked, moment))
        modules->checked = moment;
}

TRACE_FN void trace_modules_check_loader(struct trace_process *process)
{
    struct trace_modules *modules = &process->modules;
    struct trace_counters counters, known = modules->known;
    struct trace_anchor checked = modules->checked, since, gone;
    struct trace_anchor moment = trace_modules_moment(process, &counters);
    if (counters.adds == known.adds && counters.subs == known.subs) {
        modules->checked = moment;
        return;
    }
    trace_modules_walk(process, moment, counters, &since, &gone);
    if (!trace_modules_tell(process, since, gone)) {
        modules->known = known; /* next time again */
        modules->checked = checked;
    }
}

/* Has the set of loaded objects changed?  At a flush the caller is not patient.  False: it
 * could not be found out. */
TRACE_FN bool trace_modules_check(struct trace_process *process, bool patient)
{
    struct trace_modules *modules = &process->modules;
    if (!__atomic_load_n(&modules->begun, __ATOMIC_ACQUIRE) || modules->broken)
        return true;
    if (!trace_modules_lock(modules, patient))
        return false;
    if (modules->by_maps)
        trace_modules_check_maps(process, patient);
    else
        trace_modules_check_loader(process);
    pthread_mutex_unlock(&modules->lock);
    return true;
}

/* In a child: the list, which another thread may have been changing, begins anew.  (What memory
 * the parent's took stays.) */
TRACE_FN void trace_modules_anew(struct trace_modules *modules)
{
    modules->list = NULL;
    modules->count = modules->capacity = 0;
    modules->arena_left = 0;
    modules->full_noted = false;
    modules->broken = false;
}

/* --- sections ------------------------------------------------------------- */

/* Begins this process's section of its file: who it is, and every module.  A
 * file that a killed writer left without a last newline gets one first.  `start`
 * is the anchor that the section's event files carry.  Called under the lock
 * that starts a process, when no thread of it can flush yet, so without modules->lock.
 * `ring`: the file is the text beside that ring; NULL: it lies in `dir`.
 * False: the file cannot be written, errno says why. */
TRACE_FN bool trace_process_begin(struct trace_process *process, const char *dir, const char *ring,
                                  struct trace_anchor start)
{
    struct trace_modules *modules = &process->modules;
    __atomic_store_n(&modules->begun, false, __ATOMIC_RELEASE);
    if (ring) {
        errno = trace_process_share(process, ring);
        if (errno)
            return false;
    } else {
        snprintf(process->path, sizeof process->path, "%s/trace.%d.process", dir,
                 (int)process->pid);
    }
    int fd = trace_process_open(process, (off_t)1 << 40);
    if (fd < 0)
        return false;

    struct stat info;
    char last = '\n';
    if (!ring && fstat(fd, &info) == 0 && info.st_size > 0 && pread(fd, &last, 1, info.st_size - 1) == 1 &&
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
#ifdef TRACE_HOOKS_AFTER_INLINING
    snprintf(line, size, "hooks after-inlining");
    written = trace_process_line(fd, line, size, NULL) && written;
#endif
    /* The wall clock at t0, from both clocks now. */
    uint64_t real = trace_clock_ns(CLOCK_REALTIME) - (trace_clock_ns(CLOCK_MONOTONIC) - start.ns);
    snprintf(line, size, "start-realtime-ns %llu", (unsigned long long)real);
    written = trace_process_line(fd, line, size, NULL) && written;
    snprintf(line, size, "start-monotonic-ns %llu", (unsigned long long)start.ns);
    written = trace_process_line(fd, line, size, NULL) && written;

    modules->told_ns = 0;
    struct trace_anchor moment = start, since, gone;
    if (modules->by_maps) {
        trace_modules_walk_maps(process);
        modules->checked = start;
    } else {
        struct trace_counters counters;
        moment = trace_modules_moment(process, &counters);
        trace_modules_walk(process, moment, counters, &since, &gone);
    }
    for (size_t i = 0; i < modules->count; i++)
        modules->list[i].loaded = modules->list[i].told = false;
    if (!modules->broken)
        trace_modules_write(modules, fd, start, moment);
    __atomic_store_n(&modules->begun, written, __ATOMIC_RELEASE);
    int error = errno;
    trace_process_close(process, fd);
    errno = error;
    return written;
}

#endif
