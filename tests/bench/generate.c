/* SPDX-License-Identifier: MIT */
/*
 * Writes a made-up recording of any size for the benches of the analysis, as docs/formats.md
 * draws event files and the runtime names them.
 *
 * generate FOLDER [NAME=VALUE]…
 *     events=10M      enters and exits of all threads together (k, M, G)
 *     threads=1       with equal shares; the main thread is one of them
 *     depth=20        the deepest stack
 *     functions=1000
 *     nodes=…         of the call tree; four a function if it isn't given, twice the depth at least
 *     seed=1          the same values give the same files
 *     segment=32M     bytes, after which a thread begins another file; 0: one file a thread
 *     clock=ticks     or ns
 *     format=records  or packed: the same events in blocks
 *
 * The program that is recorded is a tree of calls: each function has a few call sites, a site
 * calls one function, and the tree unfolds these so far as there are nodes. A thread walks up
 * and down in it, towards a depth that changes now and then, and ends at its root. A quarter of
 * the events come at the time of the one before, a few of them long after it.
 *
 * Prints what is true of the recording: `busy' is the time with a call open, of all threads, in
 * units of the clock; `functions' and `nodes' are those that were called.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "generate_pack.h"
#include "trace.h"

#define PID 4711u
#define TICK_HZ UINT64_C(2445433629)
#define T0_TICKS UINT64_C(53058053609007)
#define T0_NS UINT64_C(21696672214275)
#define REALTIME_NS UINT64_C(1764440000000000000)
#define BIAS UINT64_C(0x564fe1b8c000)
#define LIBC UINT64_C(0x7f0513b2a000)
#define FUNCTION_BYTES 256u
#define MAX_SITES 16u
#define MAX_CHILDREN 12u
#define BLOCK PACK_EVENTS
#define SPARE_BYTES (UINT64_C(4) << 30)

struct options {
    const char *folder;
    uint64_t events, threads, depth, functions, nodes, seed, segment;
    bool ticks, packed;
};

/* A place in the tree of calls; its children lie one behind the other. */
struct node {
    uint64_t address, caller;
    uint32_t first_child, n_children;
    uint16_t first_share; /* of 65,536 calls from here, those of the first child */
    bool called;
};

/* The same while the tree grows. */
struct draft {
    uint32_t parent, first_child, next_sibling, n_children, depth, height, size, function, site;
};

struct function {
    uint32_t callees[MAX_SITES];
    uint32_t n_sites;
};

struct totals {
    uint64_t events, bytes, files, busy, end, max_depth;
};

struct writer {
    const struct options *options;
    struct totals *totals;
    uint32_t tid, seq;
    int fd;
    uint64_t bytes;  /* of the file */
    uint64_t events; /* of the thread, written */
    struct trace_event *block;
    uint32_t used;
    struct packer *packer; /* or NULL */
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "generate: %s: %s\n", what, why);
    exit(2);
}

static void *allocate(uint64_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);

    if (!memory)
        die("memory", strerror(ENOMEM));
    return memory;
}

static inline uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);

    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Below n, which is below 2^32. */
static inline uint32_t pick(uint32_t random, uint64_t n)
{
    return (uint32_t)((random * n) >> 32);
}

static uint64_t function_address(uint32_t function)
{
    return BIAS + 0x1000 + (uint64_t)function * FUNCTION_BYTES;
}

/* ── the tree ── */

static bool calls_already(const struct draft *drafts, uint32_t parent, uint32_t function)
{
    for (uint32_t child = drafts[parent].first_child; child != 0; child = drafts[child].next_sibling)
        if (drafts[child].function == function)
            return true;
    return false;
}

/* Chooses what another call below `parent` calls and from which of its sites. False when all
 * its sites have their call. */
static bool choose_callee(const struct options *options, struct function *functions, const struct draft *drafts,
                          uint32_t parent, uint32_t wanted, uint64_t *random, uint32_t *callee, uint32_t *site)
{
    struct function *caller = &functions[drafts[parent].function];
    uint32_t first, other;

    if (parent == 0) {
        *site = 0;
        *callee = wanted != UINT32_MAX ? wanted : pick((uint32_t)next_random(random), options->functions);
        return !calls_already(drafts, parent, *callee);
    }
    first = pick((uint32_t)next_random(random), caller->n_sites);
    for (uint32_t i = 0; wanted == UINT32_MAX && i < caller->n_sites; i++) {
        *site = (first + i) % caller->n_sites;
        *callee = caller->callees[*site];
        if (!calls_already(drafts, parent, *callee))
            return true;
    }
    other = wanted != UINT32_MAX ? wanted : pick((uint32_t)next_random(random), options->functions);
    if (caller->n_sites == MAX_SITES || calls_already(drafts, parent, other))
        return false;
    *site = caller->n_sites;
    *callee = caller->callees[caller->n_sites++] = other;
    return true;
}

/* The first nodes are a chain as deep as wanted. Then chains of some length grow from any node;
 * the first `functions` nodes are a function each. Returns how many nodes there are. */
static uint32_t grow(const struct options *options, struct draft *drafts)
{
    struct function *functions = allocate(options->functions, sizeof *functions);
    uint64_t random = options->seed ^ UINT64_C(0x7472656573);
    uint64_t chain = options->depth / 8 > 2 ? options->depth / 8 : 2;
    uint32_t n = 1;

    while (n <= options->nodes) {
        bool found = false;
        uint32_t parent = 0, callee = 0, site = 0;
        uint32_t wanted = n <= options->functions ? n - 1 : UINT32_MAX;

        for (unsigned try = 0; !found && try < 64; try++) {
            uint64_t r = next_random(&random);

            if (try == 0 && (n <= options->depth || pick((uint32_t)r, chain) != 0))
                parent = n - 1;
            else
                parent = try < 60 ? pick((uint32_t)(r >> 32), n) : 0;
            if (drafts[parent].depth < options->depth && (parent == 0 || drafts[parent].n_children < MAX_CHILDREN))
                found = choose_callee(options, functions, drafts, parent, wanted, &random, &callee, &site);
        }
        if (!found)
            break;
        drafts[n] = (struct draft){.parent = parent, .next_sibling = drafts[parent].first_child,
                                   .depth = drafts[parent].depth + 1, .function = callee, .site = site};
        drafts[parent].first_child = n;
        drafts[parent].n_children++;
        n++;
    }
    free(functions);
    return n;
}

/* Puts siblings one behind the other, the one with the deepest calls below it first. That one is
 * called as often as there are nodes in it, so that a walk sees most of them. */
static struct node *lay_out(struct draft *drafts, uint32_t n)
{
    struct node *nodes = allocate(n, sizeof *nodes);
    uint32_t *order = allocate(n, sizeof *order);
    uint32_t used = 1;

    for (uint32_t i = n - 1; i > 0; i--) {
        struct draft *parent = &drafts[drafts[i].parent];

        if (parent->height < drafts[i].height + 1)
            parent->height = drafts[i].height + 1;
        parent->size += 1 + drafts[i].size;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct draft *draft = &drafts[order[i]];
        uint32_t first = used;

        for (uint32_t child = draft->first_child; child != 0; child = drafts[child].next_sibling) {
            order[used] = child;
            if (drafts[order[first]].height < drafts[child].height) {
                order[used] = order[first];
                order[first] = child;
            }
            used++;
        }
        nodes[i].first_child = first;
        nodes[i].n_children = used - first;
        if (used > first)
            nodes[i].first_share = (uint16_t)((1 + drafts[order[first]].size) * UINT64_C(65535) / draft->size);
        if (i == 0)
            continue;
        nodes[i].address = function_address(draft->function);
        nodes[i].caller = draft->parent == 0
                              ? LIBC + 0x29d90
                              : function_address(drafts[draft->parent].function) + 24 + draft->site * 12;
    }
    free(order);
    return nodes;
}

static struct node *make_tree(const struct options *options)
{
    struct draft *drafts = allocate(options->nodes + 1, sizeof *drafts);
    uint32_t n = grow(options, drafts);
    struct node *nodes = lay_out(drafts, n);

    free(drafts);
    return nodes;
}

/* ── the files ── */

static void write_all(int fd, const void *data, size_t size)
{
    const char *bytes = data;

    while (size > 0) {
        ssize_t n = write(fd, bytes, size);

        if (n < 0 && errno != EINTR)
            die("write", strerror(errno));
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
}

static int create(const char *folder, const char *name)
{
    char path[4096];
    int fd;

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        die(folder, strerror(ENAMETOOLONG));
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        die(path, strerror(errno));
    return fd;
}

static void begin_file(struct writer *writer)
{
    struct trace_header header = {
        .magic = TRACE_MAGIC,
        .version = writer->packer ? TRACE_PACKED_VERSION : TRACE_VERSION,
        .event_size = writer->packer ? TRACE_PACKED_EVENT_SIZE : TRACE_EVENT_SIZE,
        .header_size = TRACE_HEADER_SIZE,
        .flags = (writer->options->ticks ? TRACE_FLAG_TICKS : 0) | (writer->seq == 0 ? TRACE_FLAG_THREAD_START : 0),
        .load_bias = BIAS,
        .tick_hz = writer->options->ticks ? TICK_HZ : 0,
        .t0_ticks = writer->options->ticks ? T0_TICKS : T0_NS,
        .t0_ns = T0_NS,
        .hook_ns = 15,
        .pid = PID,
        .seq = writer->seq,
        .first_index = writer->events + 1,
    };
    char name[64];

    snprintf(name, sizeof name, "trace.%u.%u.%u.bin", PID, writer->tid, writer->seq);
    writer->fd = create(writer->options->folder, name);
    write_all(writer->fd, &header, sizeof header);
    writer->bytes = sizeof header;
    writer->totals->files++;
    if (writer->packer)
        pack_anew(writer->packer);
}

static void end_file(struct writer *writer)
{
    close(writer->fd);
    writer->fd = -1;
    writer->totals->bytes += writer->bytes;
}

static void write_packed(struct writer *writer)
{
    size_t words, definitions;
    struct trace_block block =
        pack_block(writer->packer, writer->block, writer->used, writer->events + 1, &words, &definitions);

    write_all(writer->fd, &block, sizeof block);
    write_all(writer->fd, writer->packer->words, words);
    write_all(writer->fd, writer->packer->definitions, definitions);
    writer->bytes += block.bytes;
}

/* The process's last words. In a packed file they are a block with a raw record. */
static void write_anchor(struct writer *writer, const struct trace_event *anchor)
{
    const uint16_t word = TRACE_WORD_RAW;
    unsigned char words[sizeof word + sizeof *anchor];
    struct trace_block block = {.magic = TRACE_BLOCK_MAGIC,
                                .header_size = TRACE_BLOCK_SIZE,
                                .bytes = sizeof block + sizeof words,
                                .records = 1,
                                .tid = anchor->tid,
                                .base = anchor->ts};

    if (writer->packer) {
        memcpy(words, &word, sizeof word);
        memcpy(words + sizeof word, anchor, sizeof *anchor);
        block.first_site = writer->packer->n_sites + 1;
        block.check = trace_block_check(&block, words, sizeof words, NULL, 0, 0);
        write_all(writer->fd, &block, sizeof block);
        write_all(writer->fd, words, sizeof words);
        writer->bytes += block.bytes;
        return;
    }
    write_all(writer->fd, anchor, sizeof *anchor);
    writer->bytes += sizeof *anchor;
}

static void flush(struct writer *writer)
{
    size_t size = writer->used * sizeof *writer->block;

    if (size == 0)
        return;
    if (writer->options->segment != 0 && writer->bytes > sizeof(struct trace_header) &&
        writer->bytes + size > writer->options->segment) {
        end_file(writer);
        writer->seq++;
        begin_file(writer);
    }
    if (writer->packer) {
        write_packed(writer);
    } else {
        write_all(writer->fd, writer->block, size);
        writer->bytes += size;
    }
    writer->events += writer->used;
    writer->used = 0;
}

/* The thread's calls: as many events as it may have, an even number. */
static void walk(struct writer *writer, struct node *nodes, uint64_t n_events, uint64_t start)
{
    const struct options *options = writer->options;
    uint32_t *stack = allocate(options->depth + 1, sizeof *stack);
    struct trace_event *block = writer->block;
    uint64_t random = options->seed * UINT64_C(0xD6E8FEB86659FD93) + writer->tid;
    uint64_t depth = 0, target = 0, phase = 0, ts = start, begun = 0, max_depth = 0, busy = 0;
    uint32_t used = 0;

    for (uint64_t left = n_events; left > 0; left--) {
        uint64_t r = next_random(&random);
        struct node *node = &nodes[stack[depth]];
        uint32_t gap = (uint32_t)(r & 0xFF);
        bool enters;

        if (phase-- == 0) {
            target = (r & 3) == 0 ? 0 : 1 + pick((uint32_t)r, options->depth);
            phase = 64 + pick((uint32_t)(r >> 32), options->depth * 8);
        }
        ts += (gap & 3) == 0 ? (gap == 0x40 ? (r >> 40) & 0xFFFF : 0) : gap >> 2;
        enters = ((r >> 8) & 7) < (depth < target ? 5u : 3u);
        if (node->n_children == 0 || left <= depth || (depth > 0 && !enters)) {
            block[used++] = (struct trace_event){
                .ts = ts, .func = node->address, .caller = node->caller, .tid = writer->tid, .kind = TRACE_KIND_EXIT};
            if (--depth == 0)
                busy += ts - begun;
        } else {
            uint32_t child = node->first_child;

            if (node->n_children > 1 && (uint32_t)(r >> 48) >= node->first_share)
                child += 1 + pick((uint32_t)(r >> 16), node->n_children - 1);
            if (depth == 0)
                begun = ts;
            stack[++depth] = child;
            if (depth > max_depth)
                max_depth = depth;
            node = &nodes[child];
            node->called = true;
            block[used++] = (struct trace_event){
                .ts = ts, .func = node->address, .caller = node->caller, .tid = writer->tid, .kind = TRACE_KIND_ENTER};
        }
        if (used == BLOCK) {
            writer->used = used;
            flush(writer);
            used = 0;
        }
    }
    writer->used = used;
    flush(writer);
    free(stack);
    writer->totals->events += n_events;
    writer->totals->busy += busy;
    if (writer->totals->end < ts)
        writer->totals->end = ts;
    if (writer->totals->max_depth < max_depth)
        writer->totals->max_depth = max_depth;
}

static uint64_t ticks_to_ns(uint64_t ticks)
{
    return T0_NS + (ticks - T0_TICKS) / TICK_HZ * 1000000000u + (ticks - T0_TICKS) % TICK_HZ * 1000000000u / TICK_HZ;
}

static void write_thread(const struct options *options, struct node *nodes, uint64_t number, struct totals *totals)
{
    struct writer writer = {.options = options, .totals = totals, .tid = PID + (uint32_t)number};
    uint64_t pairs = options->events / 2;
    uint64_t share = pairs / options->threads + (number < pairs % options->threads ? 1 : 0);
    uint64_t start = (options->ticks ? T0_TICKS : T0_NS) + 1000 + number * 5000;

    writer.block = allocate(BLOCK, sizeof *writer.block);
    if (options->packed)
        writer.packer = allocate(1, sizeof *writer.packer);
    begin_file(&writer);
    walk(&writer, nodes, share * 2, start);
    if (number == 0) {
        uint64_t end = totals->end + 1000;
        struct trace_event anchor = {.ts = end, .func = TRACE_MARK_CLOCK, .tid = writer.tid, .kind = TRACE_KIND_MARKER};

        anchor.caller = options->ticks ? ticks_to_ns(end) : end;
        write_anchor(&writer, &anchor);
    }
    end_file(&writer);
    free(writer.block);
    free(writer.packer);
}

static void write_process_file(const struct options *options)
{
    FILE *file;
    char name[64];

    snprintf(name, sizeof name, "trace.%u.process", PID);
    file = fdopen(create(options->folder, name), "w");
    if (!file)
        die(name, strerror(errno));
    fprintf(file,
            "CALLSIGHT-PROCESS 1\npid %u\nparent %u\nexe /synthetic\nstart-realtime-ns %" PRIu64
            "\nstart-monotonic-ns %" PRIu64 "\n",
            PID, PID - 1, REALTIME_NS, T0_NS);
    if (options->ticks)
        fprintf(file, "clock %" PRIu64 " %" PRIu64 "\n", T0_NS, T0_TICKS);
    fprintf(file, "module %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " - /synthetic\n", T0_NS, BIAS, BIAS,
            function_address((uint32_t)options->functions) + 0x1000);
    fprintf(file, "module %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " - /synthetic-libc.so.6\n", T0_NS, LIBC, LIBC,
            LIBC + 0x1e0000);
    for (uint64_t i = 1; i < options->threads; i++)
        fprintf(file, "thread %" PRIu64 " 0 worker-%" PRIu64 "\n", PID + i, i);
    fprintf(file, "thread %u 0 synthetic\n", PID);
    if (fclose(file) != 0)
        die(name, strerror(errno));
}

/* ── the command line ── */

static uint64_t parse_number(const char *argument, const char *text)
{
    char *end;
    uint64_t number;

    errno = 0;
    number = strtoull(text, &end, 10);
    if (*end == 'k')
        number *= 1000, end++;
    else if (*end == 'M')
        number *= 1000000, end++;
    else if (*end == 'G')
        number *= 1000000000, end++;
    if (end == text || *end != '\0' || errno != 0 || *text == '-')
        die(argument, "not a number");
    return number;
}

static void parse(struct options *options, int argc, char **argv)
{
    const struct {
        const char *name;
        uint64_t *value, min, max;
    } numbers[] = {
        {"events", &options->events, 2, UINT64_C(100000000000)}, {"threads", &options->threads, 1, 100000},
        {"depth", &options->depth, 1, 100000000},                {"functions", &options->functions, 1, 1000000},
        {"nodes", &options->nodes, 1, 100000000},                {"seed", &options->seed, 0, UINT64_MAX},
        {"segment", &options->segment, 0, UINT64_MAX},
    };
    const size_t n_numbers = sizeof numbers / sizeof *numbers;

    if (argc < 2 || strchr(argv[1], '=') || argv[1][0] == '-')
        die("usage", "generate FOLDER [events=10M] [threads=1] [depth=20] [functions=1000] [nodes=N] [seed=1] "
                     "[segment=32M] [clock=ticks|ns] [format=records|packed]");
    options->folder = argv[1];
    for (int i = 2; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        size_t n = 0;

        if (strcmp(argv[i], "clock=ticks") == 0 || strcmp(argv[i], "clock=ns") == 0) {
            options->ticks = argv[i][length + 1] == 't';
            continue;
        }
        if (strcmp(argv[i], "format=records") == 0 || strcmp(argv[i], "format=packed") == 0) {
            options->packed = argv[i][length + 1] == 'p';
            continue;
        }
        while (n < n_numbers && (strlen(numbers[n].name) != length || strncmp(numbers[n].name, argv[i], length) != 0))
            n++;
        if (n == n_numbers || argv[i][length] == '\0')
            die(argv[i], "no such option");
        *numbers[n].value = parse_number(argv[i], argv[i] + length + 1);
        if (*numbers[n].value < numbers[n].min || *numbers[n].value > numbers[n].max)
            die(argv[i], "out of range");
    }
    if (options->threads > options->events / 2)
        die("threads", "more than calls");
    if (options->nodes == 0) {
        options->nodes = options->functions * 4;
        if (options->nodes < options->depth * 2)
            options->nodes = options->depth * 2;
    }
    if (options->nodes < options->depth)
        die("nodes", "fewer than the depth");
}

static void check_space(const struct options *options)
{
    uint64_t needed = options->events * TRACE_EVENT_SIZE + SPARE_BYTES;
    struct statvfs space;

    if (statvfs(options->folder, &space) != 0)
        die(options->folder, strerror(errno));
    if ((uint64_t)space.f_bavail * space.f_frsize < needed) {
        fprintf(stderr, "generate: %s: %" PRIu64 " MB free, %" PRIu64 " MB wanted (4 GB of them to spare)\n",
                options->folder, (uint64_t)space.f_bavail * space.f_frsize / 1000000, needed / 1000000);
        exit(2);
    }
}

static uint64_t count_called(const struct options *options, const struct node *nodes, uint64_t *n_nodes)
{
    bool *seen = allocate(options->functions, sizeof *seen);
    uint64_t functions = 0;
    uint32_t n = 1;

    /* The last child of all is the last node. */
    for (uint32_t i = 0; i < n; i++) {
        uint64_t function = (nodes[i].address - function_address(0)) / FUNCTION_BYTES;

        if (nodes[i].n_children != 0)
            n = nodes[i].first_child + nodes[i].n_children;
        if (!nodes[i].called)
            continue;
        ++*n_nodes;
        functions += !seen[function];
        seen[function] = true;
    }
    free(seen);
    return functions;
}

int main(int argc, char **argv)
{
    struct options options = {
        .events = 10000000, .threads = 1, .depth = 20, .functions = 1000, .seed = 1, .segment = 32000000, .ticks = true};
    struct totals totals = {0};
    struct node *nodes;
    uint64_t n_nodes = 0, functions;

    parse(&options, argc, argv);
    if (mkdir(options.folder, 0700) != 0 && errno != EEXIST)
        die(options.folder, strerror(errno));
    check_space(&options);
    nodes = make_tree(&options);
    write_process_file(&options);
    /* The main thread is the last: its closing anchor comes after all events. */
    for (uint64_t i = options.threads; i-- > 0;)
        write_thread(&options, nodes, i, &totals);
    functions = count_called(&options, nodes, &n_nodes);
    printf("events=%" PRIu64 " calls=%" PRIu64 " threads=%" PRIu64 " functions=%" PRIu64 " nodes=%" PRIu64
           " max_depth=%" PRIu64 " busy=%" PRIu64 " files=%" PRIu64 " bytes=%" PRIu64 "\n",
           totals.events, totals.events / 2, options.threads, functions, n_nodes, totals.max_depth, totals.busy,
           totals.files, totals.bytes);
    free(nodes);
    return 0;
}
