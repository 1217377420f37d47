/* SPDX-License-Identifier: MIT */
/*
 * trace_control.h - recording switched off and on while the program runs.
 *
 * TRACE_SIGNAL names a signal, each of which switches; TRACE_CONTROL a file whose first
 * byte, 0 or 1, says whether to record.  Either may begin switched off: TRACE_ENABLE=0.
 *
 * Off is TRACE_OFF, and a hook is one branch, as if nothing were recorded ever.  So the
 * threads don't notice that recording was off; each is told of it by the first of its
 * hooks behind it:
 *
 *   off     a handler, at any moment in any thread, sets TRACE_OFF and keeps the time.
 *   on      it keeps the time and sets TRACE_WAKING, in which hooks go the slow path.
 *   awake   the first of these takes the locks, leaves in every thread when it was off,
 *           takes away the threads' limits, so that their next hook is a slow one too, and
 *           sets the state in which hooks record.
 *   told    that slow hook puts the markers 257 and 258, with those times, before its own
 *           event; in summary mode it ends the calls that are open, at the time of 257.
 *
 * The event of a hook that was under way at `off` comes before the markers, and 257 then
 * has its time.  A thread without another hook is told at its end, or by the thread that
 * ends the process.  Being switched on and off again without a hook between leaves no trace.
 *
 * `asked` makes switches one at a time without a lock: who raises it from 0 does what it
 * is asked for, and what is asked for meanwhile; all others only raise it.
 *
 * The file is watched by a thread, which only TRACE_CONTROL begins, with all signals
 * blocked: a handler can't be told of a file without taking a signal and interrupting
 * system calls, and a mapping of the file would be a SIGBUS at `echo 1 > file`, which
 * truncates it.  It looks ten times a second with one stat(), which works on every file
 * system and holds no descriptor that a daemon could close or that would change the
 * program's numbers.  In the child of a process with one thread it begins with the child's
 * first hook.  In that of a threaded process, where a thread must not be made, and of
 * _Fork() and clone() there is none; the signal works there.
 */
#ifndef CALLSIGHT_TRACE_CONTROL_H
#define CALLSIGHT_TRACE_CONTROL_H

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "trace_run.h"

#define TRACE_WATCH_NS 100000000 /* between two looks at the control file */
#define TRACE_WATCH_RECENT 30    /* looks: some file systems' times go by two seconds */
#define TRACE_WATCH_STACK ((size_t)128 << 10)

TRACE_FN uint64_t trace_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- switching --------------------------------------------------------------- */

/* Only by whoever is at it. */
static TRACE_NO_HOOK void trace_control_switch(void)
{
    enum trace_state state = trace_state_get();
    if (trace_is_over() || state == TRACE_UNSET)
        return;
    if (state == TRACE_OFF || state == TRACE_RESTING) {
        run.control.now.on = trace_later(trace_clock_now(&run.clock), run.control.now.off);
        run.control.waking = true;
        trace_state_move(state, TRACE_WAKING);
    } else if (state == TRACE_WAKING) {
        run.control.waking = false;
        trace_state_move(state, TRACE_OFF);
    } else if (trace_state_move(state, TRACE_OFF)) {
        run.control.now.off = trace_clock_now(&run.clock);
        run.control.now.offs++;
        __atomic_store_n(&run.control.is_off, true, __ATOMIC_RELEASE);
    }
}

TRACE_FN bool trace_control_enter(void)
{
    uint32_t none = 0;
    return __atomic_compare_exchange_n(&run.control.asked, &none, 1, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

TRACE_FN void trace_control_leave(void)
{
    while (__atomic_fetch_sub(&run.control.asked, 1, __ATOMIC_ACQ_REL) != 1)
        trace_control_switch();
}

/* The handler of TRACE_SIGNAL.  All signals are blocked. */
static TRACE_NO_HOOK void trace_control_signal(int signal)
{
    (void)signal;
    if (__atomic_fetch_add(&run.control.asked, 1, __ATOMIC_ACQ_REL) == 0) {
        trace_control_switch();
        trace_control_leave();
    }
}

/* Nobody switches any more.  (Who is at it may wait for a flush.) */
TRACE_FN void trace_control_hold(void)
{
    static const struct timespec moment = {0, 1000000};
    for (int i = 0; i < 1000 && !trace_control_enter(); i++)
        nanosleep(&moment, NULL);
}

/* --- telling the threads ------------------------------------------------------- */

/* Leaves in a thread when recording was switched off and, where that is known, on.  Its
 * lock is held. */
TRACE_FN void trace_control_cut(struct trace_thread *thread, bool back)
{
    const struct trace_switch *now = &run.control.now;
    if (!thread->cut)
        thread->away.off = now->off;
    thread->cut = true;
    thread->away.offs = thread->known = now->offs;
    thread->back = back;
    if (back) {
        thread->away.on = now->on;
        thread->away.away = now->away;
    }
}

/* Tells all threads, and makes them record.  The list's lock is held, nobody switches. */
TRACE_FN void trace_control_wake_all(void)
{
    struct trace_switch *now = &run.control.now;
    uint64_t off = trace_later(now->off, run.start.ticks);
    now->on = trace_later(now->on, off);
    now->away += now->on - off;
    for (struct trace_thread *thread = run.threads; thread; thread = thread->next) {
        pthread_mutex_lock(&thread->lock);
        trace_control_cut(thread, true);
        __atomic_store_n(&thread->hot->limit, NULL, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&thread->lock);
    }
    run.control.told = *now;
    run.control.waking = false;
    __atomic_store_n(&run.control.is_off, false, __ATOMIC_RELEASE);
    trace_barrier(); /* who sees the state sees that the limit is gone */
    trace_state_move(TRACE_WAKING, trace_state_on());
}

/* The first hook after recording was switched on; the thread is in the slow path.  Hooks
 * that come meanwhile wait. */
static TRACE_NO_HOOK void trace_control_wake(void)
{
    bool at_it = false;
    pthread_mutex_lock(&run.threads_lock);
    for (int i = 0; i < 1000 && !at_it && trace_state_get() == TRACE_WAKING; i++) {
        at_it = trace_control_enter();
        if (!at_it)
            sched_yield();
    }
    if (at_it && trace_state_get() == TRACE_WAKING)
        trace_control_wake_all();
    if (at_it)
        trace_control_leave();
    pthread_mutex_unlock(&run.threads_lock);
}

/* A thread that begins: calls that are open in it may have begun unseen.  The list's lock
 * is held. */
static TRACE_NO_HOOK void trace_control_join(struct trace_thread *thread)
{
    if (thread->known == run.control.told.offs || trace_is_finished())
        return;
    thread->away = run.control.told;
    thread->known = thread->away.offs;
    thread->cut = thread->back = true;
}

/* A thread that ends, maybe while recording is off.  Its lock is held: `now.off` stays,
 * since who changes it has waited for that lock before. */
static TRACE_NO_HOOK void trace_control_end_thread(struct trace_thread *thread)
{
    if (__atomic_load_n(&run.control.is_off, __ATOMIC_ACQUIRE))
        trace_control_cut(thread, false);
}

/* The process ends; trace_control_hold() came before. */
TRACE_FN void trace_control_mark(struct trace_thread *thread)
{
    if (__atomic_load_n(&run.control.is_off, __ATOMIC_ACQUIRE))
        trace_control_cut(thread, run.control.waking);
}

/* Takes what a thread is to be told as markers, no earlier than `least`.  Returns their
 * number, two at most. */
TRACE_FN size_t trace_control_markers(struct trace_thread *thread, uint64_t least,
                                      struct trace_event *markers)
{
    uint64_t word = trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER);
    uint64_t off = trace_later(trace_later(thread->away.off, run.start.ticks), least);
    bool cut = thread->cut;
    thread->cut = false;
    if (!cut || thread->mode != TRACE_RECORDING)
        return 0;
    trace_event_put(&markers[0], off, TRACE_MARK_OFF, thread->away.offs, word);
    if (!thread->back)
        return 1;
    trace_event_put(&markers[1], trace_later(thread->away.on, off), TRACE_MARK_ON,
                    thread->away.away, word);
    return 2;
}

/* Ends the calls that are open at the time when recording was switched off. */
TRACE_FN void trace_control_cut_summary(struct trace_thread *thread)
{
    struct trace_summary *summary = thread->summary;
    if (thread->cut && summary->started) {
        summary->last = trace_later(thread->away.off, summary->last);
        trace_sums_close_all(thread);
    }
    summary->beyond = 0;
    thread->cut = false;
}

/* Tells a thread, in its slow path, that recording was off; this is where its capture goes
 * on.  `now` is the time of what follows. */
static TRACE_NO_HOOK void trace_control_tell(struct trace_thread *thread, uint64_t now)
{
    if (!thread->cut)
        return;
    if (thread->summary) {
        trace_control_cut_summary(thread);
        return;
    }
    /* Clocks of processors differ a little. */
    if (thread->away.on > now)
        thread->away.on = now;
    if (thread->away.off > now)
        thread->away.off = now;
    struct trace_event markers[2];
    size_t count =
        trace_control_markers(thread, trace_thread_time(thread, thread->hot->next), markers);
    for (size_t i = 0; i < count; i++)
        trace_put_marker(thread, markers[i].ts, markers[i].func, markers[i].caller);
    trace_resume(thread, now);
}

/* --- the control file ------------------------------------------------------------ */

/* What the control file says, 0 or 1, and what it is.  -1: neither, or errno. */
TRACE_FN int trace_control_read(struct stat *info)
{
    char byte;
    int says = -1;
    int fd = open(run.config.control, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    errno = 0;
    if (fstat(fd, info) == 0) {
        if (!S_ISREG(info->st_mode))
            errno = EINVAL;
        else if (info->st_uid != geteuid() && info->st_uid != 0)
            errno = EPERM; /* it isn't for others to say */
        else if (read(fd, &byte, 1) == 1 && (byte == '0' || byte == '1'))
            says = byte - '0';
    }
    int error = errno;
    close(fd);
    errno = error;
    return says;
}

TRACE_FN void trace_control_note_neither(void)
{
    trace_note("%.512s begins with neither 0 nor 1: recording stays as it is", run.config.control);
}

/* Creates the control file, which then says what is.  Its time is past, so that whatever
 * is written next is seen. */
TRACE_FN bool trace_control_create(bool on)
{
    struct timespec times[2];
    int fd = open(run.config.control, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= 10;
    times[1] = times[0];
    bool done = fchmod(fd, 0600) == 0 && write(fd, on ? "1\n" : "0\n", 2) == 2;
    futimens(fd, times);
    close(fd);
    return done;
}

TRACE_FN void trace_control_set(bool on)
{
    static const struct timespec moment = {0, 1000000};
    while (!trace_control_enter()) {
        if (trace_is_over())
            return;
        nanosleep(&moment, NULL);
    }
    if (on != (trace_state_is_on() || trace_state_get() == TRACE_WAKING))
        trace_control_switch();
    trace_control_leave();
}

/* Whether the watching thread is the only one left: those of the program have ended one
 * by one, with main in pthread_exit(), and the process is to end with the last. */
TRACE_FN bool trace_control_is_alone(void)
{
    char unused;
    return !trace_process_is_threaded(1) && readlink("/proc/self/exe", &unused, 1) < 0 &&
           errno == ENOENT;
}

/* What the watching thread saw last. */
static struct {
    struct stat info;
    int says;
} trace_watched;

static TRACE_NO_HOOK void *trace_control_watch(void *unused)
{
    static const struct timespec pause = {0, TRACE_WATCH_NS};
    unsigned recent = 0;
    (void)unused;
    tls.busy = true; /* no call of this thread is recorded */
    prctl(PR_SET_NAME, "callsight", 0, 0, 0);
    for (unsigned look = 1; !trace_is_over(); look++) {
        struct stat info, *seen = &trace_watched.info;
        nanosleep(&pause, NULL);
        if (look % 10 == 0 && trace_control_is_alone())
            break;
        if (lstat(run.config.control, &info) != 0)
            continue;
        bool changed = info.st_dev != seen->st_dev || info.st_ino != seen->st_ino ||
                       info.st_size != seen->st_size ||
                       info.st_mtim.tv_sec != seen->st_mtim.tv_sec ||
                       info.st_mtim.tv_nsec != seen->st_mtim.tv_nsec;
        recent = changed ? TRACE_WATCH_RECENT : recent ? recent - 1 : 0;
        if (!recent)
            continue;
        *seen = info;
        int says = trace_control_read(seen);
        if (says >= 0 && (changed || says != trace_watched.says)) {
            trace_watched.says = says;
            trace_control_set(says == 1);
        } else if (says < 0 && changed && errno == 0 && seen->st_size) {
            trace_control_note_neither();
        }
    }
    __atomic_store_n(&run.control.watcher, 0, __ATOMIC_RELAXED);
    tls.busy = false;
    return NULL;
}

/* Begins the watching thread; signals are blocked.  Returns 0 or an errno. */
TRACE_FN int trace_control_begin_watch(void)
{
    pthread_t thread;
    pthread_attr_t attr;
    __atomic_store_n(&run.control.watcher, getpid(), __ATOMIC_RELAXED);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    size_t usual;
    pthread_attr_getstacksize(&attr, &usual);
    pthread_attr_setstacksize(&attr, TRACE_WATCH_STACK);
    int error = pthread_create(&thread, &attr, trace_control_watch, NULL);
    if (error == EINVAL) { /* the program's thread-local variables need more */
        pthread_attr_setstacksize(&attr, usual);
        error = pthread_create(&thread, &attr, trace_control_watch, NULL);
    }
    pthread_attr_destroy(&attr);
    if (error)
        __atomic_store_n(&run.control.watcher, 0, __ATOMIC_RELAXED);
    return error;
}

/* At the first hook of a child. */
TRACE_FN void trace_control_watch_child(void)
{
    if (run.config.control[0] && !run.threaded &&
        __atomic_load_n(&run.control.watcher, __ATOMIC_RELAXED) != getpid())
        trace_control_begin_watch();
}

static TRACE_NO_HOOK void trace_control_rest(void)
{
    pthread_mutex_lock(&run.start_lock);
    trace_control_watch_child();
    pthread_mutex_unlock(&run.start_lock);
    trace_state_move(TRACE_RESTING, TRACE_OFF);
}

/* --- start and fork ---------------------------------------------------------------- */

TRACE_FN bool trace_control_is_wanted(void)
{
    return run.config.signal || run.config.control[0];
}

/* Looks what the control file says, or creates it.  False: it can't be watched. */
TRACE_FN bool trace_control_open(bool *on)
{
    struct stat *seen = &trace_watched.info;
    bool wanted = *on;
    int says = trace_control_read(seen);
    if (says < 0 && errno == ENOENT && trace_control_create(wanted))
        says = trace_control_read(seen);
    int error = says < 0 ? errno : 0;
    trace_watched.says = says;
    if (says >= 0)
        *on = says == 1;
    else if (!error)
        trace_control_note_neither();
    if (!error)
        error = trace_control_begin_watch();
    if (error)
        trace_note("TRACE_CONTROL=%.512s cannot be watched: %s", run.config.control,
                   error == EPERM ? "it is another user's" : strerror(error));
    else if (wanted && !*on)
        trace_note("%.512s says 0: recording begins when it says 1", run.config.control);
    return !error;
}

/* Makes the signal a switch, unless it is the program's.  False: it isn't one. */
TRACE_FN bool trace_control_catch(void)
{
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = trace_control_signal;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    if (sigaction(run.config.signal, NULL, &old) != 0) {
        trace_note("TRACE_SIGNAL: signal %d is not the program's to use", run.config.signal);
        return false;
    }
    if ((old.sa_flags & SA_SIGINFO) || (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)) {
        trace_note("the program handles signal %d itself: TRACE_SIGNAL does not switch recording",
                   run.config.signal);
        return false;
    }
    return sigaction(run.config.signal, &action, NULL) == 0;
}

/* The last step of the start: recording is on, or off until it is switched on. */
TRACE_FN void trace_control_begin(void)
{
    bool on = !run.config.armed;
    bool watched = run.config.control[0] && trace_control_open(&on);
    bool caught = run.config.signal && trace_control_catch();
    if (!watched)
        run.config.control[0] = '\0';
    if (!on && !watched && !caught) {
        trace_note("nothing can switch recording on; nothing is recorded");
        *run.alive = 0; /* there is nothing to finish */
        trace_state_end();
        return;
    }
    if (!on) {
        run.control.now.off = run.start.ticks;
        run.control.now.offs = 1;
        run.control.is_off = true;
    }
    trace_state_set(on ? trace_state_on() : TRACE_OFF);
}

/* In a child, which is its own process from here: what it says of being off begins with
 * its own capture. */
TRACE_FN void trace_control_fork(void)
{
    static const struct trace_switch never = {.offs = 0};
    enum trace_state state = trace_state_get();
    uint64_t on = run.control.now.on;
    run.control.asked = 0;
    run.control.now = run.control.told = never;
    run.control.is_off = !trace_state_is_on();
    run.control.waking = state == TRACE_WAKING;
    run.control.now.on = on;
    run.control.now.offs = run.control.is_off;
    if (run.config.control[0] && !run.threaded)
        trace_state_move(TRACE_OFF, TRACE_RESTING);
}

#endif
