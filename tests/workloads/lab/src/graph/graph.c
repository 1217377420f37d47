/* SPDX-License-Identifier: MIT */
#include "graph.h"

#include "util/prng.h"

/* The last layer has no edges. */
size_t graph_degree(uint32_t node)
{
    return node / GRAPH_WIDTH + 1 < GRAPH_LAYERS ? GRAPH_DEGREE : 0;
}

void graph_random(struct graph *g, struct prng *prng)
{
    for (uint32_t node = 0; node < GRAPH_NODES; node++) {
        uint32_t next_layer = (node / GRAPH_WIDTH + 1) * GRAPH_WIDTH;
        size_t degree = graph_degree(node);
        for (size_t i = 0; i < degree; i++) {
            uint64_t bits = prng_next(prng);
            g->edges[node][i].to = next_layer + (uint32_t)(bits >> 32) % GRAPH_WIDTH;
            g->edges[node][i].weight = 1 + (uint32_t)(bits >> 20) % 100;
        }
    }
}
