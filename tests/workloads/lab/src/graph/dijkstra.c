/* SPDX-License-Identifier: MIT */
#include "graph.h"

#include <stdlib.h>

#include "util/array.h"

static void relax(const struct graph *g, struct heap *h, uint32_t node, uint32_t *distance)
{
    size_t degree = graph_degree(node);

    for (size_t i = 0; i < degree; i++) {
        const struct edge *e = &g->edges[node][i];
        uint32_t length = distance[node] + e->weight;
        if (length < distance[e->to]) {
            distance[e->to] = length;
            heap_push(h, length, e->to);
        }
    }
}

unsigned dijkstra(const struct graph *g, uint32_t start, uint32_t *distance)
{
    struct heap *h = array_new(1, sizeof *h);
    unsigned reached = 0;

    for (uint32_t node = 0; node < GRAPH_NODES; node++)
        distance[node] = GRAPH_FAR;
    distance[start] = 0;
    heap_push(h, 0, start);
    while (h->n > 0) {
        uint32_t key, node = heap_pop(h, &key);
        if (key != distance[node])
            continue; /* an older, longer way */
        reached++;
        relax(g, h, node, distance);
    }
    free(h);
    return reached;
}
