/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls/cs-call-log-reader.h"
#include "profile/cs-call-place.h"

/* Lines read at once: more come when they are asked for. */
#define LINES_OF_PAGE 500
/* Lines read before and behind what is revealed, in all its levels, and in each at least. */
#define LINES_TO_REVEAL 10000
#define LEAST_TO_REVEAL 16
/* Of a line with many calls so many are shown where everything below a call is. */
#define MEMBERS_TO_EXPAND 50
/* Calls after which it is looked whether what was found is to be told. */
#define CALLS_AT_ONCE 8192
/* So many calls are looked through for one that is revealed before it is gone to directly. */
#define CALLS_TO_PASS 65536
#define FIRST_TOLD_US 10000
#define TOLD_EVERY_US 60000

typedef enum
{
  READ,
  EXPAND,
  PATH,
  FIND,
  REVEAL,
} JobKind;

/* What was read of a level, in the thread. */
typedef struct
{
  guint number, parent, line;
  gboolean members;
  GArray *entries; /* (element-type CsCallLogEntry) */
  CsCallLogWalk before, walk;
} Level;

struct _CsCallLogJob
{
  gatomicrefcount refs;
  JobKind kind;
  CsCallLogSource source;
  GCancellable *cancellable;
  const CsCallLogListener *listener;
  gpointer user_data;

  CsCallLogWalk walk;
  CsCallLogEntry entry;
  gboolean members, fold;
  guint most;
  CsTimelineSpan call;
  guint64 position;
  gboolean backwards;
  CsCallLogMatch match;
  gpointer match_data;
  GDestroyNotify free_match;
  GArray *path;   /* (element-type CsCallLogEntry) */

  /* Of the thread. */
  GPtrArray *levels; /* (element-type Level) */
  GPtrArray *pieces; /* (element-type CsCallLogPiece) (nullable): to be told */
  gint64 told;       /* when something was told last, us */
};

/* Something that is told in the main loop. */
typedef struct
{
  CsCallLogJob *job;
  GPtrArray *pieces; /* (nullable) */
  GArray *selves;    /* (nullable) */
  gboolean ready, ended;
  GError *error;     /* (nullable) */
} Message;

static void
level_free (gpointer data)
{
  Level *level = data;

  g_array_unref (level->entries);
  g_free (level);
}

static void
piece_free (gpointer data)
{
  CsCallLogPiece *piece = data;

  g_array_unref (piece->entries);
  g_free (piece);
}

static CsCallLogJob *
job_new (JobKind kind, const CsCallLogSource *source, const CsCallLogListener *listener, gpointer user_data)
{
  CsCallLogJob *self = g_new0 (CsCallLogJob, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kind = kind;
  self->source = *source;
  cs_timeline_ref (self->source.timeline);
  self->cancellable = g_cancellable_new ();
  self->listener = listener;
  self->user_data = user_data;
  self->levels = g_ptr_array_new_with_free_func (level_free);
  self->path = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  return self;
}

/**
 * cs_call_log_job_ref:
 * @self: a job
 *
 * Returns: (transfer full): the job
 */
CsCallLogJob *
cs_call_log_job_ref (CsCallLogJob *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_call_log_job_unref:
 * @self: (transfer full): a job
 */
void
cs_call_log_job_unref (CsCallLogJob *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  cs_timeline_unref (self->source.timeline);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->levels);
  g_clear_pointer (&self->pieces, g_ptr_array_unref);
  g_array_unref (self->path);
  if (self->free_match != NULL)
    self->free_match (self->match_data);
  g_free (self);
}

/**
 * cs_call_log_job_cancel:
 * @self: a job
 *
 * Ends it, and nothing is told of it any more.
 */
void
cs_call_log_job_cancel (CsCallLogJob *self)
{
  g_cancellable_cancel (self->cancellable);
}

/**
 * cs_call_log_job_get_path:
 * @self: a job that is ready
 *
 * Returns: (transfer none) (element-type CsCallLogEntry): the calls that the call that it was asked for was made in,
 *   outermost first, and that call; empty: there is none
 */
const GArray *
cs_call_log_job_get_path (CsCallLogJob *self)
{
  return self->path;
}

static gboolean
on_message (gpointer data)
{
  Message *message = data;
  CsCallLogJob *job = message->job;

  if (!g_cancellable_is_cancelled (job->cancellable))
    {
      if (message->pieces != NULL)
        job->listener->pieces (job, message->pieces, job->user_data);
      else if (message->selves != NULL)
        job->listener->selves (job, message->selves, job->user_data);
      else if (message->ready)
        job->listener->ready (job, message->error, job->user_data);
      else if (message->ended)
        job->listener->ended (job, job->user_data);
    }
  return G_SOURCE_REMOVE;
}

static void
message_free (gpointer data)
{
  Message *message = data;

  g_clear_pointer (&message->pieces, g_ptr_array_unref);
  g_clear_pointer (&message->selves, g_array_unref);
  g_clear_error (&message->error);
  cs_call_log_job_unref (message->job);
  g_free (message);
}

static Message *
message_new (CsCallLogJob *self)
{
  Message *message = g_new0 (Message, 1);

  message->job = cs_call_log_job_ref (self);
  return message;
}

static void
post (Message *message)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, on_message, message, message_free);
}

static void
tell_pieces (CsCallLogJob *self)
{
  Message *message;

  if (self->pieces == NULL)
    return;
  message = message_new (self);
  message->pieces = g_steal_pointer (&self->pieces);
  post (message);
  self->told = g_get_monotonic_time ();
}

static Level *
level_new (CsCallLogJob *self, guint parent, guint line, gboolean members, const CsCallLogWalk *walk)
{
  Level *level = g_new0 (Level, 1);

  level->number = self->levels->len;
  level->parent = parent;
  level->line = line;
  level->members = members;
  level->entries = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  level->walk = *walk;
  level->before.next = G_MAXUINT64;
  g_ptr_array_add (self->levels, level);
  return level;
}

/* Notes lines of a level from one on. */
static void
add_piece (CsCallLogJob *self, const Level *level, guint first, gboolean done)
{
  CsCallLogPiece *piece = g_new0 (CsCallLogPiece, 1);

  if (self->pieces == NULL)
    self->pieces = g_ptr_array_new_with_free_func (piece_free);
  piece->level = level->number;
  piece->parent = level->parent;
  piece->line = level->line;
  piece->members = level->members;
  piece->first = first;
  piece->entries = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  if (level->entries->len > first)
    g_array_append_vals (piece->entries, &g_array_index (level->entries, CsCallLogEntry, first), level->entries->len - first);
  piece->before = level->before;
  piece->rest = level->walk;
  piece->done = done;
  g_ptr_array_add (self->pieces, piece);
}

static gboolean
is_due (const CsCallLogJob *self)
{
  return g_get_monotonic_time () - self->told >= TOLD_EVERY_US;
}

/* A page, which is told while it is read: its last line may be of a million calls. */
static gboolean
read_page (CsCallLogJob *self, GError **error)
{
  Level *level = level_new (self, G_MAXUINT, 0, FALSE, &self->walk);
  guint told = 0;

  self->told = g_get_monotonic_time () - TOLD_EVERY_US + FIRST_TOLD_US;
  for (;;)
    {
      guint n = level->entries->len;
      gboolean done;

      if (!cs_call_log_walk_run (&level->walk, level->entries, LINES_OF_PAGE, CALLS_AT_ONCE, self->cancellable, error))
        return FALSE;
      done = level->walk.next == G_MAXUINT64
             || (level->entries->len + 3 > LINES_OF_PAGE && level->entries->len == n
                 && !g_array_index (level->entries, CsCallLogEntry, n - 1).unfinished);
      done |= level->entries->len >= LINES_OF_PAGE && !g_array_index (level->entries, CsCallLogEntry, level->entries->len - 1).unfinished;
      if (!done && !is_due (self))
        continue;
      add_piece (self, level, told > 0 ? told - 1 : 0, done);
      told = level->entries->len;
      tell_pieces (self);
      if (done)
        return TRUE;
    }
}

/* Reads a few lines to their end. */
static gboolean
read_level (CsCallLogJob *self, Level *level, guint limit, GError **error)
{
  return cs_call_log_walk_run (&level->walk, level->entries, MAX (limit, 3), G_MAXSIZE, self->cancellable, error);
}

/* All that is below a line, level by level. */
static gboolean
expand (CsCallLogJob *self, GError **error)
{
  guint n = 0;
  CsCallLogWalk walk;

  if (self->entry.n > 1)
    cs_call_log_walk_init_members (&walk, self->source.timeline, self->source.track, &self->entry, self->source.t0, self->source.t1);
  else
    cs_call_log_walk_init (&walk, self->source.timeline, self->source.track, &self->entry, self->source.t0, self->source.t1);
  level_new (self, G_MAXUINT, 0, self->entry.n > 1, &walk);
  for (guint i = 0; i < self->levels->len; i++)
    {
      Level *level = g_ptr_array_index (self->levels, i);

      if (!read_level (self, level, MIN (level->members ? MEMBERS_TO_EXPAND : LINES_OF_PAGE, self->most - n), error))
        return FALSE;
      n += level->entries->len;
      add_piece (self, level, 0, TRUE);
      for (guint j = 0; n < self->most && j < level->entries->len; j++)
        {
          const CsCallLogEntry *entry = &g_array_index (level->entries, CsCallLogEntry, j);

          /* Calls in which nothing is look all the same. */
          if (entry->kind != CS_CALL_LOG_CALLS || !entry->nested)
            continue;
          if (entry->n > 1)
            cs_call_log_walk_init_members (&walk, self->source.timeline, self->source.track, entry, self->source.t0, self->source.t1);
          else
            cs_call_log_walk_init (&walk, self->source.timeline, self->source.track, entry, self->source.t0, self->source.t1);
          level_new (self, i, j, entry->n > 1, &walk);
        }
      if (n >= self->most)
        {
          g_ptr_array_set_size (self->levels, (gint) i + 1);
          return TRUE;
        }
    }
  return TRUE;
}

/* The line that a call is in. */
static guint
find_line (const GArray *entries, guint64 position)
{
  guint low = 0, high = entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (entries, CsCallLogEntry, middle).position <= position)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low > 0; low--)
    {
      const CsCallLogEntry *entry = &g_array_index (entries, CsCallLogEntry, low - 1);

      if (entry->kind != CS_CALL_LOG_CALLS)
        continue;
      return position < entry->behind ? low - 1 : G_MAXUINT;
    }
  return G_MAXUINT;
}

/* Reads a level as far as a call, and what lies around it. */
static gboolean
read_around (CsCallLogJob *self, Level *level, guint64 position, guint most, guint *line, GError **error)
{
  const CsCallLogWalk start = level->walk;

  if (!cs_call_log_walk_run (&level->walk, level->entries, most, CALLS_TO_PASS, self->cancellable, error))
    return FALSE;
  *line = find_line (level->entries, position);
  if (*line == G_MAXUINT)
    {
      g_array_set_size (level->entries, 0);
      level->before = start;
      level->before.end = position;
      level->walk = start;
      cs_call_log_walk_seek (&level->walk, position);
      if (!cs_call_log_walk_run (&level->walk, level->entries, most, CALLS_TO_PASS, self->cancellable, error))
        return FALSE;
      *line = find_line (level->entries, position);
    }
  /* The last line is read to its end. */
  while (level->walk.next != G_MAXUINT64 && level->entries->len > 0
         && g_array_index (level->entries, CsCallLogEntry, level->entries->len - 1).unfinished)
    if (!cs_call_log_walk_run (&level->walk, level->entries, level->entries->len, CALLS_TO_PASS, self->cancellable, error))
      return FALSE;
  return TRUE;
}

/* Reads what is around each call of the path. */
static gboolean
reveal (CsCallLogJob *self, GError **error)
{
  guint most = MAX (LINES_TO_REVEAL / self->path->len, LEAST_TO_REVEAL);
  guint parent = G_MAXUINT, line = 0;
  gboolean members = self->members;
  CsCallLogWalk walk = self->walk;

  most = MIN (most, LINES_OF_PAGE);
  for (guint i = 0; i < self->path->len;)
    {
      const CsCallLogEntry *wanted = &g_array_index (self->path, CsCallLogEntry, i);
      Level *level = level_new (self, parent, line, members, &walk);
      const CsCallLogEntry *found;

      if (!read_around (self, level, wanted->position, most, &line, error))
        return FALSE;
      add_piece (self, level, 0, TRUE);
      if (line == G_MAXUINT)
        return TRUE;
      parent = self->levels->len - 1;
      found = &g_array_index (level->entries, CsCallLogEntry, line);
      members = found->n > 1;
      if (members && self->fold && i + 1 == self->path->len)
        return TRUE;
      if (members)
        cs_call_log_walk_init_members (&walk, self->source.timeline, self->source.track, found, self->source.t0, self->source.t1);
      else
        {
          cs_call_log_walk_init (&walk, self->source.timeline, self->source.track, wanted, self->source.t0, self->source.t1);
          i++;
        }
    }
  return TRUE;
}

/* The call that somebody else named, perhaps by its start alone. */
static gboolean
locate (CsCallLogJob *self, GError **error)
{
  const CsTimelineTrackInfo *info = cs_timeline_get_track_info (self->source.timeline, self->source.track);
  const CsCallPlace place = { .process = info->process, .tid = info->tid, .seq = info->seq, .start = self->call.start,
                              .end = self->call.end, .address = self->call.address, .depth = self->call.depth };
  CsTimelineCall call;

  if (self->call.position != G_MAXUINT64)
    return TRUE;
  if (!cs_call_locate (self->source.timeline, &place, &call, self->cancellable, error))
    return FALSE;
  self->call = call.span;
  return TRUE;
}

static gboolean
list_path (CsCallLogJob *self, GError **error)
{
  return cs_call_log_list_path (self->source.timeline, self->source.track, &self->call, self->source.t0, self->source.t1,
                                self->path, self->cancellable, error);
}

static void
do_job (CsCallLogJob *self, GError **error)
{
  switch (self->kind)
    {
    case READ:
      read_page (self, error);
      break;
    case EXPAND:
      expand (self, error);
      break;
    case PATH:
      if (locate (self, error))
        list_path (self, error);
      break;
    case FIND:
      if (cs_call_log_find (self->source.timeline, self->source.track, self->position, self->backwards, self->source.t0,
                            self->source.t1, self->match, self->match_data, &self->call, self->cancellable, error))
        list_path (self, error);
      break;
    case REVEAL:
      reveal (self, error);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* What lines spent in themselves takes as long as everything in them. */
static void
tell_selves (CsCallLogJob *self)
{
  GArray *selves = g_array_new (FALSE, FALSE, sizeof (CsCallLogSelf));

  for (guint i = 0; i < self->levels->len; i++)
    {
      const Level *level = g_ptr_array_index (self->levels, i);

      for (guint j = 0; j < level->entries->len; j++)
        {
          const CsCallLogEntry *entry = &g_array_index (level->entries, CsCallLogEntry, j);
          CsCallLogSelf found = { i, j, 0 };
          gboolean last = i + 1 == self->levels->len && j + 1 == level->entries->len;

          if (entry->kind == CS_CALL_LOG_CALLS)
            {
              if (!cs_call_log_get_self (self->source.timeline, self->source.track, entry, self->source.t0,
                                         self->source.t1, &found.self, self->cancellable, NULL))
                {
                  g_array_unref (selves);
                  return;
                }
              g_array_append_val (selves, found);
            }
          if (selves->len > 0 && (last || is_due (self)))
            {
              Message *message = message_new (self);

              message->selves = selves;
              post (message);
              self->told = g_get_monotonic_time ();
              selves = g_array_new (FALSE, FALSE, sizeof (CsCallLogSelf));
            }
        }
    }
  g_array_unref (selves);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CsCallLogJob *self = data;
  Message *message = message_new (self);

  do_job (self, &message->error);
  tell_pieces (self);
  message->ready = TRUE;
  if (message->error == NULL)
    {
      post (message);
      tell_selves (self);
      message = message_new (self);
      message->ended = TRUE;
    }
  post (message);
  g_task_return_boolean (task, TRUE);
}

static CsCallLogJob *
start (CsCallLogJob *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, NULL, NULL);

  g_task_set_task_data (task, cs_call_log_job_ref (self), (GDestroyNotify) cs_call_log_job_unref);
  g_task_run_in_thread (task, run);
  return self;
}

/**
 * cs_call_log_job_read:
 * @source: where calls are
 * @walk: a way through one level, from where it is
 * @listener: what to call; stays the caller's
 * @user_data: for @listener
 *
 * Reads a page of lines.
 *
 * Returns: (transfer full): the job, which has begun
 */
CsCallLogJob *
cs_call_log_job_read (const CsCallLogSource *source, const CsCallLogWalk *walk, const CsCallLogListener *listener, gpointer user_data)
{
  CsCallLogJob *self = job_new (READ, source, listener, user_data);

  self->walk = *walk;
  return start (self);
}

/**
 * cs_call_log_job_expand:
 * @source: where calls are
 * @entry: a line
 * @most: how many lines below it to read, about
 * @listener: what to call; stays the caller's
 * @user_data: for @listener
 *
 * Reads what is below a line, level by level.
 *
 * Returns: (transfer full): the job, which has begun
 */
CsCallLogJob *
cs_call_log_job_expand (const CsCallLogSource *source, const CsCallLogEntry *entry, guint most, const CsCallLogListener *listener,
                   gpointer user_data)
{
  CsCallLogJob *self = job_new (EXPAND, source, listener, user_data);

  self->entry = *entry;
  self->most = most;
  return start (self);
}

/**
 * cs_call_log_job_path:
 * @source: where calls are
 * @call: a call: its position, G_MAXUINT64 where it isn't known, or its start and what else is known: end, function, depth
 * @listener: what to call; stays the caller's
 * @user_data: for @listener
 *
 * Looks for the calls that it was made in.
 *
 * Returns: (transfer full): the job, which has begun
 */
CsCallLogJob *
cs_call_log_job_path (const CsCallLogSource *source, const CsTimelineSpan *call, const CsCallLogListener *listener, gpointer user_data)
{
  CsCallLogJob *self = job_new (PATH, source, listener, user_data);

  self->call = *call;
  return start (self);
}

/**
 * cs_call_log_job_find:
 * @source: where calls are
 * @position: as cs_call_log_find() has it
 * @backwards: the same
 * @match: the same; called in a thread
 * @match_data: the same
 * @free_match: frees it
 * @listener: what to call; stays the caller's
 * @user_data: for @listener
 *
 * Looks for the nearest call of some functions, and for the calls that it was made in.
 *
 * Returns: (transfer full): the job, which has begun
 */
CsCallLogJob *
cs_call_log_job_find (const CsCallLogSource *source, guint64 position, gboolean backwards, CsCallLogMatch match, gpointer match_data,
                 GDestroyNotify free_match, const CsCallLogListener *listener, gpointer user_data)
{
  CsCallLogJob *self = job_new (FIND, source, listener, user_data);

  self->position = position;
  self->backwards = backwards;
  self->match = match;
  self->match_data = match_data;
  self->free_match = free_match;
  return start (self);
}

/**
 * cs_call_log_job_reveal:
 * @source: where calls are
 * @walk: a way through the level that the first call is in
 * @members: whether that level is that of a line's calls
 * @fold: whether a line with many calls of which the last one is one will do
 * @path: (array length=n): calls in each other, outermost first
 * @n: how many
 * @listener: what to call; stays the caller's
 * @user_data: for @listener
 *
 * Reads levels as far as what is around each of these calls.
 *
 * Returns: (transfer full): the job, which has begun
 */
CsCallLogJob *
cs_call_log_job_reveal (const CsCallLogSource *source, const CsCallLogWalk *walk, gboolean members, gboolean fold,
                   const CsCallLogEntry *path, guint n, const CsCallLogListener *listener, gpointer user_data)
{
  CsCallLogJob *self = job_new (REVEAL, source, listener, user_data);

  self->walk = *walk;
  self->members = members;
  self->fold = fold;
  g_array_append_vals (self->path, path, n);
  return start (self);
}
