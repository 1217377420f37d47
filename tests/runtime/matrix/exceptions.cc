// Exceptions: through several calls, rethrown, with destructors on their way, out of
// inlined functions, into handlers of functions, in and between threads.  The functions
// have C's names, which __func__ and the report agree about.
#include "truth.h"

#include <pthread.h>

static volatile int sink;

struct Oops {
    int n;
};

extern "C" {
inline void inlined()
{
    TRUTH;
    sink = sink + 1;
}

NOINLINE void leaf()
{
    TRUTH;
    inlined();
}

NOINLINE void thrower(int n)
{
    TRUTH;
    leaf();
    if (n > 0)
        thrower(n - 1);
    else
        throw Oops{n};
    leaf();
}

inline void inlined_thrower(int n)
{
    TRUTH;
    leaf();
    if (n % 3)
        throw Oops{n};
    inlined();
}

inline void inlined_around(int n)
{
    TRUTH;
    inlined_thrower(n);
    leaf();
}
}

struct Noisy {
    NOINLINE ~Noisy()
    {
        TRUTH_NAMED("Noisy::~Noisy()");
        leaf();
    }
};

struct Quiet {
    int n;
    NOHOOK Quiet(int number) : n(number)
    {
    }
    inline ~Quiet()
    {
        TRUTH_NAMED("Quiet::~Quiet()");
        if (n > 0)
            inlined();
    }
};

// A base whose constructor throws, and a constructor that catches it.
struct Thrower {
    NOINLINE Thrower(int n)
    {
        TRUTH_NAMED("Thrower::Thrower(int)");
        thrower(n);
    }
};

struct Member : Thrower {
    NOINLINE Member(int n)
    try : Thrower(n) {
    } catch (Oops &) {
        leaf();
    }
};

extern "C" {
NOINLINE void catcher(int n)
{
    TRUTH;
    try {
        thrower(n);
    } catch (Oops &oops) {
        leaf();
        sink = oops.n;
    }
    leaf();
}

NOINLINE void loop(int rounds)
{
    TRUTH;
    for (int i = 0; i < rounds; i++) {
        try {
            inlined();
            thrower(i % 4);
        } catch (Oops &) {
        }
        leaf();
    }
}

NOINLINE void rethrower(int n)
{
    TRUTH;
    try {
        thrower(n);
    } catch (Oops &) {
        leaf();
        throw;
    }
}

NOINLINE void other_thrower(int n)
{
    TRUTH;
    try {
        rethrower(n);
    } catch (...) {
        inlined();
        throw n;
    }
}

NOINLINE void rethrow_catcher(int n)
{
    TRUTH;
    try {
        if (n % 2)
            other_thrower(n);
        else
            rethrower(n);
    } catch (int) {
        leaf();
    } catch (Oops &) {
        inlined();
    }
    leaf();
}

NOINLINE void with_destructors(int n)
{
    TRUTH;
    Noisy noisy;
    Quiet quiet(n);
    if (n > 0)
        with_destructors(n - 1);
    else
        thrower(1);
    leaf();
}

// Throws and catches while an exception is on its way.
struct Catching {
    NOINLINE ~Catching()
    {
        TRUTH_NAMED("Catching::~Catching()");
        catcher(1);
    }
};

NOINLINE void with_catching(int n)
{
    TRUTH;
    Catching catching;
    thrower(n);
}

NOINLINE void destructor_catcher(int n)
{
    TRUTH;
    try {
        with_destructors(n);
    } catch (Oops &) {
        leaf();
    }
    try {
        with_catching(n);
    } catch (Oops &) {
        inlined();
    }
    leaf();
}

NOINLINE void inlined_catcher(int rounds)
{
    TRUTH;
    for (int i = 0; i < rounds; i++) {
        try {
            inlined_around(i);
        } catch (Oops &) {
            inlined();
        }
        leaf();
    }
}

// Their frames are the catcher's, and they end in it: after their destructors.
inline void inlined_holder(int n)
{
    TRUTH;
    Noisy noisy;
    inlined_around(n);
    inlined();
}

inline void inlined_outer_holder(int n)
{
    TRUTH;
    Quiet quiet(n);
    inlined_holder(n + 1);
    leaf();
}

NOINLINE void inlined_destructor_catcher(int rounds)
{
    TRUTH;
    for (int i = 0; i < rounds; i++) {
        try {
            if (i % 2)
                inlined_outer_holder(i);
            else
                inlined_holder(i);
        } catch (Oops &) {
            inlined();
        }
        leaf();
    }
}

NOINLINE void stopped(int n) noexcept
{
    TRUTH;
    try {
        thrower(n);
    } catch (Oops &) {
        leaf();
    }
}

// The handler is the whole function's, where no object of the function is left: so its
// caller keeps the truth.
NOINLINE void whole(int n)
try {
    thrower(n);
} catch (Oops &) {
    leaf();
}

NOINLINE void whole_catcher(int n)
{
    TRUTH;
    stopped(n);
    struct truth_call call = truth_enter("whole");
    whole(n);
    truth_end(call, 0);
    call = truth_enter("Member::Member(int)");
    try {
        Member member(n);
    } catch (Oops &) {
        truth_end(call, 1);
        inlined();
    }
    leaf();
}
}

static std::exception_ptr moved;

extern "C" {
void *thread_body(void *data)
{
    TRUTH;
    loop(static_cast<int>(reinterpret_cast<long>(data)));
    leaf();
    return nullptr;
}

void *keeper(void *data)
{
    TRUTH;
    try {
        thrower(static_cast<int>(reinterpret_cast<long>(data)));
    } catch (...) {
        moved = std::current_exception();
    }
    leaf();
    return nullptr;
}

NOINLINE void thrown_again()
{
    TRUTH;
    leaf();
    std::rethrow_exception(moved);
}

void *user(void *)
{
    TRUTH;
    try {
        thrown_again();
    } catch (Oops &) {
        leaf();
    }
    inlined();
    return nullptr;
}
}

NOHOOK static void on_thread(void *(*body)(void *), long n)
{
    pthread_t thread;
    if (pthread_create(&thread, nullptr, body, reinterpret_cast<void *>(n)) != 0)
        abort();
    pthread_join(thread, nullptr);
}

int main(int argc, char **argv)
{
    TRUTH;
    const char *how = argc > 1 ? argv[1] : "";
    for (int i = 0; i < 12; i++) {
        if (strcmp(how, "loop") == 0) {
            catcher(i % 5);
            loop(i);
        } else if (strcmp(how, "rethrow") == 0) {
            rethrow_catcher(i % 5);
        } else if (strcmp(how, "destructors") == 0) {
            destructor_catcher(i % 4);
        } else if (strcmp(how, "inlined") == 0) {
            inlined_catcher(i);
        } else if (strcmp(how, "inlined-destructors") == 0) {
            inlined_destructor_catcher(i);
        } else if (strcmp(how, "whole") == 0) {
            whole_catcher(i % 4);
        } else if (strcmp(how, "threads") == 0) {
            on_thread(thread_body, i);
            on_thread(keeper, i % 3);
            on_thread(user, 0);
            user(nullptr);
        } else {
            abort();
        }
        leaf();
    }
    moved = nullptr;
    return 0;
}
