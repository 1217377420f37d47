/* Beside an instrumented program: counts the hooks that have returned, by thread, in the file
 * that KILL_COUNTS names, so that a kill leaves the count.
 *
 * To be linked with --wrap of both hooks. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OURS __attribute__((no_instrument_function))

struct count {
    uint64_t tid, hooks;
};

static struct count *counts;
static uint32_t used; /* of 4096 */
static __thread struct count *mine;

void __real___cyg_profile_func_enter(void *func, void *caller);
void __real___cyg_profile_func_exit(void *func, void *caller);
OURS void __wrap___cyg_profile_func_enter(void *func, void *caller);
OURS void __wrap___cyg_profile_func_exit(void *func, void *caller);

OURS __attribute__((constructor(102))) static void begin(void)
{
    int fd = open(getenv("KILL_COUNTS"), O_RDWR);
    void *map = mmap(NULL, 4096 * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        abort();
    close(fd);
    counts = map;
}

OURS static void done(void)
{
    if (!mine) {
        mine = &counts[__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED) % 4096];
        mine->tid = (uint64_t)syscall(SYS_gettid);
    }
    __atomic_store_n(&mine->hooks, mine->hooks + 1, __ATOMIC_RELEASE);
}

void __wrap___cyg_profile_func_enter(void *func, void *caller)
{
    __real___cyg_profile_func_enter(func, caller);
    done();
}

void __wrap___cyg_profile_func_exit(void *func, void *caller)
{
    __real___cyg_profile_func_exit(func, caller);
    done();
}
