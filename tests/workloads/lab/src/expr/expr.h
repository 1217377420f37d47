/* SPDX-License-Identifier: MIT */
/* Sums and products of whole numbers: written at random, read back and computed. */
#ifndef LAB_EXPR_H
#define LAB_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prng;
struct task;

#define EXPR_MAX 4096

struct text {
    char at[EXPR_MAX];
    size_t n;
};

/* Writes an expression of that depth and returns its value. */
uint64_t expr_write(struct text *out, struct prng *prng, unsigned depth);

enum token { TOKEN_END, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_BAD };

struct lexer {
    const char *at;
    enum token token;
    uint64_t number;
    char sign;
};

void lexer_start(struct lexer *lexer, const char *text);
void lexer_next(struct lexer *lexer);

struct node {
    char sign; /* '+' '-' '*' '~', or 'n' for a number */
    uint64_t number;
    struct node *left;
    struct node *right;
};

struct tree {
    struct node nodes[EXPR_MAX];
    size_t n;
};

/* NULL when the text is no expression. */
struct node *expr_parse(struct tree *tree, const char *text);
uint64_t expr_compute(const struct node *node);

uint64_t expr_round(struct task *task, uint64_t seed);

#endif
