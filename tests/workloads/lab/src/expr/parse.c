/* SPDX-License-Identifier: MIT */
#include "expr.h"

struct parser {
    struct lexer lexer;
    struct tree *tree;
};

static struct node *parse_sum(struct parser *p);

static struct node *new_node(struct parser *p, char sign, struct node *left, struct node *right)
{
    struct node *node;

    if (!left || !right || p->tree->n == EXPR_MAX)
        return NULL;
    node = &p->tree->nodes[p->tree->n++];
    *node = (struct node){.sign = sign, .left = left, .right = right};
    return node;
}

static bool take(struct parser *p, char sign)
{
    if (p->lexer.token != TOKEN_SIGN || p->lexer.sign != sign)
        return false;
    lexer_next(&p->lexer);
    return true;
}

static struct node *parse_number(struct parser *p)
{
    struct node *node;

    if (p->lexer.token != TOKEN_NUMBER || p->tree->n == EXPR_MAX)
        return NULL;
    node = &p->tree->nodes[p->tree->n++];
    *node = (struct node){.sign = 'n', .number = p->lexer.number};
    lexer_next(&p->lexer);
    return node;
}

static struct node *parse_atom(struct parser *p)
{
    if (take(p, '(')) {
        struct node *node = parse_sum(p);
        return take(p, ')') ? node : NULL;
    }
    if (take(p, '~')) {
        struct node *node = parse_atom(p);
        return new_node(p, '~', node, node);
    }
    return parse_number(p);
}

static struct node *parse_product(struct parser *p)
{
    struct node *node = parse_atom(p);

    while (take(p, '*'))
        node = new_node(p, '*', node, parse_atom(p));
    return node;
}

static struct node *parse_sum(struct parser *p)
{
    struct node *node = parse_product(p);

    for (;;) {
        if (take(p, '+'))
            node = new_node(p, '+', node, parse_product(p));
        else if (take(p, '-'))
            node = new_node(p, '-', node, parse_product(p));
        else
            return node;
    }
}

struct node *expr_parse(struct tree *tree, const char *text)
{
    struct parser p = {.tree = tree};
    struct node *node;

    tree->n = 0;
    lexer_start(&p.lexer, text);
    node = parse_sum(&p);
    return p.lexer.token == TOKEN_END ? node : NULL;
}
