# SPDX-License-Identifier: MIT
"""A program, its ring, the client and the receiver, all of them ours: what is analysed is what ran."""

import json
import os
import subprocess

import compiled
import recordings as rec
import tap
from streams import Receiver
from tap import Folder, equal, main, run, test, true

CLIENT = os.path.join(tap.BUILD, "stream", "trace_stream")
THREADS, CALLS = 3, 100000
PROGRAM = """
#include <pthread.h>
static volatile long sink;
static __attribute__ ((noinline)) void leaf (void) { sink++; }
static void *work (void *data) { for (int i = 0; i < %d; i++) leaf (); return data; }
int main (void)
{
  pthread_t threads[%d];
  for (int i = 0; i < %d; i++) pthread_create (&threads[i], 0, work, 0);
  for (int i = 0; i < %d; i++) pthread_join (threads[i], 0);
  return 0;
}
""" % (CALLS, THREADS, THREADS, THREADS)
EVENTS = 2 * (THREADS * (CALLS + 1) + 1)


def build(folder):
    path = rec.write(folder, "p.c", PROGRAM.encode())
    run("gcc", "-g", "-O1", "-finstrument-functions", path, compiled.runtime("gcc"), "-o", folder + "/p", "-pthread", check=0)
    return folder + "/p"


def stream(folder, size, form, client_first):
    """The report of a run that was streamed, and how many events its ring had no room for."""
    name = "/callsight-test-%d-%s" % (os.getpid(), form)
    env = {"TRACE_ENABLE": "1", "TRACE_SHM": name, "TRACE_SHM_SIZE": size, "TRACE_FORMAT": form}
    with Receiver(os.path.join(folder, "out-" + form + size)) as receiver:
        def send():
            return subprocess.Popen([CLIENT, name, "127.0.0.1", str(receiver.port)], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True)
        client = send() if client_first else None
        try:
            run(folder + "/p", env=env, check=0)
            client = client or send()
            output = client.communicate(timeout=60)[0]
            waiting = "trace_stream: waiting for a program that traces into %s\n" % name if client_first else ""
            equal(client.returncode, 0, "the client: " + output)
            true(output in ("", waiting), output)
        finally:
            if client is not None and client.poll() is None:
                client.kill()
                client.communicate()
        report = json.loads(rec.analyze(receiver.folders()[-1], "--format", "json", "--top", "0").stdout)
        receiver.stop()
    equal([path for path in os.listdir("/dev/shm") if path.startswith(name[1:])], [], "what is left of the ring")
    dropped = sum(int(text.split("dropped ")[1].split()[0]) for text in report["notices"] if "dropped" in text)
    return report, dropped


@test
def every_call_arrives():
    with Folder() as folder:
        build(folder)
        for form in ("records", "packed"):
            report, dropped = stream(folder, "64M", form, True)
            equal((report["events"], dropped, report["unmatched_exits"], report["unclosed_enters"]), (EVENTS, 0, 0, 0), form)
            equal({row["function"]: row["calls"] for row in report["rows"]},
                  {"leaf": THREADS * CALLS, "work": THREADS, "main": 1}, form)


@test
def what_has_no_room_is_counted():
    with Folder() as folder:
        build(folder)
        report, dropped = stream(folder, "1M", "records", False)
        true(dropped > 0, "a ring of 1 MiB that nobody reads meanwhile is too small")
        equal(report["events"] + dropped, EVENTS, "what arrived and what was dropped")


main()
