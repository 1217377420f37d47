/* SPDX-License-Identifier: MIT */
#include "graph.h"

struct walk {
    const struct graph *graph;
    unsigned char *seen;
    unsigned reached;
    unsigned deepest;
};

static void visit(struct walk *w, uint32_t node, unsigned depth)
{
    size_t degree = graph_degree(node);

    if (w->seen[node])
        return;
    w->seen[node] = 1;
    w->reached++;
    if (depth > w->deepest)
        w->deepest = depth;
    for (size_t i = 0; i < degree; i++)
        visit(w, w->graph->edges[node][i].to, depth + 1);
}

unsigned dfs_reach(const struct graph *g, uint32_t start, unsigned char *seen, unsigned *deepest)
{
    struct walk w = {.graph = g, .seen = seen};

    visit(&w, start, 1);
    *deepest = w.deepest;
    return w.reached;
}

static uint32_t by_edge(const struct graph *g, const struct edge *e, uint32_t goal, uint32_t *memo)
{
    uint32_t rest = dfs_shortest(g, e->to, goal, memo);
    return rest == GRAPH_FAR ? GRAPH_FAR : rest + e->weight;
}

/* memo holds 0 for what is not known yet; otherwise the distance plus one, or GRAPH_FAR. */
uint32_t dfs_shortest(const struct graph *g, uint32_t start, uint32_t goal, uint32_t *memo)
{
    size_t degree = graph_degree(start);
    uint32_t best = GRAPH_FAR;

    if (start == goal)
        return 0;
    if (memo[start] != 0)
        return memo[start] == GRAPH_FAR ? GRAPH_FAR : memo[start] - 1;
    for (size_t i = 0; i < degree; i++) {
        uint32_t length = by_edge(g, &g->edges[start][i], goal, memo);
        if (length < best)
            best = length;
    }
    memo[start] = best == GRAPH_FAR ? GRAPH_FAR : best + 1;
    return best;
}
