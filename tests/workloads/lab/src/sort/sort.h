/* SPDX-License-Identifier: MIT */
#ifndef LAB_SORT_H
#define LAB_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct task;

/* Negative, zero or positive, as in strcmp. */
typedef int (*compare_fn)(uint32_t a, uint32_t b);

int compare_up(uint32_t a, uint32_t b);
int compare_down(uint32_t a, uint32_t b);
int compare_ones(uint32_t a, uint32_t b);

void quick_sort(uint32_t *data, size_t n);
void merge_sort(uint32_t *data, size_t n, compare_fn compare);
void heap_sort(uint32_t *data, size_t n, compare_fn compare);
void insertion_sort(uint32_t *data, size_t n, compare_fn compare);
void radix_sort(uint32_t *data, size_t n);

bool is_sorted(const uint32_t *data, size_t n, compare_fn compare);
uint64_t sort_round(struct task *task, uint64_t seed);

#endif
