/* SPDX-License-Identifier: MIT */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "util/array.h"
#include "util/bits.h"
#include "util/prng.h"

struct work {
    struct graph graph;
    struct sets sets;
    uint32_t steps[GRAPH_NODES];
    uint32_t distance[GRAPH_NODES];
    uint32_t memo[GRAPH_NODES];
    unsigned char seen[GRAPH_NODES];
};

/* Every way to walk reaches the same nodes. */
static uint64_t compare_walks(struct task *task, struct work *w, uint32_t start)
{
    unsigned by_steps = bfs(&w->graph, start, w->steps);
    unsigned by_weight = dijkstra(&w->graph, start, w->distance);
    unsigned deepest, by_depth;

    memset(w->seen, 0, sizeof w->seen);
    by_depth = dfs_reach(&w->graph, start, w->seen, &deepest);
    check_equal(task, by_weight, by_steps, "both reach the same number of nodes");
    check_equal(task, by_depth, by_steps, "and depth first, too");
    check(task, deepest == GRAPH_LAYERS - start / GRAPH_WIDTH, "down to the last layer");
    return digest(array_digest(w->distance, GRAPH_NODES), by_steps);
}

static void compare_lengths(struct task *task, struct work *w, uint32_t start, uint32_t goal)
{
    memset(w->memo, 0, sizeof w->memo);
    check_equal(task, dfs_shortest(&w->graph, start, goal, w->memo), w->distance[goal],
                "both find the shortest way");
}

static uint64_t count_parts(struct task *task, struct work *w)
{
    unsigned joins = 0;

    sets_init(&w->sets);
    for (uint32_t node = 0; node < GRAPH_NODES; node++) {
        size_t degree = graph_degree(node);
        for (size_t i = 0; i < degree; i++)
            joins += sets_join(&w->sets, node, w->graph.edges[node][i].to);
    }
    check_equal(task, w->sets.n + joins, GRAPH_NODES, "each join makes one set fewer");
    return w->sets.n;
}

uint64_t graph_round(struct task *task, uint64_t seed)
{
    struct work *w = array_new(1, sizeof *w);
    struct prng prng;
    uint64_t sum;

    prng_seed(&prng, seed);
    graph_random(&w->graph, &prng);
    sum = count_parts(task, w);
    for (uint32_t start = 0; start < 1; start++) {
        sum = digest(sum, compare_walks(task, w, start));
        compare_lengths(task, w, start, GRAPH_NODES - 1 - start);
    }
    free(w);
    return sum;
}
