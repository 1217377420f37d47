/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#include "selection/cs-compiler.h"

/* Links that are followed before names are taken to go round. */
#define MOST_LINKS 16
/* A compiler that hasn't told its version by then is taken for gcc. */
#define ASK_US (10 * G_USEC_PER_SEC)

/* What a program's name says. */
typedef enum
{
  NAME_UNKNOWN,
  NAME_GCC,
  NAME_CLANG,
  NAME_WRAPPER, /* its first argument is the compiler */
} Name;

static gboolean
is_word_of (const char *name, const char *word)
{
  const char *at = strstr (name, word);
  gsize length = strlen (word);

  /* "x86_64-linux-gnu-gcc-12", not "gccgo". */
  return at != NULL && (at == name || at[-1] == '-') && !g_ascii_isalpha (at[length]);
}

static Name
classify (const char *path)
{
  static const char *const wrappers[] = { "ccache", "sccache", "distcc", "icecc", "buildcache", "callsight-cc", "env",
                                          "nice", "time", NULL };
  g_autofree char *name = g_path_get_basename (path);

  if (g_strv_contains (wrappers, name))
    return NAME_WRAPPER;
  if (is_word_of (name, "clang") || is_word_of (name, "clang++"))
    return NAME_CLANG;
  if (is_word_of (name, "gcc") || is_word_of (name, "g++"))
    return NAME_GCC;
  return NAME_UNKNOWN;
}

/* The name, and, where it says nothing, what it is a link to, link by link. A link to a wrapper (/usr/lib/ccache/gcc)
 * says nothing of the compiler. */
static Name
classify_links (const char *program)
{
  g_autofree char *path = g_find_program_in_path (program);
  Name name = classify (program);

  for (guint i = 0; i < MOST_LINKS && name == NAME_UNKNOWN && path != NULL; i++)
    {
      g_autofree char *target = g_file_read_link (path, NULL);
      g_autofree char *folder = g_path_get_dirname (path);
      char *next;

      if (target == NULL)
        break;
      name = classify (target);
      next = g_canonicalize_filename (target, folder);
      g_free (path);
      path = next;
    }
  return name == NAME_WRAPPER && classify (program) != NAME_WRAPPER ? NAME_UNKNOWN : name;
}

static gboolean
end_child (gpointer child)
{
  g_subprocess_force_exit (child);
  return G_SOURCE_REMOVE;
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Asks the program itself. */
static CsCompiler
ask (const char *const *command)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GMainContext) main_context = g_main_context_new ();
  g_autoptr (GSource) timeout = g_timeout_source_new (ASK_US / 1000);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GBytes) output = NULL;
  CsCompiler compiler = CS_COMPILER_GCC;

  for (gsize i = 0; command[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) command[i]);
  g_ptr_array_add (argv, (gpointer) "--version");
  g_ptr_array_add (argv, NULL);
  child = g_subprocess_newv ((const char *const *) argv->pdata,
                             G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL);
  if (child == NULL)
    return compiler;
  g_main_context_push_thread_default (main_context);
  g_source_set_callback (timeout, end_child, child, NULL);
  g_source_attach (timeout, main_context);
  g_subprocess_communicate_async (child, NULL, NULL, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (main_context, TRUE);
  if (g_subprocess_communicate_finish (child, result, &output, NULL, NULL) && output != NULL && g_bytes_get_size (output) > 0 &&
      g_strstr_len (g_bytes_get_data (output, NULL), (gssize) g_bytes_get_size (output), "clang") != NULL)
    compiler = CS_COMPILER_CLANG;
  g_source_destroy (timeout);
  g_main_context_pop_thread_default (main_context);
  return compiler;
}

/**
 * cs_compiler_detect:
 * @command: a compiler's command, word by word: "ccache", "clang", "-m32"
 *
 * Tells by the name of the program, behind wrappers such as ccache, or what it is a link to; where these say nothing,
 * as of "cc", the program is asked once for its version.
 *
 * Returns: which compiler it is; what isn't known, or can't be started, is taken for gcc
 */
CsCompiler
cs_compiler_detect (const char *const *command)
{
  const char *const *at = command;

  while (*at != NULL)
    {
      Name name = classify_links (*at);

      if (name == NAME_CLANG)
        return CS_COMPILER_CLANG;
      if (name == NAME_GCC)
        return CS_COMPILER_GCC;
      if (name == NAME_UNKNOWN)
        break;
      /* A wrapper's options and settings. */
      do
        at++;
      while (*at != NULL && (**at == '-' || strchr (*at, '=') != NULL));
    }
  return *command != NULL ? ask (command) : CS_COMPILER_GCC;
}
