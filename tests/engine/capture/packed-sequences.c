/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "packed-sequences.h"

const char *const in_names[IN_N] = {
  [IN_ENTERS] = "enters",
  [IN_EXITS] = "exits",
  [IN_MARKERS] = "markers",
  [IN_COUNTERS] = "counter records",
  [IN_OTHER_KINDS] = "records of other kinds",
  [IN_PADDED] = "enters and exits with padding",
  [IN_NO_FUNCTION] = "enters and exits of function 0",
  [IN_HIGH_ADDRESSES] = "addresses over 48 bits",
  [IN_DT_0] = "dt 0",
  [IN_DT_MOST] = "dt 0x7EFE",
  [IN_DT_OVER] = "dt 0x7EFF",
  [IN_DT_EXIT] = "dt 0xFFFF",
  [IN_DT_EXIT_OVER] = "dt 0x10000",
  [IN_DT_LATER] = "dt 2^32 - 1",
  [IN_DT_LATER_OVER] = "dt 2^32",
  [IN_DT_BACK] = "dt below 0",
  [IN_OPEN_1024] = "enters over 1,024 open calls",
  [IN_OPEN_1048576] = "enters over 1,048,576 open calls",
  [IN_UNMATCHED] = "exits of what is not open",
  [IN_OTHER_SITE] = "exits with another call site",
  [IN_FAR] = "exits of outer calls",
  [IN_THREADS] = "changes of the thread",
};

#define N_THREADS 3

/* A call that is open. */
typedef struct
{
  guint64 func, caller;
} Frame;

/* What a sequence is like: parts of 1,024. */
typedef struct
{
  guint enters;  /* of enters and exits */
  guint odd;     /* records that aren't enters or exits as hooks make them */
  guint threads; /* changes of the thread */
  guint edges;   /* steps of time that are at the edge of something */
  guint high;    /* addresses that a table can't hold */
  guint wrong;   /* exits that aren't those of the innermost call */
  guint n_functions, n_callers;
} Manner;

void
sequences_init (Sequences *self, guint64 seed)
{
  *self = (Sequences){ .state = seed * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) + 1,
                       .records = g_array_new (FALSE, FALSE, sizeof (struct trace_event)) };
}

void
sequences_clear (Sequences *self)
{
  g_array_unref (self->records);
}

/* xorshift64* */
guint64
sequences_random (Sequences *self)
{
  self->state ^= self->state >> 12;
  self->state ^= self->state << 25;
  self->state ^= self->state >> 27;
  return self->state * G_GUINT64_CONSTANT (0x2545F4914F6CDD1D);
}

guint
sequences_below (Sequences *self, guint n)
{
  return (guint) ((sequences_random (self) >> 32) * n >> 32);
}

static gboolean
happens (Sequences *self, guint part)
{
  return sequences_below (self, 1024) < part;
}

/* From 1 to `most', as often from 1 to 2 as from 1,000 to 2,000. */
guint
sequences_length (Sequences *self, guint most)
{
  guint bits = sequences_below (self, g_bit_storage (most) + 1);
  guint n = 1 + sequences_below (self, 1u << bits);

  return MIN (n, most);
}

static guint64
next_time (Sequences *self, const Manner *manner, guint64 now)
{
  static const gint64 edges[] = { 0,           0x7EFD,           0x7EFE,           0x7EFF,           0x7F00, 0xFFFE,
                                  0xFFFF,      0x10000,          0x10001,          0xFFFFFFFE,       0xFFFFFFFF,
                                  0x100000000, 0x100000001,      -1,               -0x7EFF,          -0x10000,
                                  -0xFFFFFFFF, -0x100000000,     G_MAXINT64,       G_MININT64 };

  if (!happens (self, manner->edges))
    return now + sequences_below (self, 200);
  if (happens (self, 20))
    return sequences_random (self);
  return now + (guint64) edges[sequences_below (self, G_N_ELEMENTS (edges))];
}

static void
note_time (Sequences *self, guint64 last, guint64 now)
{
  static const struct { guint64 dt; In in; } edges[] = {
    { 0, IN_DT_0 },           { 0x7EFE, IN_DT_MOST },      { 0x7EFF, IN_DT_OVER },           { 0xFFFF, IN_DT_EXIT },
    { 0x10000, IN_DT_EXIT_OVER }, { 0xFFFFFFFF, IN_DT_LATER }, { 0x100000000, IN_DT_LATER_OVER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    self->counts[edges[i].in] += now - last == edges[i].dt;
  self->counts[IN_DT_BACK] += now < last;
}

static guint64
high (Sequences *self, const Manner *manner, guint64 address)
{
  static const guint64 bits[] = { G_GUINT64_CONSTANT (1) << 48, G_GUINT64_CONSTANT (1) << 63,
                                  G_GUINT64_CONSTANT (0xFFFF) << 48, G_MAXUINT64 };

  if (!happens (self, manner->high))
    return address;
  self->counts[IN_HIGH_ADDRESSES]++;
  return address | bits[sequences_below (self, G_N_ELEMENTS (bits))];
}

static Frame
new_frame (Sequences *self, const Manner *manner)
{
  Frame frame = { .func = 0x401000 + 16 * (guint64) sequences_below (self, manner->n_functions),
                  .caller = 0x7F0000000000 + sequences_below (self, manner->n_callers) };

  frame.func = high (self, manner, frame.func);
  frame.caller = high (self, manner, frame.caller);
  return frame;
}

/* Ends a call, not always the innermost one. */
static Frame
end_frame (Sequences *self, const Manner *manner, GArray *stack)
{
  Frame frame;
  guint i;

  if (stack->len == 0 || (happens (self, manner->wrong) && happens (self, 256)))
    {
      self->counts[IN_UNMATCHED]++;
      frame = new_frame (self, manner);
      if (happens (self, 512))
        frame.func ^= 8;
      return frame;
    }
  i = stack->len - 1;
  if (happens (self, manner->wrong) && happens (self, 512))
    i -= sequences_below (self, MIN (stack->len, 40));
  self->counts[IN_FAR] += i + 1 < stack->len;
  frame = g_array_index (stack, Frame, i);
  g_array_set_size (stack, i);
  if (happens (self, manner->wrong) && happens (self, 512))
    {
      frame.caller++;
      self->counts[IN_OTHER_SITE]++;
    }
  return frame;
}

/* What no hook records so, but a file may hold. */
static void
make_odd (Sequences *self, struct trace_event *event)
{
  guint n = sequences_below (self, 6);

  if (n == 0)
    {
      event->func = 0;
      self->counts[IN_NO_FUNCTION]++;
      return;
    }
  if (n == 1)
    {
      event->pad[sequences_below (self, 3)] = (guint8) (1 + sequences_below (self, 255));
      self->counts[IN_PADDED]++;
      return;
    }
  event->ts = sequences_random (self) >> sequences_below (self, 64);
  event->func = happens (self, 512) ? sequences_below (self, 300) : sequences_random (self);
  event->caller = sequences_random (self) >> sequences_below (self, 64);
  event->kind = n == 2 ? TRACE_KIND_COUNTERS : n == 3 ? (guint8) (4 + sequences_below (self, 252)) : TRACE_KIND_MARKER;
  if (happens (self, 100))
    event->tid = (guint32) sequences_random (self);
  self->counts[n == 2 ? IN_COUNTERS : n == 3 ? IN_OTHER_KINDS : IN_MARKERS]++;
}

static Manner
choose_manner (Sequences *self)
{
  static const guint few[] = { 0, 0, 1, 10, 60, 300 };
#define FEW few[sequences_below (self, G_N_ELEMENTS (few))]
  Manner manner = { .enters = happens (self, 100) ? 1000 : 300 + sequences_below (self, 400),
                    .odd = FEW,
                    .threads = FEW,
                    .edges = FEW,
                    .high = FEW,
                    .wrong = FEW,
                    .n_functions = 1u << sequences_below (self, 12),
                    .n_callers = 1u << sequences_below (self, 8) };
#undef FEW
  return manner;
}

/* A sequence of `n' records of a manner of its own. */
void
sequences_make (Sequences *self, guint n)
{
  Manner manner = choose_manner (self);
  GArray *stacks[N_THREADS];
  guint64 now = happens (self, 900) ? sequences_random (self) >> 20 : 0, last = now;
  guint thread = 0;

  for (guint i = 0; i < N_THREADS; i++)
    stacks[i] = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_array_set_size (self->records, 0);
  for (guint i = 0; i < n; i++)
    {
      struct trace_event event = { 0 };
      Frame frame;

      if (happens (self, manner.threads))
        {
          thread = (thread + 1 + sequences_below (self, N_THREADS - 1)) % N_THREADS;
          self->counts[IN_THREADS]++;
        }
      event.kind = happens (self, manner.enters) ? TRACE_KIND_ENTER : TRACE_KIND_EXIT;
      event.tid = 100 + thread;
      now = event.ts = next_time (self, &manner, now);
      if (event.kind == TRACE_KIND_ENTER)
        {
          frame = new_frame (self, &manner);
          g_array_append_val (stacks[thread], frame);
          self->counts[IN_OPEN_1024] += stacks[thread]->len > 1024;
        }
      else
        frame = end_frame (self, &manner, stacks[thread]);
      event.func = frame.func;
      event.caller = frame.caller;
      if (happens (self, manner.odd))
        make_odd (self, &event);
      else
        {
          self->counts[event.kind == TRACE_KIND_ENTER ? IN_ENTERS : IN_EXITS]++;
          note_time (self, last, now);
          last = now;
        }
      g_array_append_val (self->records, event);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_array_unref (stacks[i]);
}

/* A long one in which each call is of a site of its own. */
void
sequences_make_sites (Sequences *self, guint n)
{
  g_array_set_size (self->records, 0);
  for (guint i = 0; i < n; i++)
    {
      struct trace_event event = { .ts = i / 2, .func = 0x1000 + i / 2, .caller = 0x70000000 + i % 7 / 2, .tid = 1, .kind = i % 2 };

      event.caller -= event.kind == TRACE_KIND_EXIT && i % 5 == 0;
      self->counts[event.kind == TRACE_KIND_ENTER ? IN_ENTERS : IN_EXITS]++;
      g_array_append_val (self->records, event);
    }
}

/* A long one of calls within calls, and then the exits. */
void
sequences_make_deep (Sequences *self, guint n)
{
  g_array_set_size (self->records, 0);
  for (guint i = 0; i < 2 * n; i++)
    {
      guint depth = i < n ? i : 2 * n - 1 - i;
      struct trace_event event = { .ts = i, .func = 0x1000 + depth % 9, .caller = 0x2000 + depth % 5, .tid = 1, .kind = i >= n };

      self->counts[i < n ? IN_ENTERS : IN_EXITS]++;
      self->counts[IN_OPEN_1024] += i < n && i >= 1024;
      self->counts[IN_OPEN_1048576] += i < n && i >= 1048576;
      g_array_append_val (self->records, event);
    }
}
