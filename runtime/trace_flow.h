/* SPDX-License-Identifier: MIT */
/*
 * trace_flow.h - ways out of a function that call no exit hook, and switches of the stack.
 *
 * longjmp() and its kin, the setting of a landing pad's address by the unwinder, and
 * swapcontext() and setcontext() are defined here and call the next definition.  All are
 * weak: a program that has its own keeps it.  What jumps or switches without any of them
 * (a hand-written switch, an unwinder linked statically) leaves its calls open; a reader
 * ends them when one below them exits.
 *
 * In a static program there is no next definition, but libc has the same functions under
 * other names, in archive members that references to pthread_exit() and makecontext()
 * bring along.
 */
#ifndef CALLSIGHT_TRACE_FLOW_H
#define CALLSIGHT_TRACE_FLOW_H

#include <setjmp.h>
#include <ucontext.h>

#include "trace_hook.h"
#include "trace_run.h"

#define TRACE_INTERPOSED __attribute__((no_instrument_function, weak, visibility("default")))

/* Whether the caller runs on a signal's own stack, and where that is. */
TRACE_FN bool trace_on_signal_stack(uintptr_t *low, uintptr_t *high)
{
    stack_t stack;
    int error = errno;
    bool on = sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK);
    errno = error;
    *low = on ? (uintptr_t)stack.ss_sp : 0;
    *high = on ? *low + stack.ss_size : 0;
    return on;
}

/* The 32-bit ARM unwinder has no _Unwind_SetIP(): there it is a macro.  On i386 a hook's
 * arguments lie on the stack, so the stack pointer at a hook says less. */
#if !defined(__arm__) && !defined(__i386__)
#define TRACE_HAVE_LANDINGS 1

/* --- the next definitions ------------------------------------------------------------- */

enum trace_next {
    TRACE_NEXT_SET_IP,
    TRACE_NEXT_GET_CFA,
    TRACE_NEXT_SETCONTEXT,
    TRACE_NEXT_SWAPCONTEXT,
    TRACE_NEXT_LONGJMP,
    TRACE_NEXT_BSD_LONGJMP,
    TRACE_NEXT_SIGLONGJMP,
    TRACE_NEXT_LONGJMP_CHK,
    TRACE_NEXT_VFORK,
    TRACE_NEXTS
};

static struct {
    const char *name;
    void *symbol;
} trace_nexts[TRACE_NEXTS] = {
    {"_Unwind_SetIP", NULL}, {"_Unwind_GetCFA", NULL}, {"setcontext", NULL},
    {"swapcontext", NULL},   {"longjmp", NULL},        {"_longjmp", NULL},
    {"siglongjmp", NULL},    {"__longjmp_chk", NULL},  {"vfork", NULL}};

/* NULL: there is none, as in a static program. */
TRACE_FN void *trace_next(enum trace_next which)
{
    void *symbol = __atomic_load_n(&trace_nexts[which].symbol, __ATOMIC_ACQUIRE);
    if (!symbol) {
        symbol = trace_next_symbol(trace_nexts[which].name);
        __atomic_store_n(&trace_nexts[which].symbol, symbol, __ATOMIC_RELEASE);
    }
    return symbol;
}

/* Finds them all before the program runs: later a look-up, which takes the loader's lock,
 * could come while another thread waits for this one with that lock held. */
TRACE_FN void trace_next_all(void)
{
    for (int i = 0; i < TRACE_NEXTS; i++)
        trace_next((enum trace_next)i);
}

/* --- landings ----------------------------------------------------------------------- */

/* Whether the thread records, so that it can be told what happened to its stack. */
TRACE_FN bool trace_is_told(const struct trace_thread *thread)
{
    return thread && tls.hot && !tls.busy && trace_state_is_on() && *run.alive &&
           !trace_is_finished();
}

/* Notes that the program goes on where the landing says, and on the stack of tls.context,
 * having left that of `from`. */
static TRACE_COLD void trace_go_on(struct trace_thread *thread, struct trace_context *from,
                                   const struct trace_landing *landing)
{
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.busy = true;
    pthread_mutex_lock(&thread->lock);
    if (!trace_is_finished() && !tls.held) { /* now: a handler may have switched stacks */
        uint64_t now = trace_clock_now(&run.clock);
        trace_drain_side(thread, now);
        trace_after_vfork(thread, now);
#ifdef TRACE_HAVE_JUMPS
        if (tls.context != from && thread->summary)
            trace_sums_leave(thread, from, now);
#endif
        if (tls.context != from)
            trace_run_context(thread, now);
        trace_land(thread, landing, now);
        if (!thread->summary)
            trace_set_limit(thread);
    }
    pthread_mutex_unlock(&thread->lock);
    tls.busy = false;
    trace_quiet_end(&quiet);
}

/* The program is about to go on at `pc` with the stack pointer `sp`.  `code` says how; 0:
 * in a way of which only the stack pointer matters. */
static TRACE_COLD void trace_landed(uintptr_t sp, uintptr_t pc, uint64_t code)
{
    struct trace_thread *thread = tls.self;
    if (!trace_is_told(thread) || thread->mode != TRACE_RECORDING)
        return;
    struct trace_hot *hot = thread->hot;
    struct trace_landing landing = {.sp = sp, .pc = pc, .code = code};
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), hook;
    if (trace_is_held(hot, &hook))
        return;
    bool inside = false; /* a signal's own stack */
    if ((hook || here > sp) && trace_on_signal_stack(&landing.low, &landing.high))
        inside = sp >= landing.low && sp < landing.high;
    if (inside)
        landing.low = landing.high = 0;
    if (hook && (inside || sp <= hook)) { /* in a handler that interrupted a hook */
        trace_put_aside(thread, (uintptr_t)code, pc, sp, TRACE_KIND_MARKER);
        return;
    }
    if (hook)
        trace_leave_hook(hot);
    trace_go_on(thread, tls.context, &landing);
}

#endif

/* --- exceptions ----------------------------------------------------------------------- */

#ifdef TRACE_HAVE_LANDINGS

struct _Unwind_Context;

TRACE_INTERPOSED void _Unwind_SetIP(struct _Unwind_Context *context, uintptr_t pc);

/* A personality routine has found a landing pad.  What it is told as the canonical frame
 * address is that of the callee, which is the stack pointer of the function that lands. */
void _Unwind_SetIP(struct _Unwind_Context *context, uintptr_t pc)
{
    void (*set)(struct _Unwind_Context *, uintptr_t);
    uintptr_t (*get)(struct _Unwind_Context *);
    void *found = trace_next(TRACE_NEXT_SET_IP), *frame = trace_next(TRACE_NEXT_GET_CFA);
    if (!found && &dlsym) {
        /* A library that a dlopen'ed one brought is not behind this one.  (That dlopen() is
         * found by its name spares static programs the linker's warning.) */
        void *opener = dlsym(RTLD_DEFAULT, "dlopen");
        void *(*open_library)(const char *, int);
        memcpy(&open_library, &opener, sizeof open_library);
        void *library = opener ? open_library("libgcc_s.so.1", RTLD_LAZY | RTLD_NOLOAD) : NULL;
        found = library ? dlsym(library, "_Unwind_SetIP") : NULL;
        frame = library ? dlsym(library, "_Unwind_GetCFA") : NULL;
    }
    if (!found) {
        trace_note("the program's unwinder has no _Unwind_SetIP()");
        abort();
    }
    memcpy(&set, &found, sizeof set);
    memcpy(&get, &frame, sizeof get);
    if (get)
        trace_landed(get(context), pc, TRACE_MARK_LANDED);
    set(context, pc);
}

#endif

/* --- stacks ------------------------------------------------------------------------------ */

#ifdef TRACE_HAVE_JUMPS

/* A hook that a handler interrupted to switch goes on when its stack does, and only then the
 * buffer is whole again: hooks on other stacks are refused until then.  One of those may have
 * seen before that no hook was under way.  It goes the slow path, since the limit is gone, which
 * refuses it; where it is left before it comes there, it finds the limit gone when it goes on.
 * Returns whether a hook was half done: then nothing is told of the switch. */
static TRACE_COLD bool trace_hold(struct trace_hot *hot, struct trace_context *from,
                                  const struct trace_context *to, uintptr_t sp)
{
    if (!tls.held && !hot->inside)
        return false;
    if (!tls.held) {
        tls.held = from;
        tls.held_id = from->id;
        tls.held_inside = hot->inside;
        __atomic_store_n(&hot->limit, NULL, __ATOMIC_RELAXED);
    } else if (hot->inside != tls.held_inside) {
        from->late = hot->inside;
        from->late_in = hot;
        hot->inside = tls.held_inside;
    }
    bool gone = tls.held->id != tls.held_id || (tls.held_id && !tls.held->high) ||
                (to == tls.held && sp > hot->inside); /* another was made on the stack */
    if (gone || to == tls.held)
        tls.held = NULL;
    if (gone)
        trace_leave_hook(hot);
    return !gone;
}

/* The thread goes on in `to`, its stack pointer there being `sp`; 0: where it was left. */
static TRACE_COLD void trace_switch_to(struct trace_context *to, uintptr_t sp)
{
    struct trace_context *from = tls.context;
    struct trace_thread *thread = tls.self;
    __atomic_fetch_add(&tls.switches, 1, __ATOMIC_RELAXED);
    if (from)
        __atomic_store_n(&from->runner, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&to->runner, &tls, __ATOMIC_RELEASE);
    tls.context = to;
    if (!thread || tls.busy || !*run.alive)
        return;
    bool holds = from && trace_hold(thread->hot, from, to, sp);
    if (!holds && (to != from || sp) && trace_is_told(thread) && thread->mode == TRACE_RECORDING) {
        struct trace_landing landing = {.sp = sp};
        trace_go_on(thread, from, &landing);
    }
    if (to->late && to->late_in == thread->hot) {
        thread->hot->inside = to->late;
        __atomic_store_n(&thread->hot->limit, NULL, __ATOMIC_RELAXED);
    }
    to->late = 0;
}

TRACE_FN uintptr_t trace_context_sp(const ucontext_t *context)
{
#ifdef __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)context->uc_mcontext.sp;
#endif
}

TRACE_FN uintptr_t trace_context_pc(const ucontext_t *context)
{
#ifdef __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

/* The context that the thread runs now, from here on known as `name`, where that is not
 * NULL.  NULL: nothing is recorded, or there is no memory. */
TRACE_FN struct trace_context *trace_context_now(const ucontext_t *name)
{
    if (!run.alive || !*run.alive)
        return NULL;
    if (tls.context && !name)
        return tls.context;
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    pthread_mutex_lock(&run.contexts.lock);
    if (!tls.context)
        tls.context = tls.own = trace_context_new(&run.contexts, true);
    if (tls.context && name)
        trace_context_name(&run.contexts, tls.context, name);
    pthread_mutex_unlock(&run.contexts.lock);
    trace_quiet_end(&quiet);
    return tls.context;
}

/* The one of `found`, which may be NULL, the thread's own and the running one on whose stack
 * `sp` lies.  The lock is held. */
TRACE_FN struct trace_context *trace_context_or_own(struct trace_context *found, uintptr_t sp)
{
    if (found || !tls.context->high || trace_context_holds(tls.context, sp))
        return found ? found : tls.context;
    if (!tls.own)
        tls.own = trace_context_new(&run.contexts, true);
    return tls.own ? tls.own : tls.context;
}

/* The context that `to` leads to: one that was left there, the one on whose stack it lies, or
 * a new one on the stack that it names. */
TRACE_FN struct trace_context *trace_context_of(const ucontext_t *to)
{
    struct trace_contexts *contexts = &run.contexts;
    uintptr_t sp = trace_context_sp(to), low = (uintptr_t)to->uc_stack.ss_sp;
    uintptr_t high = low + to->uc_stack.ss_size;
    bool named = sp > low && sp <= high && high - low <= TRACE_CONTEXT_STACK;
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    pthread_mutex_lock(&contexts->lock);
    struct trace_context *found = trace_context_named(contexts, to);
    /* A name is an address, and may be that of another one's ucontext_t by now. */
    if (found && (found->high ? !trace_context_holds(found, sp) : named || found != tls.own))
        found = NULL;
    if (!found)
        found = trace_context_around(contexts, sp);
    if (found && found->runner && found->runner != &tls) {
        /* It was left unseen by a thread whose hooks may still use the record. */
        named = true;
        low = found->low;
        high = found->high;
        trace_context_drop(contexts, found);
        found = NULL;
    }
    if (!found && named) {
        found = trace_context_new(contexts, false);
        if (found && !trace_context_lay(contexts, found, low, high)) {
            trace_context_drop(contexts, found);
            found = NULL;
        }
    }
    if (found)
        trace_context_name(contexts, found, to);
    found = trace_context_or_own(found, sp);
    pthread_mutex_unlock(&contexts->lock);
    trace_quiet_end(&quiet);
    return found;
}

/* The context that a jump to `sp` leads to. */
TRACE_FN struct trace_context *trace_context_at(uintptr_t sp)
{
    struct trace_context *now = trace_context_now(NULL);
    if (!now || trace_context_holds(now, sp))
        return now;
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    pthread_mutex_lock(&run.contexts.lock);
    struct trace_context *found = trace_context_around(&run.contexts, sp);
    if (found && found != now &&
        (trace_context_holds(found, (uintptr_t)&quiet) ||
         (found->runner && found->runner != &tls))) {
        /* The stack was given back, and is part of the one that runs. */
        trace_context_drop(&run.contexts, found);
        found = NULL;
    }
    found = trace_context_or_own(found, sp);
    pthread_mutex_unlock(&run.contexts.lock);
    trace_quiet_end(&quiet);
    return found;
}

/* What a static program has; see the head of this file. */
int __setcontext(const ucontext_t *to) __attribute__((weak));
static __attribute__((used)) void (*const trace_keep_contexts)(ucontext_t *, void (*)(void), int,
                                                               ...) = makecontext;

/* A call of the next setcontext(). */
TRACE_FN int trace_set_context(const ucontext_t *to)
{
    void *found = trace_next(TRACE_NEXT_SETCONTEXT);
    int (*next)(const ucontext_t *) = __setcontext;
    if (found)
        memcpy(&next, &found, sizeof next);
    if (!next) {
        errno = ENOSYS;
        return -1;
    }
    return next(to);
}

/* A call of the next swapcontext(), or what it does. */
static TRACE_COLD int trace_swap_context(ucontext_t *from, const ucontext_t *to)
{
    void *found = trace_next(TRACE_NEXT_SWAPCONTEXT);
    if (found) {
        int (*next)(ucontext_t *, const ucontext_t *);
        memcpy(&next, &found, sizeof next);
        return next(from, to);
    }
    volatile bool left = false;
    if (getcontext(from) != 0)
        return -1;
    if (left)
        return 0;
    left = true;
    return trace_set_context(to);
}

TRACE_INTERPOSED int swapcontext(ucontext_t *from, const ucontext_t *to);
TRACE_INTERPOSED int setcontext(const ucontext_t *to);

/* Whoever switches back to `from` comes out of the call here, also the end of a context that
 * has it as its successor. */
int swapcontext(ucontext_t *from, const ucontext_t *to)
{
    struct trace_context *now = trace_context_now(from);
    if (now)
        trace_switch_to(trace_context_of(to), trace_context_sp(to));
    int result = trace_swap_context(from, to);
    if (now)
        trace_switch_to(now, 0);
    return result;
}

int setcontext(const ucontext_t *to)
{
    struct trace_context *now = trace_context_now(NULL);
    if (now) {
        struct trace_context *found = trace_context_of(to);
        if (found != now)
            trace_switch_to(found, trace_context_sp(to));
        else
            trace_landed(trace_context_sp(to), trace_context_pc(to), TRACE_MARK_JUMPED);
    }
    return trace_set_context(to);
}

#endif

/* --- longjmp ---------------------------------------------------------------------------- */

#ifdef TRACE_HAVE_JUMPS

/* Where a jump leads.  libc keeps these two registers combined with a secret. */
TRACE_FN void trace_jump_target(const struct __jmp_buf_tag *env, uintptr_t *sp, uintptr_t *pc)
{
    uintptr_t words[sizeof env->__jmpbuf / sizeof(uintptr_t)];
    memcpy(words, env->__jmpbuf, sizeof words);
#ifdef __x86_64__
    uintptr_t guard;
    __asm__("movq %%fs:0x30, %0" : "=r"(guard));
    *sp = (words[6] >> 17 | words[6] << 47) ^ guard;
    *pc = (words[7] >> 17 | words[7] << 47) ^ guard;
#else
    /* The secret is what _setjmp() makes of the stack pointer here, which stands still
     * within a function. */
    jmp_buf own;
    uintptr_t mine[sizeof own->__jmpbuf / sizeof(uintptr_t)], here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    (void)_setjmp(own);
    memcpy(mine, own->__jmpbuf, sizeof mine);
    *sp = words[13] ^ mine[13] ^ here;
    *pc = words[11] ^ mine[13] ^ here;
#endif
}

typedef void (*trace_jump)(struct __jmp_buf_tag *env, int value);

/* What a static program has. */
void __libc_longjmp(struct __jmp_buf_tag *env, int value) __attribute__((weak, noreturn));
void __libc_siglongjmp(struct __jmp_buf_tag *env, int value) __attribute__((weak, noreturn));
static __attribute__((used)) void (*const trace_keep_jumps)(void *) = pthread_exit;

static TRACE_COLD __attribute__((noreturn)) void trace_jump_over(struct __jmp_buf_tag *env,
                                                                 int value, enum trace_next which)
{
    void *found = trace_next(which);
    trace_jump jump = &__libc_longjmp ? __libc_longjmp : __libc_siglongjmp;
    if (found)
        memcpy(&jump, &found, sizeof jump);
    if (!jump) {
        trace_note("the program's libc has no %s()", trace_nexts[which].name);
        abort();
    }
    uintptr_t sp, pc;
    trace_jump_target(env, &sp, &pc);
    if (__atomic_load_n(&run.contexts.last_id, __ATOMIC_RELAXED)) {
        struct trace_context *to = trace_context_at(sp);
        if (to && to != tls.context)
            trace_switch_to(to, 0);
    }
    trace_landed(sp, pc, TRACE_MARK_JUMPED);
    jump(env, value);
    abort(); /* not reached */
}

#define TRACE_JUMP(name, which)                                                                    \
    TRACE_INTERPOSED __attribute__((noreturn)) void name(jmp_buf env, int value);                  \
    void name(jmp_buf env, int value)                                                              \
    {                                                                                              \
        trace_jump_over(env, value, which);                                                        \
    }

TRACE_JUMP(longjmp, TRACE_NEXT_LONGJMP)
TRACE_JUMP(_longjmp, TRACE_NEXT_BSD_LONGJMP)
TRACE_JUMP(siglongjmp, TRACE_NEXT_SIGLONGJMP)
TRACE_JUMP(__longjmp_chk, TRACE_NEXT_LONGJMP_CHK)

#endif

/* --- vfork ------------------------------------------------------------------------------ */

#if defined(TRACE_HAVE_JUMPS) && defined(__x86_64__)

/* The child runs on in its parent's memory and stack; the calls that it is in when it ends
 * are none of the parent's.  Returns the next vfork(), or NULL. */
static TRACE_COLD __attribute__((used)) void *trace_before_vfork(uintptr_t sp)
{
    struct trace_thread *thread = tls.self;
    if (trace_is_told(thread) && thread->mode == TRACE_RECORDING) {
        if (sp > thread->vfork_sp)
            thread->vfork_sp = sp;
        __atomic_store_n(&thread->hot->limit, NULL, __ATOMIC_RELAXED); /* see trace_after_vfork() */
    }
    return trace_next(TRACE_NEXT_VFORK);
}

static TRACE_COLD __attribute__((used)) long trace_vfork_failed(int error)
{
    errno = error;
    return -1;
}

TRACE_INTERPOSED __attribute__((naked)) pid_t vfork(void);

/* It returns twice on one stack, so nothing of ours may lie there: the next one is jumped
 * to.  Where there is none, in a static program, it is the system call with the return
 * address kept in a register. */
pid_t vfork(void)
{
    __asm__("leaq 8(%%rsp), %%rdi\n\t"
            "subq $8, %%rsp\n\t"
            "call %P0\n\t"
            "addq $8, %%rsp\n\t"
            "testq %%rax, %%rax\n\t"
            "jz 1f\n\t"
            "jmp *%%rax\n"
            "1:\n\t"
            "popq %%rdi\n\t"
            "movl %2, %%eax\n\t"
            "syscall\n\t"
            "pushq %%rdi\n\t"
            "cmpq $-4095, %%rax\n\t"
            "jae 2f\n\t"
            "ret\n"
            "2:\n\t"
            "negl %%eax\n\t"
            "movl %%eax, %%edi\n\t"
            "jmp %P1"
            :
            : "i"(trace_before_vfork), "i"(trace_vfork_failed), "i"(SYS_vfork));
}

#endif

#endif
