/* SPDX-License-Identifier: MIT */
#include "graph.h"

void sets_init(struct sets *s)
{
    for (uint32_t node = 0; node < GRAPH_NODES; node++)
        s->parent[node] = node;
    s->n = GRAPH_NODES;
}

/* Shortens the way for the next time. */
uint32_t sets_find(struct sets *s, uint32_t node)
{
    if (s->parent[node] != node)
        s->parent[node] = sets_find(s, s->parent[node]);
    return s->parent[node];
}

bool sets_join(struct sets *s, uint32_t a, uint32_t b)
{
    a = sets_find(s, a);
    b = sets_find(s, b);
    if (a == b)
        return false;
    s->parent[a > b ? a : b] = a > b ? b : a;
    s->n--;
    return true;
}
