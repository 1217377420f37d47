/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-scan-file.h"

G_BEGIN_DECLS

#define CS_CTAGS_ERROR (cs_ctags_error_quark ())

typedef enum
{
  CS_CTAGS_ERROR_NONE,    /* there is no ctags that serves */
  CS_CTAGS_ERROR_PROGRAM, /* it couldn't be started, died, hung, or wrote something else */
} CsCtagsError;

/* A program that serves. */
typedef struct
{
  char *path;
  char *version;  /* "5.9.0" */
  char *features; /* as it names them, separated by spaces */
  char *identity; /* changes when the program does */
} CsCtagsProgram;

/* One running ctags, for files of one language. */
typedef struct _CsCtags CsCtags;

GQuark cs_ctags_error_quark (void);
char *cs_ctags_get_provisioned_path (void);
CsCtagsProgram *cs_ctags_find (const CsScanOptions *options, GError **error);
void cs_ctags_program_free (CsCtagsProgram *self);

CsCtags *cs_ctags_new (const CsCtagsProgram *program, const char *root, gboolean cplusplus, guint timeout_ms,
                       GCancellable *cancellable, GError **error);
void cs_ctags_be_polite (CsCtags *self);
gboolean cs_ctags_can_ask (const char *path);
void cs_ctags_ask (CsCtags *self, const char *path);
gboolean cs_ctags_take (CsCtags *self, const char *path, CsScanFile *file, GError **error);
void cs_ctags_free (CsCtags *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCtags, cs_ctags_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCtagsProgram, cs_ctags_program_free)

G_END_DECLS
