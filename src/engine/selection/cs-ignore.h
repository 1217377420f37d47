/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the .gitignore files say of what lies in a folder: its own rules, and those of the folders around it. */
typedef struct _CsIgnore CsIgnore;

CsIgnore *cs_ignore_new_outer (const char *root);
CsIgnore *cs_ignore_new_repository (const char *folder);
CsIgnore *cs_ignore_new_folder (CsIgnore *outer, int fd, const char *folder);
gboolean cs_ignore_check (const CsIgnore *self, const char *path, gboolean is_folder);
gboolean cs_ignore_equal (const CsIgnore *a, const CsIgnore *b);
CsIgnore *cs_ignore_ref (CsIgnore *self);
void cs_ignore_unref (CsIgnore *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsIgnore, cs_ignore_unref)

G_END_DECLS
