// Objects with constructors and destructors: static, local static, of a thread.  The
// functions have C's names, which __func__ and the report agree about.
#include "truth.h"

#include <pthread.h>

static volatile int sink;

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
}

struct Static {
    Static()
    {
        TRUTH_NAMED("Static::Static()");
        leaf();
    }
    NOINLINE ~Static()
    {
        TRUTH_NAMED("Static::~Static()");
        leaf();
    }
    void use()
    {
        TRUTH_NAMED("Static::use()");
        inlined();
    }
};

// Its base's constructor is called within its own, before the body; and the destructor
// after: so the truth is kept by a base before that one.
struct Keeper {
    struct truth_call call;
    NOHOOK Keeper() : call(truth_enter("Derived::Derived()"))
    {
    }
    NOHOOK ~Keeper()
    {
        truth_leave(&call);
    }
};

struct Derived : Keeper, Static {
    NOINLINE Derived()
    {
        inlined();
        truth_leave(&call);
    }
    ~Derived()
    {
        call = truth_enter("Derived::~Derived()");
        inlined();
    }
};

static Static one;
static Derived two;
static thread_local Derived own;

extern "C" {
NOINLINE void use_local()
{
    TRUTH;
    static Static local;
    Derived here;
    local.use();
    here.use();
}

void *body(void *)
{
    TRUTH;
    own.use();
    use_local();
    return nullptr;
}
}

int main()
{
    TRUTH;
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        pthread_create(&thread, nullptr, body, nullptr);
        pthread_join(thread, nullptr);
        one.use();
        two.use();
    }
    return 0;
}
