/* SPDX-License-Identifier: MIT */
/* The lab: threads of several kinds, each doing rounds of work that check themselves. */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define LAB_DEFAULT_SEED 20240229u
#define LAB_MAX_TASKS 32

struct task;
struct pool;
struct log;

struct lab {
    uint64_t seed;
    unsigned scale; /* rounds per thread */
    struct pool *pool;
    struct log *log;
    struct task *tasks;
    unsigned n_tasks;
};

/* When the lab waits for the threads of a kind to end. */
enum stage {
    STAGE_WORK, /* as soon as the rounds are done */
    STAGE_POOL, /* once the pool is closed */
    STAGE_LOG,  /* last, once the log is closed */
};

struct kind {
    const char *name;
    unsigned threads; /* one: the thread is called NAME, several: NAME-0, NAME-1, ... */
    bool numbered;
    enum stage stage;
    uint64_t expected; /* checksum of the first round with the default seed */
    uint64_t (*round)(struct task *task, uint64_t seed);
    void (*body)(struct task *task);
};

/* One named thread. */
struct task {
    char name[16];
    unsigned index;   /* among its kind */
    unsigned ordinal; /* among all */
    const struct kind *kind;
    struct lab *lab;
    pthread_t thread;
    uint64_t first; /* checksum of the first round */
    uint64_t all;   /* of all rounds */
    unsigned checks;
    unsigned failures;
    const char *failed; /* what failed first */
};

unsigned lab_list(struct lab *lab, struct task *tasks);
bool lab_run(struct lab *lab);
void lab_rounds(struct task *task);

extern const struct kind lab_kinds[];
extern const unsigned lab_n_kinds;

#endif
