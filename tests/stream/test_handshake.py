# SPDX-License-Identifier: MIT
"""Keys and proofs, and what the client does with a peer that is no receiver."""

import os
import shutil
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import WARNINGS, Client, program
from receiver import Receiver, until
from rings import Ring, events, numbers
from tap import TOP, Folder, Skip, compilers, equal, main, run, test, true

KEY = b"0123456789abcdef"
CROSS = (("aarch64-linux-gnu", "qemu-aarch64"), ("arm-linux-gnueabihf", "qemu-arm"), ("powerpc-linux-gnu", "qemu-ppc"),
         ("powerpc64-linux-gnu", "qemu-ppc64"))


def shake(receiver, ring, *options, env=None):
    """The client's exit status and words where hands are not shaken."""
    with Client(ring.name, receiver.port, *options, env=env) as it:
        status, said = it.end()
    equal(receiver.chunks, [], "chunks")
    equal(ring.tail, 0, "tail")
    return status, said.replace("trace_stream: /%s: " % ring.name, "")


def key_file(folder, text=KEY):
    path = os.path.join(folder, "key")
    with open(path, "wb") as file:
        file.write(text)
    return path


@test
def both_know_the_key():
    for text in (KEY, KEY + b"\n", KEY + b"\nmore\n", bytes(range(11, 256)), bytes(range(11, 255)) + b"x" * 12 + b"\n" + b"y" * 999):
        with Folder() as folder, Ring() as ring, Receiver(key=text.split(b"\n")[0]) as receiver:
            ring.put(events(0, 100))
            ring.detach()
            with Client(ring.name, receiver.port, "--key-file", key_file(folder, text)) as it:
                equal(it.end(), (0, ""), "end")
            equal((numbers(receiver.data(0)), receiver.errors), (list(range(100)), []), "events")


@test
def the_key_may_be_in_the_environment():
    with Ring() as ring, Receiver(key=KEY) as receiver:
        ring.put(events(0, 100))
        ring.detach()
        with Client(ring.name, receiver.port, env={"CALLSIGHT_KEY": KEY.decode()}) as it:
            equal(it.end(), (0, ""), "end")
        equal(numbers(receiver.data(0)), list(range(100)), "events")


@test
def a_receiver_must_prove_that_it_knows_the_key():
    with Folder() as folder, Ring() as ring:
        ring.put(events(0, 100))
        path = key_file(folder)
        with Receiver(key=b"another key, as long") as receiver:
            equal(shake(receiver, ring, "--key-file", path), (1, "the receiver doesn't know the key: nothing was sent\n"), "other key")
            equal(receiver.given, b"", "the client's proof was given")
        with Receiver() as receiver:
            equal(shake(receiver, ring, "--key-file", path),
                  (1, "the receiver has no key, so that nothing proves that it is the right one: nothing was sent\n"), "no key")
        for at in (0, 15, 31):
            # As a replay of what another connection said, or nearly right.
            proof = bytearray(32)
            proof[at] = 1
            with Receiver(key=KEY, proof=bytes(proof)) as receiver:
                equal(shake(receiver, ring, "--key-file", path)[0], 1, "wrong proof")


@test
def a_client_without_the_key_is_refused():
    with Ring() as ring, Receiver(key=KEY) as receiver:
        ring.put(events(0, 100))
        equal(shake(receiver, ring), (1, "the receiver wants a key: give it with --key-file\n"), "no key")
    with Ring() as ring, Receiver(accepted=0) as receiver:
        ring.put(events(0, 100))
        equal(shake(receiver, ring), (1, "the receiver refused this device\n"), "refused")


@test
def keys_that_are_wrong():
    with Folder() as folder:
        for text in (b"", b"\n", b"0123456789abcde", b"0123456789abcde\nf", b"x" * 257, b"x" * 999 + b"\n"):
            path = key_file(folder, text)
            result = run(program(), "/a", "h", "1", "--key-file", path)
            equal((result.returncode, result.stderr),
                  (2, "trace_stream: %s: a key has 16 to 256 bytes in its first line\n" % path), text)
        result = run(program(), "/a", "h", "1", "--key-file", folder + "/none")
        equal((result.returncode, result.stderr),
              (2, "trace_stream: %s/none: cannot read the key: No such file or directory\n" % folder), "no file")
        result = run(program(), "/a", "h", "1", env={"CALLSIGHT_KEY": "short"})
        equal(result.stderr, "trace_stream: CALLSIGHT_KEY: a key has 16 to 256 bytes in its first line\n", "environment")
        result = run(program(), "/a", "h", "1", "--protocol=2", "--key-file", key_file(folder))
        equal((result.returncode, result.stderr), (2, "trace_stream: --protocol 2 knows no key: leave out one of them\n"), "2")


@test
def what_answers_may_be_anything():
    def say(data):
        return lambda client: (client.sendall(data), client.recv(4096), client.close())

    cases = ((say(b"HTTP/1.1 400 Bad Request\r\n\r\n" + bytes(200)), "what answers there is no receiver"),
             (say(b"\x02" + bytes(100)), "what answers there is no receiver"),
             (say(b"\xff" * 1000), "what answers there is no receiver"),
             (say(b"\x00"), "the receiver closed the connection in the handshake "
                            "(one that knows version 2 alone takes --protocol 2)"),
             (lambda client: (client.recv(64), client.close()), None))
    for answer, why in cases:
        with Ring() as ring, Receiver(answer=answer) as receiver:
            ring.put(events(0, 100))
            status, said = shake(receiver, ring, "--once")
            equal(status, 1, "status")
            true(why is None or said == why + "\n", said)
            true(said.count("\n") == 1, said)
    # Behind the handshake there is nothing to say any more.
    with Ring() as ring, Receiver(answer=say(bytes(33) + b"\x01" + b"x" * 1000)) as receiver:
        with Client(ring.name, receiver.port, "--once") as it:
            status, said = it.end()
            equal((status, said.split(": ")[-1]), (1, "the receiver said what isn't in the protocol\n"), "more")


@test
def an_answer_is_waited_for_ten_seconds():
    with Ring() as ring, Receiver(answer=lambda client: client.recv(1 << 16) and time.sleep(14)) as silent, \
            Ring() as other, Receiver(answer=drip) as slow:
        began = time.monotonic()
        said = []
        threads = [threading.Thread(target=lambda r=r, s=s: said.append(shake(s, r, "--once"))) for r, s in
                   ((ring, silent), (other, slow))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(25)
        equal(said, [(1, "the receiver didn't answer in 10 seconds\n")] * 2, "end")
        true(9 < time.monotonic() - began < 14, "time")


def drip(client):
    try:
        client.sendall(b"\0")
        for _ in range(28):
            client.sendall(b"x")
            time.sleep(0.5)
    except OSError:
        pass


@test
def the_vectors():
    with Folder() as folder:
        for cc in compilers():
            run(cc, "-std=c11", "-O2", *WARNINGS, os.path.join(TOP, "tests", "stream", "hash-vectors.c"), "-o", folder + "/vectors", check=0)
            lines = run(folder + "/vectors", check=0).stdout.splitlines()
            true(len(lines) > 40, lines)


@test
def it_compiles_without_a_warning():
    for cc in compilers():
        for flags in (("-O0",), ("-O2", "-DCALLSIGHT_NO_ZSTD"), ("-O2", "-DCALLSIGHT_STREAM_LOCKED"), ("-Os", "-D_FORTIFY_SOURCE=2")):
            result = run(cc, "-std=c11", *WARNINGS, *flags, "-c", os.path.join(TOP, "stream", "trace_stream.c"), "-o", "/dev/null")
            equal((result.returncode, result.stderr), (0, ""), "%s %s" % (cc, flags))


@test
def on_other_processors():
    tried = []
    for cpu, emulator in CROSS:
        if not shutil.which(cpu + "-gcc") or not shutil.which(emulator):
            continue
        with Folder() as folder:
            source = os.path.join(TOP, "tests", "stream", "hash-vectors.c")
            run(cpu + "-gcc", "-O2", source, "-o", folder + "/vectors", check=0)
            run(emulator, "-L", "/usr/" + cpu, folder + "/vectors", check=0)
            built = folder + "/trace_stream"
            run(cpu + "-gcc", "-O2", *WARNINGS, "-DCALLSIGHT_NO_ZSTD", os.path.join(TOP, "stream", "trace_stream.c"), "-o", built, check=0)
            undefined = run(cpu + "-nm", "-u", built, check=0).stdout
            true("__atomic" not in undefined and "__sync" not in undefined, cpu + ": libatomic")
            result = run(emulator, "-L", "/usr/" + cpu, built, "/a", "h", "0")
            equal(result.returncode, 2, cpu + ": a wrong command")
        tried.append(cpu)
    if not tried:
        raise Skip("no cross compiler with an emulator")


if __name__ == "__main__":
    main()
