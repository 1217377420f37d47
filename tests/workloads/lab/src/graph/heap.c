/* SPDX-License-Identifier: MIT */
#include "graph.h"

static void swap(struct heap *h, size_t i, size_t j)
{
    uint32_t key = h->items[i].key, node = h->items[i].node;

    h->items[i] = h->items[j];
    h->items[j].key = key;
    h->items[j].node = node;
}

static bool is_less(const struct heap *h, size_t i, size_t j)
{
    if (h->items[i].key != h->items[j].key)
        return h->items[i].key < h->items[j].key;
    return h->items[i].node < h->items[j].node;
}

void heap_push(struct heap *h, uint32_t key, uint32_t node)
{
    size_t i = h->n++;

    h->items[i].key = key;
    h->items[i].node = node;
    for (; i > 0 && is_less(h, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(h, i, (i - 1) / 2);
}

static void sift_down(struct heap *h)
{
    for (size_t i = 0, child; (child = 2 * i + 1) < h->n; i = child) {
        if (child + 1 < h->n && is_less(h, child + 1, child))
            child++;
        if (!is_less(h, child, i))
            return;
        swap(h, i, child);
    }
}

uint32_t heap_pop(struct heap *h, uint32_t *key)
{
    uint32_t node = h->items[0].node;

    *key = h->items[0].key;
    h->items[0] = h->items[--h->n];
    sift_down(h);
    return node;
}
