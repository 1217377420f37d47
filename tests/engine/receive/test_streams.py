# SPDX-License-Identifier: MIT
"""What a device sends is what a report of the recording says: versions, byte orders, kinds of chunks, gaps, drops."""

import os
import stat
import time

import recordings as rec
from streams import EVENTS, PACKED, PROCESS, STORED, T0, Device, Receiver, block_of, calls, check_calls, chunk, squeezed
from tap import Folder, equal, main, test, true


@test
def each_version_and_byte_order_keeps_every_event():
    with Folder() as folder, Receiver(folder) as receiver:
        for version in (2, 3):
            for order in "<>":
                device = Device(receiver, version, order, text=b"device v%d%s\n" % (version, b"le" if order == "<" else b"be"))
                if version == 3:
                    equal((device.mode, device.accepted), (0, b"\1"), "accepted without a key")
                for part in range(5):
                    device.events(calls(200, tid=1, start=1000 + 100000 * part))
                    device.events(calls(100, tid=2, start=1000 + 100000 * part), compress=squeezed)
                device.close()
        lines = receiver.stop()
        equal(sum("ended: 6000 events" in line and "no gaps" in line for line in lines), 4, "\n".join(lines))
        folders = receiver.folders()
        equal(len(folders), 4, "a folder for each stream")
        for path in folders:
            check_calls(path, {0x1000: 1500, 0x1100: 1500}, 2)


@test
def files_are_private_and_named_by_time_and_device():
    with Folder() as folder, Receiver(os.path.join(folder, "new", "traces")) as receiver:
        device = Device(receiver)
        device.events(calls(1))
        device.chunk(PROCESS, b"CALLSIGHT-PROCESS 1\npid 4711\nstart-monotonic-ns %d\n" % T0)
        device.close()
        receiver.stop()
        path, = receiver.folders()
        true(os.path.basename(path)[15:] == "-board" and os.path.basename(path)[:15].replace("-", "").isdigit(), path)
        equal(sorted(os.listdir(path)), ["trace.4711.process", "trace.stream.board.0.bin"], "files")
        for place in (path, os.path.dirname(path)):
            equal(stat.S_IMODE(os.stat(place).st_mode), 0o700, place)
        for name in os.listdir(path):
            equal(stat.S_IMODE(os.stat(os.path.join(path, name)).st_mode), 0o600, name)


@test
def the_header_is_what_the_device_said():
    with Folder() as folder, Receiver(folder) as receiver:
        for order in "<>":
            device = Device(receiver, order=order, flags=1, load_bias=0x5500, tick_hz=1000000, t0_ticks=77, t0_ns=88, hook_ns=9)
            device.events(calls(1))
            device.close()
            name = [p for p in receiver.folders() if os.path.exists(p)][-1]
            with open(os.path.join(name, "trace.stream.board.0.bin"), "rb") as file:
                data = file.read()
            equal(data[:80], rec.header(order, flags=1, load_bias=0x5500, tick_hz=1000000, t0_ticks=77, t0_ns=88, hook_ns=9, pid=4711),
                  "header " + order)
            equal(data[80:], b"".join(rec.event(*event, order=order) for event in calls(1)), "events " + order)


@test
def packed_blocks_of_mixed_threads():
    with Folder() as folder, Receiver(folder) as receiver:
        for order in "<>":
            device = Device(receiver, order=order, text=b"device p%s\n" % (b"le" if order == "<" else b"be"))
            for kind in (PACKED, STORED):
                for part in range(3):
                    now = 1000 + 1000000 * part + (500000 if kind == STORED else 0)
                    index = 1 + 800 * part + (400 if kind == STORED else 0)
                    device.blocks([block_of(calls(100, tid, now), order, index) for tid in (1, 2, 3)], kind=kind)
            device.close()
        lines = receiver.stop()
        equal(sum("ended: 7200 events" in line for line in lines), 2, "\n".join(lines))
        for path in receiver.folders():
            check_calls(path, {0x1000: 1800, 0x1100: 1800}, 3)


@test
def kinds_of_chunks_may_change():
    with Folder() as folder, Receiver(folder) as receiver:
        device = Device(receiver)
        device.events(calls(50))
        device.blocks([block_of(calls(60, start=100000))])
        device.events(calls(70, start=200000))
        device.close()
        receiver.stop()
        path, = receiver.folders()
        equal(len(os.listdir(path)), 3, "a file for each kind in turn")
        check_calls(path, {0x1000: 180, 0x1100: 180}, 1)


@test
def segments_are_read_in_order():
    with Folder() as folder, Receiver(folder, "--seg-mb", "1") as receiver:
        device = Device(receiver)
        for part in range(26):  # 128,000 bytes each
            device.events(calls(1000, start=1000 + 1000000 * part))
        device.close()
        receiver.stop()
        path, = receiver.folders()
        sizes = [os.path.getsize(os.path.join(path, "trace.stream.board.%d.bin" % i)) for i in range(len(os.listdir(path)))]
        equal(len(sizes), 4, "segments")
        true(all((1 << 20) - 32 < size <= 1 << 20 for size in sizes[:-1]), sizes)
        check_calls(path, {0x1000: 26000, 0x1100: 26000}, 1)
    with Folder() as folder, Receiver(folder, "--seg-mb", "1") as receiver:
        device = Device(receiver)
        for part in range(500):
            device.blocks([block_of(calls(1000, start=1000 + 1000000 * part), index=1 + 4000 * part)], kind=STORED)
        device.close()
        receiver.stop()
        path, = receiver.folders()
        true(len(os.listdir(path)) > 2, "segments of packed blocks")
        check_calls(path, {0x1000: 500000, 0x1100: 500000}, 1)


@test
def drops_are_told_as_a_total():
    with Folder() as folder, Receiver(folder) as receiver:
        for order in "<>":
            for packed_ in (False, True):
                device = Device(receiver, order=order)
                device.drops(5)  # before the first event
                if packed_:
                    device.blocks([block_of(calls(10), order)])
                else:
                    device.events(calls(10))
                device.drops(70000)
                device.close()
                data = check_calls(receiver.folders()[-1], {0x1000: 10, 0x1100: 10}, 1, r"70000")
                true(not any("bytes of the stream" in notice for notice in data["notices"]), data["notices"])
        equal(sum("70000 dropped" in line for line in receiver.stop()), 4, "told")


@test
def gaps_are_counted_and_end_what_was_open():
    with Folder() as folder, Receiver(folder) as receiver:
        for order in "<>":
            for packed_ in (False, True):
                device = Device(receiver, order=order)

                def send(events, position=None):
                    if packed_:
                        device.blocks([block_of(events, order)], position)
                    else:
                        device.events(events, position)
                # a call is open where the gap begins, and its exit lies in it
                send(calls(10) + [(rec.ENTER, 5000, 0x2000, 0x99, 1)])
                send(calls(10, start=10000), device.position + 320)
                send(calls(5, tid=7, start=20000), device.position + 3200)
                device.close()
                data = rec.report(receiver.folders()[-1])
                equal({int(n, 16): (r["calls"]) for n, r in data["by_name"].items()}, {0x1000: 25, 0x1100: 25, 0x2000: 1}, "calls")
                equal(data["events"], 101, "events")
                true(any("3520 bytes of the stream" in notice for notice in data["notices"]), data["notices"])
        equal(sum("101 events" in line and "2 gaps of 3520 bytes" in line for line in receiver.stop()), 4, "told")


@test
def what_came_before_the_first_byte_is_a_gap():
    with Folder() as folder, Receiver(folder) as receiver:
        device = Device(receiver)
        device.events(calls(10), 6400)
        device.close()
        check_calls(receiver.folders()[0], {0x1000: 10, 0x1100: 10}, 1, "6400 bytes of the stream of process 4711 were lost")
        receiver.stop()


@test
def a_stream_that_is_cut_off_goes_on_in_its_folder():
    with Folder() as folder, Receiver(folder) as receiver:
        first = Device(receiver)
        first.events(calls(10) + [(rec.ENTER, 5000, 0x2000, 0x99, 1)])
        position = first.position
        first.events(calls(7, start=6000))
        first.close()
        receiver.wait("board ended")
        # what came already is sent once more, as a device can't know how much came
        second = Device(receiver)
        second.events(calls(7, start=6000) + calls(3, start=50000), position)
        second.events([(rec.EXIT, 90000, 0x2000, 0x99, 1)])
        second.close()
        receiver.wait("goes on in")
        path, = receiver.folders()
        check_calls(path, {0x1000: 20, 0x1100: 20, 0x2000: 1}, 1)
        third = Device(receiver)
        third.events(calls(4, start=100000), second.position + 64)
        third.close()
        check_calls(path, {0x1000: 24, 0x1100: 24, 0x2000: 1}, 1, "64 bytes of the stream")
        # another process of the same device is another stream
        other = Device(receiver, t0_ns=T0 + 1)
        other.events(calls(2))
        other.close()
        equal(len(receiver.folders()), 2, "folders")
        receiver.stop()


@test
def a_device_that_connects_again_ends_its_silent_connection():
    with Folder() as folder, Receiver(folder) as receiver:
        first = Device(receiver)
        first.events(calls(10))
        first.send(chunk(EVENTS, bytes(8 + 3200))[:50])  # the link breaks here, and nobody tells the receiver
        time.sleep(3)
        second = Device(receiver)
        second.events(calls(10) + calls(5, start=50000), 0)
        second.close()
        receiver.wait("board ended: the device connected again: 40 events")
        path, = receiver.folders()
        check_calls(path, {0x1000: 15, 0x1100: 15}, 1)
        # one that isn't silent stays
        third = Device(receiver, text=b"device live\n")
        third.events(calls(10))
        time.sleep(0.3)
        fourth = Device(receiver, text=b"device live\n")
        for one in (third, fourth):
            one.events(calls(10, start=5000))
            one.close()
        equal(len(receiver.folders()), 3, "folders")
        receiver.stop()


@test
def process_text_names_what_it_can():
    with Folder() as folder, Receiver(folder) as receiver:
        device = Device(receiver)
        text = b"CALLSIGHT-PROCESS 1\npid 4711\nexe /srv/app\nstart-monotonic-ns %d\n" % T0
        device.chunk(PROCESS, text)
        device.chunk(PROCESS, b"thread 1 0 main-loop\n")
        device.events(calls(10))
        device.chunk(PROCESS, b"thread 2 0 worker-1\n")
        device.events(calls(10, tid=2))
        device.close()
        receiver.stop()
        path, = receiver.folders()
        data = check_calls(path, {0x1000: 20, 0x1100: 20}, 2)
        equal(sorted(t.get("name") for t in data["per_thread"]), ["main-loop", "worker-1"], "names")


@test
def process_text_that_is_sent_again_is_there_once():
    with Folder() as folder, Receiver(folder) as receiver:
        parts = [b"CALLSIGHT-PROCESS 1\npid 4711\nstart-monotonic-ns %d\n" % T0, b"thread 1 0 one\n", b"thread 2 0 two\n"]
        for n in (1, 2, 3):
            device = Device(receiver)
            if n == 1:
                device.events(calls(10))
            for part in parts[:n]:
                device.chunk(PROCESS, part)
            device.close()
        whole = b"".join(parts)
        device = Device(receiver)
        device.chunk(PROCESS, whole + b"thread 3 0 three\n")
        device.close()
        receiver.stop()
        path, = receiver.folders()
        with open(os.path.join(path, "trace.4711.process"), "rb") as file:
            equal(file.read(), whole + b"thread 3 0 three\n", "process text")


@test
def many_devices_at_once():
    with Folder() as folder, Receiver(folder) as receiver:
        devices = [Device(receiver, text=b"device d%d\nring r\npid %d\n" % (i, i + 1)) for i in range(40)]
        for part in range(10):
            for i, device in enumerate(devices):
                device.events(calls(10 + i, start=1000 + 100000 * part))
        for device in devices:
            device.close()
        receiver.stop()
        equal(len(receiver.folders()), 40, "folders")
        for i in range(0, 40, 7):
            path, = [p for p in receiver.folders() if p.endswith("-d%d" % i)]
            check_calls(path, {0x1000: 10 * (10 + i), 0x1100: 10 * (10 + i)}, 1)


@test
def equal_names_get_a_number_and_odd_ones_stay_inside():
    with Folder() as folder, Receiver(os.path.join(folder, "out")) as receiver:
        a, b = Device(receiver, text=b"device same\n"), Device(receiver, text=b"device same\n")
        odd = Device(receiver, text=b"device ../../\x1b[31mx\ny/\xff\0\npid 99999999999999\nring ../..\n")
        none = Device(receiver, text=b"")
        for i, device in enumerate((a, b, odd, none)):
            device.events(calls(i + 1))
            device.close()
        lines = receiver.stop()
        names = [os.path.basename(p)[16:] for p in receiver.folders()]
        true("same" in names and len([n for n in names if n.startswith("same")]) == 2, names)
        equal(sorted(n for n in names if "same" not in n), ["31mx", "device"], "odd names")
        equal(os.listdir(folder), ["out"], "nothing lies outside")
        true(all(c.isprintable() for line in lines for c in line), lines)


@test
def a_stream_without_events_leaves_no_folder():
    with Folder() as folder, Receiver(folder) as receiver:
        Device(receiver).close()
        device = Device(receiver)
        device.drops(3)
        device.close()
        receiver.stop()
        equal(receiver.folders(), [], "folders")
        equal(receiver.count("ended: 0 events"), 2, "told")


@test
def the_largest_chunk_is_taken():
    with Folder() as folder, Receiver(folder) as receiver:
        for version in (2, 3):
            device = Device(receiver, version)
            n = (8 << 20) // 32 - (version == 3)
            raw = b"".join(rec.event(*event) for event in calls(256)) * (n // 1024)
            device.chunk(EVENTS, device.at(raw), stored=squeezed(device.at(raw, 0)))
            device.close()
            equal(rec.report(receiver.folders()[-1])["events"], n // 1024 * 1024, "events")
        receiver.stop()


if __name__ == "__main__":
    main()
