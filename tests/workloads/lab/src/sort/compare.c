/* SPDX-License-Identifier: MIT */
#include "sort.h"

int compare_up(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

int compare_down(uint32_t a, uint32_t b)
{
    return compare_up(b, a);
}

static unsigned count_ones(uint32_t x)
{
    unsigned n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

/* By the number of one bits, then by value. */
int compare_ones(uint32_t a, uint32_t b)
{
    unsigned ones_a = count_ones(a), ones_b = count_ones(b);
    return ones_a == ones_b ? compare_up(a, b) : (ones_a < ones_b ? -1 : 1);
}
