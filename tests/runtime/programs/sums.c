/* `sums SCRIPT...`: calls the hooks as scripts say, each in a thread of its own but the
 * last, which main runs.  The clock is the program's own: it stands at the time that the
 * script's line gives, so that every duration is known.  A line: e or x for enter and
 * exit, the function's address in hex, the time in ns. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void __cyg_profile_func_enter(void *func, void *caller);
void __cyg_profile_func_exit(void *func, void *caller);

#define NO_HOOK __attribute__((no_instrument_function))

static __thread unsigned long long now;

NO_HOOK int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, time);
    time->tv_sec = (time_t)(now / 1000000000);
    time->tv_nsec = (long)(now % 1000000000);
    return 0;
}

NO_HOOK static void *play(void *data)
{
    FILE *script = fopen(data, "r");
    unsigned long long address, time;
    char what;
    if (!script)
        abort();
    printf("tid %ld\n", (long)syscall(SYS_gettid));
    while (fscanf(script, " %c %llx %llu", &what, &address, &time) == 3) {
        void *func = (void *)(size_t)address;
        now = time;
        if (what == 'e')
            __cyg_profile_func_enter(func, NULL);
        else
            __cyg_profile_func_exit(func, NULL);
    }
    fclose(script);
    return NULL;
}

NO_HOOK int main(int argc, char **argv)
{
    for (int i = 1; i < argc - 1; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, play, argv[i]);
        pthread_join(thread, NULL);
    }
    play(argv[argc - 1]);
    return 0;
}
