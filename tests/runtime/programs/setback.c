/* An event that is set back: its time, and that of the one behind it, in each of the ways in which a
 * time is packed.  Prints what is wrong; nothing, if all is right. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "trace_pack.h"

#pragma GCC diagnostic ignored "-Wunused-function"

static void check(uint64_t gap, bool leave, bool match, uint64_t back, uint64_t wanted)
{
    static _Alignas(16) char buffer[65536];
    static struct trace_open memory[256];
    struct trace_opens opens;
    struct trace_pack pack = {.last = 1000};
    trace_opens_begin(&opens, memory, 256);
    if (!trace_pack_resize(&pack, TRACE_TABLE_FIRST))
        abort();
    struct trace_block *block = (struct trace_block *)(void *)buffer;
    char *words = trace_pack_begin(&pack, block, sizeof buffer, 1, 0, false);
    trace_pack_forget(&pack, &opens, NULL, false);
    char *next = trace_pack_enter(&pack, &opens, words, 2000, 64, 8, 1);
    uint64_t now = 2000 + gap;
    next = leave ? trace_pack_exit(&pack, &opens, next, now, 64, match ? 8 : 9)
                 : trace_pack_enter(&pack, &opens, next, now, 128, 8, 1);
    trace_pack_set_back(&pack, next, back);
    uint64_t got = trace_pack_time(words, next, block->base);
    next = trace_pack_enter(&pack, &opens, next, now + 10, 192, 8, 1);
    uint64_t behind = trace_pack_time(words, next, block->base);
    if (got != wanted || behind != now + 10 || trace_pack_tally(words, next, 1, UINT64_MAX).records != 3)
        printf("gap %llu, exit %d, match %d, back to %llu: %llu, then %llu\n", (unsigned long long)gap, leave,
               match, (unsigned long long)back, (unsigned long long)got, (unsigned long long)behind);
    trace_pack_free(&pack);
}

int main(void)
{
    static const uint64_t gaps[] = {0, 100, TRACE_DT_MOST, TRACE_DT_MOST + 1, 70000, UINT32_MAX, (uint64_t)1 << 40};
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        for (int kind = 0; kind < 3; kind++) {
            uint64_t gap = gaps[i], now = 2000 + gap;
            check(gap, kind > 0, kind > 1, now - gap / 3, now - gap / 3);
            check(gap, kind > 0, kind > 1, 2000, 2000);
            check(gap, kind > 0, kind > 1, now + 5, now); /* later: it stays */
        }
    }
    return 0;
}
