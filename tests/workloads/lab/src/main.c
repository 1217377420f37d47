/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "core/lab.h"
#include "core/options.h"

static void list_threads(struct lab *lab)
{
    struct task tasks[LAB_MAX_TASKS];
    unsigned n = lab_list(lab, tasks);

    for (unsigned i = 0; i < n; i++)
        puts(tasks[i].name);
}

int main(int argc, char **argv)
{
    struct lab lab = {.seed = LAB_DEFAULT_SEED, .scale = 1};

    switch (options_parse(&lab, argc, argv)) {
    case ACTION_LIST:
        list_threads(&lab);
        return 0;
    case ACTION_HELP:
        options_usage(stdout);
        return 0;
    case ACTION_BAD:
        options_usage(stderr);
        return 2;
    case ACTION_RUN:
        break;
    }
    return lab_run(&lab) ? 0 : 1;
}
