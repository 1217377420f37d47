/* SPDX-License-Identifier: MIT */
/*
 * The yardstick of the analysis bench: what a programmer writes in half an hour to sum up
 * event files of this machine's byte order. One thread, read() in blocks, a stack a file, an
 * open-addressed table of functions with calls, inclusive and self time, minimum and maximum
 * in ticks. No call tree, no call sites, no percentiles, no repairs, no names.
 *
 * naive-pass FILE… prints the number of events and of functions.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace.h"

#define TABLE_SIZE 65536u
#define BLOCK 8192

struct function {
    uint64_t address, calls, incl, self, min, max;
};

struct frame {
    uint64_t address, start, children;
};

static struct function table[TABLE_SIZE];
static struct frame *stack;
static size_t depth, stack_size;
static uint64_t events;
static unsigned functions;

static struct function *find(uint64_t address)
{
    uint32_t slot = (uint32_t)((address * 0x9E3779B97F4A7C15u) >> 48);

    while (table[slot].address != address && table[slot].address != 0)
        slot = (slot + 1) % TABLE_SIZE;
    if (table[slot].address == 0) {
        table[slot].address = address;
        table[slot].min = UINT64_MAX;
        if (++functions == TABLE_SIZE) {
            fprintf(stderr, "naive-pass: more than %u functions\n", TABLE_SIZE - 1);
            exit(2);
        }
    }
    return &table[slot];
}

static void enter(const struct trace_event *event)
{
    if (depth == stack_size) {
        stack_size = stack_size ? stack_size * 2 : 64;
        stack = realloc(stack, stack_size * sizeof *stack);
        if (!stack)
            abort();
    }
    stack[depth++] = (struct frame){event->func, event->ts, 0};
}

static void leave(const struct trace_event *event)
{
    struct frame *frame;
    struct function *function;
    uint64_t duration;

    if (depth == 0 || stack[depth - 1].address != event->func)
        return;
    frame = &stack[--depth];
    function = find(frame->address);
    duration = event->ts - frame->start;
    function->calls++;
    function->incl += duration;
    function->self += duration - frame->children;
    if (duration < function->min)
        function->min = duration;
    if (duration > function->max)
        function->max = duration;
    if (depth > 0)
        stack[depth - 1].children += duration;
}

static void sum_file(const char *path)
{
    static struct trace_event block[BLOCK];
    int fd = open(path, O_RDONLY);
    ssize_t got;

    if (fd < 0 || lseek(fd, TRACE_HEADER_SIZE, SEEK_SET) < 0) {
        perror(path);
        exit(2);
    }
    depth = 0;
    while ((got = read(fd, block, sizeof block)) > 0) {
        size_t n = (size_t)got / sizeof *block;

        for (size_t i = 0; i < n; i++) {
            if (block[i].kind == TRACE_KIND_ENTER)
                enter(&block[i]);
            else if (block[i].kind == TRACE_KIND_EXIT)
                leave(&block[i]);
            else
                continue;
            events++;
        }
    }
    close(fd);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        sum_file(argv[i]);
    printf("events=%llu functions=%u\n", (unsigned long long)events, functions);
    return 0;
}
