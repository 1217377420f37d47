/* SPDX-License-Identifier: MIT */
#ifndef LAB_OPTIONS_H
#define LAB_OPTIONS_H

#include <stdio.h>

#include "lab.h"

enum action { ACTION_RUN, ACTION_LIST, ACTION_HELP, ACTION_BAD };

enum action options_parse(struct lab *lab, int argc, char **argv);
void options_usage(FILE *out);

#endif
