"""A machine of a player with systemd as its process 1, in namespaces of its own (`boot`), and commands on it."""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "LAN"))
from lan import wait_for  # noqa: E402

UNIT = "hearth.service"
USER = {"HOME": "/var/home", "USER": "player", "XDG_RUNTIME_DIR": "/run/user/1000", "LC_ALL": "C.UTF-8",
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
# Every wait ends after so many seconds.
LIMIT = 30


class CannotRun(Exception):
    """systemd cannot be started on this machine; why is said already."""


class Machine:
    def __init__(self, folder, program):
        # The folder is /var of the machine.
        self.folder = pathlib.Path(folder)
        self.home = self.folder / "home"
        # In a session of its own: Ctrl-C is for the test, which then ends what it has started.
        self.boot = subprocess.Popen([HERE / "boot", folder, program], stdin=subprocess.PIPE, start_new_session=True)
        try:
            wait_for(self.is_up, lambda: f"the manager of the user is up; the log: {self.log()}", LIMIT)
        except BaseException:
            self.close()
            raise

    def is_up(self):
        if self.boot.poll() is not None:
            raise CannotRun if self.boot.returncode == 77 else AssertionError(f"boot: {self.boot.returncode}")
        active = ["systemctl", "is-active", "user@1000.service"]
        return self.first() and self.run(*active, user=False, codes=None).stdout == "active\n"

    def first(self):
        """The number of the machine's process 1; nothing before it is there."""
        file = self.folder / "first"
        return file.read_text().strip() if file.exists() else ""

    # ---- commands

    def command(self, words, user=True):
        """A command that runs on the machine, as the player or as root."""
        variables = [f"{name}={value}" for name, value in USER.items()] if user else [f"PATH={USER['PATH']}"]
        who = ["--setuid", "1000", "--setgid", "1000"] if user else []
        return ["nsenter", "--target", self.first(), "--all", *who, "env", "-i", *variables, *map(str, words)]

    def start(self, *words):
        return subprocess.Popen(self.command(words), stdin=subprocess.DEVNULL)

    def run(self, *words, codes=(0,), user=True):
        done = subprocess.run(self.command(words, user), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT)
        if codes is not None and done.returncode not in codes:
            raise AssertionError(f"{' '.join(map(str, words))}: {done.returncode}: {done.stdout}{done.stderr}")
        return done

    def hearth(self, *words, codes=(0,)):
        """What hearth answers as JSON."""
        for _ in range(30):
            done = self.run("/var/hearth", *words, "--json", codes=None)
            # A status that the agent of a busy machine did not answer within a second is asked for again.
            if "runs, but does not answer" not in done.stderr:
                break
        if done.returncode not in codes:
            raise AssertionError(f"hearth {' '.join(map(str, words))}: {done.returncode}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    # ---- the service

    def control(self, *words, codes=(0,)):
        return self.run("systemctl", "--user", *words, codes=codes).stdout

    def unit(self, name):
        """What systemd says of the unit."""
        return self.control("show", UNIT, "--property", name, "--value").strip()

    def process(self):
        return int(self.unit("MainPID"))

    def signal(self, name):
        """Sends a signal to the agent alone."""
        self.run("kill", "-s", name, self.process())

    def of_process(self, name):
        """A file of the agent's process; nothing where it has just ended."""
        return self.run("cat", f"/proc/{self.process()}/{name}", codes=None).stdout

    def settings(self, text):
        """What the unit has besides, until it is settled anew."""
        self.write(f".config/systemd/user/{UNIT}.d/test.conf", text)
        self.control("daemon-reload")

    def write(self, name, text, mode="644"):
        """Writes a file in the player's home, as the player."""
        path = f"{USER['HOME']}/{name}"
        self.run("sh", "-c", 'mkdir -p "${1%/*}" && printf %s "$2" >"$1" && chmod "$3" "$1"', "sh", path, text, mode)
        return path

    def lines(self, name):
        return (self.home / name).read_text().splitlines()

    # ---- the journal

    def journal(self):
        """What the journal has of the unit for its user: the level and the message of each line."""
        lines = self.run("journalctl", "--user", "--unit", "hearth", "--output", "json").stdout.splitlines()
        return [(int(entry.get("PRIORITY", -1)), entry["MESSAGE"]) for entry in map(json.loads, lines)]

    def has_said(self, words, level=None):
        return any(words in message and level in (None, said) for said, message in self.journal())

    def log(self):
        """The end of the whole journal, without what libdispatch has to say of every program of a user."""
        if not self.first():
            return "none"
        lines = self.run("journalctl", "--no-pager", user=False, codes=None).stdout.splitlines(keepends=True)
        return "".join([line for line in lines if "Failed to set thread priority" not in line][-60:])

    def close(self):
        self.boot.stdin.close()
        self.boot.wait(LIMIT)
