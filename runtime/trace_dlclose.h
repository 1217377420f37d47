/* SPDX-License-Identifier: MIT */
/*
 * trace_dlclose.h - the moments before and after a library goes.
 *
 * Another library may be loaded to the place of one that was unloaded before a
 * buffer is full, so that a flush finds the second alone.  The runtime's dlclose
 * stands before libc's: it notes what came since the last flush, closes, and notes
 * what went.  So the first library ends behind the hooks of its destructors, and the
 * second begins there.  dlopen has no such wrapper: the loader asks for its caller's
 * address to find $ORIGIN and RUNPATH.
 *
 * The definition is weak: a program may have its own.
 */
#ifndef CALLSIGHT_TRACE_DLCLOSE_H
#define CALLSIGHT_TRACE_DLCLOSE_H

#include "trace_run.h"

/* What dlclose of a static glibc consists of; it has no next definition. */
#pragma weak _dl_close
#pragma weak _dlerror_run
extern void _dl_close(void *handle);
extern int _dlerror_run(void (*work)(void *), void *data);

/* Notes what came and went, unless this process records nothing. */
TRACE_FN void trace_dlclose_check(void)
{
    if (!__atomic_load_n(&run.process.modules.begun, __ATOMIC_ACQUIRE) || !*run.alive ||
        trace_is_finished() || tls.busy)
        return;
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.busy = true;
    trace_modules_check(&run.process, true);
    trace_table_tell_all();
    tls.busy = false;
    trace_quiet_end(&quiet);
}

TRACE_FN int trace_dlclose_next(void *handle)
{
    static void *known;
    if (_dl_close && _dlerror_run)
        return _dlerror_run(_dl_close, handle) ? -1 : 0;
    void *symbol = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!symbol) {
        symbol = trace_next_symbol("dlclose");
        __atomic_store_n(&known, symbol, __ATOMIC_RELAXED);
    }
    if (!symbol)
        return 0; /* the library stays, as dlclose may have it */
    int (*next)(void *);
    memcpy(&next, &symbol, sizeof next);
    return next(handle);
}

/* No lock is held while the library's destructors run. */
__attribute__((weak, no_instrument_function, visibility("default"))) int dlclose(void *handle)
{
    trace_dlclose_check();
    int result = trace_dlclose_next(handle);
    trace_dlclose_check();
    return result;
}

#endif
