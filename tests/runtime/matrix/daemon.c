/* A daemon: forks twice, closes everything, opens a file of its own, which gets the
 * number that a descriptor of the runtime had; and writes to it while it records. */
#include "truth.h"

#include <sys/prctl.h>
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

NOINLINE static void serve(const char *name)
{
    TRUTH;
    for (int fd = 0; fd < 256; fd++)
        close(fd);
    int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    dup2(fd, 1);
    dup2(fd, 2);
    for (int i = 0; i < 20; i++) {
        char line[32];
        int n = snprintf(line, sizeof line, "line %d\n", i);
        work(700);
        if (write(fd, line, (size_t)n) != n)
            abort();
    }
    close(fd);
}

NOINLINE static void second(const char *name)
{
    TRUTH;
    work(2);
    pid_t pid = fork();
    if (pid != 0)
        exit(pid < 0);
    truth_child();
    if (chdir("/") != 0)
        abort();
    serve(name);
    exit(0);
}

int main(int argc, char **argv)
{
    TRUTH;
    int status, bad = argc != 2;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    work(10000);
    pid_t pid = fork();
    if (pid == 0) {
        truth_child();
        setsid();
        second(argv[1]);
    }
    while (wait(&status) > 0)
        bad |= status;
    work(3);
    return bad != 0;
}
