# SPDX-License-Identifier: MIT
"""trace_stream, built and run."""

import fcntl
import os
import signal
import subprocess

import tap
from receiver import ZSTD
from tap import Skip, run

SOURCE = os.path.join(tap.TOP, "stream", "trace_stream.c")
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wundef", "-Werror")
FOLDER = os.path.join(tap.BUILD, "tests", "stream")
# More options from outside, as -fsanitize=address,undefined.
MORE = tuple(os.environ.get("CALLSIGHT_TEST_CFLAGS", "").split())
_built = {}


def program(*flags):
    """The client, compiled with these options."""
    if not ZSTD:
        raise Skip("no libzstd to unpack with")
    if flags not in _built:
        os.makedirs(FOLDER, exist_ok=True)
        path = os.path.join(FOLDER, "trace_stream" + "".join(flags).replace("/", "_"))
        with open(path + ".lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            new = path + ".new"
            run("cc", "-O2", *flags, *MORE, "-o", new, SOURCE, *(() if "-DCALLSIGHT_NO_ZSTD" in flags else ("-lzstd",)),
                check=0)
            os.rename(new, path)
        _built[flags] = path
    return _built[flags]


class Client:
    """A client that runs.  At the end of the block it is gone."""

    def __init__(self, name, port, *options, flags=(), env=None, host="127.0.0.1"):
        environ = {k: v for k, v in os.environ.items() if k != "CALLSIGHT_KEY"}
        environ.update(env or {})
        self.process = subprocess.Popen([program(*flags), "/" + name, host, str(port), *options], env=environ,
                                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def end(self, seconds=20):
        """Its exit status and what it said, when it ends by itself."""
        try:
            _, said = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, said = self.process.communicate()
            raise AssertionError("the client goes on: " + said)
        return self.process.returncode, said

    def stop(self, number=signal.SIGTERM, seconds=20):
        self.process.send_signal(number)
        return self.end(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.communicate()
