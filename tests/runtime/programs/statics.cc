// C++: objects with constructors and destructors, static, thread-local and local,
// and an exception that unwinds.  The names are extern "C" so that nm's fit.
#include <cstdio>
#include <stdexcept>
#include <thread>

static volatile unsigned sink;
extern "C" {
__attribute__((noinline)) void static_made() { sink++; }
__attribute__((noinline)) void static_gone() { sink++; }
__attribute__((noinline)) void local_made() { sink++; }
__attribute__((noinline)) void local_gone() { sink++; }
__attribute__((noinline)) void body() { sink++; }
}

#define NO_HOOK __attribute__((no_instrument_function))

struct Static {
    NO_HOOK Static() { static_made(); }
    NO_HOOK ~Static() { static_gone(); }
};

struct Local {
    NO_HOOK Local() { local_made(); }
    NO_HOOK ~Local() { local_gone(); }
    NO_HOOK void use() { body(); }
};

static Static one, two;
static thread_local Local local;

NO_HOOK static void *run(void *)
{
    local.use();
    local.use();
    return nullptr;
}

NO_HOOK int main()
{
    pthread_t threads[2];
    static Static three;
    for (pthread_t &thread : threads)
        pthread_create(&thread, nullptr, run, nullptr);
    for (pthread_t &thread : threads)
        pthread_join(thread, nullptr);
    run(nullptr);
    return 0;
}
