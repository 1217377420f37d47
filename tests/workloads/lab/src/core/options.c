/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void options_usage(FILE *out)
{
    fputs("usage: lab [--scale N] [--seed S] [--threads-list]\n"
          "  --scale N       rounds of work per thread (1)\n"
          "  --seed S        seed of the random numbers (20240229)\n"
          "  --threads-list  print the names of the threads and end\n",
          out);
}

static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;
    unsigned long long number;

    if (!text || *text < '0' || *text > '9')
        return false;
    errno = 0;
    number = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || number < least || number > most)
        return false;
    *value = number;
    return true;
}

enum action options_parse(struct lab *lab, int argc, char **argv)
{
    enum action action = ACTION_RUN;
    uint64_t scale = lab->scale;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return ACTION_HELP;
        if (strcmp(argv[i], "--threads-list") == 0) {
            action = ACTION_LIST;
        } else if (strcmp(argv[i], "--scale") == 0) {
            if (!parse_number(argv[++i], 1, 100000, &scale))
                return ACTION_BAD;
        } else if (strcmp(argv[i], "--seed") == 0) {
            if (!parse_number(argv[++i], 0, UINT64_MAX, &lab->seed))
                return ACTION_BAD;
        } else {
            return ACTION_BAD;
        }
    }
    lab->scale = (unsigned)scale;
    return action;
}
