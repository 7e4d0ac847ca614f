"""Real agents, each a process of its own with a home in a temporary folder, on the loopback interface only."""

import contextlib
import ctypes
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path

HEARTH = os.environ.get("HEARTH_BINARY", "hearth")


_libc = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1
# MiB of memory at which an agent is ended, whatever the test is about.
MEMORY_LIMIT = 2_500


class Trouble(Exception):
    """Why a test cannot go on."""


def _die_with_us():
    """In the child, before it becomes the agent: it is killed when the test ends, however the test ends."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port():
    """A port nobody listens on, below those that the system hands out by itself."""
    for _ in range(100):
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise Trouble("no port is free on the loopback interface")


def wait_for(look, seconds, what):
    """Looks every few milliseconds until something true is found; its value. Raises Trouble when the time is over."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise Trouble(f"not within {seconds} s: {what}")
        time.sleep(0.01)


class Agent:
    """One machine of the household: a home, a port, a folder with saves, and the agent that runs there."""

    # The blanks with which its game indents each level of its save; None where it writes the save on one line.
    indent = 2

    def __init__(self, name, folder):
        self.name = name
        self.folder = Path(folder) / name
        (self.folder / "game").mkdir(parents=True, mode=0o700)
        self.port = free_port()
        self.process = None
        # Whether the test had to end it, for its memory.
        self.was_too_large = False

    @property
    def save(self):
        return self.folder / "game" / "save.json"

    @property
    def log(self):
        path = self.folder / "agent.err"
        return path.read_text(errors="replace") if path.exists() else ""

    def start(self, *peers, verbose=False, seconds=30):
        """Starts the agent; returns once it is ready. Returns the seconds that this took."""
        began = time.monotonic()
        self.launch(*peers, verbose=verbose)

        def look():
            if self.process.poll() is not None:
                raise Trouble(f"{self.name}'s agent ended with {self.process.returncode}: {self.log[-800:]}")
            return (self.folder / "agent.out").read_text().endswith("\n")

        wait_for(look, seconds, f"{self.name}'s agent is ready")
        return time.monotonic() - began

    def launch(self, *peers, verbose=False):
        """Starts the agent, and waits for nothing."""
        arguments = ["agent", "--json", "--host", "127.0.0.1", "--port", str(self.port), "--discovery", "off"]
        arguments += ["--name", self.name] + (["--verbose"] if verbose else [])
        for peer in peers:
            arguments += ["--peer", f"127.0.0.1:{peer if isinstance(peer, int) else peer.port}"]
        with open(self.folder / "agent.out", "w") as out, open(self.folder / "agent.err", "a") as err:
            self.process = subprocess.Popen(
                [HEARTH] + arguments, env=self._environment(), stdout=out, stderr=err, preexec_fn=_die_with_us
            )

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(5)

    def stop(self, seconds=5):
        """Asks the agent to end; the exit code, or None where it had to be killed."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def ask(self, *arguments, seconds=20):
        """Runs a command to its end; returns its exit code and its last line as JSON, or its text. A status that the
        agent of a busy machine did not answer within a second is asked for again."""
        end = time.monotonic() + seconds
        command = [HEARTH, *arguments, "--json"]
        while True:
            done = subprocess.run(
                command, env=self._environment(), capture_output=True, text=True, timeout=seconds
            )
            if "runs, but does not answer" not in done.stderr or time.monotonic() > end:
                break
        lines = done.stdout.strip().splitlines()
        try:
            return done.returncode, json.loads(lines[-1])
        except (IndexError, ValueError):
            return done.returncode, done.stdout + done.stderr

    def request(self, verb, seconds=120, **members):
        """Sends a request to the control socket, without a process of its own; the whole answer."""
        body = json.dumps(members).encode()
        head = f"POST /v1/requests/{verb} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(seconds)
            client.connect(str(self.folder / "home" / "run" / "control.sock"))
            client.sendall(f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
            answer = b""
            while piece := client.recv(1 << 16):
                answer += piece
        if b" 200 " not in answer.split(b"\r\n", 1)[0] or b'"error"' in answer:
            raise Trouble(f"{verb}: {answer[-400:]!r}")
        return answer

    def kept(self):
        """The number of saves in the agent's record."""
        path = self.folder / "home" / "hearth.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as record:
            return record.execute("SELECT count(*) FROM profile").fetchone()[0]

    def begin(self, *arguments):
        """Starts a command that goes on while the test does something else."""
        return subprocess.Popen(
            [HEARTH, *arguments, "--json"],
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_die_with_us,
        )

    def show_code(self):
        """Has a pairing code shown: the command that waits for the other device, and the code."""
        command = self.begin("pair")
        line = command.stdout.readline()
        if not line:
            raise Trouble(f"no code on {self.name}: {command.stderr.read()}")
        return command, json.loads(line)["code"]

    def pair_with(self, other):
        """Pairs with another agent: this one shows the code."""
        command, code = self.show_code()
        result, said = other.ask("pair", code, "--address", f"127.0.0.1:{self.port}")
        if result != 0 or command.wait(10) != 0:
            raise Trouble(f"the two could not be paired: {said}")

    # ---- saves

    def write(self, value):
        """Saves as most games do: a new file, renamed into place."""
        new = self.save.with_name("save.json.new")
        new.write_text(value if isinstance(value, str) else json.dumps(value, indent=self.indent))
        os.rename(new, self.save)

    def read(self):
        """The save as a value, or None where there is none."""
        try:
            return json.loads(self.save.read_text())
        except (OSError, ValueError):
            return None

    def add(self, value, rules):
        """Writes a save with a rule file and adds it."""
        self.write(value)
        path = self.folder / "rules.yaml"
        path.write_text(rules)
        code, said = self.ask("add", str(self.save), "--rules", str(path))
        if code != 0:
            raise Trouble(f"the save was not added on {self.name}: {said}")

    def restore(self, name, seconds=20):
        """Takes a save of the household to this machine."""
        wait_for(lambda: self.ask("restore", name, "--to", str(self.save))[0] == 0, seconds, f"{name} on {self.name}")

    # ---- what the process costs

    def memory(self):
        """Resident memory now and at most so far, in MiB."""
        fields = {}
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            if name in ("VmRSS", "VmHWM"):
                fields[name] = int(value.split()[0]) / 1024
        return fields["VmRSS"], fields["VmHWM"]

    def forget_peak(self):
        """Begins to measure the most memory anew."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def processor_time(self):
        """Seconds of processor time that the agent has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def disk(self):
        """MiB of the agent's home."""
        total = sum(path.stat().st_size for path in (self.folder / "home").rglob("*") if path.is_file())
        return total / (1 << 20)

    def _environment(self):
        return {
            "HEARTH_HOME": str(self.folder / "home"),
            "HOME": str(self.folder),
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            # An agent that ends in a trap is gone at once, and does not first spend seconds on a list of its frames.
            "SWIFT_BACKTRACE": "enable=no",
        }


class House:
    """A temporary folder with the agents that a test starts in it; all of them are gone at its end."""

    def __init__(self):
        # Not pytest's folder: its long name would not fit the address of the agent's socket.
        self.folder = tempfile.mkdtemp(prefix="wire-")
        self.agents = []
        self._over = threading.Event()
        threading.Thread(target=self._guard, daemon=True).start()

    def agent(self, name):
        self.agents.append(Agent(name, self.folder))
        return self.agents[-1]

    def _guard(self):
        """Ends an agent that takes more memory than a test may cost this machine."""
        while not self._over.wait(0.05):
            for agent in self.agents:
                try:
                    if agent.is_running and agent.memory()[0] > MEMORY_LIMIT:
                        agent.process.kill()
                        agent.was_too_large = True
                except (OSError, KeyError):
                    continue

    def clear(self):
        self._over.set()
        for agent in self.agents:
            agent.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
