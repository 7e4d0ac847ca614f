"""A machine of a player: an agent with a home of its own, the save of the game, and games that are played on it.

Everything is a process of its own and stays on the loopback interface. The game is started as a player starts it, and
has never heard of Hearth.
"""

import collections
import json
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/LAN"))
from lan import wait_for  # noqa: E402
from model import trip  # noqa: E402

GAME = ROOT / "Examples/AnyEngine/mine.py"
NAME = "Tin Mine"


class Machine:
    def __init__(self, name, folder, hearth, model):
        self.name, self.hearth, self.model = name, hearth, model
        self.folder = pathlib.Path(folder, name)
        self.home, self.save = self.folder / "hearth", self.folder / "tin-mine" / "save.json"
        self.folder.mkdir()
        self.port, self.peers, self.agent, self.games = 0, [], None, []

    # ---- the agent

    def start_agent(self):
        """Starts it, and waits until it is ready. It listens at the same port each time."""
        words = ["agent", "--home", self.home, "--json", "--name", self.name, "--discovery", "off",
                 "--host", "127.0.0.1", "--port", self.port]
        for peer in self.peers:
            words += ["--peer", f"127.0.0.1:{peer.port}"]
        self.agent = subprocess.Popen([self.hearth, *map(str, words)], stdout=subprocess.PIPE, text=True,
                                      stderr=open(self.folder / "agent.log", "a"))
        self.port = json.loads(self.agent.stdout.readline())["port"]

    def kill_agent(self):
        """As a power cut does it."""
        if self.agent:
            self.agent.kill()
            self.agent.wait()
            self.agent = None

    def run(self, *words):
        command = [self.hearth, *map(str, words), "--home", str(self.home), "--json"]
        for _ in range(30):
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
            # A status that the agent of a busy machine did not answer within a second is asked for again.
            if "runs, but does not answer" not in done.stderr:
                break
        return done

    def ask(self, *words):
        """What a command answers. One that fails ends the test."""
        done = self.run(*words)
        if done.returncode != 0:
            raise AssertionError(f"{self.name}: hearth {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    def pair(self, other):
        """This machine shows a code, and the other one types it."""
        command = [self.hearth, "pair", "--home", self.home, "--json"]
        shown = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        code = json.loads(shown.stdout.readline())["code"]
        other.ask("pair", code, "--address", f"127.0.0.1:{self.port}")
        if shown.wait(20) != 0:
            raise AssertionError(f"{self.name} and {other.name} are not paired")

    def restores(self):
        """Plays the save of the household here, where its game was never started."""
        wait_for(lambda: any(save["name"] == NAME for save in self.ask("status")["profiles"]), "the save is known here")
        self.save.parent.mkdir()
        self.ask("restore", NAME, "--to", self.save)

    # ---- the game

    def starts_game(self, through_hearth=False):
        return Game(self, through_hearth)

    def plays(self, *commands, through_hearth=False):
        """Starts the game, plays, and ends it."""
        game = self.starts_game(through_hearth)
        for command in commands:
            game.do(command)
        game.ends()

    def read(self):
        """What is in the file. It is not read while a game plays from memory: for all the agent could know, it was the
        game that had read it."""
        return json.loads(self.save.read_text())

    def known(self):
        """What the agent knows of the save; the file does not have to be read for it."""
        return json.loads(self.ask("show", NAME)["document"]) if self.agent else self.read()

    def trips(self):
        """How many trips of each depth and number of swings are known."""
        return collections.Counter((trip["deepest"], trip["swings"]) for trip in self.known().get("trips", []))

    def close(self):
        for game in self.games:
            game.process.kill()
            game.process.wait()
        self.kill_agent()


class Game:
    """A game that runs. What it says goes into the model, so the model knows what the player was told."""

    def __init__(self, machine, through_hearth):
        self.machine = machine
        command = [sys.executable, GAME, "--save", machine.save, "--autosave", "0.3", "--seed", str(len(machine.games))]
        if through_hearth:
            command = [machine.hearth, "play", NAME, "--home", machine.home, "--", *command]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                                        stderr=open(machine.folder / "play.log", "a"))
        machine.games.append(self)
        self.last_trip = None
        self.began = [self.process.stdout.readline() for _ in range(5)]
        if not self.began[-1]:
            raise AssertionError(f"the game on {machine.name} did not start: {self.began}")

    def do(self, command):
        """One command, and the one line that the game answers."""
        self.process.stdin.write(command + "\n")
        line = self.process.stdout.readline().rstrip("\n\a")
        if not line:
            raise AssertionError(f"the game on {self.machine.name} has ended before \"{command}\"")
        self.machine.model.hear(line)
        return line

    def digs(self, metres=10, swings=6):
        """A whole trip, from daylight to daylight."""
        for command in ["down"] * (metres // 10) + ["dig"] * swings + ["up"] * (metres // 10):
            said = self.do(command)
        self.last_trip = trip(said)

    def saves_by_itself(self):
        """Waits until its last trip is known, which the game has saved from memory without being told to."""
        trips, last = self.machine.model.trips, self.last_trip
        wait_for(lambda: self.machine.trips()[last] >= trips[last], f"the game on {self.machine.name} saves by itself")

    def ends(self):
        self.process.stdin.write("quit\n")
        if self.process.wait(30) != 0:
            raise AssertionError(f"the game on {self.machine.name} ended with {self.process.returncode}")

    def is_killed(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
