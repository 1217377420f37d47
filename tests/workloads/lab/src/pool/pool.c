/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include <stdlib.h>

#include "core/lab.h"
#include "queue.h"
#include "util/array.h"

struct pool {
    struct queue queue;
    pthread_mutex_t lock;
    uint64_t done;
    uint64_t result;
};

struct pool *pool_new(void)
{
    struct pool *pool = array_new(1, sizeof *pool);

    queue_init(&pool->queue);
    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

void pool_free(struct pool *pool)
{
    queue_clear(&pool->queue);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void pool_submit(struct pool *pool, struct job job)
{
    queue_push(&pool->queue, job);
}

void pool_close(struct pool *pool)
{
    queue_close(&pool->queue);
}

/* The sum does not depend on which thread did which job. */
static void add_result(struct pool *pool, uint64_t result)
{
    pthread_mutex_lock(&pool->lock);
    pool->done++;
    pool->result += result;
    pthread_mutex_unlock(&pool->lock);
}

uint64_t pool_done(struct pool *pool)
{
    return pool->done;
}

uint64_t pool_result(struct pool *pool)
{
    return pool->result;
}

void pool_worker(struct task *task)
{
    struct pool *pool = task->lab->pool;
    struct job job;

    while (queue_pop(&pool->queue, &job))
        add_result(pool, job.run(task, job.argument));
}
