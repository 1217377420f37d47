/* SPDX-License-Identifier: MIT */
#ifndef LAB_GRAPH_H
#define LAB_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prng;
struct task;

#define GRAPH_LAYERS 48u
#define GRAPH_WIDTH 16u
#define GRAPH_NODES (GRAPH_LAYERS * GRAPH_WIDTH)
#define GRAPH_DEGREE 3u
#define GRAPH_EDGES (GRAPH_NODES * GRAPH_DEGREE)
#define GRAPH_FAR UINT32_MAX

struct edge {
    uint32_t to;
    uint32_t weight;
};

/* Layers; edges lead from one layer to the next, so no path is longer than the layers. */
struct graph {
    struct edge edges[GRAPH_NODES][GRAPH_DEGREE];
};

void graph_random(struct graph *g, struct prng *prng);
size_t graph_degree(uint32_t node);

/* Each fills in distances (GRAPH_FAR: out of reach) and returns how many nodes it reached. */
unsigned bfs(const struct graph *g, uint32_t start, uint32_t *steps);
unsigned dijkstra(const struct graph *g, uint32_t start, uint32_t *distance);

/* Length of the shortest way by trying the edges from the end, remembering what is known. */
uint32_t dfs_shortest(const struct graph *g, uint32_t start, uint32_t goal, uint32_t *memo);
unsigned dfs_reach(const struct graph *g, uint32_t start, unsigned char *seen, unsigned *deepest);

/* A heap of nodes, least key first. */
struct heap {
    struct {
        uint32_t key;
        uint32_t node;
    } items[GRAPH_EDGES + 1];
    size_t n;
};

void heap_push(struct heap *h, uint32_t key, uint32_t node);
uint32_t heap_pop(struct heap *h, uint32_t *key);

/* Disjoint sets. */
struct sets {
    uint32_t parent[GRAPH_NODES];
    uint32_t n;
};

void sets_init(struct sets *s);
uint32_t sets_find(struct sets *s, uint32_t node);
bool sets_join(struct sets *s, uint32_t a, uint32_t b);

uint64_t graph_round(struct task *task, uint64_t seed);

#endif
