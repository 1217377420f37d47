/* SPDX-License-Identifier: MIT */
#include "sort.h"

static void swap(uint32_t *data, size_t i, size_t j)
{
    uint32_t t = data[i];
    data[i] = data[j];
    data[j] = t;
}

static void sift_down(uint32_t *data, size_t i, size_t n, compare_fn compare)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && compare(data[child], data[child + 1]) < 0)
            child++;
        if (compare(data[i], data[child]) >= 0)
            return;
        swap(data, i, child);
    }
}

void heap_sort(uint32_t *data, size_t n, compare_fn compare)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_down(data, i, n, compare);
    for (size_t last = n; last-- > 1;) {
        swap(data, 0, last);
        sift_down(data, 0, last, compare);
    }
}
