/* SPDX-License-Identifier: MIT */
#ifndef LAB_JOBS_H
#define LAB_JOBS_H

#include "pool.h"

void jobs_submit(struct pool *pool, uint64_t seed);

#endif
