/* SPDX-License-Identifier: MIT */
/* Definitions as they are written in C. It compiles: what the compiler says is compared with what scans find. */
#include <stddef.h>

#define PURE __attribute__ ((pure))
#define EXPORT(type) __attribute__ ((visibility ("default"))) type
#define CALL(name) call_##name
#define PRINTF(a, b) __attribute__ ((format (printf, a, b)))
#define END_OF_VARARGS int list;
struct pair { int a, b; };
/* Neither ends with a semicolon. */
#define DEFINE_LOCK(name) static int name##_lock;
#define DEFINE_TYPE(Type, name) typedef struct { int x; } Type; void name##_declared (Type *self);

int plain (int x) { return x + 1; }

static int
gnu_style (int x)
{
  return x + 2;
}

int kernel_style(int x) {
  const char *text = "} not an end {";
  char c = '}';
  char quote = '\'';
  /* } nor this */
  // { nor this
  return x + text[0] + c + quote;
}

int
knr (a, b)
  int a;
  char *b;
{
  return a + b[0];
}

int knr_callback (f, n) int (*f) (int); int n; { return f (n); }

int
knr_struct (pair, rest)
     struct pair *pair;
     int rest;
{
  return pair->a + rest;
}

int
#ifdef NEVER_DEFINED
stdarg_never (const char *format, ...)
#else
varargs (format, list)
     const char *format;
     END_OF_VARARGS
#endif
{
  return format[0];
}

int behind_varargs (a) int a; { return a; }

DEFINE_LOCK (first)

int
behind_macro (void)
{
  return first_lock;
}

DEFINE_TYPE (Thing, thing)

static void
behind_type (Thing *thing)
{
  thing->x++;
}

EXPORT (int) exported (void) { return 1; }

static inline PURE int with_attributes (int x) PURE;
static inline PURE int
with_attributes (int x)
{
  return x;
}

PRINTF (1, 2) int formatted (const char *format, ...) { return format[0]; }
int __attribute__ ((noinline)) attribute_inside (int x) { return x; }
__attribute__ ((constructor)) static void at_start (void) { }

struct pair make_pair (int a, int b) { return (struct pair){ a, b }; }
struct { int a; } unnamed_struct;
enum colour { RED, GREEN } colour_of (int x) { return x ? RED : GREEN; }
union { int a; float b; } *pointer_to_union (void) { return NULL; }

int (*function_returning_pointer (int x)) (int) { return x ? plain : kernel_style; }
int (parenthesised) (int x) { return x; }
int *
pointer (int *x) { return x; }
const char *const *pointers (void) { return NULL; }

int table[] = { 1, 2, 3 };
struct pair pairs[] = { { 1, 2 }, { .a = 3, .b = 4 } };
int (*handlers[]) (int) = { plain, gnu_style };
int prototype (int x);
typedef int (*callback) (int x);

#ifdef NEVER_DEFINED
int twin_never (long x)
{
  return (int) x;
}
#else
int twin (int x)
{
  return x;
}
#endif

int
#ifdef NEVER_DEFINED
other_header (long x, long y)
#else
header (int x)
#endif
{
  return (int) x;
}

#ifndef NEVER_DEFINED
int open_brace (int x) {
#else
int open_brace_never (long x) {
#endif
  if (x)
#ifdef NEVER_DEFINED
    {
#else
    while (x > 5) {
#endif
      x--;
    }
  return x;
}

#if 0
int disabled (void) { return 0; }
Don't look here: {{{
#endif

int statement_expression (int x) { int y = ({ int z = x; z + 1; }); return y; }

int default_switch (int x)
{
  switch (x)
    {
    case 1: { return 2; }
    default: break;
    }
  for (int i = 0; i < 3; i++) { x += i; }
  do { x--; } while (x > 3);
  return x;
}

int continued_\
name (void) { return 1; }

int CALL (made_of_macro) (void) { return 1; }

static int last_without_newline (void) { return with_attributes (1) + gnu_style (2); }
int use (void) { behind_type (NULL); return last_without_newline (); }
