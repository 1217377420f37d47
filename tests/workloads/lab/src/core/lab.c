/* SPDX-License-Identifier: MIT */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "summary.h"
#include "log/log.h"
#include "pool/jobs.h"
#include "pool/pool.h"
#include "util/bits.h"

static void name_task(struct task *task, unsigned index)
{
    const struct kind *kind = task->kind;

    if (kind->numbered)
        snprintf(task->name, sizeof task->name, "%s-%u", kind->name, index % 100);
    else
        snprintf(task->name, sizeof task->name, "%s", kind->name);
}

/* Fills in all tasks and returns how many there are. */
unsigned lab_list(struct lab *lab, struct task *tasks)
{
    unsigned n = 0;

    for (unsigned k = 0; k < lab_n_kinds; k++) {
        for (unsigned i = 0; i < lab_kinds[k].threads && n < LAB_MAX_TASKS; i++) {
            struct task *task = &tasks[n];
            *task = (struct task){.index = i, .ordinal = n, .kind = &lab_kinds[k], .lab = lab};
            name_task(task, i);
            n++;
        }
    }
    lab->tasks = tasks;
    lab->n_tasks = n;
    return n;
}

static uint64_t round_seed(const struct task *task, unsigned round)
{
    return mix64(task->lab->seed + ((uint64_t)task->ordinal << 32) + round);
}

/* The body of a thread that works in rounds. */
void lab_rounds(struct task *task)
{
    for (unsigned round = 0; round < task->lab->scale; round++) {
        uint64_t sum = task->kind->round(task, round_seed(task, round));
        if (round == 0)
            task->first = sum;
        task->all = digest(task->all, sum);
        log_post(task->lab->log, LOG_INFO, "%s: round %u gave %016llx", task->name, round,
                 (unsigned long long)sum);
    }
}

static void *task_main(void *data)
{
    struct task *task = data;

    pthread_setname_np(pthread_self(), task->name);
    task->kind->body(task);
    return NULL;
}

static void start_tasks(struct lab *lab)
{
    for (unsigned i = 0; i < lab->n_tasks; i++) {
        int error = pthread_create(&lab->tasks[i].thread, NULL, task_main, &lab->tasks[i]);
        if (error != 0) {
            fprintf(stderr, "lab: cannot start thread %s: error %d\n", lab->tasks[i].name, error);
            abort();
        }
    }
}

static void join_stage(struct lab *lab, enum stage stage)
{
    for (unsigned i = 0; i < lab->n_tasks; i++)
        if (lab->tasks[i].kind->stage == stage)
            pthread_join(lab->tasks[i].thread, NULL);
}

/* Runs everything; true when every check held. */
bool lab_run(struct lab *lab)
{
    struct task tasks[LAB_MAX_TASKS];
    struct task *logger;
    bool ok;

    lab_list(lab, tasks);
    logger = &tasks[lab->n_tasks - 1];
    lab->log = log_new();
    lab->pool = pool_new();

    start_tasks(lab);
    for (unsigned round = 0; round < lab->scale; round++)
        jobs_submit(lab->pool, mix64(lab->seed ^ round));

    join_stage(lab, STAGE_WORK);
    pool_close(lab->pool);
    join_stage(lab, STAGE_POOL);
    log_close(lab->log);
    join_stage(lab, STAGE_LOG);

    check_equal(logger, log_written(lab->log), log_posted(lab->log), "every message was written");
    ok = summary_print(lab);
    pool_free(lab->pool);
    log_free(lab->log);
    return ok;
}
