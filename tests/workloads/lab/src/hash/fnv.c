/* SPDX-License-Identifier: MIT */
#include "hash.h"

uint64_t fnv1a(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}
