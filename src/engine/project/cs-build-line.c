/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "project/cs-build-line-private.h"

/* Numbers of lines and columns have no more digits. */
#define DIGITS_MOST 9

static const struct
{
  const char *word;
  CsBuildSeverity severity;
} severities[] = {
  { "fatal error", CS_BUILD_SEVERITY_ERROR },
  { "internal compiler error", CS_BUILD_SEVERITY_ERROR },
  { "sorry, unimplemented", CS_BUILD_SEVERITY_ERROR },
  { "error", CS_BUILD_SEVERITY_ERROR },
  { "fatal", CS_BUILD_SEVERITY_ERROR },
  { "warning", CS_BUILD_SEVERITY_WARNING },
  { "deprecation", CS_BUILD_SEVERITY_WARNING },
  { "note", CS_BUILD_SEVERITY_NOTE },
  { "notice", CS_BUILD_SEVERITY_NOTE },
  { "remark", CS_BUILD_SEVERITY_NOTE },
  { "info", CS_BUILD_SEVERITY_NOTE },
  /* gcc in other languages */
  { "schwerwiegender Fehler", CS_BUILD_SEVERITY_ERROR },
  { "Fehler", CS_BUILD_SEVERITY_ERROR },
  { "Warnung", CS_BUILD_SEVERITY_WARNING },
  { "Anmerkung", CS_BUILD_SEVERITY_NOTE },
  { "erreur fatale", CS_BUILD_SEVERITY_ERROR },
  { "erreur", CS_BUILD_SEVERITY_ERROR },
  { "attention", CS_BUILD_SEVERITY_WARNING },
  { "error fatal", CS_BUILD_SEVERITY_ERROR },
  { "aviso", CS_BUILD_SEVERITY_WARNING },
  { "nota", CS_BUILD_SEVERITY_NOTE },
};

/* What ld says without such a word. */
static const char *const linker_errors[] = { "undefined reference to ", "multiple definition of ", "cannot find ",
                                             "relocation truncated to fit", "unrecognized option" };

static const char *
skip_blanks (const char *p)
{
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}

/* A word and its colon; what is behind them. */
static const char *
read_severity (const char *p, CsBuildSeverity *severity)
{
  p = skip_blanks (p);
  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    {
      gsize length = strlen (severities[i].word);

      /* French puts a blank before the colon. */
      if (g_ascii_strncasecmp (p, severities[i].word, length) != 0 ||
          (p[length] != ':' && !g_str_has_prefix (p + length, " :") && !g_str_has_prefix (p + length, "\xc2\xa0:")))
        continue;
      *severity = severities[i].severity;
      return skip_blanks (strchr (p + length, ':') + 1);
    }
  return NULL;
}

static gboolean
is_linker_error (const char *p)
{
  for (guint i = 0; i < G_N_ELEMENTS (linker_errors); i++)
    if (g_str_has_prefix (p, linker_errors[i]))
      return TRUE;
  return FALSE;
}

static const char *
read_number (const char *p, guint *number)
{
  const char *start = p;

  for (*number = 0; g_ascii_isdigit (*p) && p - start < DIGITS_MOST; p++)
    *number = *number * 10 + (guint) (*p - '0');
  return p > start && !g_ascii_isdigit (*p) ? p : NULL;
}

/* Where a place in a line begins, and what it says. */
typedef struct
{
  const char *file, *file_end, *end; /* end: behind the numbers */
  guint line, column;
} Place;

/* "FILE:LINE" or "FILE:LINE:COLUMN", followed by one of some characters. */
static gboolean
find_place (const char *start, const char *followers, Place *place)
{
  *place = (Place){ .file = skip_blanks (start) };
  for (const char *p = strchr (place->file, ':'); p != NULL; p = strchr (p + 1, ':'))
    {
      const char *end = read_number (p + 1, &place->line);
      const char *behind = end != NULL && *end == ':' ? read_number (end + 1, &place->column) : NULL;

      if (end == NULL || p == place->file)
        continue;
      if (behind != NULL && *behind != '\0' && strchr (followers, *behind) != NULL)
        end = behind;
      else if (*end != '\0' && strchr (followers, *end) != NULL)
        place->column = 0;
      else
        continue;
      place->file_end = p;
      place->end = end;
      return TRUE;
    }
  return FALSE;
}

/* "FILE:(.text+0x5): ", as ld writes without debug information. */
static gboolean
find_section (const char *start, Place *place)
{
  const char *at = strstr (start, ":(.");
  const char *end = at != NULL ? strstr (at, "): ") : NULL;

  *place = (Place){ .file = skip_blanks (start), .file_end = at, .end = end != NULL ? end + 1 : NULL };
  return end != NULL && at > place->file;
}

/* Of "b.o:src/b.c" or "liba.a(b.o):b.c", the source. */
static void
skip_object (Place *place)
{
  for (const char *p = place->file_end - 1; p > place->file; p--)
    if (*p == ':' && p + 1 < place->file_end)
      {
        place->file = p + 1;
        return;
      }
}

static void
take_place (CsBuildSaying *saying, const char *line, const Place *place)
{
  saying->file_start = (guint) (place->file - line);
  saying->file_end = (guint) (place->file_end - line);
  saying->link_end = (guint) (place->end - line);
  saying->line = place->line;
  saying->column = place->column;
}

static void
say (CsBuildSaying *saying, CsBuildSeverity severity, const char *line, const char *text)
{
  saying->is_message = TRUE;
  saying->severity = severity;
  saying->text_start = (guint) (text - line);
}

/* Behind "/usr/bin/ld: ", "ld.lld: " and the like; where there is none, the start. */
static const char *
skip_linker (const char *line)
{
  static const char *const names[] = { "ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold", "mold", "lld" };
  const char *colon = strstr (line, ": ");
  const char *name;

  if (colon == NULL)
    return line;
  for (name = colon; name > line && name[-1] != '/' && name[-1] != ' ';)
    name--;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize length = strlen (names[i]), own = (gsize) (colon - name);

      /* A cross linker has a prefix. */
      if (own >= length && strncmp (colon - length, names[i], length) == 0 && (own == length || colon[-1 - (gssize) length] == '-'))
        return colon + 2;
    }
  return line;
}

/* "make[1]: ", "gmake: ", "ninja: ": what is behind; else NULL. */
static const char *
skip_make (const char *line)
{
  const char *p = line;

  if (g_str_has_prefix (p, "ninja: "))
    return p + strlen ("ninja: ");
  p += *p == 'g';
  if (!g_str_has_prefix (p, "make"))
    return NULL;
  p += strlen ("make");
  if (*p == '[')
    {
      while (g_ascii_isdigit (*++p))
        ;
      if (*p++ != ']')
        return NULL;
    }
  return g_str_has_prefix (p, ": ") ? p + 2 : NULL;
}

/* "*** [Makefile:3: x.o] Error 2", and without the stars where it is ignored. */
static gboolean
read_make (const char *line, CsBuildSaying *saying)
{
  const char *rest = skip_make (line);
  const char *text = rest;
  gboolean stars;
  Place place;

  if (rest == NULL)
    return FALSE;
  stars = g_str_has_prefix (rest, "*** ");
  text += stars ? strlen ("*** ") : 0;
  if (!stars && (*rest != '[' || strstr (rest, "] Error ") == NULL))
    return FALSE;
  say (saying, stars ? CS_BUILD_SEVERITY_ERROR : CS_BUILD_SEVERITY_WARNING, line, text);
  if (*text == '[' && find_place (text + 1, ":", &place))
    take_place (saying, line, &place);
  return TRUE;
}

/* "CMake Error at CMakeLists.txt:12 (message):", "CMake Warning (dev) in src/CMakeLists.txt:" */
static gboolean
read_cmake (const char *line, CsBuildSaying *saying)
{
  static const struct
  {
    const char *words;
    CsBuildSeverity severity;
  } begins[] = {
    { "CMake Error", CS_BUILD_SEVERITY_ERROR },
    { "CMake Deprecation Error", CS_BUILD_SEVERITY_ERROR },
    { "CMake Deprecation Warning", CS_BUILD_SEVERITY_WARNING },
    { "CMake Warning", CS_BUILD_SEVERITY_WARNING },
  };

  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    {
      const char *p = line + strlen (begins[i].words);
      Place place;

      if (!g_str_has_prefix (line, begins[i].words))
        continue;
      if (g_str_has_prefix (p, " (dev)"))
        p += strlen (" (dev)");
      if (g_str_has_prefix (p, ": "))
        {
          say (saying, begins[i].severity, line, p + 2);
          return TRUE;
        }
      if (!g_str_has_prefix (p, " at ") && !g_str_has_prefix (p, " in ") && *p != ':')
        return FALSE;
      say (saying, begins[i].severity, line, line);
      saying->text_follows = TRUE;
      if (g_str_has_prefix (p, " in ") && g_str_has_suffix (p, ":"))
        {
          place = (Place){ .file = p + 4, .file_end = line + strlen (line) - 1, .end = line + strlen (line) - 1 };
          take_place (saying, line, &place);
        }
      else if (*p == ' ' && find_place (p + 4, " :", &place))
        take_place (saying, line, &place);
      return TRUE;
    }
  return FALSE;
}

/* "In file included from a.h:3," and "                 from a.c:1:", ">>> referenced by a.c:5 (/src/a.c:5)" */
static gboolean
read_origin (const char *line, CsBuildSaying *saying)
{
  static const char *const begins[] = { "In file included from ", "from ", ">>> referenced by ", ">>> defined at " };
  const char *p = skip_blanks (line);
  Place place;

  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    {
      if (!g_str_has_prefix (p, begins[i]) || (i == 1 && p == line) || !find_place (p + strlen (begins[i]), ":,) ", &place))
        continue;
      say (saying, CS_BUILD_SEVERITY_NOTE, line, p);
      saying->is_guess = TRUE;
      take_place (saying, line, &place);
      return TRUE;
    }
  return FALSE;
}

/* A place, a word, and what is said. */
static gboolean
read_place (const char *line, const char *start, CsBuildSaying *saying)
{
  CsBuildSeverity severity = CS_BUILD_SEVERITY_NOTE;
  const char *text, *rest;
  Place place;

  if (!find_place (start, ":", &place) && !find_section (start, &place))
    return FALSE;
  rest = place.end + 1;
  text = read_severity (rest, &severity);
  rest = skip_blanks (rest);
  if (text == NULL && is_linker_error (rest))
    {
      severity = CS_BUILD_SEVERITY_ERROR;
      text = rest;
    }
  else if (text == NULL && g_str_has_prefix (rest, "*** "))
    {
      severity = CS_BUILD_SEVERITY_ERROR; /* make, of its Makefile */
      text = rest + strlen ("*** ");
    }
  else if (text == NULL && place.column > 0 && place.end[1] == ' ')
    {
      saying->is_guess = TRUE; /* "required from here"; or a time of day */
      text = rest;
    }
  if (text == NULL)
    return FALSE;
  if (memchr (place.file, ':', (gsize) (place.file_end - place.file)) != NULL)
    skip_object (&place);
  say (saying, severity, line, text);
  take_place (saying, line, &place);
  return TRUE;
}

/* "cc1: error: …", "configure: WARNING: …", "ERROR: …" */
static gboolean
read_tool (const char *line, const char *start, CsBuildSaying *saying)
{
  CsBuildSeverity severity;
  const char *text = read_severity (start, &severity);
  const char *colon = strchr (start, ':');
  Place place;

  if (text != NULL)
    {
      say (saying, severity, line, text);
      return TRUE;
    }
  if (start > line && is_linker_error (start))
    {
      say (saying, CS_BUILD_SEVERITY_ERROR, line, start);
      return TRUE;
    }
  if (colon == NULL || colon == start || strcspn (start, " \t") < (gsize) (colon - start))
    return FALSE;
  text = read_severity (colon + 1, &severity);
  if (text == NULL && start > line && is_linker_error (skip_blanks (colon + 1)))
    {
      severity = CS_BUILD_SEVERITY_ERROR;
      text = skip_blanks (colon + 1);
    }
  if (text == NULL)
    return FALSE;
  say (saying, severity, line, text);
  place = (Place){ .file = start, .file_end = colon, .end = colon };
  take_place (saying, line, &place);
  saying->may_be_tool = TRUE;
  return TRUE;
}

/**
 * cs_build_line_read:
 * @line: a line of a build log, UTF-8 without its end
 * @saying: (out): what it says
 *
 * Knows what gcc, clang, GNU ld, lld, make, ninja, CMake, Meson and configure write. Takes time that is linear in the line.
 */
void
cs_build_line_read (const char *line, CsBuildSaying *saying)
{
  const char *start = skip_linker (line);

  *saying = (CsBuildSaying){ 0 };
  if (!read_make (line, saying) && !read_cmake (line, saying) && !read_origin (line, saying) &&
      !read_place (line, start, saying))
    read_tool (line, start, saying);
}

/**
 * cs_build_line_read_move:
 * @line: a line of a build log
 * @folder: (out) (transfer full): the folder, as it is told
 *
 * Returns: whether make or ninja enters or leaves it. In languages that aren't known, it enters
 */
CsBuildMove
cs_build_line_read_move (const char *line, char **folder)
{
  static const char *const quotes[][2] = { { "'", "'" }, { "`", "'" }, { "‘", "’" }, { "„", "“" }, { "« ", " »" },
                                           { "«\xc2\xa0", "\xc2\xa0»" }, { "«", "»" }, { "“", "”" }, { "\"", "\"" } };
  const char *rest = skip_make (line);
  gboolean enters = rest != NULL && g_str_has_prefix (rest, "Entering directory ");
  gboolean leaves = rest != NULL && g_str_has_prefix (rest, "Leaving directory ");

  for (guint i = 0; rest != NULL && *rest != '*' && *rest != '[' && i < G_N_ELEMENTS (quotes); i++)
    {
      const char *open = strstr (rest, quotes[i][0]);
      const char *start = open != NULL ? open + strlen (quotes[i][0]) : NULL;
      const char *close = start != NULL ? g_strrstr (start, quotes[i][1]) : NULL;

      if (close == NULL || close == start || (!enters && !leaves && *start != '/'))
        continue;
      *folder = g_strndup (start, (gsize) (close - start));
      return leaves ? CS_BUILD_MOVE_LEAVE : CS_BUILD_MOVE_ENTER;
    }
  return CS_BUILD_MOVE_NONE;
}
