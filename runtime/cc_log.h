/* SPDX-License-Identifier: MIT */
/*
 * cc_log.h - the lines of CALLSIGHT_LOG.
 */
#ifndef CALLSIGHT_CC_LOG_H
#define CALLSIGHT_CC_LOG_H

#include "cc_options.h"

static void log_path(struct text *line, const struct world *world, const char *path)
{
    char *full = absolute(world, path);
    for (const unsigned char *at = (unsigned char *)full; *at; at++) {
        char escape[8];
        if (*at == '\n' || *at == '\t' || *at == '\\')
            snprintf(escape, sizeof escape, "\\%c", *at == '\n' ? 'n' : *at == '\t' ? 't' : '\\');
        else if (*at < 32 || *at == 127)
            snprintf(escape, sizeof escape, "\\x%02x", *at);
        else
            snprintf(escape, sizeof escape, "%c", *at);
        text_put(line, escape);
    }
    free(full);
}

static void log_line(const struct text *line)
{
    int fd = open(getenv("CALLSIGHT_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, line->data, line->length) != (ssize_t)line->length)
        tell("%s: %s", getenv("CALLSIGHT_LOG"), strerror(errno));
    if (fd >= 0)
        close(fd);
}

static bool logs(void)
{
    const char *path = getenv("CALLSIGHT_LOG");
    return path && path[0];
}

/* What the compiler calls the output of a source. */
static char *output_of(const struct command *command, const char *source)
{
    if (command->output)
        return join(command->output, "", "");
    if (command->mode == OPTION_OTHER)
        return join("a.out", "", "");
    const char *name = base_name(source), *dot = strrchr(name, '.');
    char *stem = copy_part(name, dot ? (size_t)(dot - name) : strlen(name));
    return join(stem, command->mode == OPTION_ASSEMBLE ? ".s" : ".o", "");
}

static void log_unit(const struct world *world, const struct command *command,
                     const struct unit *unit)
{
    struct text line = {0};
    char hash[40] = "compile 0 ";
    if (unit->hash)
        snprintf(hash, sizeof hash, "compile %016llx ", (unsigned long long)unit->hash);
    text_put(&line, hash);
    log_path(&line, world, output_of(command, unit->source));
    text_put(&line, "\t");
    log_path(&line, world, unit->source);
    text_put(&line, "\n");
    log_line(&line);
}

static void log_link(const struct world *world, const struct command *command, int runtime)
{
    struct text line = {0};
    char start[16];
    snprintf(start, sizeof start, "link %d ", runtime);
    text_put(&line, start);
    log_path(&line, world, output_of(command, ""));
    text_put(&line, "\n");
    log_line(&line);
}

#endif
