/* SPDX-License-Identifier: MIT */
#include "check.h"

/* Notes the failure that comes first; later ones are only counted. */
static void note_failure(struct task *task, const char *what)
{
    if (task->failures++ == 0)
        task->failed = what;
}

bool check(struct task *task, bool ok, const char *what)
{
    task->checks++;
    if (!ok)
        note_failure(task, what);
    return ok;
}

bool check_equal(struct task *task, uint64_t got, uint64_t wanted, const char *what)
{
    return check(task, got == wanted, what);
}
