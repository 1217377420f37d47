/* `packs HOW N SEED TRUTH`: calls of the hooks as a program's would be, but of functions that are
 * drawn, and what was called written to the file TRUTH: u64 function, call site, kind each.
 * walk: enters, matching and other exits, many sites in turn.  sites: N sites, one after the
 * other, SEED times.  deep: N calls within each other, and back.  gaps: calls between sleeps.
 * high: addresses of more than 48 bits.  jump: until a handler has jumped out N times of where it
 * came, which may be a hook; prints how many calls that may have left out.  fork: a handler forks N
 * times, and the children call hooks and end; prints how many of them ended otherwise.  exit: a
 * handler ends the process.  remove: the segments are removed once; prints after how many calls. */
#define _GNU_SOURCE
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))

void __cyg_profile_func_enter(void *func, void *caller);
void __cyg_profile_func_exit(void *func, void *caller);

static uint64_t seed;
static FILE *truth;

struct call {
    uintptr_t func, caller;
};

NO_HOOK static uint64_t draw(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

NO_HOOK static void note(struct call call, unsigned kind)
{
    uint64_t fields[3] = {call.func, call.caller, kind};
    fwrite(fields, sizeof fields, 1, truth);
    if (kind)
        __cyg_profile_func_exit((void *)call.func, (void *)call.caller);
    else
        __cyg_profile_func_enter((void *)call.func, (void *)call.caller);
}

NO_HOOK static struct call site(uint64_t i)
{
    struct call call = {0x100000 + 64 * (uintptr_t)(i / 3), 0x4000000 + 7 * (uintptr_t)i};
    return call;
}

NO_HOOK static void walk(long n)
{
    static struct call open[4096];
    size_t depth = 0;
    uint64_t some = 20;
    for (long i = 0; i < n; i++) {
        uint64_t what = draw(100);
        if (i % 5000 == 0)
            some = 1 + draw(draw(2) ? 30 : 3000);
        if (what < 50 && depth < 4096) {
            open[depth] = site(draw(some));
            note(open[depth++], 0);
        } else if (what < 94 && depth) {
            note(open[--depth], 1);
        } else if (what < 97 && depth) { /* out of some calls at once */
            depth -= 1 + draw(depth < 7 ? depth : 7);
            note(open[depth], 1);
        } else { /* of another call site, or of what isn't open */
            struct call call = depth && what < 99 ? open[depth - 1] : site(draw(some));
            call.caller++;
            note(call, 1);
            while (depth && open[depth - 1].func != call.func)
                depth--;
            depth -= depth > 0;
        }
    }
}

NO_HOOK static void sites(long n)
{
    for (uint64_t round = 0; round < seed; round++) {
        for (long i = 0; i < n; i++) {
            note(site((uint64_t)i), 0);
            note(site((uint64_t)i), 1);
        }
    }
}

NO_HOOK static void deep(long n)
{
    for (long i = 0; i < n; i++)
        note(site((uint64_t)i % 10), 0);
    for (long i = n; i-- > 0;)
        note(site((uint64_t)i % 10), 1);
}

NO_HOOK static void gaps(long n)
{
    static const long pauses[] = {0, 1000, 10000, 11000, 13000, 15000, 20000, 30000, 1000000};
    for (long i = 0; i < n; i++) {
        struct timespec pause = {0, pauses[draw(sizeof pauses / sizeof pauses[0])]};
        if (i == n / 2)
            pause.tv_sec = 2;
        note(site(draw(5)), 0);
        nanosleep(&pause, NULL);
        note(site(draw(5)), 1);
    }
}

NO_HOOK static void high(long n)
{
    for (long i = 0; i < n; i++) {
        struct call call = site(draw(20));
        uint64_t bits = draw(4) << 60 | draw(2) << 48;
        call.func |= (uintptr_t)bits;
        call.caller |= (uintptr_t)(bits << 1);
        note(call, 0);
        note(call, 1);
    }
}

enum { NOTES = 1 << 20 };
static uint64_t notes[NOTES][3];
static volatile size_t noted;
static volatile long jumps;
static sigjmp_buf out;

NO_HOOK static void handle(int number)
{
    (void)number;
    jumps++;
    siglongjmp(out, 1);
}

NO_HOOK static void jump(long n)
{
    struct itimerval every = {{0, 50}, {0, 50}};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    signal(SIGALRM, handle);
    if (!sigsetjmp(out, 1))
        setitimer(ITIMER_REAL, &every, NULL);
    while (jumps < n && noted + 2 < NOTES) {
        struct call call = site(draw(300));
        for (unsigned kind = 0; kind < 2; kind++) {
            notes[noted][0] = call.func;
            notes[noted][1] = call.caller;
            notes[noted][2] = kind;
            noted = noted + 1;
            if (kind)
                __cyg_profile_func_exit((void *)call.func, (void *)call.caller);
            else
                __cyg_profile_func_enter((void *)call.func, (void *)call.caller);
        }
    }
    sigprocmask(SIG_BLOCK, &set, NULL);
    fwrite(notes, sizeof notes[0], noted, truth);
    printf("jumps %ld\n", jumps);
}

static volatile long forks, failed;
static volatile int armed;

NO_HOOK static void handle_by_fork(int number)
{
    (void)number;
    pid_t child = fork();
    if (child == 0) {
        for (uint64_t i = 0; forks % 2 && i < 20; i++)
            __cyg_profile_func_enter((void *)site(i).func, (void *)site(i).caller);
        return; /* the interrupted hook goes on, here too */
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        failed++;
    forks++;
    armed = 0;
}

NO_HOOK static void handle_by_exit(int number)
{
    exit(number - number);
}

NO_HOOK static void once(long us, void (*handler)(int))
{
    struct itimerval timer = {{0, 0}, {0, us}};
    armed = 1;
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Calls of few sites and of new ones, at once and after gaps. */
NO_HOOK static void call_some(uint64_t i)
{
    struct call call = i % 3 ? site(draw(5)) : site(i / 3 % 20000);
    __cyg_profile_func_enter((void *)call.func, (void *)call.caller);
    for (volatile int wait = i % 4 ? 0 : 20000; wait > 0;)
        wait--;
    call.caller += i % 5 == 0;
    __cyg_profile_func_exit((void *)call.func, (void *)call.caller);
}

NO_HOOK static void fork_often(long n)
{
    pid_t self = getpid();
    for (uint64_t i = 0; forks < n; i++) {
        if (!armed)
            once(20 + (long)draw(100), handle_by_fork);
        call_some(i);
        if (getpid() != self)
            _exit(0);
    }
    printf("failed %ld\n", failed);
}

NO_HOOK static void exit_soon(long n)
{
    once(n, handle_by_exit);
    for (uint64_t i = 0;; i++)
        call_some(i);
}

NO_HOOK static void remove_once(long n)
{
    for (long i = 0; i < n; i++) {
        note(site((uint64_t)i % 3000), 0);
        note(site((uint64_t)i % 3000), 1);
        if (i != n / 2)
            continue;
        const char *folder = getenv("TRACE_DIR");
        DIR *dir = opendir(folder);
        struct dirent *entry;
        while (dir && (entry = readdir(dir))) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            if (strstr(entry->d_name, ".bin"))
                unlink(path);
        }
        closedir(dir);
    }
}

NO_HOOK int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*how)(long);
    } ways[] = {{"walk", walk}, {"sites", sites}, {"deep", deep}, {"gaps", gaps}, {"high", high}, {"jump", jump},
              {"fork", fork_often}, {"exit", exit_soon}, {"remove", remove_once}};
    if (argc != 5 || !(truth = fopen(argv[4], "wb")))
        return 2;
    seed = strtoull(argv[3], NULL, 10);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].how(strtol(argv[2], NULL, 10));
    }
    fclose(truth);
    return 0;
}
