/* SPDX-License-Identifier: MIT */
#include "queue.h"

void queue_init(struct queue *q)
{
    q->first = q->n = 0;
    q->closed = false;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    pthread_cond_init(&q->not_full, NULL);
}

void queue_clear(struct queue *q)
{
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->not_empty);
    pthread_cond_destroy(&q->not_full);
}

void queue_push(struct queue *q, struct job job)
{
    pthread_mutex_lock(&q->lock);
    while (q->n == QUEUE_SIZE)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->jobs[(q->first + q->n++) % QUEUE_SIZE] = job;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

/* Waits for a job; false when the queue is closed and empty. */
bool queue_pop(struct queue *q, struct job *job)
{
    bool got = false;

    pthread_mutex_lock(&q->lock);
    while (q->n == 0 && !q->closed)
        pthread_cond_wait(&q->not_empty, &q->lock);
    if (q->n > 0) {
        *job = q->jobs[q->first];
        q->first = (q->first + 1) % QUEUE_SIZE;
        q->n--;
        got = true;
        pthread_cond_signal(&q->not_full);
    }
    pthread_mutex_unlock(&q->lock);
    return got;
}

void queue_close(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}
