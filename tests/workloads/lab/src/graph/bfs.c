/* SPDX-License-Identifier: MIT */
#include "graph.h"

#include <stdlib.h>

#include "util/array.h"

struct fifo {
    uint32_t *nodes;
    size_t first;
    size_t last;
};

static void push(struct fifo *q, uint32_t node)
{
    q->nodes[q->last++] = node;
}

static uint32_t pop(struct fifo *q)
{
    return q->nodes[q->first++];
}

unsigned bfs(const struct graph *g, uint32_t start, uint32_t *steps)
{
    struct fifo q = {array_new(GRAPH_NODES, sizeof *q.nodes), 0, 0};
    unsigned reached;

    for (uint32_t node = 0; node < GRAPH_NODES; node++)
        steps[node] = GRAPH_FAR;
    steps[start] = 0;
    push(&q, start);
    while (q.first < q.last) {
        uint32_t node = pop(&q);
        size_t degree = graph_degree(node);
        for (size_t i = 0; i < degree; i++) {
            uint32_t to = g->edges[node][i].to;
            if (steps[to] == GRAPH_FAR) {
                steps[to] = steps[node] + 1;
                push(&q, to);
            }
        }
    }
    reached = (unsigned)q.last;
    free(q.nodes);
    return reached;
}
