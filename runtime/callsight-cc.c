/* SPDX-License-Identifier: MIT */
/*
 * callsight-cc.c - the compiler launcher: adds hooks to the functions that a
 * selection file chooses, and the runtime to the programs that hold hooks.
 *
 *   cc -std=c11 -O2 -o callsight-cc callsight-cc.c
 *   CC="callsight-cc gcc" make
 *   cmake -DCMAKE_C_COMPILER_LAUNCHER=callsight-cc -DCMAKE_C_LINKER_LAUNCHER=callsight-cc ...
 *
 * One unit with headers of its own (cc_*.h), because it is copied into projects and
 * compiled there alone; libc and POSIX, nothing else.  The selection (docs/formats.md,
 * "Selection") is written by callsight-cli; here it is only looked up.
 *
 * What it does.  A command that compiles nothing of the project, and every command
 * where there is no selection, is executed as it came, byte for byte.  Otherwise the
 * options for a source go in front of the command's own, and so does the runtime's
 * object at a link.  The process becomes the compiler by exec, except where several
 * sources of one command need different options.
 *
 * gcc has lists of functions and files that get no hooks, and matches their entries
 * against any part of a function's name and of a file's path as that compile spells
 * it.  So the includes of a unit are followed here, by gcc's rules and only through
 * files of the project, to know the spellings.  An entry that is part of something
 * chosen is never used.  clang has no such lists: it hooks whole units.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include "cc_apart.h"
#include "cc_args.h"
#include "cc_compiler.h"
#include "cc_log.h"
#include "cc_objects.h"
#include "cc_options.h"
#include "cc_runtime.h"

#ifndef CALLSIGHT_VERSION
#define CALLSIGHT_VERSION "0.1.0"
#endif

static const char usage[] =
    "Usage: callsight-cc COMPILER ARGUMENTS…\n"
    "\n"
    "Runs the compiler, with hooks for the functions that the selection chooses and\n"
    "the runtime at the link of programs that hold hooks.  COMPILER may have wrappers\n"
    "before it (ccache gcc).  As CC=\"callsight-cc gcc\", or as CMake's compiler launcher\n"
    "and linker launcher.\n"
    "\n"
    "  CALLSIGHT_SELECTION  the selection (callsight/selection in the working directory\n"
    "                       or above it); callsight-cli scan --write makes it\n"
    "  CALLSIGHT_LOG        a file to which a line is added for each source and link\n";

/* Options for the link, and what the log says of it. */
static int decide_link(struct world *world, const struct command *command, const struct unit *units,
                       struct words *options)
{
    unsigned found = 0;
    bool threads = false;
    const char *why;
    if (command->shared)
        return 0;
    for (size_t i = 0; i < command->sources; i++)
        found |= units[i].hash ? HOOKS_CALLED : 0;
    found |= linked_hooks(world, command, &threads);
    if (!(found & HOOKS_CALLED))
        return 0;
    if (found & HOOKS_DEFINED)
        return 1;
    if (command->no_start)
        return 2;
    char *object = runtime_object(world->selection, command, &why);
    if (!object) {
        tell("%s: the runtime could not be added, so that nothing is recorded: %s",
             output_of(command, ""), why);
        return 2;
    }
    words_add(options, object);
    if (!threads)
        words_add(options, "-lpthread");
    if (needs_libatomic(object))
        words_add(options, "-latomic");
    return 1;
}

/* Whether one command can compile all sources. */
static bool all_alike(const struct command *command, const struct unit *units)
{
    for (size_t i = 1; i < command->sources; i++)
        if (units[i].hash != units[0].hash)
            return false;
    return true;
}

/* The command with options in front of its own. */
static _Noreturn void run_with(const struct command *command, const struct words *options,
                               const struct words *more, char **rest)
{
    struct words words = {0};
    start_command(command, &words);
    for (size_t i = 0; options && i < options->count; i++)
        words_add(&words, options->at[i]);
    for (size_t i = 0; i < more->count; i++)
        words_add(&words, more->at[i]);
    for (; *rest; rest++)
        words_add(&words, *rest);
    become(words.at);
}

static _Noreturn void launch(struct world *world, struct command *command, char **argv)
{
    char **rest = argv + command->compiler.count;
    struct words link_options = {0};
    struct unit *units = allocate(NULL, command->sources * sizeof *units);
    memset(units, 0, command->sources * sizeof *units);
    size_t count = 0;
    for (size_t i = 0; i < command->words.count; i++)
        if (is_source(&command->meaning[i])) {
            units[count].index = i;
            decide(world, command, &units[count++]);
        }
    tell_torn(world->selection);
    for (size_t i = 0; i < count && logs(); i++)
        log_unit(world, command, &units[i]);
    if (command->mode == OPTION_OTHER && !command->relocatable) {
        int runtime = decide_link(world, command, units, &link_options);
        if (logs())
            log_link(world, command, runtime);
    }
    bool fails = command->output && command->mode != OPTION_OTHER && command->compiled > 1;
    if (fails ||
        (all_alike(command, units) && (count == 0 || !units[0].hash) && link_options.count == 0))
        become(argv);
    if (all_alike(command, units))
        run_with(command, count > 0 ? &units[0].options : NULL, &link_options, rest);
    run_apart(command, units, &link_options);
}

int main(int argc, char **argv)
{
    struct world world = {0};
    struct command command = {0};
    bool named;
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("callsight-cc " CALLSIGHT_VERSION);
        return 0;
    }
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc < 2 || argv[1][0] == '-' || !argv[1][0]) {
        fputs(usage, stderr);
        return 2;
    }
    /* Once is enough. */
    while (argv[1] && strcmp(base_name(argv[1]), "callsight-cc") == 0)
        argv++;
    if (!argv[1]) {
        fputs(usage, stderr);
        return 2;
    }
    argv++;
    world.cwd = getcwd(NULL, 0);
    char *path = world.cwd ? selection_look_for(world.cwd, &named) : NULL;
    if (!path || getenv("CALLSIGHT_REFRESHING"))
        become(argv);
    size_t count = compiler_words(argv);
    for (size_t i = 0; i < count; i++)
        words_add(&command.compiler, argv[i]);
    for (size_t i = count; argv[i]; i++)
        if (!add_words(&command, argv[i], 0))
            become(argv);
    read_command(&command);
    if (command.mode == OPTION_STOP || command.inputs == 0)
        become(argv);
    if (command.mode != OPTION_OTHER && command.sources == 0)
        become(argv);
    if (command.directory && !(world.cwd = realpath(command.directory, NULL)))
        become(argv);
    world.selection = load_or_tell(path);
    if (!world.selection)
        become(argv);
    launch(&world, &command, argv);
}
