# SPDX-License-Identifier: MIT
"""provision: which ctags serves, and that only what the checksum says gets installed."""

import hashlib
import os
import signal
import socket
import subprocess
import threading
import time

import tap
from loopback import Server
from tap import Folder, equal, main, run, test, true

# A program that says of itself what a ctags that serves says.
CTAGS = """\
#include <stdio.h>
int main (void)
{
  puts ("Universal Ctags %s, a program for a test");
  puts ("  Optional compiled features: +json, +interactive");
  return 0;
}
"""
OTHER = "int main (void) { return 0; }\n"
MOST = 64 << 20


def compile_c(folder, text, *options):
    with open(folder + "/program.c", "w", encoding="utf-8") as file:
        file.write(text)
    run("gcc", *options, "-o", folder + "/program", folder + "/program.c", check=0)
    with open(folder + "/program", "rb") as file:
        return file.read()


def checksum(content):
    return hashlib.sha256(content).hexdigest()


class Home:
    """A data folder of our own, and a PATH without ctags."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = folder + "/data/callsight/bin"
        os.mkdir(folder + "/empty")
        self.env = {"XDG_DATA_HOME": folder + "/data", "PATH": folder + "/empty", "CALLSIGHT_CTAGS": "",
                    "http_proxy": "", "no_proxy": "*"}

    def provision(self, *arguments, check=0, **env):
        return run(tap.CLI, "provision", *arguments, env={**self.env, **env}, check=check)

    def refused(self, words, url, digits, *arguments):
        """It fails with one line that has these words, and leaves what was there."""
        before = self.installed()
        result = self.provision("--from", url, "--sha256", digits, *arguments, check=2)
        equal((result.stdout, result.stderr.count("\n")), ("", 1), "output: " + result.stderr)
        true(result.stderr.startswith("callsight-cli: provision: "), result.stderr)
        true(words in result.stderr, "%r in %r" % (words, result.stderr))
        equal(self.installed(), before, "what is installed")

    def installed(self):
        if not os.path.isdir(self.bin):
            return {}
        return {name: (checksum(open(os.path.join(self.bin, name), "rb").read()),
                       oct(os.stat(os.path.join(self.bin, name)).st_mode & 0o7777)) for name in os.listdir(self.bin)}


@test
def what_serves_and_how_to_get_one():
    with Folder() as folder:
        home = Home(folder)
        told = home.provision(check=1).stdout
        true("built-in scan serves" in told and "callsight-cli provision --from" in told, told)
        program = compile_c(folder, CTAGS % "7.1")
        for name in ("ctags", "universal-ctags"):
            os.makedirs(folder + "/" + name)
            with open("%s/%s/%s" % (folder, name, name), "wb") as file:
                file.write(program)
            os.chmod("%s/%s/%s" % (folder, name, name), 0o755)
            equal(home.provision(PATH=folder + "/" + name).stdout,
                  "Universal Ctags 7.1 (%s/%s/%s) serves the scan\n" % (folder, name, name), name)


@test
def a_right_one_is_installed_and_served_last():
    with Folder() as folder, Server() as server:
        home = Home(folder)
        program = compile_c(folder, CTAGS % "7.2")

        def redirect(handler):
            handler.send_response(302)
            handler.send_header("Location", server.url + "/ctags")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        server.files = {"/ctags": program, "/elsewhere": redirect}
        for url in ("/ctags", "/elsewhere"):
            result = home.provision("--from", server.url + url, "--sha256", checksum(program).upper())
            equal(result.stdout, "Installed: %s/ctags\nUniversal Ctags 7.2 (%s/ctags) serves the scan\n"
                  % (home.bin, home.bin), "told")
            equal((result.stderr, home.installed()), ("", {"ctags": (checksum(program), "0o755")}), "installed")
        # A newer one replaces it, from a file too.
        newer = compile_c(folder, CTAGS % "7.3")
        home.provision("--from", "file://" + folder + "/program", "--sha256", checksum(newer))
        equal(home.installed(), {"ctags": (checksum(newer), "0o755")}, "the newer one")
        # One of PATH, or that is named, comes first.
        os.mkdir(folder + "/path")
        compile_c(folder, CTAGS % "7.4")
        os.rename(folder + "/program", folder + "/path/ctags")
        true("7.4" in home.provision(PATH=folder + "/path").stdout, "one of PATH")
        true("7.3" in home.provision(PATH=folder + "/path", CALLSIGHT_CTAGS=home.bin + "/ctags").stdout, "a named one")


@test
def nothing_is_fetched_without_both_options():
    with Folder() as folder, Server() as server:
        home = Home(folder)
        server.files = {"/ctags": b"x"}
        for arguments in (["--from", server.url + "/ctags"], ["--sha256", "0" * 64],
                          ["--from", server.url + "/ctags", "--sha256", "0" * 63],
                          ["--from", server.url + "/ctags", "--sha256", "x" * 64],
                          ["--from", "ctags", "--sha256", "0" * 64], ["--from", "ftp://127.0.0.1/ctags", "--sha256", "0" * 64],
                          ["--from", "", "--sha256", "0" * 64], ["more"]):
            result = home.provision(*arguments, check=2)
            true(result.stderr.startswith("callsight-cli: provision: ") and result.stderr.count("\n") == 1, result.stderr)
        equal((server.asked, home.installed()), ([], {}), "asked, installed")


@test
def what_is_not_right_is_not_installed():
    with Folder() as folder, Server() as server:
        home = Home(folder)
        program = compile_c(folder, CTAGS % "7.5")
        other = compile_c(folder, OTHER)
        library = compile_c(folder, OTHER, "-shared", "-fPIC")
        foreign = bytearray(program)
        foreign[18:20] = b"\x16\x00" if program[18] != 0x16 else b"\x3e\x00"  # e_machine
        foreign = bytes(foreign)
        script = b"#!/bin/sh\necho 'Universal Ctags 7.5'\necho ' compiled features: +json, +interactive'\n"

        def cut_off(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(program)))
            handler.end_headers()
            handler.wfile.write(program[:2000])
            handler.close_connection = True

        def too_large(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", str(MOST + 1))
            handler.end_headers()
            handler.close_connection = True

        def endless(handler):
            handler.send_response(200)
            handler.send_header("Connection", "close")
            handler.end_headers()
            for _ in range(65):
                handler.wfile.write(bytes(1 << 20))
            handler.close_connection = True

        def loop(handler):
            handler.send_response(302)
            handler.send_header("Location", "/loop")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        def to_file(handler):
            handler.send_response(302)
            handler.send_header("Location", "file://" + folder + "/program")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        server.files = {"/ctags": program, "/cut": cut_off, "/large": too_large, "/endless": endless, "/loop": loop,
                        "/file": to_file, "/other": other, "/library": library, "/foreign": foreign, "/script": script}
        home.provision("--from", server.url + "/ctags", "--sha256", checksum(program))
        wrong = "0" * 64
        for url, digits, words in (("/ctags", wrong, "SHA-256 is " + checksum(program)),
                                   ("/cut", checksum(program), "nothing was fetched"),
                                   ("/cut", checksum(program[:2000]), "nothing was fetched"),
                                   ("/large", wrong, "larger than"), ("/endless", wrong, "larger than"),
                                   ("/loop", wrong, "nothing was fetched"), ("/file", checksum(library), "nothing was fetched"),
                                   ("/none", wrong, "no such file"),
                                   ("/other", checksum(other), "is no Universal Ctags"),
                                   ("/library", checksum(library), "it doesn't serve"),
                                   ("/foreign", checksum(foreign), "another processor"),
                                   ("/script", checksum(script), "no program")):
            home.refused(words, server.url + url, digits)
        true(len(server.asked) < 60, "redirects end: %d" % len(server.asked))
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            home.refused("nothing was fetched", "http://127.0.0.1:%d/ctags" % closed.getsockname()[1], wrong)
        home.refused("nothing was fetched", "http://no-such-host.invalid/ctags", wrong)
        home.refused("No such file", "file://" + folder + "/none", wrong)
        home.refused("no file", "file://" + folder, wrong)
        home.refused("file:///path", "file://elsewhere/x", wrong)


@test
def a_folder_that_can_not_be_made():
    with Folder() as folder:
        home = Home(folder)
        with open(folder + "/data", "w", encoding="utf-8"):
            pass
        result = home.provision("--from", "file:///x", "--sha256", "0" * 64, check=2)
        true("can be written" in result.stderr and "XDG_DATA_HOME" in result.stderr, result.stderr)


@test
def an_interrupt_leaves_nothing():
    with Folder() as folder, Server() as server:
        home = Home(folder)
        begun = threading.Event()

        def slow(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", "1000000")
            handler.end_headers()
            handler.wfile.write(bytes(1000))
            handler.wfile.flush()
            begun.set()
            server.closing.wait(60)

        server.files = {"/slow": slow}
        process = subprocess.Popen([tap.CLI, "provision", "--from", server.url + "/slow", "--sha256", "0" * 64],
                                   env={**os.environ, **home.env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        true(begun.wait(120), "the server is asked")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        equal((process.returncode, out, err), (-signal.SIGINT, b"", b""), "ended by the signal, quietly")
        equal(home.installed(), {}, "nothing is left half")


main()
