/* SPDX-License-Identifier: MIT */
/*
 * cc_run.h - becoming the compiler, and programs that are waited for.
 */
#ifndef CALLSIGHT_CC_RUN_H
#define CALLSIGHT_CC_RUN_H

#include <signal.h>
#include <sys/wait.h>

#include "cc_base.h"

static _Noreturn void cannot_run(const char *program)
{
    int why = errno;
    die(why == ENOENT || why == ENOTDIR ? 127 : 126, "%s: %s", program, strerror(why));
}

static _Noreturn void become(char **argv)
{
    execvp(argv[0], argv);
    cannot_run(argv[0]);
}

static const int handed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
static volatile sig_atomic_t ending; /* the signal that ends this process */
static volatile sig_atomic_t child;  /* 0: none */

static void on_signal(int number)
{
    ending = number;
    if (child > 0)
        kill((pid_t)child, number);
}

static void catch_signals(void)
{
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++) {
        struct sigaction action = {.sa_handler = on_signal}, old;
        if (sigaction(handed_on[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(handed_on[i], &action, NULL);
    }
}

/* In the child: the signals that this process hands on end it, as they would have. */
static void release_signals(const sigset_t *mask)
{
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++) {
        struct sigaction old;
        if (sigaction(handed_on[i], NULL, &old) == 0 && old.sa_handler == on_signal)
            signal(handed_on[i], SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Runs a program to its end; out and err: descriptors for its output, or −1.  Returns what
 * waitpid tells. */
static int run(char **argv, int out, int err)
{
    sigset_t all, mask;
    if (ending)
        return ending;
    /* A signal waits until it is known to whom it goes on. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    pid_t pid = fork();
    if (pid < 0)
        die(1, "%s: %s", argv[0], strerror(errno));
    if (pid == 0) {
        release_signals(&mask);
        if (out >= 0)
            dup2(out, STDOUT_FILENO);
        if (err >= 0)
            dup2(err, STDERR_FILENO);
        become(argv);
    }
    child = pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    child = 0;
    return status;
}

/* Ends this process as the program ended. */
static _Noreturn void end_as(int status)
{
    int number = ending ? ending : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number) {
        signal(number, SIG_DFL);
        raise(number);
    }
    exit(number ? 128 + number : WEXITSTATUS(status));
}

#endif
