/* SPDX-License-Identifier: MIT */
#pragma once

#include "flame/cs-flame-view.h"

G_BEGIN_DECLS

/* How a flame graph can be saved. */
typedef enum
{
  CS_FLAME_SAVE_SVG,
  CS_FLAME_SAVE_PNG,
  CS_FLAME_SAVE_FOLDED,
  CS_FLAME_SAVE_N,
} CsFlameSaveFormat;

gboolean cs_flame_save_parse (const char *name, CsFlameSaveFormat *format);
void cs_flame_save_ask (CsFlameView *view);
void cs_flame_save_ask_place (CsFlameView *view, CsFlameSaveFormat format);
void cs_flame_save_start (CsFlameView *view, CsFlameSaveFormat format, const char *path);

G_END_DECLS
