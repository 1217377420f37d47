/* SPDX-License-Identifier: MIT */
#include "sort.h"

#include <stdlib.h>

#include "util/array.h"

#define DIGITS 256

static void count_digits(const uint32_t *data, size_t n, unsigned shift, size_t *counts)
{
    for (size_t i = 0; i < n; i++)
        counts[(data[i] >> shift) % DIGITS]++;
}

static void counts_to_places(size_t *counts)
{
    size_t place = 0;

    for (size_t i = 0; i < DIGITS; i++) {
        size_t count = counts[i];
        counts[i] = place;
        place += count;
    }
}

static void scatter(const uint32_t *from, uint32_t *to, size_t n, unsigned shift, size_t *places)
{
    for (size_t i = 0; i < n; i++)
        to[places[(from[i] >> shift) % DIGITS]++] = from[i];
}

void radix_sort(uint32_t *data, size_t n)
{
    uint32_t *spare = array_new(n, sizeof *spare);

    /* Four passes: the result is back in data. */
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t places[DIGITS] = {0};
        uint32_t *from = shift / 8 % 2 ? spare : data;
        uint32_t *to = shift / 8 % 2 ? data : spare;
        count_digits(from, n, shift, places);
        counts_to_places(places);
        scatter(from, to, n, shift, places);
    }
    free(spare);
}
