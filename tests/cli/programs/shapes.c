/* SPDX-License-Identifier: MIT */
/*
 * A small program with known calls:
 *   main 1, work 3, step 12 (4 a work), twin (of this file) 12, apply 3
 * and in helper.c: helper 3, twin (of that file) 6.
 *
 * shapes [exit N | signal N | sleep | fork | file PATH]
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int helper(int n);

static volatile int sink;

static int twin(int n)
{
    return n + 1;
}

static int step(int n)
{
    sink += n;
    return twin(n);
}

static int apply(int (*function)(int), int n)
{
    return function(n);
}

static int work(int n)
{
    int sum = 0;

    for (int i = 0; i < 4; i++)
        sum += step(n + i);
    return sum;
}

static void on_term(int number)
{
    exit(number);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    for (int i = 0; i < 3; i++)
        sink += work(i) + apply(helper, i);
    if (!strcmp(what, "exit"))
        return atoi(argv[2]);
    if (!strcmp(what, "signal"))
        raise(atoi(argv[2]));
    if (!strcmp(what, "sleep")) {
        signal(SIGTERM, on_term);
        puts("asleep");
        fflush(stdout);
        for (;;)
            pause();
    }
    if (!strcmp(what, "fork")) {
        pid_t child = fork();

        if (child == 0) {
            work(0);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    printf("%d\n", sink);
    return 0;
}
