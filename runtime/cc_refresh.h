/* SPDX-License-Identifier: MIT */
/*
 * cc_refresh.h - a selection that is older than its rules or a chosen file is
 * written anew, once a build.
 */
#ifndef CALLSIGHT_CC_REFRESH_H
#define CALLSIGHT_CC_REFRESH_H

#include <sys/file.h>

#include "cc_args.h"
#include "cc_places.h"
#include "cc_run.h"

/* True once a build for what is told of the selection: a file beside it remembers what was
 * told last, and to which process group. */
static bool first_time(const char *selection, const char *what)
{
    char *path = join(selection, ".told", ""), *old;
    char now[256];
    size_t size;
    snprintf(now, sizeof now, "%s %ld\n", what, (long)getpgrp());
    if (read_whole(path, &old, &size, sizeof now) && strcmp(old, now) == 0)
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0) {
        ssize_t done = write(fd, now, strlen(now));
        (void)done;
        close(fd);
    }
    return true;
}

static struct selection *load_or_tell(const char *path)
{
    const char *why;
    struct selection *selection = selection_load(path, &why);
    if (!selection && first_time(path, why))
        tell("%s: %s: nothing gets hooks; write it with callsight-cli scan DIR --write FILE", path,
             why);
    return selection;
}

static void tell_torn(const struct selection *selection)
{
    if (selection->torn && first_time(selection->path, "torn"))
        tell("%s: it is damaged: some files get no hooks; write it with callsight-cli scan DIR "
             "--write FILE",
             selection->path);
}

static bool config_changed(const struct selection *selection, struct stat *status)
{
    return selection->config && stat(selection->config, status) == 0 &&
           !same_file(status, selection->config_time, selection->config_size);
}

static bool unit_changed(const struct selection *selection, const struct entry *entry)
{
    struct stat status;
    if (!entry || entry->choice != '%' || (entry->time == 0 && entry->size == 0))
        return false;
    char *path = join(selection->root, "/", entry->path);
    bool changed = stat(path, &status) == 0 && !same_file(&status, entry->time, entry->size);
    free(path);
    return changed;
}

static bool run_refresh(const struct selection *selection)
{
    struct words words = {0};
    words_add(&words, selection->command);
    words_add(&words, "scan");
    words_add(&words, selection->root);
    words_add(&words, "--config");
    words_add(&words, selection->config);
    words_add(&words, "--write");
    words_add(&words, selection->path);
    words_add(&words, "--quiet");
    setenv("CALLSIGHT_REFRESHING", "1", 1);
    int status = run(words.at, STDERR_FILENO, -1);
    unsetenv("CALLSIGHT_REFRESHING");
    if (ending)
        end_as(status);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Whether nothing was told yet, in this build, of this config beside this selection. */
static bool first_of_pair(const struct selection *selection, const struct stat *config)
{
    char key[160];
    snprintf(key, sizeof key, "%lld.%09ld %lld %lld.%09ld", (long long)config->st_mtim.tv_sec,
             config->st_mtim.tv_nsec, (long long)config->st_size,
             (long long)selection->written.tv_sec, selection->written.tv_nsec);
    return first_time(selection->path, key);
}

static bool is_stale(struct selection *selection, const struct entry *entry,
                     struct stat *config)
{
    struct entry own;
    if (config_changed(selection, config))
        return true;
    if (!entry || !selection_find(selection, entry->path, &own))
        return false;
    own.path = entry->path;
    return unit_changed(selection, &own);
}

/* Refreshes a stale selection, at most once in a build.  entry: of a source whose own file
 * may have changed, or NULL.  Returns what is to be used, the same if nothing is new. */
static struct selection *refresh(struct selection *selection, const struct entry *entry)
{
    struct stat config = {0};
    if (!is_stale(selection, entry, &config))
        return selection;
    char *lock_path = join(selection->path, ".lock", "");
    const char *why;
    int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    while (lock >= 0 && flock(lock, LOCK_EX) < 0 && errno == EINTR)
        continue;
    /* Another one may have done it meanwhile. */
    struct selection *now = selection_load(selection->path, &why);
    if (now)
        selection = now;
    if (is_stale(selection, entry, &config) && first_of_pair(selection, &config)) {
        bool done = selection->command && run_refresh(selection);
        if (done && (now = load_or_tell(selection->path)))
            selection = now;
        if (!done || is_stale(selection, entry, &config)) {
            first_of_pair(selection, &config);
            tell("%s is newer than the selection: run callsight-cli scan %s --config %s --write %s",
                 selection->config ? selection->config : entry->path, selection->root,
                 selection->config ? selection->config : "trace.config", selection->path);
        }
    }
    if (lock >= 0)
        close(lock);
    return selection;
}

#endif
