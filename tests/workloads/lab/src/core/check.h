/* SPDX-License-Identifier: MIT */
#ifndef LAB_CHECK_H
#define LAB_CHECK_H

#include "lab.h"

bool check(struct task *task, bool ok, const char *what);
bool check_equal(struct task *task, uint64_t got, uint64_t wanted, const char *what);

#endif
