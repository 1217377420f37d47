/* SPDX-License-Identifier: MIT */
#include "expr.h"

#include <stdlib.h>

#include "core/check.h"
#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

#define EXPRESSIONS 16
#define DEPTH 20

uint64_t expr_round(struct task *task, uint64_t seed)
{
    struct text *text = array_new(1, sizeof *text);
    struct tree *tree = array_new(1, sizeof *tree);
    struct prng prng;
    uint64_t sum = 0;

    prng_seed(&prng, seed);
    for (unsigned i = 0; i < EXPRESSIONS; i++) {
        const struct node *node;
        uint64_t value;

        text->n = 0;
        value = expr_write(text, &prng, DEPTH + i % 8);
        node = expr_parse(tree, text->at);
        if (check(task, node != NULL, "the expression can be read"))
            check_equal(task, expr_compute(node), value, "and has the right value");
        sum = digest(sum, value);
    }
    check(task, expr_parse(tree, "1+(2*3") == NULL, "a missing bracket is noticed");
    free(text);
    free(tree);
    return sum;
}
