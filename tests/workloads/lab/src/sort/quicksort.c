/* SPDX-License-Identifier: MIT */
#include "sort.h"

/* Called a hundred and fifty thousand times a round: the function to look at first. */
static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

static size_t middle_of_three(const uint32_t *data, size_t a, size_t b, size_t c)
{
    if (data[a] < data[b])
        return data[b] < data[c] ? b : (data[a] < data[c] ? c : a);
    return data[a] < data[c] ? a : (data[b] < data[c] ? c : b);
}

/* Moves what is less than the pivot to the front; returns where the pivot ends up. */
static size_t partition(uint32_t *data, size_t n)
{
    size_t store = 0;

    swap(&data[middle_of_three(data, 0, n / 2, n - 1)], &data[n - 1]);
    for (size_t i = 0; i + 1 < n; i++)
        if (data[i] < data[n - 1])
            swap(&data[i], &data[store++]);
    swap(&data[store], &data[n - 1]);
    return store;
}

void quick_sort(uint32_t *data, size_t n)
{
    size_t pivot;

    if (n < 2)
        return;
    pivot = partition(data, n);
    quick_sort(data, pivot);
    quick_sort(data + pivot + 1, n - pivot - 1);
}
