# SPDX-License-Identifier: MIT
"""The desktop app as a person with a screen reader and a keyboard meets it.

A Desktop is an X server and a session bus that belong to one test: the bus starts the
accessibility bus and nothing else.  An App is the real program in it, reached from
outside: over AT-SPI (find, press, read), with keys and the mouse (xdotool), and by
what it draws (screenshot).  What it prints on standard error is kept, and is to be
nothing.
"""

import atexit
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import tap

PROGRAM = os.path.join(tap.BUILD, "src", "app", "callsight")
APP_ID = "io.github.callsight.Callsight"
ACCESSIBILITY_SERVICE = "/usr/share/dbus-1/services/org.a11y.Bus.service"
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=%s</listen>
  <servicedir>%s</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def need(*programs):
    """Skip the test where a program that it drives is missing."""
    for program in programs:
        if shutil.which(program) is None:
            raise tap.Skip("no %s" % program)


def wait_for(what, function, seconds=120):
    """What function returns, once that is true."""
    end = time.monotonic() + seconds
    while True:
        value = function()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError("waited %d s for %s" % (seconds, what))
        time.sleep(0.05)


def load_atspi():
    try:
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi
    except (ImportError, ValueError) as error:
        raise tap.Skip("no AT-SPI for Python: %s" % error)
    return Atspi


class Desktop:
    def __init__(self, width=1280, height=900, accessible=False):
        need("Xvfb", "dbus-daemon")
        if accessible and not os.path.exists(ACCESSIBILITY_SERVICE):
            raise tap.Skip("no %s" % ACCESSIBILITY_SERVICE)
        self.size = (width, height)
        self.accessible = accessible
        self.children = []

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="callsight-desktop-")
        self.apps = []
        try:
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _start(self):
        runtime = os.path.join(self.folder, "runtime")
        services = os.path.join(self.folder, "services")
        for name in (runtime, services):
            os.mkdir(name, 0o700)
        if self.accessible:
            shutil.copy(ACCESSIBILITY_SERVICE, services)
        config = os.path.join(self.folder, "bus.conf")
        with open(config, "w") as file:
            file.write(BUS % (self.folder, services))

        self.display = self._start_display()

        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("TRACE_", "DBUS_", "AT_SPI", "WAYLAND_", "GTK_"))}
        self.env.update(DISPLAY=self.display, XDG_RUNTIME_DIR=runtime, GDK_BACKEND="x11", GSK_RENDERER="cairo",
                        GSETTINGS_BACKEND="memory", ADW_DISABLE_PORTAL="1", G_DEBUG="fatal-warnings",
                        XDG_CONFIG_HOME=os.path.join(self.folder, "config"),
                        XDG_CACHE_HOME=os.path.join(self.folder, "cache"),
                        XDG_DATA_HOME=os.path.join(self.folder, "data"),
                        XDG_STATE_HOME=os.path.join(self.folder, "state"))
        if not self.accessible:
            self.env["GTK_A11Y"] = "none"

        read, write = os.pipe()
        self._spawn(["dbus-daemon", "--nofork", "--config-file=" + config, "--print-address=%d" % write],
                    pass_fds=[write], env=self.env)
        os.close(write)
        with os.fdopen(read) as file:
            self.env["DBUS_SESSION_BUS_ADDRESS"] = file.readline().strip()
        tap.true(self.env["DBUS_SESSION_BUS_ADDRESS"], "dbus-daemon did not start")

    def _start_display(self):
        """An X server on a display that is its own. One that looks for a free number by itself may take the sockets
        of another that does so at the same time; a number that is given is locked. It doesn't begin anew when its last
        client leaves, as the launcher of the accessibility bus does, while the next one comes."""
        first = 200 + os.getpid() % 500
        for number in range(first, first + 50):
            if os.path.exists("/tmp/.X%d-lock" % number) or os.path.exists("/tmp/.X11-unix/X%d" % number):
                continue
            read, write = os.pipe()
            self._spawn(["Xvfb", ":%d" % number, "-displayfd", str(write), "-screen", "0", "%dx%dx24" % self.size,
                         "-nolisten", "tcp", "-noreset"], pass_fds=[write])
            os.close(write)
            with os.fdopen(read) as file:
                if file.readline().strip():
                    return ":%d" % number
        raise AssertionError("Xvfb did not start")

    def _spawn(self, command, **options):
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, **options)
        self.children.append(child)
        return child

    def manage_windows(self):
        """A window manager: windows can be maximized, and get a shadow."""
        need("metacity")
        self._spawn(["metacity", "--compositor=xrender"], env=self.env)
        time.sleep(0.5)

    def start(self, *arguments, **env):
        app = App(self, [str(a) for a in arguments], env)
        self.apps.append(app)
        return app

    def resize(self, width, height):
        """The main window's size; without a window manager it then lies at 0, 0."""
        need("xdotool")

        def find():
            result = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "callsight"], env=self.env,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120)
            return result.stdout.split()
        for window in wait_for("the window", find):
            subprocess.run(["xdotool", "windowsize", "--sync", window, str(width), str(height)], env=self.env,
                           timeout=120)

    def screenshot(self, path):
        need("import")
        subprocess.run(["import", "-window", "root", path], env=self.env, check=True, timeout=120)

    def key(self, *keys):
        need("xdotool")
        subprocess.run(["xdotool", "key", "--clearmodifiers"] + list(keys), env=self.env, check=True, timeout=120)

    def type(self, text):
        need("xdotool")
        subprocess.run(["xdotool", "type", "--delay", "5", text], env=self.env, check=True, timeout=60)

    def click(self, x, y, button=1, repeat=1):
        need("xdotool")
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "--repeat", str(repeat), "--delay", "40",
                        str(button)], env=self.env, check=True, timeout=120)

    def drag(self, x0, y0, x1, y1):
        need("xdotool")
        middle = [str((x0 + x1) // 2), str((y0 + y1) // 2)]
        subprocess.run(["xdotool", "mousemove", str(x0), str(y0), "mousedown", "1", "mousemove"] + middle
                       + ["mousemove", str(x1), str(y1), "mouseup", "1"], env=self.env, check=True, timeout=120)

    def __exit__(self, *unused):
        for app in self.apps:
            app.kill()
        for child in reversed(self.children):
            child.terminate()
        for child in reversed(self.children):
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


_shared = None


def shared():
    """The accessible desktop of this process. There is only one: the bindings of AT-SPI stay with the first bus that they
    meet. What an earlier test left running there is ended."""
    global _shared
    if _shared is None:
        place = Desktop(accessible=True).__enter__()
        atexit.register(place.__exit__, None, None, None)
        _shared = place
    for app in _shared.apps:
        app.kill()
    _shared.apps.clear()
    return _shared


class App:
    def __init__(self, desktop, arguments, env):
        self.desktop = desktop
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([PROGRAM] + arguments, env={**desktop.env, **env}, stdin=subprocess.DEVNULL,
                                        stdout=self.errors, stderr=self.errors)
        self._root = None

    # Over AT-SPI.

    def root(self):
        """The program's accessible object."""
        if self._root is None:
            os.environ.update({name: self.desktop.env[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS",
                                                                         "XDG_RUNTIME_DIR")})
            Atspi = load_atspi()
            Atspi.init()

            def find():
                self.check_running()
                desktop = Atspi.get_desktop(0)
                for i in range(desktop.get_child_count()):
                    child = desktop.get_child_at_index(i)
                    if child is not None and child.get_process_id() == self.process.pid:
                        return child
                return None
            self._root = wait_for("the program on the accessibility bus", find)
        return self._root

    def walk(self, top=None, hidden=False):
        """All accessible objects, with their depths, that are shown."""
        Atspi = load_atspi()
        stack = [(top or self.root(), 0)]
        while stack:
            node, depth = stack.pop()
            yield node, depth
            for i in range(node.get_child_count() - 1, -1, -1):
                child = node.get_child_at_index(i)
                if child is not None and (hidden or depth == 0 or child.get_state_set().contains(Atspi.StateType.VISIBLE)):
                    stack.append((child, depth + 1))

    def find(self, role, name=None, seconds=120, top=None):
        """The first object of a role ("push button") whose name is, or matches (a compiled expression)."""
        def look():
            self.check_running()
            for node, _ in self.walk(top):
                if node.get_role_name() == role and (name is None or node.get_name() == name
                                                     or isinstance(name, re.Pattern) and name.search(node.get_name() or "")):
                    return node
            return None
        return wait_for("%s %r" % (role, name), self.retry(look), seconds)

    def has(self, role, name=None):
        try:
            return bool(self.find(role, name, seconds=0))
        except AssertionError:
            return False

    @staticmethod
    def retry(function):
        # Objects go while they are walked over.
        def tried():
            from gi.repository import GLib
            try:
                return function()
            except GLib.Error:
                return None
        return tried

    def press(self, node, action=0):
        tap.true(node.get_action_iface() is not None, "%s has no action" % node.get_name())
        node.get_action_iface().do_action(action)

    def click(self, role, name, top=None, **options):
        """Click on an object, which GTK 4.8 lends no action where it is no button."""
        node = self.find(role, name, top=top)
        last = None

        def look():
            nonlocal last
            extents = node.get_component_iface().get_extents(load_atspi().CoordType.WINDOW)
            place = (extents.x, extents.y, extents.width, extents.height)
            # Where it is not laid out yet it has no size, and rows move while others come.
            settled = extents.width > 0 and place == last
            last = place
            time.sleep(0.3)
            return extents if settled else None
        extents = wait_for("a place of %r" % name, self.retry(look))
        self.desktop.click(extents.x + extents.width // 2 + 3, extents.y + extents.height // 2 + 3, **options)

    def texts(self, top=None):
        """The names and texts of everything that is shown."""
        found = []
        for node, _ in self.walk(top):
            if node.get_name():
                found.append(node.get_name())
        return found

    def tree(self, top=None):
        """The accessible objects as lines of indented "role: name"."""
        return "\n".join("%s%s: %s" % ("  " * depth, node.get_role_name(), node.get_name())
                         for node, depth in self.walk(top))

    # Otherwise.

    def settle(self, seconds=1.5):
        """Let it draw what is to be seen."""
        time.sleep(seconds)
        self.check_running()

    def check_running(self):
        if self.process.poll() is not None:
            raise AssertionError("the program ended with %d: %s" % (self.process.returncode, self.read_errors()))

    def read_errors(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def close(self, seconds=120):
        """Ask it to quit; it must print nothing, and succeed."""
        need("gdbus")
        subprocess.run(["gdbus", "call", "--session", "--dest", APP_ID, "--object-path", "/" + APP_ID.replace(".", "/"),
                        "--method", "org.gtk.Actions.Activate", "quit", "[]", "{}"], env=self.desktop.env,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)  # it may go without an answer
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError("it doesn't quit: %s" % self.read_errors())
        tap.equal(self.read_errors(), "", "standard error")
        tap.equal(self.process.returncode, 0, "exit status")

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.errors.close()
