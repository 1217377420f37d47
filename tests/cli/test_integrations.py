# SPDX-License-Identifier: MIT
"""The wiring for Make, CMake and Meson, each in a project of its own (tests/integrations)."""

import hashlib
import json
import os
import re
import shutil

import tap
from tap import Folder, Skip, equal, main, run, test, true

# What compilers make of a class without being told; not what this is about.
MADE = re.compile(r"^(_GLOBAL__|__static_init|net::Queue::~?Queue\(\)$|std::)")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def state(folder):
    """Every file below a folder: its time of last change and content."""
    found = {}
    for top, _folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            found[os.path.relpath(path, folder)] = (os.stat(path).st_mtime_ns, digest(path))
    return found


def hooked(path):
    """Functions whose code calls the entry hook, by objdump."""
    name, found = None, set()
    for line in run("objdump", "-d", "-C", path, check=0).stdout.splitlines():
        if line.endswith(">:"):
            name = line[line.index("<") + 1:-2]
        elif re.search(r"(call|jmp|bl)\w*\s.*<__cyg_profile_func_enter(@plt)?>", line):
            if not MADE.match(name) and not name.endswith("@plt"):
                found.add(name)
    return found


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def edit(folder, name, *changes):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        text = file.read()
    for before, after in changes:
        true(before in text, "%r in %s" % (before, name))
        text = text.replace(before, after)
    write(folder, name, text)


def copy(folder, system):
    """The project, in a folder that has a name with nothing of Callsight in it."""
    if not shutil.which(system):
        raise Skip("no " + system)
    project = os.path.join(folder, "project")
    shutil.copytree(os.path.join(tap.TOP, "tests", "integrations", system), project)
    return project


def adopt(project, record=True):
    """Puts the wiring in.  The runtime, compiled in less time; where nothing is recorded, one that does nothing."""
    run(tap.CLI, "init", project, check=0)
    with open(project + "/callsight/trace.c", encoding="utf-8") as file:
        text = file.read()
    write(project, "callsight/trace.c", "#pragma GCC optimize (\"O0\")\n" + text if record else
          "void __cyg_profile_func_enter(void *function, void *site) { (void)function; (void)site; }\n"
          "void __cyg_profile_func_exit(void *function, void *site) { (void)function; (void)site; }\n")


def recorded(program, folder):
    """Functions that a recording of the program tells of."""
    run(tap.CLI, "run", "--dir", folder + "/traces", "--out", folder + "/report.json", "--format", "json", "--top", "0", "--",
        program, check=0)
    with open(folder + "/report.json", encoding="utf-8") as file:
        return {row["function"] for row in json.load(file)["rows"] if not MADE.match(row["function"])}


NET = {"frame_fill", "frame_check", "queue_push", "queue_drain", "net::Queue::push(unsigned int)",
       "net::Queue::drain()"}
SUM = {"sum_step", "sum_all"}


def make(project, *arguments, check=0, **env):
    env.setdefault("CALLSIGHT", tap.CLI)
    return run("make", "-j4", *arguments, cwd=project, env={"MAKEFLAGS": "", "MAKELEVEL": "", **env}, check=check)


def make_project(folder, record=False):
    project = copy(folder, "make")
    adopt(project, record)
    edit(project, "Makefile", ("\nOBJS =", "\ninclude callsight/Makefile.callsight\n\nOBJS ="))
    write(project, "trace.config", "include src/net\nexclude-func length_of\n")
    return project


@test
def make_leaves_the_normal_build_alone():
    with Folder() as folder:
        project = copy(folder, "make")
        make(project, CALLSIGHT="/nonexistent")
        wanted = {name: value[1] for name, value in state(project).items()}
        shutil.rmtree(project)
        project = make_project(folder)
        # What would be started, if anything of ours were.
        write(folder, "spy", "#!/bin/sh\necho \"$@\" >>%s/told\nexit 1\n" % folder)
        os.chmod(folder + "/spy", 0o755)
        edit(project, "Makefile", ("# A small", "export\n# A small"))
        make(project, CALLSIGHT=folder + "/spy")
        true(not os.path.exists(folder + "/told"), "nothing of ours is started")
        found = {name: value[1] for name, value in state(project).items() if name.startswith(("bin/", "build/"))}
        equal(found, {name: value for name, value in wanted.items() if name.startswith(("bin/", "build/"))}, "what was built")
        # An instrumented build, and a change in it, touches nothing of that.
        normal = {name: value for name, value in state(project).items() if name.startswith(("bin/", "build/"))}
        make(project, "instrument")
        write(project, "trace.config", "include src/util\n")
        make(project, "instrument")
        after = state(project)
        equal({name: after[name] for name in normal}, normal, "the normal build")
        equal(make(project).stdout.strip(), "make: 'bin/relay' is up to date.", "the normal build is up to date")


@test
def make_instruments_what_is_chosen():
    with Folder() as folder:
        project = make_project(folder, record=True)
        make(project, "instrument")
        program = project + "/bin/relay.instr"
        equal(hooked(program), NET, "hooked")
        equal(recorded(program, folder), NET, "recorded")
        true(run(program, check=0).stdout == "2141939142\n", "it does what it did")
        # Nothing changed: nothing is built.
        before = state(project + "/build")
        make(project, "instrument")
        equal(state(project + "/build"), before, "nothing is built again")
        # A comment changes no option.
        write(project, "trace.config", "# less\ninclude src/net\nexclude-func length_of\n")
        make(project, "instrument")
        equal(state(project + "/build"), before, "nothing is built again after a comment")
        write(project, "trace.config", "include src/util\n")
        make(project, "instrument")
        equal(hooked(program), SUM, "hooked after a change")
        # A header is changed, then gone.
        objects = project + "/build/callsight-instr/objects/src/"
        old = os.stat(objects + "net/frame.c.o").st_mtime_ns
        os.utime(project + "/include/frame.h")
        make(project, "instrument")
        true(os.stat(objects + "net/frame.c.o").st_mtime_ns > old, "a header's users are compiled again")
        os.rename(project + "/include/frame.h", project + "/include/packet.h")
        for name in ("main.c", "net/frame.c", "net/queue.cpp", "util/sum.c"):
            edit(project + "/src", name, ("frame.h", "packet.h"))
        make(project, "instrument")
        make(project, "instrument-clean")
        equal([name for name in state(project) if name.startswith(("bin/", "build/"))], [], "after instrument-clean")


@test
def make_names_of_the_documents():
    with Folder() as folder:
        project = make_project(folder)
        os.rename(project + "/callsight", project + "/tracing")
        os.rename(project + "/trace.config", project + "/other.config")
        # A source from elsewhere, a rule of the project's own, no BUILDDIR and BINDIR.
        os.mkdir(folder + "/more")
        os.rename(project + "/src/util/sum.c", folder + "/more/sum.c")
        edit(project, "Makefile", ("include callsight/", "CALLSIGHT_DIR = tracing\nCALLSIGHT_CONFIG = other.config\ninclude tracing/"),
             ("src/util/sum.c", "src/../../more/sum.c src/main.c"), ("BUILDDIR = build\n", ""), ("BINDIR = bin\n", ""))
        with open(project + "/Makefile", "a", encoding="utf-8") as file:
            file.write("\nown: $(TRACE_OBJ)\n\t$(CXX) $(CPPFLAGS) $(CXXFLAGS_INSTRUMENT) -c src/net/queue.cpp -o queue.o\n"
                       "\tfor source in src/main.c src/net/frame.c src/../../more/sum.c; do "
                       "$(CC) $(CPPFLAGS) $(CFLAGS_INSTRUMENT) -c $$source || exit; done\n"
                       "\t$(CXX) main.o queue.o frame.o sum.o $(TRACE_OBJ) $(LDFLAGS) $(LDLIBS) $(CALLSIGHT_LDLIBS) -o own\n")
        make(project, "instrument")
        equal(hooked(project + "/bin/relay.instr"), NET, "hooked")
        make(project, "own")
        equal(hooked(project + "/own"), NET, "hooked by a rule of its own")


@test
def make_says_why_nothing_is_built():
    with Folder() as folder:
        project = make_project(folder)

        def refused(*words, **arguments):
            result = make(project, "instrument", *["%s=%s" % item for item in arguments.items()], check=2)
            for word in words:
                true(word in result.stderr, "%r in %r" % (word, result.stderr))
            true(not os.path.exists(project + "/bin/relay.instr"), "nothing is built")

        refused("/nonexistent/callsight-cli: not found", "CALLSIGHT=", CALLSIGHT="/nonexistent/callsight-cli")
        write(project, "trace.config", "include src/net\nonly src/util\n")
        refused("trace.config:2", "only")
        os.remove(project + "/trace.config")
        refused("trace.config")
        write(project, "trace.config", "include src/net\n")
        if shutil.which("clang"):
            refused("clang", CC="clang", CXX="clang++")
        refused("SRCS", SRCS="")
        refused("TARGET", TARGET="")
        # The same from a rule of the project's own.
        with open(project + "/Makefile", "a", encoding="utf-8") as file:
            file.write("\nown:\n\t$(CC) $(CPPFLAGS) $(CFLAGS_INSTRUMENT) -c src/main.c -o own.o\n")
        write(project, "trace.config", "only src/util\n")
        true("trace.config:1" in make(project, "own", check=2).stderr, "a rule of its own is told")
        true(not os.path.exists(project + "/own.o"), "and makes nothing")


def cmake(project, *arguments, check=0):
    return run("cmake", *arguments, cwd=project, check=check)


@test
def cmake_project():
    with Folder() as folder:
        project = copy(folder, "cmake")
        outputs = ["waves", "libcore.a", "libfilter.so"]
        cmake(project, "-G", "Ninja", "-B", "normal")
        cmake(project, "--build", "normal", "-j2")
        before = [digest(project + "/normal/" + name) for name in outputs]
        adopt(project)
        write(project, "trace.config", "include core\nexclude core/table.c\n")
        edit(project, "CMakeLists.txt", ("project(Waves C CXX)", "project(Waves C CXX)\nadd_compile_options(-Wall -Werror)\n"
                                         "list(APPEND CMAKE_MODULE_PATH \"${CMAKE_SOURCE_DIR}/callsight\")\ninclude(CallSight)"),
             ("target_link_libraries(waves core filter)", "target_link_libraries(waves core filter)\n"
              "callsight_instrument(core)\ncallsight_instrument(filter)\ncallsight_instrument(waves)\n"
              "add_executable(other tool/main.cpp)\ntarget_link_libraries(other PRIVATE core filter)"))
        cmake(project, "--build", "normal", "--clean-first", "-j2")
        equal([digest(project + "/normal/" + name) for name in outputs], before, "the normal build")
        normal = {name: value for name, value in state(project + "/normal").items() if name in outputs}

        cmake(project, "-G", "Ninja", "-B", "instr", "-DCALLSIGHT_INSTRUMENT=ON", "-DCALLSIGHT_COMMAND=" + tap.CLI)
        cmake(project, "--build", "instr", "-j2")
        core = {"wave_sample", "wave_mix", "wave_clip", "fold"}
        filters = {"filter_run", "dsp::Filter<int>::run(int)"}
        equal((hooked(project + "/instr/waves"), hooked(project + "/instr/libfilter.so")), (core, filters), "hooked")
        for program in ("waves", "other"):
            equal(recorded(project + "/instr/" + program, folder), core | filters, "recorded of " + program)

        # Another choice: what it concerns is built again, by the build alone.
        write(project, "trace.config", "include-func wave_sample\n")
        cmake(project, "--build", "instr", "-j2")
        equal((hooked(project + "/instr/waves"), hooked(project + "/instr/libfilter.so")),
              ({"wave_sample", "fold", "table_get"}, set()), "hooked after a change")
        # Functions of a file that is chosen in part: a new one isn't chosen.
        edit(project, "core/wave.c", ("int\nwave_mix", "int\nwave_new (int a)\n{\n  return a;\n}\n\nint\nwave_mix"))
        edit(project, "core/wave.h", ("int wave_mix", "int wave_new (int a);\nint wave_mix"))
        cmake(project, "--build", "instr", "-j2")
        equal(hooked(project + "/instr/waves"), {"wave_sample", "fold", "table_get"}, "hooked after an edit")
        equal({name: state(project + "/normal")[name] for name in outputs}, normal, "the normal build stays")

        # A list for a command, and what goes wrong. Messages are wrapped.
        def refused(words, *arguments):
            told = " ".join(cmake(project, "-B", "instr", *arguments, check=1).stderr.split())
            true(words in told, "%r in %r" % (words, told))

        cmake(project, "-B", "instr", "-DCALLSIGHT_COMMAND=env;LANG=C;" + tap.CLI)
        refused("install Callsight", "-DCALLSIGHT_COMMAND=/nonexistent/callsight-cli")
        cmake(project, "-B", "instr", "-DCALLSIGHT_COMMAND=" + tap.CLI)
        write(project, "trace.config", "include core\nonly tool\n")
        refused("trace.config:2")
        refused("none.config is missing", "-DCALLSIGHT_CONFIG=none.config")


@test
def cmake_without_position_independence():
    with Folder() as folder:
        project = copy(folder, "cmake")
        # A program alone, in C++, that is all of a project; another folder's.
        write(project, "CMakeLists.txt", "cmake_minimum_required(VERSION 3.13)\nproject(Tool CXX)\n"
              "include(callsight/CallSight.cmake)\nadd_subdirectory(tool)\ncallsight_instrument(tool)\n")
        write(project + "/tool", "CMakeLists.txt", "add_executable(tool main.cpp)\n")
        write(project + "/tool", "main.cpp", "template <typename T> T twice (T x) { return x > T () ? 2 * x : x; }\n"
              "int main () { return twice (2) - 4 + (int) twice (0.0); }\n")
        adopt(project, record=False)
        write(project, "trace.config", "exclude-func twice<double>\n")
        cmake(project, "-G", "Unix Makefiles", "-B", "instr", "-DCALLSIGHT_INSTRUMENT=ON",
              "-DCALLSIGHT_COMMAND=" + tap.CLI, "-DCALLSIGHT_NO_PIE=ON")
        cmake(project, "--build", "instr")
        program = project + "/instr/tool/tool"
        equal(hooked(program), {"main", "int twice<int>(int)"}, "hooked: the option has its > and <")
        true("EXEC" in run("readelf", "-h", program, check=0).stdout, "at fixed addresses")


def meson(project, *arguments, path=None, check=0, program="meson"):
    env = {"PATH": path + ":" + os.environ["PATH"]} if path else {}
    return run(program, *arguments, cwd=project, env=env, check=check)


def ninja(project, *arguments, path=None, check=0):
    return meson(project, *arguments, path=path, check=check, program="ninja")


@test
def meson_project():
    with Folder() as folder:
        project = copy(folder, "meson")
        os.mkdir(folder + "/bin")
        os.symlink(tap.CLI, folder + "/bin/callsight-cli")
        outputs = ["words", "libwords.so"]
        meson(project, "setup", "normal")
        ninja(project, "-C", "normal")
        before = [digest(project + "/normal/" + name) for name in outputs]
        adopt(project)
        write(project, "trace.config", "include-func words_count\n")
        write(project, "meson_options.txt", "option('callsight', type: 'boolean', value: false, description: 'Hooks')\n")
        edit(project, "meson.build", ("\nwords = ", "\ncallsight_sources = [library_sources, program_sources]\nsubdir('callsight')\n\nwords = "),
             ("include_directories: inc)", "include_directories: inc, dependencies: callsight_library_dep)"),
             ("link_with: words)", "link_with: words, dependencies: callsight_dep)"))
        ninja(project, "-C", "normal", "-t", "clean")
        ninja(project, "-C", "normal")
        equal([digest(project + "/normal/" + name) for name in outputs], before, "the normal build")
        normal = {name: value for name, value in state(project + "/normal").items() if name in outputs}

        told = meson(project, "setup", "instr", "-Dcallsight=true", check=1)
        true("callsight-cli is not found" in told.stdout + told.stderr, told.stdout)
        meson(project, "setup", "instr", "-Dcallsight=true", path=folder + "/bin")
        ninja(project, "-C", "instr", path=folder + "/bin")
        subtree = {"words_count", "words_split", "is_blank"}
        equal((hooked(project + "/instr/libwords.so"), hooked(project + "/instr/words")), (subtree, set()), "hooked")
        equal(recorded(project + "/instr/words", folder), subtree, "recorded")

        write(project, "trace.config", "include app\nexclude-func text_get\n")
        ninja(project, "-C", "instr", path=folder + "/bin")
        equal((hooked(project + "/instr/libwords.so"), hooked(project + "/instr/words")), (set(), {"main"}),
              "hooked after a change")
        equal({name: state(project + "/normal")[name] for name in outputs}, normal, "the normal build stays")
        write(project, "trace.config", "exclude app\nexclude lib\n")
        ninja(project, "-C", "instr", path=folder + "/bin")
        equal(hooked(project + "/instr/words"), set(), "hooked where nothing is chosen")
        write(project, "trace.config", "only app\n")
        told = ninja(project, "-C", "instr", path=folder + "/bin", check=1)
        true("trace.config:1" in told.stdout + told.stderr, told.stdout + told.stderr)


main()
