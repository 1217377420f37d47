/* SPDX-License-Identifier: MIT */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define SMALL 6

static void merge(uint32_t *data, size_t half, size_t n, uint32_t *spare, compare_fn compare)
{
    size_t left = 0, right = half;

    for (size_t i = 0; i < n; i++) {
        if (left < half && (right == n || compare(data[left], data[right]) <= 0))
            spare[i] = data[left++];
        else
            spare[i] = data[right++];
    }
    memcpy(data, spare, n * sizeof *data);
}

static void sort_halves(uint32_t *data, size_t n, uint32_t *spare, compare_fn compare)
{
    size_t half = n / 2;

    if (n <= SMALL) {
        insertion_sort(data, n, compare);
        return;
    }
    sort_halves(data, half, spare, compare);
    sort_halves(data + half, n - half, spare, compare);
    merge(data, half, n, spare, compare);
}

void merge_sort(uint32_t *data, size_t n, compare_fn compare)
{
    uint32_t *spare = array_new(n, sizeof *spare);

    sort_halves(data, n, spare, compare);
    free(spare);
}
