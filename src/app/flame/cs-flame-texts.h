/* SPDX-License-Identifier: MIT */
#pragma once

#include "flame/cs-flame-chart.h"
#include "flame/cs-flame-picture.h"

G_BEGIN_DECLS

/* What is said of a picture's frames, and their colours; for the main thread. */
typedef struct _CsFlameTexts CsFlameTexts;

CsFlameTexts *cs_flame_texts_new (CsFlamePicture *picture);
void cs_flame_texts_free (CsFlameTexts *self);
const CsFlameChartTexts *cs_flame_texts_get_table (void);

gboolean cs_flame_texts_is_by_module (void);
char *cs_flame_texts_dup_name (CsFlamePicture *picture, guint32 node);
char *cs_flame_texts_dup_sentence (CsFlamePicture *picture, guint32 node);
char *cs_flame_texts_dup_stack (CsFlamePicture *picture, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFlameTexts, cs_flame_texts_free)

G_END_DECLS
