/* SPDX-License-Identifier: MIT */
#include "array.h"

#include <stdio.h>
#include <stdlib.h>

#include "bits.h"

void *array_new(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory) {
        fputs("lab: out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* Does not depend on the order of the elements. */
uint64_t array_sum(const uint32_t *data, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += data[i];
    return sum;
}

/* Depends on the order. */
uint64_t array_digest(const uint32_t *data, size_t n)
{
    uint64_t sum = n;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3) + (sum >> 47);
    return mix64(sum);
}
