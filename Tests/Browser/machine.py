"""An agent of a machine, with a save that a game writes."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time


class Machine:
    def __init__(self, name, folder, hearth):
        self.name, self.hearth = name, hearth
        self.home, self.save = folder / name / "home", folder / name / "save.json"
        self.save.parent.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.agent = None

    def start(self, *peers, under=()):
        """Starts the agent, by a command that starts another one where that is given."""
        words = [*under, self.hearth, "agent", "--json", "--home", self.home, "--name", self.name, "--host", "127.0.0.1", "--port",
                 str(self.port), "--discovery", "off"]
        for peer in peers:
            words += ["--peer", f"127.0.0.1:{peer.port}"]
        self.agent = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.agent.stdout.readline()

    def stop(self):
        if self.agent:
            self.agent.send_signal(signal.SIGTERM)
            self.agent.wait(10)

    def seen(self, path):
        """The path by which this program reaches a file that the agent sees there, also on a disk that nobody else has."""
        return pathlib.Path(f"/proc/{self.agent.pid}/root{path}")

    def kill(self):
        self.agent.kill()
        self.agent.wait(10)

    def ask(self, *words):
        outcome = subprocess.run([self.hearth, *words, "--home", self.home, "--json"], capture_output=True, timeout=60)
        assert outcome.returncode in (0, 3), f"{words}: {outcome.stdout.decode()}"
        return json.loads(outcome.stdout.splitlines()[-1])

    def link(self):
        return self.ask("page")["url"]

    def write(self, document):
        beside = self.save.with_suffix(".new")
        beside.write_text(json.dumps(document))
        os.replace(beside, self.save)

    def read_until(self, wish):
        """The save, as a game reads it, once it is as wished."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            save = json.loads(self.save.read_text())
            if wish(save):
                return save
            time.sleep(0.05)
        raise AssertionError(f"the save of {self.name} is still {save}")
