/* SPDX-License-Identifier: MIT */
#include "summary.h"

#include <stdio.h>

#include "check.h"
#include "log/log.h"
#include "pool/pool.h"
#include "util/bits.h"

struct totals {
    uint64_t first;
    uint64_t all;
    unsigned checks;
    unsigned failures;
    const char *failed;
};

static void add_task(struct totals *t, const struct task *task)
{
    t->first = digest(t->first, task->first);
    t->all = digest(t->all, task->all);
    t->checks += task->checks;
    if (t->failures == 0)
        t->failed = task->failed;
    t->failures += task->failures;
}

/* Adds up the threads of one kind and compares their first round with what it must be. */
static void add_kind(struct totals *t, struct lab *lab, const struct kind *kind)
{
    for (unsigned i = 0; i < lab->n_tasks; i++)
        if (lab->tasks[i].kind == kind)
            add_task(t, &lab->tasks[i]);

    if (kind->round && lab->seed == LAB_DEFAULT_SEED) {
        struct task wanted = {.failures = 0};
        check_equal(&wanted, t->first, kind->expected, "the first round's checksum");
        add_task(t, &wanted);
    }
}

static bool print_kind(struct lab *lab, const struct kind *kind)
{
    struct totals t = {.failed = NULL};

    add_kind(&t, lab, kind);
    printf("%-8s %2u thread%c %4u checks  %016llx  %s%s\n", kind->name, kind->threads,
           kind->threads == 1 ? ' ' : 's', t.checks, (unsigned long long)t.all,
           t.failures ? "FAILED: " : "ok", t.failures ? t.failed : "");
    return t.failures == 0;
}

bool summary_print(struct lab *lab)
{
    bool ok = true;

    for (unsigned k = 0; k < lab_n_kinds; k++)
        if (!print_kind(lab, &lab_kinds[k]))
            ok = false;
    printf("%u threads, scale %u, seed %llu, %llu jobs (%016llx), %llu messages (%016llx): %s\n",
           lab->n_tasks, lab->scale, (unsigned long long)lab->seed,
           (unsigned long long)pool_done(lab->pool), (unsigned long long)pool_result(lab->pool),
           (unsigned long long)log_written(lab->log), (unsigned long long)log_result(lab->log),
           ok ? "ok" : "FAILED");
    return ok;
}
