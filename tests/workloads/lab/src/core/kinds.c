/* SPDX-License-Identifier: MIT */
#include "lab.h"

#include "alloc/alloc.h"
#include "expr/expr.h"
#include "fft/fft.h"
#include "graph/graph.h"
#include "hash/hash.h"
#include "log/log.h"
#include "matrix/matrix.h"
#include "pack/pack.h"
#include "pool/pool.h"
#include "sort/sort.h"
#include "timing/timer.h"

const struct kind lab_kinds[] = {
    {"sort", 4, true, STAGE_WORK, UINT64_C(0x9ccd8e501305a61b), sort_round, lab_rounds},
    {"matrix", 3, true, STAGE_WORK, UINT64_C(0xd96ea6a82d9566a5), matrix_round, lab_rounds},
    {"fft", 3, true, STAGE_WORK, UINT64_C(0x51fedc55e3e6a10c), fft_round, lab_rounds},
    {"hash", 2, true, STAGE_WORK, UINT64_C(0x96e3773cdf862426), hash_round, lab_rounds},
    {"graph", 2, true, STAGE_WORK, UINT64_C(0x6d6e6f4a34f03aad), graph_round, lab_rounds},
    {"expr", 1, true, STAGE_WORK, UINT64_C(0x75033f0d7831985a), expr_round, lab_rounds},
    {"pack", 2, true, STAGE_WORK, UINT64_C(0x4c92b080f4ee5aaa), pack_round, lab_rounds},
    {"alloc", 2, true, STAGE_WORK, UINT64_C(0x64e1bb2200b2c846), alloc_round, lab_rounds},
    {"ticker", 1, false, STAGE_WORK, UINT64_C(0xf2a1911a340b0d89), ticker_round, lab_rounds},
    {"pool", 4, true, STAGE_POOL, 0, NULL, pool_worker},
    {"logger", 1, false, STAGE_LOG, 0, NULL, log_writer},
};

const unsigned lab_n_kinds = sizeof lab_kinds / sizeof lab_kinds[0];
