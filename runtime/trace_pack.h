/* SPDX-License-Identifier: MIT */
/*
 * trace_pack.h - events packed into 16-bit words: the encoder of a thread.
 *
 * An enter is two words, time and site, and an exit one, the time.  A site is a function and
 * a call site; a table finds its number.  An exit needs no site because it is, nearly always,
 * that of the innermost open call: the entries of the thread's open calls (trace_open.h) that
 * the reader knows are those of which it has seen the enter in this block.  All else is
 * explicit, so that what comes out of a reader are the events themselves.
 *
 *   buffer  | struct trace_block | words →            ← definitions |
 *
 * The table.  Entries are 16 bytes, found by linear probing and never taken out; it is at
 * most a quarter full, until it has grown to TRACE_TABLE_MOST.  Its entries are those of one
 * dictionary: they carry its generation, so that all of them are void, at no cost, when a
 * dictionary begins anew.  It does so in each file, when the table grows or the ids are used
 * up, and in the next block wherever its definitions are a small part of what they were for:
 * blocks then stand alone.
 *
 * What is under way when a signal handler jumps out of a hook may be done by half: trace_run.h
 * begins a new block then, with a new dictionary.
 */
#ifndef CALLSIGHT_TRACE_PACK_H
#define CALLSIGHT_TRACE_PACK_H

#include "trace_base.h"
#include "trace_open.h"

#define TRACE_TABLE_FIRST 10u /* 2 to the power of so many entries */
#ifndef TRACE_TABLE_MOST
#define TRACE_TABLE_MOST 17u
#endif
#ifndef TRACE_SITES_LIMIT
#define TRACE_SITES_LIMIT TRACE_SITES_MOST /* ids of a dictionary */
#endif
#define TRACE_TABLE_OVERFLOW 256u /* entries more, behind these */
/* Bytes that stay free between words and definitions wherever a hook may add a record: for
 * the record, for a definition, and for markers. */
#define TRACE_PACK_SPARE 640u
/* A dictionary goes on in the next block unless its definitions are less than this part of
 * all that was packed with them. */
#define TRACE_PACK_PART 32u

/* The call site of an entry that the reader doesn't know: that of no exit. */
#define TRACE_UNKNOWN UINTPTR_MAX

/* An entry of the table. */
struct trace_site {
    uint64_t func; /* the generation in its upper 16 bits */
    uint64_t site; /* the call site; the id in its upper 16 bits */
};

struct trace_pack {
    /* What a hook reads and writes. */
    uint64_t last;            /* the time of the last event */
    uint64_t generation;      /* in its upper 16 bits */
    struct trace_site *table; /* the last entry stays free */
    uint32_t shift;           /* 64 - bits of an index */
    uint32_t events;          /* enters and exits in the block */

    struct trace_block *block;            /* at the buffer's begin */
    struct trace_definition *definitions; /* the last one, the lowest in memory; or their end */
    struct trace_definition *end;         /* of the buffer */
    size_t known;   /* so many of the open calls, the outermost, does the reader not know */
    uint32_t used;  /* ids */
    uint32_t full;  /* as many as the table is to have */
    uint64_t bytes; /* of blocks before that have this dictionary */
    bool torn;      /* a handler jumped out of a hook */
};

/* A word is stored whole. */
TRACE_INLINE void trace_pack_put16(char *at, unsigned word)
{
    uint16_t value = (uint16_t)word;
    memcpy(__builtin_assume_aligned(at, 2), &value, sizeof value);
}

TRACE_INLINE void trace_pack_put32(char *at, uint32_t value)
{
    memcpy(__builtin_assume_aligned(at, 2), &value, sizeof value);
}

TRACE_INLINE void trace_pack_put64(char *at, uint64_t value)
{
    memcpy(__builtin_assume_aligned(at, 2), &value, sizeof value);
}

/* The two words of an enter, in one store. */
TRACE_INLINE void trace_pack_put_enter(char *at, unsigned word, unsigned id)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    trace_pack_put32(at, word << 16 | id);
#else
    trace_pack_put32(at, id << 16 | word);
#endif
}

/* The first word of a record that comes `dt` ticks after the last event. */
TRACE_INLINE unsigned trace_pack_word(uint64_t dt, unsigned kind)
{
    return ((unsigned)dt + 1) << 1 | kind;
}

/* Whether a table can hold an address: the upper bits are other things there. */
TRACE_INLINE bool trace_pack_is_low(uintptr_t func, uintptr_t caller)
{
#if UINTPTR_MAX > UINT32_MAX
    return (func | caller) >> 48 == 0;
#else
    (void)func, (void)caller;
    return true;
#endif
}

TRACE_FN size_t trace_pack_table_size(unsigned bits)
{
    return sizeof(struct trace_site) * (((size_t)1 << bits) + TRACE_TABLE_OVERFLOW);
}

/* The first place in the table that a site may have. */
TRACE_INLINE struct trace_site *trace_pack_place(const struct trace_pack *pack, uintptr_t func,
                                                 uintptr_t caller)
{
    uint64_t mixed = ((uint64_t)func ^ (uint64_t)caller << 20) * UINT64_C(0x9E3779B97F4A7C15);
    return &pack->table[mixed >> pack->shift];
}

/* The id of a site, searched from its first place on; 0: it has none, or none in the table. */
TRACE_INLINE unsigned trace_pack_look(const struct trace_pack *pack, const struct trace_site *entry,
                                      uintptr_t func, uintptr_t caller)
{
    uint64_t key = pack->generation ^ func;
    if (TRACE_UNLIKELY(!trace_pack_is_low(func, caller)))
        return 0;
    for (;;) {
        uint64_t site = entry->site ^ caller;
        if (TRACE_LIKELY(entry->func == key && site << 16 == 0))
            return (unsigned)(site >> 48);
        if ((entry->func ^ pack->generation) >> 48) /* of an earlier dictionary: free */
            return 0;
        entry++;
    }
}

/* The definition of a new site behind the words that end at `next`.  0: there is no room, or
 * there is no id. */
TRACE_FN unsigned trace_pack_define(struct trace_pack *pack, const char *next, uintptr_t func,
                                    uintptr_t caller)
{
    struct trace_definition *place = pack->definitions - 1;
    if (pack->used == pack->full || next + TRACE_PACK_SPARE > (char *)place)
        return 0;
    place->func = func;
    place->caller = caller;
    __atomic_store_n(&pack->block->sites, pack->block->sites + 1, __ATOMIC_RELEASE);
    pack->definitions = place;
    return ++pack->used;
}

/* The id of a site, which is defined if it has none.  0: it can't be; the block must end. */
TRACE_FN unsigned trace_pack_id(struct trace_pack *pack, const char *next, uintptr_t func,
                                uintptr_t caller)
{
    struct trace_site *entry = trace_pack_place(pack, func, caller);
    struct trace_site *end = (struct trace_site *)(void *)((char *)pack->table +
                                                           trace_pack_table_size(64 - pack->shift));
    if (!trace_pack_is_low(func, caller))
        return trace_pack_define(pack, next, func, caller); /* each time */
    unsigned id = trace_pack_look(pack, entry, func, caller);
    if (id)
        return id;
    while ((entry->func ^ pack->generation) >> 48 == 0)
        entry++;
    id = trace_pack_define(pack, next, func, caller);
    if (id && entry + 1 < end) { /* else it is defined each time */
        entry->func = pack->generation ^ func;
        entry->site = (uint64_t)id << 48 ^ caller;
    }
    return id;
}

/* Bridges a gap in time, long or backwards: what comes next has dt 0.  Returns the place
 * behind. */
static TRACE_COLD char *trace_pack_gap(struct trace_pack *pack, char *next, uint64_t now)
{
    uint64_t dt = now - pack->last;
    if (dt <= UINT32_MAX) {
        trace_pack_put16(next, TRACE_WORD_LATER);
        trace_pack_put32(next + 2, (uint32_t)dt);
        next += 6;
    } else {
        trace_pack_put16(next, TRACE_WORD_TIME);
        trace_pack_put64(next + 2, now);
        next += 10;
    }
    pack->last = now;
    return next;
}

/* Bytes of the record that begins with a word. */
TRACE_FN size_t trace_pack_length(unsigned word)
{
    switch (word) {
    case TRACE_WORD_TIME:
        return 10;
    case TRACE_WORD_LATER:
    case TRACE_WORD_THREAD:
        return 6;
    case TRACE_WORD_EXIT:
        return 8;
    case TRACE_WORD_RAW:
        return 2 + sizeof(struct trace_event);
    default:
        return word <= TRACE_WORD_MOST && word % 2 == 0 ? 4 : 2;
    }
}

/* The time of the last event between `words` and `end`, before which it was `base`. */
TRACE_FN uint64_t trace_pack_time(const char *words, const char *end, uint64_t base)
{
    for (uint16_t word; words < end; words += trace_pack_length(word)) {
        uint16_t dt;
        uint32_t later;
        memcpy(&word, words, sizeof word);
        if (word <= TRACE_WORD_MOST) {
            base += (word >> 1) - 1u;
        } else if (word == TRACE_WORD_EXIT) {
            memcpy(&dt, words + 2, sizeof dt);
            base += dt;
        } else if (word == TRACE_WORD_LATER) {
            memcpy(&later, words + 2, sizeof later);
            base += later;
        } else if (word == TRACE_WORD_TIME) {
            memcpy(&base, words + 2, sizeof base);
        }
    }
    return base;
}

/* The last event between `words` and `end`, with the gap in time before it. */
TRACE_FN char *trace_pack_find_last(char *words, const char *end)
{
    char *last = words, *at = words;
    bool begins = true; /* of an event */
    while (at < end) {
        uint16_t word;
        memcpy(&word, at, sizeof word);
        if (begins)
            last = at;
        begins = word <= TRACE_WORD_MOST || word == TRACE_WORD_EXIT || word == TRACE_WORD_RAW;
        at += trace_pack_length(word);
    }
    return last;
}

/* The last event was earlier, at `now`, if nothing is behind it: a handler that interrupted
 * its hook before that read the clock recorded then. */
TRACE_FN void trace_pack_set_back(struct trace_pack *pack, const char *next, uint64_t now)
{
    char *words = (char *)(pack->block + 1);
    uint16_t word, dt;
    uint32_t later;
    if (next == words || now >= pack->last)
        return;
    char *record = trace_pack_find_last(words, next);
    memcpy(&word, record, sizeof word);
    memcpy(&dt, record + 2, sizeof dt);
    memcpy(&later, record + 2, sizeof later);
    uint64_t passed = word == TRACE_WORD_LATER  ? later
                      : word == TRACE_WORD_TIME ? pack->last - now /* it may be any */
                      : word == TRACE_WORD_EXIT ? dt
                      : word <= TRACE_WORD_MOST ? (word >> 1) - 1u
                                                : 0;
    uint64_t before = pack->last - passed;
    if (now < before)
        now = before;
    if (word == TRACE_WORD_LATER)
        trace_pack_put32(record + 2, (uint32_t)(now - before));
    else if (word == TRACE_WORD_TIME)
        trace_pack_put64(record + 2, now);
    else if (word == TRACE_WORD_EXIT)
        trace_pack_put16(record + 2, (unsigned)(now - before));
    else if (word <= TRACE_WORD_MOST && passed)
        trace_pack_put16(record, trace_pack_word(now - before, word & 1));
    pack->last = now;
}

/* The reader knows none of the open calls from here on.  Returns the place behind. */
TRACE_FN char *trace_pack_forget(struct trace_pack *pack, struct trace_opens *opens, char *next,
                                 bool tell)
{
    if (tell) {
        trace_pack_put16(next, TRACE_WORD_FORGET);
        next += 2;
    }
    pack->known = (size_t)(opens->next - opens->first);
    opens->next[-1].caller = TRACE_UNKNOWN;
    return next;
}

/* An enter; `opens` are those of the stack that the thread runs on.  Returns the place
 * behind, or NULL: there was no room, and nothing has changed. */
TRACE_FN char *trace_pack_enter(struct trace_pack *pack, struct trace_opens *opens, char *next,
                                uint64_t now, uintptr_t func, uintptr_t caller, uintptr_t sp)
{
    unsigned id = trace_pack_id(pack, next, func, caller);
    if (!id)
        return NULL;
    if (now - pack->last > TRACE_DT_MOST)
        next = trace_pack_gap(pack, next, now);
    trace_pack_put_enter(next, trace_pack_word(now - pack->last, 0), id);
    next += 4;
    pack->last = now;
    pack->events++;
    trace_opens_enter(opens, func, caller, sp);
    if (trace_opens_is_over(opens)) /* it has no entry */
        next = trace_pack_forget(pack, opens, next, true);
    return next;
}

/* An exit, as above. */
TRACE_FN char *trace_pack_exit(struct trace_pack *pack, struct trace_opens *opens, char *next,
                               uint64_t now, uintptr_t func, uintptr_t caller)
{
    struct trace_open *open = opens->next - 1;
    if (open->func == func && open->caller == caller && caller != TRACE_UNKNOWN) {
        if (now - pack->last > TRACE_DT_MOST)
            next = trace_pack_gap(pack, next, now);
        trace_pack_put16(next, trace_pack_word(now - pack->last, 1));
        next += 2;
        opens->next = open;
    } else {
        unsigned id = trace_pack_id(pack, next, func, caller);
        if (!id)
            return NULL;
        if (now - pack->last > UINT16_MAX)
            next = trace_pack_gap(pack, next, now);
        size_t before = (size_t)(opens->next - opens->first);
        trace_opens_exit(opens, func);
        size_t after = (size_t)(opens->next - opens->first);
        size_t left = after > pack->known ? after : pack->known, pops = before - left;
        if (pops > UINT16_MAX) {
            next = trace_pack_forget(pack, opens, next, true);
            pops = 0;
        } else if (after <= pack->known) {
            trace_pack_forget(pack, opens, next, false);
        }
        trace_pack_put16(next, TRACE_WORD_EXIT);
        trace_pack_put16(next + 2, (unsigned)(now - pack->last));
        trace_pack_put16(next + 4, (unsigned)pops);
        trace_pack_put16(next + 6, id);
        next += 8;
    }
    pack->last = now;
    pack->events++;
    return next;
}

/* A record as it is: a marker, or what isn't as a hook would have it. */
TRACE_FN char *trace_pack_raw(char *next, const struct trace_event *event)
{
    trace_pack_put16(next, TRACE_WORD_RAW);
    memcpy(next + 2, event, sizeof *event);
    return next + 2 + sizeof *event;
}

/* What follows is another thread's, of whose open calls the reader knows none.  (In files that
 * hold several threads, which no hook writes.)  Returns the place behind. */
TRACE_INLINE char *trace_pack_thread(struct trace_pack *pack, struct trace_opens *opens, char *next,
                                     uint32_t tid)
{
    trace_pack_put16(next, TRACE_WORD_THREAD);
    trace_pack_put32(next + 2, tid);
    return trace_pack_forget(pack, opens, next + 6, false);
}

/* --- blocks ---------------------------------------------------------------------------- */

/* Gives the thread's pack a table of 2^bits entries.  False: no memory, and it has what it
 * had. */
TRACE_FN bool trace_pack_resize(struct trace_pack *pack, unsigned bits)
{
    void *map = mmap(NULL, trace_pack_table_size(bits), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return false;
    /* In this order: the child of a fork by another thread may free what it finds here. */
    struct trace_site *old = pack->table;
    size_t size = old ? trace_pack_table_size(64 - pack->shift) : 0;
    __atomic_store_n(&pack->table, map, __ATOMIC_RELEASE);
    __atomic_store_n(&pack->shift, 64 - bits, __ATOMIC_RELEASE);
    if (old)
        munmap(old, size);
    pack->generation = 0; /* of which no entry is: see trace_pack_anew() */
    pack->full = bits < TRACE_TABLE_MOST ? 1u << (bits - 2) : TRACE_SITES_LIMIT;
    return true;
}

TRACE_FN void trace_pack_free(struct trace_pack *pack)
{
    if (pack->table)
        munmap(pack->table, trace_pack_table_size(64 - pack->shift));
    pack->table = NULL;
}

/* Gives the table's memory back and keeps its addresses. */
TRACE_FN void trace_pack_forget_table(struct trace_pack *pack)
{
    if (pack->table)
        madvise(pack->table, trace_pack_table_size(64 - pack->shift), MADV_DONTNEED);
}

/* Begins a dictionary: all entries of the table are void. */
TRACE_FN void trace_pack_anew(struct trace_pack *pack)
{
    unsigned bits = 64 - pack->shift;
    if (pack->used == pack->full && bits < TRACE_TABLE_MOST)
        trace_pack_resize(pack, bits + 2 < TRACE_TABLE_MOST ? bits + 2 : TRACE_TABLE_MOST);
    pack->generation += (uint64_t)1 << 48;
    if (pack->generation == 0) { /* all of them are used up */
        memset(pack->table, 0, trace_pack_table_size(64 - pack->shift));
        pack->generation = (uint64_t)1 << 48;
    }
    pack->used = 0;
    pack->bytes = 0;
}

/* Makes the buffer of `size` bytes at `block` an empty block.  `stay`: the dictionary goes
 * on if that is worth while.  Returns the place of its first word. */
TRACE_FN char *trace_pack_begin(struct trace_pack *pack, struct trace_block *block, size_t size,
                                uint32_t tid, uint64_t index, bool stay)
{
    if (!stay || pack->used == pack->full ||
        (uint64_t)pack->used * sizeof(struct trace_definition) * TRACE_PACK_PART <= pack->bytes)
        trace_pack_anew(pack);
    memcpy(block->magic, TRACE_BLOCK_MAGIC, sizeof block->magic);
    block->header_size = sizeof *block;
    block->bytes = block->records = block->events = block->check = 0;
    block->tid = tid;
    block->flags = block->zero = 0;
    block->index = index + 1;
    block->base = pack->last;
    block->first_site = pack->used + 1;
    block->sites = 0;
    pack->block = block;
    pack->definitions = pack->end = (struct trace_definition *)(void *)((char *)block + size);
    pack->events = 0;
    pack->torn = false;
    return (char *)(block + 1);
}

/* What lies in words. */
struct trace_tally {
    uint32_t records, events; /* whole ones; enters and exits among them */
    uint32_t sites;           /* the highest id in them */
    size_t size;              /* bytes up to the end of the last */
};

/* Tallies the records between `words` and `end`, as many as have room in `room` bytes together
 * with the definitions of a dictionary that they need from `first_site` on. */
TRACE_FN struct trace_tally trace_pack_tally(const char *words, const char *end,
                                             uint32_t first_site, uint64_t room)
{
    struct trace_tally tally = {0, 0, first_site - 1, 0};
    for (const char *at = words; end - at >= 2;) {
        uint16_t word, site = 0;
        memcpy(&word, at, sizeof word);
        size_t size = trace_pack_length(word);
        if ((size_t)(end - at) < size)
            break;
        bool event = word <= TRACE_WORD_MOST || word == TRACE_WORD_EXIT;
        if (event && size > 2) /* an id ends it */
            memcpy(&site, at + size - 2, sizeof site);
        if (word == TRACE_WORD_RAW)
            event = (unsigned char)at[2 + offsetof(struct trace_event, kind)] <= TRACE_KIND_EXIT;
        at += size;
        uint32_t sites = site > tally.sites ? site : tally.sites;
        size = (size_t)(at - words);
        if (size + (sites + 1 - first_site) * sizeof(struct trace_definition) > room)
            break;
        tally.sites = sites;
        if (event || word == TRACE_WORD_RAW)
            tally.size = size;
        tally.events += event;
        tally.records += event || word == TRACE_WORD_RAW;
    }
    return tally;
}

/* Puts the definitions of `count` ids from `first` on, as far as the table has them, into
 * zeroed memory in the order of a block. */
TRACE_FN void trace_pack_list(const struct trace_pack *pack, uint32_t first, uint32_t count,
                              struct trace_definition *list)
{
    const struct trace_site *entry = pack->table;
    const struct trace_site *end = entry + trace_pack_table_size(64 - pack->shift) / sizeof *entry;
    for (; entry < end; entry++) {
        uint64_t id = entry->site >> 48;
        if ((entry->func ^ pack->generation) >> 48 || id < first || id >= first + count)
            continue;
        list[count - 1 - (id - first)] = (struct trace_definition){
            .func = entry->func ^ pack->generation, .caller = entry->site ^ id << 48};
    }
}

/* A block that is to be written. */
struct trace_packed {
    struct trace_block header;
    const char *words;
    size_t words_size;
    const struct trace_definition *definitions;
};

/* Tells a block's records in its header, and seals it.  Returns its size. */
TRACE_FN size_t trace_pack_seal(struct trace_packed *packed, uint32_t records, uint32_t events)
{
    struct trace_block *header = &packed->header;
    size_t size = header->sites * sizeof *packed->definitions;
    header->bytes = (uint32_t)(sizeof *header + packed->words_size + size);
    header->records = records;
    header->events = events;
    header->check =
        trace_block_check(header, packed->words, packed->words_size, packed->definitions, size, 0);
    return header->bytes;
}

#endif
