/* SPDX-License-Identifier: MIT */
#include "expr.h"

static uint64_t compute_pair(const struct node *node)
{
    uint64_t left = expr_compute(node->left);
    uint64_t right = expr_compute(node->right);

    return node->sign == '+' ? left + right : node->sign == '-' ? left - right : left * right;
}

uint64_t expr_compute(const struct node *node)
{
    switch (node->sign) {
    case 'n':
        return node->number;
    case '~':
        return ~expr_compute(node->left);
    default:
        return compute_pair(node);
    }
}
