/* SPDX-License-Identifier: MIT */
/*
 * trace.h - the layouts of event files, packed event files, tail files, summary files and the ring.
 *
 * The one place where the record layout is written: the runtime writes these
 * structs, every reader includes this header.  docs/formats.md draws them.
 *
 * A producer writes its native byte order; a reader detects it: `version` is
 * small, so a version above 0xFFFF means that every integer is swapped.
 */
#ifndef CALLSIGHT_TRACE_H
#define CALLSIGHT_TRACE_H

#include <stddef.h>
#include <stdint.h>

#define TRACE_MAGIC "MLTRACE" /* eight bytes with the terminating NUL */
#define TRACE_MAGIC_SIZE 8
#define TRACE_VERSION 2u
#define TRACE_V1_HEADER_SIZE 16u /* version 1: the first 16 bytes alone, ns timestamps */
#define TRACE_HEADER_SIZE 80u
#define TRACE_EVENT_SIZE 32u

/* header.flags */
#define TRACE_FLAG_TICKS 0x1u        /* timestamps are raw ticks, not ns */
#define TRACE_FLAG_ROTATED 0x2u      /* the capture rotated */
#define TRACE_FLAG_BIG_ENDIAN 0x4u   /* written by a big-endian producer */
#define TRACE_FLAG_THREAD_START 0x8u /* a new thread starts with this file */
#define TRACE_FLAG_PACKED 0x10u      /* of a ring: it holds blocks; see below */

struct trace_header {
    char magic[TRACE_MAGIC_SIZE];
    uint32_t version;
    uint32_t event_size;
    uint32_t header_size; /* bytes from the start of the file to the first event */
    uint32_t flags;       /* TRACE_FLAG_* */
    uint64_t load_bias;   /* run-time address - link address of the main executable */
    uint64_t tick_hz;     /* coarse tick rate; 0: timestamps are ns */
    uint64_t t0_ticks;    /* start anchor, ticks */
    uint64_t t0_ns;       /* start anchor, CLOCK_MONOTONIC ns */
    uint64_t hook_ns;     /* measured cost of one hook, ns */
    uint32_t pid;
    uint32_t seq;
    uint64_t first_index; /* index in the thread's capture of the file's first enter or
                             exit, plus one; 0: not told (the documents' `reserved`) */
};

struct trace_event {
    uint64_t ts;     /* ticks or ns */
    uint64_t func;   /* function address as the hook saw it; in a marker its code */
    uint64_t caller; /* return address (call site); in a marker its payload */
    uint32_t tid;
    uint8_t kind; /* TRACE_KIND_* */
    uint8_t pad[3];
};

/* A packed event file: the header above with version 3 and event_size 2, then blocks.  A
 * block is this header, 16-bit words, and definitions of sites; docs/formats.md draws it. */
#define TRACE_PACKED_VERSION 3u
#define TRACE_PACKED_EVENT_SIZE 2u
#define TRACE_BLOCK_MAGIC "CSBLOCK"
#define TRACE_BLOCK_SIZE 64u
#define TRACE_BLOCK_MOST 262144u /* bytes of a block */

struct trace_block {
    char magic[TRACE_MAGIC_SIZE];
    uint32_t header_size; /* bytes from the start of the block to its words */
    uint32_t bytes;       /* of header, words and definitions; 0 in a tail */
    uint32_t records;     /* that it stands for; 0 in a tail */
    uint32_t events;      /* enters and exits among them; 0 in a tail */
    uint32_t tid;
    uint32_t flags;      /* 0 */
    uint64_t index;      /* of its first enter or exit in the thread's capture, plus one; 0: not
                            told */
    uint64_t base;       /* time that the first dt counts from */
    uint32_t first_site; /* id of its first definition; 1: earlier ones are void */
    uint32_t sites;      /* definitions at its end, the last one being that of first_site */
    uint32_t check;      /* trace_block_check(), taken while it was 0; 0 in a tail */
    uint32_t zero;
};

/* What a site id stands for. */
struct trace_definition {
    uint64_t func, caller;
};

/* First words of records.  From TRACE_WORD_LEAST to TRACE_WORD_MOST: (dt + 1) << 1 | kind. */
#define TRACE_WORD_LEAST 0x0002u
#define TRACE_WORD_MOST 0xFDFFu
#define TRACE_WORD_TIME 0xFE01u   /* u64: the time that dt counts from */
#define TRACE_WORD_LATER 0xFE02u  /* u32: that time moves on by so much */
#define TRACE_WORD_EXIT 0xFE03u   /* u16 dt, u16 pops, u16 site */
#define TRACE_WORD_RAW 0xFE04u    /* a struct trace_event */
#define TRACE_WORD_FORGET 0xFE05u /* no frame is known any more */
#define TRACE_WORD_THREAD 0xFE06u /* u32 tid of what follows; no frame is known */
#define TRACE_DT_MOST 0x7EFEu     /* in a first word */
#define TRACE_SITES_MOST 0xFFFFu  /* ids of a dictionary */

#define TRACE_CHECK_PRIME UINT64_C(0x9E3779B97F4A7C15)

/* Takes a part of a block into its check: four sums of 64-bit words in the producer's byte
 * order, of which the last is filled up with zeros. */
static inline __attribute__((no_instrument_function)) void
trace_check_add(uint64_t sums[4], const void *part, size_t size, int swapped)
{
    const unsigned char *bytes = (const unsigned char *)part;
    uint64_t a = sums[0], b = sums[1], c = sums[2], d = sums[3];
    while (size) {
        uint64_t words[4] = {0, 0, 0, 0};
        size_t n = size < sizeof words ? size : sizeof words;
        if (n == sizeof words)
            __builtin_memcpy(words, bytes, sizeof words);
        else
            __builtin_memcpy(words, bytes, n);
        if (swapped) {
            for (int i = 0; i < 4; i++)
                words[i] = __builtin_bswap64(words[i]);
        }
#define TRACE_CHECK_STEP(sum, word) sum ^= word, sum = (sum << 29 | sum >> 35) * TRACE_CHECK_PRIME
        TRACE_CHECK_STEP(a, words[0]);
        TRACE_CHECK_STEP(b, words[1]);
        TRACE_CHECK_STEP(c, words[2]);
        TRACE_CHECK_STEP(d, words[3]);
#undef TRACE_CHECK_STEP
        bytes += n;
        size -= n;
    }
    sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d;
}

/* The check of a block: over its header with check 0, its words and its definitions, each
 * filled up with zeros to a multiple of 32 bytes.  (A CRC-32 without the processor's help
 * would cost more than packing the events; this one takes 6 bytes a cycle.) */
static inline __attribute__((no_instrument_function)) uint32_t
trace_block_check(const struct trace_block *header, const void *words, size_t words_size,
                  const void *definitions, size_t definitions_size, int swapped)
{
    struct trace_block copy = *header;
    uint64_t sums[4] = {1, 2, 3, 4};
    copy.check = 0;
    trace_check_add(sums, &copy, sizeof copy, swapped);
    trace_check_add(sums, words, words_size, swapped);
    trace_check_add(sums, definitions, definitions_size, swapped);
    uint64_t sum = sums[0];
    for (int i = 1; i < 4; i++)
        sum = ((sum << 17 | sum >> 47) ^ sums[i]) * TRACE_CHECK_PRIME;
    return (uint32_t)(sum >> 32);
}

/* A tail file, trace.<pid>.<tid>.<seq>.tail: the buffer of a thread.  This header, then
 * `capacity` bytes of events, of which `used` are valid.  trace_tail.h says how a reader
 * joins it to the thread's segments. */
#define TRACE_TAIL_SIZE 128u

struct trace_tail {
    struct trace_header header; /* as its segments', header_size 128; first_index and
                                   TRACE_FLAG_THREAD_START are those of the buffer */
    uint32_t tail_seq;          /* the segment that the buffer is written to next */
    uint32_t capacity;          /* bytes */
    uint64_t offset;            /* in that segment, where the buffer's first byte belongs */
    uint64_t used;              /* bytes; stored after the record */
    uint64_t anchor_ticks;      /* an anchor, refreshed at each flush */
    uint64_t anchor_ns;
    uint32_t generation; /* odd while all but `used` change */
    uint32_t zero;
};

/* A ring in POSIX shared memory: this header, then `capacity` bytes.  `head` and `tail` count
 * bytes and never wrap: byte p of the stream lies at p % capacity.  docs/formats.md says who
 * writes which. */
#define TRACE_RING_MAGIC "TKSHM\0\0" /* eight bytes with the terminating NUL */
#define TRACE_RING_VERSION 2u
#define TRACE_RING_SIZE 96u
/* `offset` of a tail whose buffer has no place in the ring yet. */
#define TRACE_RING_NOWHERE (UINT64_C(1) << 62)

struct trace_ring_header {
    char magic[TRACE_MAGIC_SIZE];
    uint32_t version;
    uint32_t capacity; /* bytes */
    uint32_t writers;  /* attached processes */
    uint32_t lock;     /* pid of who holds it; 0: nobody */
    uint64_t head;     /* bytes written, stored last */
    uint64_t tail;     /* bytes taken by the client */
    uint64_t dropped;  /* enters and exits that found no room */
    uint32_t flags;    /* TRACE_FLAG_TICKS, _BIG_ENDIAN, _PACKED */
    uint32_t pad;
    uint64_t load_bias; /* from here on as in a file */
    uint64_t tick_hz;
    uint64_t t0_ticks;
    uint64_t t0_ns;
    uint64_t hook_ns;
};

/* A summary file, trace.summary.<pid>.<tid>.bin: this header, then `records` records.
 * Times are in ticks or ns, as the flags say. */
#define TRACE_SUMMARY_MAGIC "MLSUMRY"
#define TRACE_SUMMARY_VERSION 1u
#define TRACE_SUMMARY_HEADER_SIZE 96u
#define TRACE_SUMMARY_RECORD_SIZE 688u
#define TRACE_SUMMARY_BUCKETS 160u

struct trace_summary_header {
    char magic[TRACE_MAGIC_SIZE];
    uint32_t version;
    uint32_t record_size;
    uint32_t header_size;
    uint32_t flags; /* TRACE_FLAG_TICKS, TRACE_FLAG_BIG_ENDIAN */
    uint64_t load_bias;
    uint64_t tick_hz; /* over the whole run */
    uint64_t t0_ticks;
    uint64_t t0_ns;
    uint64_t hook_ns;
    uint32_t pid;
    uint32_t tid;
    uint64_t records;
    uint64_t span;      /* from the thread's first event to its last */
    uint64_t truncated; /* calls beyond the depth limit */
};

struct trace_summary_record {
    uint64_t func;
    uint64_t calls;
    uint64_t incl; /* of every call, also of one within another of the same function */
    uint64_t self;
    uint64_t min;
    uint64_t max;
    uint32_t hist[TRACE_SUMMARY_BUCKETS]; /* d below 8; then (msb - 3) * 4 + the two bits
                                             below the msb + 8 */
};

_Static_assert(sizeof(struct trace_summary_header) == TRACE_SUMMARY_HEADER_SIZE,
               "summary header is 96 bytes");
_Static_assert(sizeof(struct trace_summary_record) == TRACE_SUMMARY_RECORD_SIZE,
               "summary record is 688 bytes");
_Static_assert(sizeof(struct trace_ring_header) == TRACE_RING_SIZE, "ring header is 96 bytes");
_Static_assert(offsetof(struct trace_ring_header, load_bias) == 56, "ring header has no padding");
_Static_assert(sizeof(struct trace_block) == TRACE_BLOCK_SIZE, "block header is 64 bytes");
_Static_assert(sizeof(struct trace_definition) == 16, "definition is 16 bytes");
_Static_assert(sizeof(struct trace_tail) == TRACE_TAIL_SIZE, "tail header is 128 bytes");
_Static_assert(offsetof(struct trace_tail, used) == 96, "tail header has no padding");
_Static_assert(sizeof(struct trace_header) == TRACE_HEADER_SIZE, "header is 80 bytes");
_Static_assert(offsetof(struct trace_header, load_bias) == 24, "header has no padding");
_Static_assert(sizeof(struct trace_event) == TRACE_EVENT_SIZE, "event is 32 bytes");

/* event.kind */
#define TRACE_KIND_ENTER 0
#define TRACE_KIND_EXIT 1
#define TRACE_KIND_MARKER 2
#define TRACE_KIND_COUNTERS 3

/* Marker codes (event.func of a marker) and what event.caller then holds. */
#define TRACE_MARK_BUDGET 1      /* stopped, TRACE_MAX_MB reached; bytes */
#define TRACE_MARK_NOSPACE 2     /* stopped, free space under TRACE_MIN_FREE_MB; bytes */
#define TRACE_MARK_WRITE_ERROR 3 /* stopped; errno */
#define TRACE_MARK_MAX_EVENTS 4  /* stopped, TRACE_MAX reached; the cap */
#define TRACE_MARK_WRAP                                                                            \
    5                              /* a segment was rotated away; events lost with it.  The sums   \
                                      over a process's files are exact: see trace_space.h */
#define TRACE_MARK_CLOCK 6         /* closing anchor: ts in ticks; CLOCK_MONOTONIC ns */
#define TRACE_MARK_COUNTER 7       /* ts = slot << 32 | perf type; perf config */
#define TRACE_MARK_COUNTER_COST 8  /* ts = slot; the hooks' own count, already subtracted */
#define TRACE_MARK_COUNTER_READ 9  /* ns per read */
#define TRACE_MARK_COUNTER_SKIP 10 /* ts = function address; its mean duration */
#define TRACE_MARK_COUNTER_MUX 11  /* reads taken while the PMU time-sliced */
#define TRACE_MARK_THREAD_START 256
#define TRACE_MARK_OFF 257
#define TRACE_MARK_ON 258
#define TRACE_MARK_LANDED 259  /* an exception landed; landing pc */
#define TRACE_MARK_CONTEXT 260 /* the thread now runs this context */
#define TRACE_MARK_SKIPPED 261 /* hooks refused since the last such marker */
#define TRACE_MARK_RING_DROPS 262
#define TRACE_MARK_GAP 263       /* bytes lost; written by the host */
#define TRACE_MARK_DEPTH 264     /* frames that are open: before a landing, and after it */
#define TRACE_MARK_WRAPS 265     /* segments rotated away that have no marker 5 of their own */
#define TRACE_MARK_JUMPED 266    /* a longjmp landed; where its setjmp returns to */
#define TRACE_MARK_FORGOTTEN 267 /* calls that landings left, counted by markers 264 no more */

#endif
