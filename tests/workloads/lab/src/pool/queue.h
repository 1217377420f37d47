/* SPDX-License-Identifier: MIT */
#ifndef LAB_QUEUE_H
#define LAB_QUEUE_H

#include <pthread.h>

#include "pool.h"

#define QUEUE_SIZE 64

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    struct job jobs[QUEUE_SIZE];
    unsigned first;
    unsigned n;
    bool closed;
};

void queue_init(struct queue *q);
void queue_clear(struct queue *q);
void queue_push(struct queue *q, struct job job);
bool queue_pop(struct queue *q, struct job *job);
void queue_close(struct queue *q);

#endif
