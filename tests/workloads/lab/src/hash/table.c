/* SPDX-License-Identifier: MIT */
#include "hash.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bits.h"

void table_init(struct table *t, size_t size)
{
    t->size = size;
    t->used = 0;
    t->keys = array_new(size, sizeof *t->keys);
    t->values = array_new(size, sizeof *t->values);
}

void table_clear(struct table *t)
{
    free(t->keys);
    free(t->values);
}

/* Where key is, or the free place where it belongs. */
static size_t find(const struct table *t, uint64_t key)
{
    size_t i = mix64(key) & (t->size - 1);

    while (t->keys[i] != 0 && t->keys[i] != key)
        i = (i + 1) & (t->size - 1);
    return i;
}

static void grow(struct table *t)
{
    struct table old = *t;

    table_init(t, old.size * 2);
    for (size_t i = 0; i < old.size; i++)
        if (old.keys[i] != 0)
            table_put(t, old.keys[i], old.values[i]);
    table_clear(&old);
}

void table_put(struct table *t, uint64_t key, uint32_t value)
{
    size_t i;

    if (t->used * 4 >= t->size * 3)
        grow(t);
    i = find(t, key);
    if (t->keys[i] == 0) {
        t->keys[i] = key;
        t->used++;
    }
    t->values[i] = value;
}

bool table_get(const struct table *t, uint64_t key, uint32_t *value)
{
    size_t i = find(t, key);

    *value = t->values[i];
    return t->keys[i] != 0;
}
