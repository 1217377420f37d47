/* SPDX-License-Identifier: MIT */
#ifndef LAB_POOL_H
#define LAB_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct pool;
struct task;

struct job {
    /* Returns a number that is added to the pool's result. */
    uint64_t (*run)(struct task *task, uint64_t argument);
    uint64_t argument;
};

struct pool *pool_new(void);
void pool_free(struct pool *pool);
void pool_submit(struct pool *pool, struct job job);
void pool_close(struct pool *pool);
uint64_t pool_done(struct pool *pool);
uint64_t pool_result(struct pool *pool);
void pool_worker(struct task *task);

#endif
