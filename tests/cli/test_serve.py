# SPDX-License-Identifier: MIT
"""callsight-cli serve: where it listens, keys, what it says and how it ends."""

import os
import re
import signal
import stat
import threading
import time

import recordings as rec
import tap
from streams import EVENTS, Device, Receiver, calls, check_calls, chunk, hello, prove
from tap import Folder, equal, main, run, test, true

KEY = b"a key of this test, 32 bytes long"


def key_file(folder, text=KEY + b"\n", mode=0o600):
    path = os.path.join(folder, "key")
    with open(path, "wb") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


@test
def the_key_is_proven_by_both():
    with Folder() as folder, Receiver(os.path.join(folder, "out"), "--key-file", key_file(folder)) as receiver:
        true(any("for devices with the key" in line for line in receiver.lines), receiver.lines)
        for order in "<>":
            device = Device(receiver, order=order, key=KEY)
            equal((device.mode, device.accepted), (1, b"\1"), "accepted")
            device.events(calls(3))
            device.close()
            check_calls(receiver.folders()[-1], {0x1000: 3, 0x1100: 3}, 1)
        receiver.stop()


@test
def who_has_no_key_sends_nothing():
    with Folder() as folder, Receiver(os.path.join(folder, "out"), "--key-file", key_file(folder), "--handshake-ms", "2000") as receiver:
        good = Device(receiver, key=KEY, text=b"device good\n")
        good.events(calls(10))
        old = good.proof, prove(KEY, b"callsight-client-3", good.said)
        # the wrong key
        wrong = Device(receiver)
        wrong.send(prove(b"another key of 16", b"callsight-client-3", wrong.said))
        equal(wrong.receive(1), b"\0", "refused")
        true(wrong.is_closed(), "closed")
        # an answer of an earlier connection; the receiver's own proof sent back; nothing at all but zeros
        for answer in (lambda d: old[1], lambda d: d.proof, lambda d: prove(KEY, b"callsight-server-3", d.said), lambda d: bytes(32),
                       lambda d: prove(KEY, b"callsight-client-3", d.said[:-1])):
            again = Device(receiver)
            again.send(answer(again))
            equal(again.receive(1), b"\0", "refused")
            true(again.is_closed(), "closed")
        # the same words as before, random bytes included: the receiver's differ
        same = Device(receiver, shake=False)
        same.said = good.said[:-32]
        same.send(same.said)
        same.mode, theirs, proof = same.receive(1)[0], same.receive(32), same.receive(32)
        true(theirs != good.said[-32:] and proof != good.proof, "fresh random bytes")
        same.send(old[1])
        equal(same.receive(1), b"\0", "refused")
        # no answer; events instead of one
        silent = Device(receiver)
        true(silent.is_closed(10), "closed")
        receiver.wait("handshake took longer than 2 seconds")
        rash = Device(receiver)
        rash.send(chunk(EVENTS, rec.event(0, 1, 2) * 4))
        equal(rash.receive(1), b"\0", "refused")
        # version 2 knows none
        two = Device(receiver, 2)
        true(two.is_closed(), "closed")
        receiver.wait("refused: version 2 of the protocol knows no key")
        good.events(calls(10, start=100000))
        good.close()
        equal(receiver.count("refused: it doesn't know the key"), 8, "told")
        path, = receiver.folders()
        check_calls(path, {0x1000: 20, 0x1100: 20}, 1)
        receiver.stop()


@test
def a_key_of_the_environment():
    with Folder() as folder, Receiver(folder, env={"CALLSIGHT_KEY": KEY.decode()}) as receiver:
        equal(Device(receiver, key=KEY).accepted, b"\1", "accepted")
        receiver.stop()


@test
def keys_that_are_none():
    with Folder() as folder:
        for text, why in ((b"", "this one 0"), (b"fifteen bytes..\nand more", "this one 15"), (b"x" * 257, "at least 257"), (b"\nxxxx" * 20, "this one 0")):
            result = run(tap.CLI, "serve", "--port", "0", "--out", folder, "--key-file", key_file(folder, text), check=2)
            true(why in result.stderr and "16 to 256" in result.stderr, result.stderr)
        result = run(tap.CLI, "serve", "--port", "0", "--out", folder, "--key-file", os.path.join(folder, "nothing"), check=2)
        true("can't be read" in result.stderr, result.stderr)
        result = run(tap.CLI, "serve", "--port", "0", "--out", folder, env={"CALLSIGHT_KEY": "short"}, check=2)
        true("16 to 256" in result.stderr, result.stderr)
        result = run(tap.CLI, "serve", "--key-file", folder, check=2)
        true("can't be read" in result.stderr, result.stderr)
        for n in (16, 256):
            with Receiver(os.path.join(folder, "out"), "--key-file", key_file(folder, b"k" * n + b"\nrest")) as receiver:
                equal(Device(receiver, key=b"k" * n).accepted, b"\1", "accepted")
                receiver.stop()
        with Receiver(os.path.join(folder, "out"), "--key-file", key_file(folder, mode=0o640)) as receiver:
            receiver.wait("others may read this key")
            receiver.stop()


@test
def a_new_key():
    with Folder() as folder:
        path = os.path.join(folder, "new")
        result = run(tap.CLI, "serve", "--new-key", path, check=0)
        true(path in result.stdout and result.stderr == "", result)
        equal(stat.S_IMODE(os.stat(path).st_mode), 0o600, "mode")
        with open(path, "rb") as file:
            key = file.read()
        true(re.fullmatch(rb"[0-9a-f]{64}\n", key), key)
        result = run(tap.CLI, "serve", "--new-key", path, check=2)
        true("is there already" in result.stderr, result.stderr)
        with open(path, "rb") as file:
            equal(file.read(), key, "it stays")
        os.symlink(os.path.join(folder, "elsewhere"), os.path.join(folder, "link"))
        run(tap.CLI, "serve", "--new-key", os.path.join(folder, "link"), check=2)
        true(not os.path.exists(os.path.join(folder, "elsewhere")), "links aren't followed")
        run(tap.CLI, "serve", "--new-key", os.path.join(folder, "other"), check=0)
        with open(os.path.join(folder, "other"), "rb") as file:
            true(file.read() != key, "another")
        with Receiver(os.path.join(folder, "out"), "--key-file", path) as receiver:
            equal(Device(receiver, key=key[:64]).accepted, b"\1", "accepted")
            receiver.stop()


@test
def it_warns_where_anybody_may_send():
    with Folder() as folder:
        for arguments, warned in ((("--host", "0.0.0.0"), True), (("--host", "0.0.0.0", "--key-file", key_file(folder)), False),
                                  (("--host", "127.0.0.1"), False), (("--host", "localhost"), False)):
            with Receiver(os.path.join(folder, "out"), *arguments) as receiver:
                pass_lines = receiver.stop()
            lines = [line for line in pass_lines if "whoever reaches this port may send recordings" in line]
            equal(len(lines), warned, arguments)


@test
def where_it_listens():
    with Folder() as folder, Receiver(os.path.join(folder, "a")) as receiver:
        port = str(receiver.port)
        result = run(tap.CLI, "serve", "--host", "127.0.0.1", "--port", port, "--out", os.path.join(folder, "b"), check=2)
        true("can't listen on 127.0.0.1:" + port in result.stderr and len(result.stderr.splitlines()) == 1, result.stderr)
        result = run(tap.CLI, "serve", "--host", "192.0.2.1", "--port", "0", "--out", folder, check=2)
        true("can't listen" in result.stderr, result.stderr)
        receiver.stop()
    for arguments in (("--port", "65536"), ("--port", "-1"), ("--max-mb", "0"), ("--seg-mb", "0"), ("--total-mb", "-1"), ("--out", ""),
                      ("--host", ""), ("more",), ("--max-mb", "9999999999999")):
        true(run(tap.CLI, "serve", *arguments, check=2).stderr.startswith("callsight-cli: "), arguments)
    with Folder() as folder:
        with open(os.path.join(folder, "file"), "w", encoding="ascii"):
            pass
        result = run(tap.CLI, "serve", "--port", "0", "--out", os.path.join(folder, "file", "x"), check=2)
        true("recordings can't be written there" in result.stderr, result.stderr)


@test
def what_it_says():
    with Folder() as folder, Receiver(folder) as receiver:
        device = Device(receiver)
        device.events(calls(1000))
        device.drops(12)
        device.events(calls(10, start=1000000), device.position + 96)
        time.sleep(6)
        device.close()
        lines = receiver.stop()
        equal(len(lines), 3, "\n".join(lines))
        true(re.fullmatch(r"127\.0\.0\.1:\d+: board, process 4711 \(version 3\) sends to .*-board", lines[1]), lines[1])
        true(re.fullmatch(r"127\.0\.0\.1:\d+: board ended: 4040 events \(129.3.kB\), 12 dropped by the device, 1 gap of 96 bytes — .*-board",
                          lines[2]), lines[2])
    with Folder() as folder, Receiver(folder, "--verbose") as receiver:
        device = Device(receiver)
        device.events(calls(1000))
        receiver.wait(r"board: 4000 events \(128.0.kB\), 0 dropped by the device, no gaps so far")
        device.close()
        receiver.stop()


@test
def who_reads_nothing_of_what_it_says_holds_nobody_up():
    with Folder() as folder, Receiver(folder) as receiver:
        device = Device(receiver)
        for i in range(1500):  # a line each, more than a pipe takes
            other = Device(receiver, shake=False)
            other.send(b"X" * 8)
            true(other.is_closed(), i)
            other.socket.close()
            if i % 100 == 0:
                device.events(calls(10, start=1000 + 10000 * i))
        device.close()
        equal(rec.report(receiver.folders()[0])["events"], 600, "events")
        receiver.stop()
        equal(receiver.count("refused: a stream begins with"), 1500, "lines")


@test
def it_ends_cleanly_and_loses_nothing_that_came():
    for number in (signal.SIGINT, signal.SIGTERM):
        with Folder() as folder, Receiver(folder) as receiver:
            idle = Device(receiver, text=b"device idle\n")
            idle.events(calls(7))
            device = Device(receiver)
            sent = [0]

            def work():
                try:
                    while True:
                        device.events(calls(500, start=1000 + 100000 * sent[0]))
                        sent[0] += 1
                except OSError:
                    pass
            thread = threading.Thread(target=work)
            thread.start()
            half = Device(receiver, shake=False)
            half.send(hello(3)[:30])
            time.sleep(1)
            lines = receiver.stop(number)
            thread.join(30)
            events = int(re.search(r"board ended: the receiver was stopped: (\d+) events", "\n".join(lines)).group(1))
            true(events % 2000 == 0 and events // 2000 in range(sent[0] - 40, sent[0] + 1) and events > 0, (events, sent))
            paths = {p.rsplit("-", 1)[1]: p for p in receiver.folders()}
            check_calls(paths["board"], {0x1000: events // 4, 0x1100: events // 4}, 1)
            check_calls(paths["idle"], {0x1000: 7, 0x1100: 7}, 1)


@test
def what_was_sent_before_it_ends_is_there():
    with Folder() as folder, Receiver(folder) as receiver:
        devices = [Device(receiver, text=b"device d%d\n" % i) for i in range(20)]
        for device in devices:
            for part in range(10):
                device.events(calls(100, start=1000 + 100000 * part))
        receiver.stop()
        for path in receiver.folders():
            check_calls(path, {0x1000: 1000, 0x1100: 1000}, 1)


if __name__ == "__main__":
    main()
