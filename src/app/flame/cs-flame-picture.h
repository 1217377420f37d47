/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-flame-layout.h"
#include "profile/cs-thread-tree.h"

G_BEGIN_DECLS

/* How a profile's calls are shown. */
typedef struct
{
  CsFlameKind kind;
  CsFlameOrder order;
  gboolean collapse;  /* recursion */
  gboolean by_thread; /* threads beside each other, each with its own calls */
} CsFlameChoice;

gboolean cs_flame_choice_equal (const CsFlameChoice *a, const CsFlameChoice *b);

#define CS_FLAME_NO_THREAD G_MAXUINT

/* A layout and what it was made of. Never changes; may be asked by several threads. */
typedef struct _CsFlamePicture CsFlamePicture;

void cs_flame_picture_new_async (CsProfile *profile, const CsFlameChoice *choice, guint8 *marks, CsThreadTree *threads,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
CsFlamePicture *cs_flame_picture_new_finish (GAsyncResult *result, GError **error);
CsFlamePicture *cs_flame_picture_ref (CsFlamePicture *self);
void cs_flame_picture_unref (CsFlamePicture *self);

CsProfile *cs_flame_picture_get_profile (CsFlamePicture *self);
CsFlameLayout *cs_flame_picture_get_layout (CsFlamePicture *self);
const CsFlameChoice *cs_flame_picture_get_choice (CsFlamePicture *self);
const CsFunction *cs_flame_picture_get_function (CsFlamePicture *self, guint32 node);
CsThreadTree *cs_flame_picture_get_threads (CsFlamePicture *self);
guint cs_flame_picture_get_thread (CsFlamePicture *self, guint32 node);
guint32 cs_flame_picture_find_path (CsFlamePicture *self, guint thread, const guint *functions, guint n);
guint32 cs_flame_picture_find_widest (CsFlamePicture *self, guint function);
GArray *cs_flame_picture_dup_functions (CsFlamePicture *self, guint32 node);
gboolean cs_flame_picture_translate (CsFlamePicture *self, CsProfile *profile, GArray *functions);
guint cs_flame_picture_translate_thread (CsFlamePicture *self, CsProfile *profile, guint thread);
GArray *cs_flame_picture_list_widest (CsFlamePicture *self, guint32 node, guint most, guint32 *n_all,
                                      GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFlamePicture, cs_flame_picture_unref)

G_END_DECLS
