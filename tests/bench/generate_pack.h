/* SPDX-License-Identifier: MIT */
/* Packs the events of one thread into blocks, as docs/formats.md draws them, for generate.c. */
#ifndef GENERATE_PACK_H
#define GENERATE_PACK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define PACK_EVENTS 8192u /* of a block, at most */
#define PACK_SLOTS 131072u

struct packer {
    struct trace_definition sites[TRACE_SITES_MOST]; /* of the dictionary, by id less one */
    uint32_t slots[PACK_SLOTS];                      /* ids of these, by hash; 0: free */
    uint32_t n_sites;
    uint16_t frames[PACK_EVENTS];
    uint16_t words[PACK_EVENTS * 10];
    struct trace_definition definitions[PACK_EVENTS];
};

/* A new file begins. */
static void pack_anew(struct packer *self)
{
    memset(self->slots, 0, sizeof self->slots);
    self->n_sites = 0;
}

static uint32_t pack_site(struct packer *self, const struct trace_event *event)
{
    uint32_t slot = (uint32_t)(((event->func * 31 + event->caller) * TRACE_CHECK_PRIME) >> 47);

    for (;; slot = (slot + 1) % PACK_SLOTS) {
        const struct trace_definition *site = &self->sites[self->slots[slot] - 1];

        if (self->slots[slot] == 0)
            break;
        if (site->func == event->func && site->caller == event->caller)
            return self->slots[slot];
    }
    self->sites[self->n_sites] = (struct trace_definition){event->func, event->caller};
    self->slots[slot] = ++self->n_sites;
    return self->n_sites;
}

/* Packs enters and exits in the order of time. The definitions that the block has are in
 * `definitions', its words in `words'; both go behind the header. */
static struct trace_block pack_block(struct packer *self, const struct trace_event *events, uint32_t n, uint64_t index,
                                     size_t *words_size, size_t *definitions_size)
{
    struct trace_block block = {
        .magic = TRACE_BLOCK_MAGIC,
        .header_size = TRACE_BLOCK_SIZE,
        .records = n,
        .events = n,
        .tid = events[0].tid,
        .index = index,
        .base = events[0].ts,
    };
    uint64_t base = block.base;
    uint16_t *word = self->words;
    uint32_t depth = 0;

    if (self->n_sites > TRACE_SITES_MOST - n)
        pack_anew(self);
    block.first_site = self->n_sites + 1;
    for (uint32_t i = 0; i < n; i++) {
        uint16_t site = (uint16_t)pack_site(self, &events[i]);

        if (events[i].ts - base > TRACE_DT_MOST) {
            *word++ = TRACE_WORD_TIME;
            memcpy(word, &events[i].ts, sizeof events[i].ts);
            word += 4;
            base = events[i].ts;
        }
        if (events[i].kind == TRACE_KIND_EXIT && (depth == 0 || self->frames[depth - 1] != site)) {
            *word++ = TRACE_WORD_EXIT;
            *word++ = (uint16_t)(events[i].ts - base);
            *word++ = 0;
            *word++ = site;
        } else {
            *word++ = (uint16_t)((events[i].ts - base + 1) << 1 | events[i].kind);
            if (events[i].kind == TRACE_KIND_ENTER)
                *word++ = self->frames[depth++] = site;
            else
                depth--;
        }
        base = events[i].ts;
    }
    block.sites = self->n_sites + 1 - block.first_site;
    for (uint32_t i = 0; i < block.sites; i++)
        self->definitions[i] = self->sites[self->n_sites - 1 - i];
    *words_size = (size_t)(word - self->words) * sizeof *word;
    *definitions_size = block.sites * sizeof *self->definitions;
    block.bytes = (uint32_t)(sizeof block + *words_size + *definitions_size);
    block.check = trace_block_check(&block, self->words, *words_size, self->definitions, *definitions_size, 0);
    return block;
}

#endif
