/* SPDX-License-Identifier: MIT */
/*
 * launch forkexec|spawn|exec PROGRAM: calls ready() twice, then lets another program run, in a
 * child or in its own place.
 * launch again N: in each image calls ready() N + 1 times and last() once in the last, N = 0.
 * Prints its pid, and the child's.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int sink;

static void ready(void)
{
    sink++;
}

static void last(void)
{
    sink++;
}

static int again(const char *self, int left)
{
    char number[2] = {(char)('0' + left - 1), 0};

    for (int i = 0; i <= left; i++)
        ready();
    if (left > 0)
        return execl("/proc/self/exe", self, "again", number, (char *)NULL);
    last();
    return 0;
}

int main(int argc, char **argv)
{
    char *arguments[] = {argc > 2 ? argv[2] : NULL, NULL};
    pid_t child = 0;

    printf("pid %d\n", (int)getpid());
    fflush(stdout);
    if (argc < 3)
        return 2;
    if (!strcmp(argv[1], "again"))
        return again(argv[0], argv[2][0] - '0');
    ready();
    ready();
    if (!strcmp(argv[1], "exec"))
        return execv(argv[2], arguments);
    if (!strcmp(argv[1], "spawn") && posix_spawn(&child, argv[2], NULL, NULL, arguments, environ) != 0)
        return 1;
    if (!strcmp(argv[1], "forkexec") && (child = fork()) == 0)
        _exit(execv(argv[2], arguments));
    printf("child %d\n", (int)child);
    return waitpid(child, NULL, 0) != child;
}
