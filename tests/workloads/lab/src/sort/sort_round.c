/* SPDX-License-Identifier: MIT */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "util/array.h"
#include "util/prng.h"

bool is_sorted(const uint32_t *data, size_t n, compare_fn compare)
{
    for (size_t i = 1; i < n; i++)
        if (compare(data[i - 1], data[i]) > 0)
            return false;
    return true;
}

static void sort_quick(uint32_t *data, size_t n, compare_fn compare)
{
    (void)compare;
    quick_sort(data, n);
}

static void sort_radix(uint32_t *data, size_t n, compare_fn compare)
{
    (void)compare;
    radix_sort(data, n);
}

/* What each of the sorting threads does. */
static const struct {
    size_t n;
    void (*sort)(uint32_t *data, size_t n, compare_fn compare);
    compare_fn compare;
} plans[] = {
    {20000, sort_quick, compare_up},
    {500, merge_sort, compare_ones},
    {500, heap_sort, compare_down},
    {5000, sort_radix, compare_up},
};

uint64_t sort_round(struct task *task, uint64_t seed)
{
    size_t which = task->index % (sizeof plans / sizeof plans[0]);
    size_t n = plans[which].n;
    uint32_t *data = array_new(n, sizeof *data);
    struct prng prng;
    uint64_t sum, result;

    prng_seed(&prng, seed);
    prng_words(&prng, data, n);
    sum = array_sum(data, n);

    plans[which].sort(data, n, plans[which].compare);

    check(task, is_sorted(data, n, plans[which].compare), "the array is sorted");
    check_equal(task, array_sum(data, n), sum, "sorting loses nothing");
    result = array_digest(data, n);
    free(data);
    return result;
}
