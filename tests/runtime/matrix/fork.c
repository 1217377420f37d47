/* Children of fork: one after the other, each other's, one that returns out of its
 * parent's calls. */
#include "truth.h"

#include <sys/wait.h>

static volatile int sink;

static inline void inlined(void)
{
    TRUTH;
    sink++;
}

NOINLINE static void work(int n)
{
    TRUTH;
    for (int i = 0; i < n; i++)
        inlined();
}

NOINLINE static void child_work(int n)
{
    TRUTH;
    work(n);
}

NOHOOK static void wait_for(pid_t pid)
{
    int status;
    if (waitpid(pid, &status, 0) != pid || status != 0)
        abort();
}

NOINLINE static void nested(int depth)
{
    TRUTH;
    work(depth);
    pid_t pid = fork();
    if (pid == 0) {
        truth_child();
        child_work(depth);
        if (depth > 0)
            nested(depth - 1);
        exit(0);
    }
    wait_for(pid);
    work(depth + 1);
}

/* 0 in the child. */
NOINLINE static pid_t split(void)
{
    TRUTH;
    pid_t pid = fork();
    if (pid == 0)
        truth_child();
    work(pid == 0 ? 3 : 2);
    return pid;
}

NOINLINE static pid_t around(void)
{
    TRUTH;
    pid_t pid = split();
    work(1);
    return pid;
}

int main(void)
{
    TRUTH;
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            truth_child();
            child_work(i);
            work(1);
            truth_write();
            _exit(0);
        }
        wait_for(pid);
        work(i);
    }
    nested(2);
    pid_t pid = around();
    work(4);
    if (pid == 0)
        return 0;
    wait_for(pid);
    return 0;
}
