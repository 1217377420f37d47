/* SPDX-License-Identifier: MIT */
#include "sort.h"

static void insert(uint32_t *data, size_t at, compare_fn compare)
{
    uint32_t value = data[at];

    for (; at > 0 && compare(data[at - 1], value) > 0; at--)
        data[at] = data[at - 1];
    data[at] = value;
}

void insertion_sort(uint32_t *data, size_t n, compare_fn compare)
{
    for (size_t i = 1; i < n; i++)
        insert(data, i, compare);
}
