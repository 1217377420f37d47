/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-recordings.h"

G_BEGIN_DECLS

#define CS_RECORDING_INI "recording.ini"
/* It is written here first. */
#define CS_RECORDING_INI_NEW ".recording.ini.new"
/* Where the programs lie that were recorded: files named by numbers. */
#define CS_RECORDING_MODULES "modules"
#define CS_RECORDING_MODULES_MOST 256u

int cs_recording_folder_open (const char *folder, GError **error);
gboolean cs_recording_fail (GError **error, CsRecordingsError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

CsRecordingInfo *cs_recording_info_read (int fd, const char *folder, gboolean *has_ini);
GKeyFile *cs_recording_ini_read (int fd, GError **error);
gboolean cs_recording_ini_write (int fd, const char *folder, GKeyFile *ini, GError **error);
void cs_recording_ini_set_text (GKeyFile *ini, const char *key, const char *text);
void cs_recording_ini_set_list (GKeyFile *ini, const char *key, const char *const *texts);
void cs_recording_ini_set_time (GKeyFile *ini, const char *key, gint64 us);
void cs_recording_ini_set_change (GKeyFile *ini, const CsRecordingChange *change);

G_END_DECLS
