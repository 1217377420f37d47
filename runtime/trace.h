/* SPDX-License-Identifier: MIT */
/*
 * trace.h - the layouts of event files, tail files and summary files.
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
#define TRACE_MARK_GAP 263   /* bytes lost; written by the host */
#define TRACE_MARK_DEPTH 264  /* frames that are open: before a landing, and after it */
#define TRACE_MARK_WRAPS 265 /* segments rotated away that have no marker 5 of their own */
#define TRACE_MARK_JUMPED 266 /* a longjmp landed; where its setjmp returns to */
#define TRACE_MARK_FORGOTTEN 267 /* calls that landings left, counted by markers 264 no more */

#endif
