/* SPDX-License-Identifier: MIT */
#include "hash.h"

#include <pthread.h>

static uint32_t crc_table[256];

static uint32_t table_entry(uint32_t byte)
{
    for (int bit = 0; bit < 8; bit++)
        byte = byte & 1 ? byte >> 1 ^ 0xedb88320u : byte >> 1;
    return byte;
}

static void fill_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++)
        crc_table[byte] = table_entry(byte);
}

uint32_t crc32(const void *data, size_t n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const unsigned char *p = data;
    uint32_t crc = 0xffffffffu;

    pthread_once(&once, fill_table);
    for (size_t i = 0; i < n; i++)
        crc = crc >> 8 ^ crc_table[(crc ^ p[i]) & 0xff];
    return crc ^ 0xffffffffu;
}
