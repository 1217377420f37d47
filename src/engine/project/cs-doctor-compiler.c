/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "project/cs-child.h"
#include "project/cs-data-folder.h"
#include "project/cs-doctor-private.h"
#include "project/cs-preload.h"
#include "selection/cs-compiler.h"

#define UNIT "int chosen (void) { return 1; }\nint left_out (void) { return 2; }\n"
/* The first lines of what a compiler says are enough. */
#define MOST_TOLD 200

/* What a program said, in one line. */
static char *
shorten (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_strdelimit (valid, "\n\r\t", ' ');
  if (g_utf8_strlen (valid, -1) > MOST_TOLD)
    strcpy (g_utf8_offset_to_pointer (valid, MOST_TOLD), "…");
  return g_strdup (g_strstrip (valid));
}

/* The compiler's command with more words, up to NULL, behind it. */
static char *
ask_compiler (CsDoctor *self, const char *folder, const char *const *more, GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  for (guint i = 0; self->compiler[i] != NULL; i++)
    g_ptr_array_add (argv, self->compiler[i]);
  for (guint i = 0; more[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) more[i]);
  g_ptr_array_add (argv, NULL);
  return cs_child_ask ((const char *const *) argv->pdata, folder, NULL, self->cancellable, error);
}

/* Whether a function of the object file calls hooks: the symbol's name stands in it. */
static gboolean
has_hooks (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize size;

  return g_file_get_contents (path, &bytes, &size, NULL) &&
         g_strstr_len (bytes, 4, "ELF") != NULL && memmem (bytes, size, "__cyg_profile_func_enter", 24) != NULL;
}

/* Compiles a file with these options into `object` in @folder. */
static gboolean
try_options (CsDoctor *self, const char *folder, const char *source, const char *const *options, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *said = NULL;

  for (guint i = 0; options[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer) options[i]);
  g_ptr_array_add (words, (gpointer) "-c");
  g_ptr_array_add (words, (gpointer) source);
  g_ptr_array_add (words, (gpointer) "-o");
  g_ptr_array_add (words, (gpointer) "object");
  g_ptr_array_add (words, NULL);
  said = ask_compiler (self, folder, (const char *const *) words->pdata, error);
  return said != NULL;
}

static void
look_at_options (CsDoctor *self, const char *folder, CsCompiler kind)
{
  const char *const gcc[] = { "-finstrument-functions", "-finstrument-functions-exclude-function-list=left_out",
                              "-finstrument-functions-exclude-file-list=/usr/include", NULL };
  const char *const clang[] = { "-finstrument-functions-after-inlining", NULL };
  g_autofree char *source = g_build_filename (folder, "unit.c", NULL);
  g_autofree char *object = g_build_filename (folder, "object", NULL);
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (source, UNIT, -1, &error))
    cs_doctor_warn (self, "options", "make room there, or name another folder in TMPDIR", "they can't be tried: %s",
                    error->message);
  else if (!try_options (self, folder, "unit.c", kind == CS_COMPILER_GCC ? gcc : clang, &error))
    {
      g_autofree char *told = shorten (error->message);

      cs_doctor_problem (self, "options", "use gcc, or clang, with --compiler-cmd or CC", "it doesn't take them: %s", told);
    }
  else if (!has_hooks (object))
    cs_doctor_problem (self, "options", "use gcc, or clang, with --compiler-cmd or CC",
                       "it takes them and puts no hooks into what it compiles");
  else if (kind == CS_COMPILER_GCC)
    cs_doctor_ok (self, "options", "hooks and both exclude lists: files and functions can be chosen");
  else
    cs_doctor_warn (self, "options", "use gcc where single functions, or headers, are to be left out",
                    "hooks, but clang has no exclude lists: files can be chosen, not functions");
}

/* The runtime that init put into the project, or that comes with this program. */
static char *
find_runtime (CsDoctor *self)
{
  g_autofree char *own = g_build_filename (self->folder, "callsight", "trace.c", NULL);
  g_autofree char *folder = NULL;

  if (g_file_test (own, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&own);
  folder = cs_data_folder_find ("runtime");
  return folder != NULL ? g_build_filename (folder, "trace.c", NULL) : NULL;
}

static void
look_at_runtime (CsDoctor *self, const char *folder)
{
  const char *const options[] = { "-x", "c", "-std=c11", "-fsyntax-only", "-pthread", NULL };
  g_autofree char *path = find_runtime (self);
  g_autoptr (GError) error = NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    cs_doctor_problem (self, "runtime", "install Callsight again", "trace.c isn't where it was installed");
  else if (!try_options (self, folder, path, options, &error))
    {
      g_autofree char *told = shorten (error->message);

      cs_doctor_problem (self, "runtime", "install the C library's headers (Debian: libc6-dev)", "%s doesn't compile: %s",
                         path, told);
    }
  else
    cs_doctor_ok (self, "runtime", "%s compiles", path);
}

static void
look_at_preload (CsDoctor *self)
{
  g_autofree char *path = cs_preload_find_library ();

  if (path != NULL)
    cs_doctor_ok (self, "preload library", "%s", path);
  else
    cs_doctor_warn (self, "preload library", "install Callsight again, or link trace.c",
                    "not found: run records only programs that the runtime is linked into");
}

/* The compiler, the options, the runtime. */
void
cs_doctor_look_at_compiler (CsDoctor *self)
{
  const char *const version[] = { "--version", NULL };
  g_autofree char *command = g_strjoinv (" ", self->compiler);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *text = ask_compiler (self, "/", version, &error);
  CsCompiler kind;

  if (text == NULL)
    {
      g_autofree char *told = shorten (error->message);

      cs_doctor_problem (self, "compiler", "install gcc, or name another with --compiler-cmd or CC", "%s: %s", command, told);
      look_at_preload (self);
      return;
    }
  text[strcspn (text, "\n")] = '\0';
  kind = cs_compiler_detect ((const char *const *) self->compiler);
  cs_doctor_ok (self, "compiler", "%s: %s, taken for %s", command, text, kind == CS_COMPILER_GCC ? "gcc" : "clang");
  folder = g_dir_make_tmp ("callsight-XXXXXX", &error);
  if (folder == NULL)
    cs_doctor_warn (self, "options", "name another folder in TMPDIR", "they can't be tried: %s", error->message);
  else
    {
      const char *const names[] = { "unit.c", "object" };

      look_at_options (self, folder, kind);
      look_at_runtime (self, folder);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          g_autofree char *path = g_build_filename (folder, names[i], NULL);

          g_unlink (path);
        }
      g_rmdir (folder);
    }
  look_at_preload (self);
}
