# SPDX-License-Identifier: MIT
"""--debuginfod: what servers have, what they do wrong, and that nobody else is asked."""

import hashlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

import named
import tap
from loopback import Server
from tap import Folder, equal, main, run, test, true


def checksum(content):
    return hashlib.sha256(content).hexdigest()


class Stripped:
    """The recorded program without debug information, which lies in files by build id and kind."""

    def __init__(self, folder):
        named.record(folder)
        self.traces = folder + "/traces"
        self.cache = folder + "/cache"
        self.files, self.ids = {}, {}
        for name in ("app", "libthird.so"):
            path = os.path.join(folder, "build", name)
            self.ids[name] = named.build_id(path)
            run("objcopy", "--only-keep-debug", path, path + ".dbg", check=0)
            run("strip", path, check=0)
            for kind, file in (("debuginfo", path + ".dbg"), ("executable", path)):
                with open(file, "rb") as stream:
                    self.files["/buildid/%s/%s" % (self.ids[name], kind)] = stream.read()
            os.remove(path + ".dbg")

    def path(self, name, kind="debuginfo"):
        return "/buildid/%s/%s" % (self.ids[name], kind)

    def env(self, urls, **more):
        env = {"DEBUGINFOD_URLS": urls, "XDG_CACHE_HOME": self.cache, "DEBUGINFOD_CACHE_PATH": "", "CALLSIGHT_ADDR2LINE": "",
               "http_proxy": "", "no_proxy": "*"}
        env.update(more)
        return env

    def rows(self, urls, *arguments, **more):
        return named.rows(self.traces, "--debuginfod", *arguments, env=self.env(urls, **more))

    def cached(self):
        """What lies in the cache: {path in it: checksum}."""
        found = {}
        for folder, _folders, names in os.walk(self.cache + "/debuginfod_client"):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    found[os.path.relpath(os.path.join(folder, name), self.cache)] = checksum(file.read())
        return found


@test
def debug_information_is_fetched_kept_and_shared():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        server.files = program.files
        data, found = program.rows(server.url + "/ ")
        equal(found, named.lines("src/"), "names and lines")
        equal(data["notices"], [], "notices")
        equal(sorted(server.asked), sorted([program.path("app"), program.path("libthird.so")]), "asked")
        equal(program.cached(), {"debuginfod_client/%s/debuginfo" % program.ids[name]:
                                 checksum(program.files[program.path(name)]) for name in program.ids}, "the cache")
        server.asked.clear()
        _data, found = program.rows(server.url)
        equal(found, named.lines("src/"), "names from the cache")
        equal(server.asked, [], "asked the second time")
        # Another program reads it too.
        if shutil.which("addr2line"):
            _data, found = program.rows(server.url, "--addr2line", "addr2line")
            equal(found, named.lines(folder + "/build/src/"), "names by addr2line")
        # An empty file is how the client remembers that there is none; it isn't one.
        empty = os.path.join(program.cache, "debuginfod_client", program.ids["app"], "debuginfo")
        os.remove(empty)
        open(empty, "wb").close()
        _data, found = program.rows(server.url)
        equal((found, server.asked), (named.lines("src/"), [program.path("app")]), "after an empty file")


@test
def nobody_is_asked_without_the_option():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        server.files = program.files
        for arguments in ([], ["--format", "callers"], ["--addr2line", "eu-addr2line"], ["--addr2line", "addr2line"],
                          ["--addr2line", "llvm-addr2line"], ["--bundle", folder + "/bundle"]):
            if len(arguments) == 2 and arguments[0] == "--addr2line" and not shutil.which(arguments[1]):
                continue
            run(tap.CLI, "analyze", program.traces, *arguments, env=program.env(server.url), check=0)
        run(tap.CLI, "run", "--dir", folder + "/again", "--", "./app", cwd=folder + "/build", env=program.env(server.url),
            check=0)
        equal(server.asked, [], "asked")
        true(not os.path.exists(program.cache + "/debuginfod_client"), "no cache")


@test
def a_program_that_is_gone_is_fetched():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        server.files = program.files
        shutil.rmtree(folder + "/build")
        data, found = program.rows(server.url)
        equal((found, data["notices"]), (named.lines("src/"), []), "names and lines")
        # Its debug file alone has the names too.
        shutil.rmtree(program.cache)
        for name in program.ids:
            del server.files[program.path(name, "executable")]
        _data, found = program.rows(server.url)
        equal(found, named.lines("src/"), "names and lines without the program")


@test
def what_a_server_does_not_have():
    with Folder() as folder, Server() as server, Server() as other:
        program = Stripped(folder)
        data, found = program.rows(server.url)
        true("third" in found and found["third"] is None, "the exported name, without a line: %r" % found)
        true(any(name.startswith("app+0x") for name in found), "module and offset: %r" % found)
        told = [text for text in data["notices"] if "debuginfod" in text]
        equal(len(told), 1, "notices: %r" % data["notices"])
        true("app" in told[0] and "libthird.so" in told[0], told[0])
        equal(program.cached(), {}, "the cache")
        # The next server may have it.
        other.files = program.files
        data, found = program.rows("%s ima:enforcing %s" % (server.url, other.url))
        equal((found, data["notices"]), (named.lines("src/"), []), "of two servers")


def wrong_build_id(program):
    return program.files[program.path("libthird.so")]


def with_a_large_section(body):
    """The last byte of its largest section lies behind the file's end, whose headers are whole."""
    table, = struct.unpack_from("<Q", body, 40)
    size, count = struct.unpack_from("<HH", body, 58)
    place = max(range(table, table + size * count, size), key=lambda header: struct.unpack_from("<Q", body, header + 32)[0]
                if struct.unpack_from("<I", body, header + 4)[0] == 1 else 0)
    offset, = struct.unpack_from("<Q", body, place + 24)
    return body[:place + 32] + struct.pack("<Q", len(body) - offset + 1) + body[place + 40:]


def broken_length(body):
    """Promises the whole, and sends a part."""
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:len(body) // 2])
        handler.close_connection = True
    return answer


def without_length(body):
    """Sends up to the end of the connection."""
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = True
    return answer


def endless(handler):
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while True:
        handler.wfile.write(b"10000\r\n" + bytes(0x10000) + b"\r\n")


def huge(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", str(3 << 30))
    handler.end_headers()
    handler.wfile.write(b"\x7fELF")


@test
def what_is_wrong_is_not_used_and_not_kept():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        whole = program.files[program.path("app")]
        cases = (("another build id", wrong_build_id(program), "another build id"),
                 ("nothing", b"", "no ELF file"), ("text", b"<html>no such thing</html>", "no ELF file"),
                 ("a part, its length promised", broken_length(whole), ""),
                 ("a part of the sections", without_length(whole[:len(whole) // 2]), "a part"),
                 ("all but the last byte", without_length(whole[:-1]), "a part"),
                 ("a section that ends behind the file", with_a_large_section(whole), "a part"),
                 ("larger than allowed", huge, "larger than"), ("without an end", endless, "larger than"),
                 ("status 500", lambda handler: handler.send_error(500), "500"),
                 ("a redirection in a circle",
                  lambda handler: (handler.send_response(302), handler.send_header("Location", handler.path),
                                   handler.send_header("Content-Length", "0"), handler.end_headers()), ""))
        for what, answer, word in cases:
            server.files = {program.path("app"): answer, program.path("libthird.so"): program.files[program.path("libthird.so")]}
            more = {"DEBUGINFOD_MAXSIZE": "1000000"} if answer is endless else {}
            data, found = program.rows(server.url, **more)
            told = [text for text in data["notices"] if server.url in text]
            equal(len(told), 1, "%s: notices %r" % (what, data["notices"]))
            true("of app" in told[0] and word in told[0], "%s: %s" % (what, told[0]))
            true("main" not in found, "%s: not used: %r" % (what, found))
            true(not any(program.ids["app"] in path for path in program.cached()), "%s: not kept" % what)
            equal(len(found), 4, what)
            shutil.rmtree(program.cache, ignore_errors=True)
        # Sent to the end of the connection, all of it is all right.
        server.files = {program.path("app"): without_length(whole)}
        true("main" in program.rows(server.url)[1], "the whole without its length")


def trickle(server):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        while not server.closing.wait(0.05):
            handler.wfile.write(b"x")
            handler.wfile.flush()
    return answer


@test
def a_slow_server_is_given_up():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        for answer in (trickle(server), lambda handler: server.closing.wait(60)):
            server.files = {program.path(name): answer for name in program.ids}
            server.asked.clear()
            data, found = program.rows(server.url, DEBUGINFOD_TIMEOUT="1")
            equal(len(server.asked), 1, "asked once, for both files: %r" % server.asked)
            equal(len([text for text in data["notices"] if "too long" in text and "isn't asked again" in text]), 1,
                  "notices: %r" % data["notices"])
            equal((len(found), program.cached()), (4, {}), "the report is there, the cache empty")


@test
def a_server_that_is_not_there():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        server.files = program.files
        with socket.socket() as reserved:
            reserved.bind(("127.0.0.1", 0))  # nobody listens
            gone = "http://127.0.0.1:%d" % reserved.getsockname()[1]
            data, found = program.rows(gone)
            equal(len([text for text in data["notices"] if gone in text]), 1, "notices: %r" % data["notices"])
            equal(len(found), 4, "rows")
            data, found = program.rows(gone + " " + server.url)
            equal(found, named.lines("src/"), "from the one that is there")


@test
def no_server_is_named():
    with Folder() as folder:
        for urls in ("", "  ", "ima:enforcing", "ftp://example.invalid/"):
            for command in (["analyze", folder], ["run", "--dir", folder + "/t", "--", "touch", folder + "/ran"]):
                result = run(tap.CLI, command[0], "--debuginfod", *command[1:], env={"DEBUGINFOD_URLS": urls})
                equal((result.returncode, result.stdout), (2, ""), "exit status, output")
                equal(len(result.stderr.splitlines()), 1, result.stderr)
                true("--debuginfod: DEBUGINFOD_URLS names no server" in result.stderr, result.stderr)
        equal(os.listdir(folder), [], "nothing ran")


@test
def a_cache_that_can_not_be_written():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        server.files = program.files
        with open(program.cache, "wb"):
            pass
        data, found = program.rows(server.url)
        equal(len(found), 4, "rows")
        true(any("can't be written" in text for text in data["notices"]), "%r" % data["notices"])


@test
def an_interrupt_stops_the_fetch():
    with Folder() as folder, Server() as server:
        program = Stripped(folder)
        begun = threading.Event()
        slow = trickle(server)
        server.files = {program.path(name): lambda handler: (begun.set(), slow(handler)) for name in program.ids}
        environ = dict(os.environ, **program.env(server.url))
        process = subprocess.Popen([tap.CLI, "analyze", program.traces, "--debuginfod", "--out", folder + "/out"], env=environ,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        true(begun.wait(120), "the server is asked")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        equal((process.returncode, out, err), (-signal.SIGINT, b"", b""), "ended by the signal, quietly")
        equal((program.cached(), os.path.exists(folder + "/out")), ({}, False), "nothing is left half")


main()
