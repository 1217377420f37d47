/* Other images: by fork and exec, vfork, posix_spawn; each records on its own. */
#include "truth.h"

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
static volatile int sink;
static const char *self;

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

NOINLINE static void image_work(void)
{
    TRUTH;
    work(5);
}

NOINLINE static void prepare(void)
{
    TRUTH;
    work(1);
}

NOHOOK static void wait_for(pid_t pid)
{
    int status;
    if (pid <= 0 || waitpid(pid, &status, 0) != pid || status != 0)
        abort();
}

NOHOOK static void run_image(void)
{
    execl(self, self, "image", (char *)NULL);
    _exit(1);
}

NOINLINE static void fork_and_exec(void)
{
    TRUTH;
    pid_t pid = fork();
    if (pid == 0) {
        truth_child();
        prepare();
        truth_write();
        run_image();
    }
    wait_for(pid);
    work(2);
}

NOINLINE static void vfork_and_exec(void)
{
    TRUTH;
    pid_t pid = vfork();
    if (pid == 0) {
        prepare();
        run_image();
    }
    wait_for(pid);
    work(2);
}

NOINLINE static void vfork_and_exit(void)
{
    TRUTH;
    pid_t pid = vfork();
    if (pid == 0) {
        prepare();
        _exit(0);
    }
    wait_for(pid);
    work(2);
}

NOINLINE static void end_child(void)
{
    TRUTH;
    prepare();
    _exit(0);
}

NOINLINE static void end_child_by_exec(void)
{
    TRUTH;
    prepare();
    run_image();
}

/* The child ends in calls of its own, which its parent never returns from. */
NOINLINE static void vfork_and_end_deeper(void (*end)(void))
{
    TRUTH;
    int here = truth_at;
    pid_t pid = vfork();
    if (pid == 0)
        end();
    truth_land(here);
    wait_for(pid);
    work(2);
}

NOINLINE static void spawn(void)
{
    TRUTH;
    pid_t pid = 0;
    char *arguments[] = {(char *)self, (char *)"image", NULL};
    if (posix_spawn(&pid, self, NULL, NULL, arguments, environ) != 0)
        abort();
    wait_for(pid);
    work(2);
}

int main(int argc, char **argv)
{
    TRUTH;
    const char *how = argc > 1 ? argv[1] : "";
    self = argv[0];
    if (strcmp(how, "image") == 0) {
        image_work();
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        work(i);
        if (strcmp(how, "forkexec") == 0) {
            fork_and_exec();
        } else if (strcmp(how, "vfork") == 0) {
            vfork_and_exec();
            vfork_and_exit();
        } else if (strcmp(how, "vfork-deeper") == 0) {
            vfork_and_end_deeper(end_child);
            vfork_and_end_deeper(end_child_by_exec);
        } else if (strcmp(how, "spawn") == 0) {
            spawn();
        } else {
            abort();
        }
    }
    return 0;
}
