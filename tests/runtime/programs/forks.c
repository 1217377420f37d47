/* `forks HOW`: a process and its children, each with calls of its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))
static __thread volatile unsigned sink;
static int stop;

NOINLINE void in_parent(void)
{
    sink++;
}

NOINLINE void in_child(void)
{
    sink++;
}

NOINLINE void in_grandchild(void)
{
    sink++;
}

NOINLINE void in_thread(void)
{
    sink++;
}

/* Open while the fork happens. */
NOINLINE static pid_t forking(const char *how)
{
    pid_t pid;
    if (strcmp(how, "raw") == 0)
        pid = (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    else
        pid = fork();
    sink++;
    return pid;
}

NO_HOOK static void times(void (*function)(void), int n)
{
    for (int i = 0; i < n; i++)
        function();
}

NO_HOOK static void *busy(void *data)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        for (int i = 0; i < 1000; i++)
            in_thread();
        usleep(200);
    }
    return data;
}

NO_HOOK static void *child_thread(void *data)
{
    times(in_thread, 50);
    return data;
}

NO_HOOK static void reap(pid_t pid)
{
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        printf("child failed, status %x\n", (unsigned)status);
        exit(1);
    }
}

NO_HOOK static void child(const char *how)
{
    printf("child %d\n", (int)getpid());
    fflush(stdout);
    times(in_child, 5000);
    if (strcmp(how, "deep") == 0) {
        pid_t pid = fork();
        if (pid == 0) {
            printf("grandchild %d\n", (int)getpid());
            fflush(stdout);
            times(in_grandchild, 7);
            exit(0);
        }
        reap(pid);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, child_thread, NULL);
    pthread_join(thread, NULL);
    exit(0);
}

NO_HOOK int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "plain";
    int threaded = strcmp(how, "threaded") == 0;
    pthread_t threads[3];
    printf("parent %d\n", (int)getpid());
    fflush(stdout);
    times(in_parent, 5000);
    for (int i = 0; threaded && i < 3; i++)
        pthread_create(&threads[i], NULL, busy, NULL);
    for (int i = 0; i < (threaded ? 10 : 2); i++) {
        pid_t pid;
        if (strcmp(how, "exec") == 0) {
            pid = fork();
            if (pid == 0) {
                execlp("true", "true", (char *)NULL);
                _exit(1);
            }
        } else if (strcmp(how, "vfork") == 0) {
            pid = vfork();
            if (pid == 0) {
                in_child();
                execlp("true", "true", (char *)NULL);
                _exit(1);
            }
        } else {
            pid = forking(how);
            if (pid == 0)
                child(how);
        }
        reap(pid);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; threaded && i < 3; i++)
        pthread_join(threads[i], NULL);
    times(in_parent, 5000);
    return 0;
}
