/* A daemon's start: forks twice, closes every descriptor, opens files of its own,
 * and goes on calling between them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void step(void)
{
    sink++;
}

__attribute__((no_instrument_function)) static void times(int n)
{
    for (int i = 0; i < n; i++)
        step();
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
    int pipes[2];
    char byte;
    (void)argc;
    times(4500);
    if (pipe(pipes) != 0)
        return 1;
    if (fork() != 0) {
        close(pipes[1]);
        while (read(pipes[0], &byte, 1) > 0) /* until the daemon has closed all */
            continue;
        while (access(argv[2], F_OK) != 0) /* until it is done */
            usleep(1000);
        return 0;
    }
    setsid();
    times(4500);
    if (fork() != 0)
        _exit(0);
    times(4500);
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    if (chdir("/") != 0)
        return 1;
    umask(0);
    for (int i = 0; i < 20; i++) {
        int fd = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (fd != i) /* the lowest number, as without us */
            return 1;
        times(4500);
        if (write(fd, "line\n", 5) != 5)
            return 1;
    }
    times(4500);
    char text[32];
    snprintf(text, sizeof text, "%d\n", (int)getpid());
    char part[4096];
    snprintf(part, sizeof part, "%s.part", argv[2]);
    int fd = open(part, O_WRONLY | O_CREAT, 0600);
    if (write(fd, text, strlen(text)) < 0)
        return 1;
    rename(part, argv[2]);
    return 0;
}
