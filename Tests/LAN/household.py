"""A household on a LAN: an agent and a save on each host, and what every file must come to.

What it must come to is worked out here, from the plays alone: coins add up, the level is the highest, things are a
union, and the note is the last one.
"""

import json
import signal

from lan import wait_for

RULES = "profile: demo\nrules:\n  /coins: counter\n  /level: max\n  /things: union\n"
PORT = 7411


class Household:
    def __init__(self, lan, hearth, discovery, limit):
        self.lan, self.hearth, self.discovery, self.limit = lan, hearth, discovery, limit
        self.hosts = list(lan.hosts)
        self.document = {"coins": 100, "level": 1, "things": [], "note": "begun"}
        self.plays = 0
        # The folders of saves that are not in the folder of their host.
        self.folders = {}

    # ---- agents

    def start(self):
        for host in self.hosts:
            self.start_agent(host)
        for host in self.hosts:
            self.is_ready(host)

    def start_agent(self, host, *words, clock=None):
        """Starts it with more words. `clock` is a library that shows it another time."""
        under = ["env", f"LD_PRELOAD={clock}"] if clock else []
        with open(host.folder / "ready", "w") as ready:
            host.start("agent", [*under, self.hearth, "agent", "--home", host.folder / "hearth", "--json",
                                 "--port", PORT, "--discovery", self.discovery, *words], output=ready)

    def is_ready(self, host):
        wait_for(lambda: "ready" in (host.folder / "ready").read_text(), f"the agent of {host.name}")

    def restart(self, host, *words, clock=None):
        host.end("agent", signal.SIGTERM)
        self.start_agent(host, *words, clock=clock)
        self.is_ready(host)

    def ask(self, host, *words, codes=(0,), timeout=60):
        command = [self.hearth, *words, "--home", host.folder / "hearth", "--json"]
        for _ in range(30):
            done = host.run(command, check=False, timeout=timeout)
            # A status that the agent of a busy machine did not answer within a second is asked for again.
            if "runs, but does not answer" not in done.stderr:
                break
        if done.returncode not in codes:
            raise AssertionError(f"{host.name}: {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {}

    def pair(self, shows, types, address=None):
        log = shows.folder / "pair.log"
        with open(log, "w") as output:
            shows.start("pair", [self.hearth, "pair", "--json", "--home", shows.folder / "hearth"], output=output)
        wait_for(lambda: '"code"' in log.read_text(), f"the code of {shows.name}")
        code = json.loads(log.read_text().splitlines()[0])["code"]
        self.ask(types, "pair", code, *(["--address", address] if address else []))
        shows.daemons.pop("pair").wait(20)

    def pair_all(self):
        """Pairs every other host with the first one; of one another they learn from it."""
        for host in self.hosts[1:]:
            self.pair(self.hosts[0], host)

    def keep_save(self):
        first = self.hosts[0]
        (first.folder / "rules.yaml").write_text(RULES)
        self.write(first, self.document)
        self.ask(first, "add", self.save(first), "--rules", first.folder / "rules.yaml", "--name", "demo")
        for host in self.hosts[1:]:
            wait_for(lambda: any(p["name"] == "demo" for p in self.ask(host, "status")["profiles"]),
                     f"the save is known on {host.name}")
            self.ask(host, "restore", "demo", "--to", self.save(host))

    def other(self, host, other):
        """What a host says of another one."""
        return next(each for each in self.ask(host, "devices")["devices"] if each["name"] == other.name)

    def is_linked(self, host, other):
        return self.other(host, other)["connected"]

    def sleeps(self, host):
        host.daemons["agent"].send_signal(signal.SIGSTOP)

    def wakes(self, host):
        host.daemons["agent"].send_signal(signal.SIGCONT)

    # ---- saves

    def save(self, host):
        return self.folders.get(host.name, host.folder) / "save.json"

    def text(self, host):
        return host.reach(self.save(host)).read_text()

    def read(self, host):
        return json.loads(self.text(host))

    def write(self, host, document):
        self.write_text(host, json.dumps(document, indent=2))

    def write_text(self, host, text):
        save = host.reach(self.save(host))
        new = save.with_name("save.new")
        new.write_text(text)
        new.rename(save)

    def play(self, host, note=None):
        """A game reads its save, earns, and saves. Where hosts play apart, only one of them may change the note."""
        self.plays += 1
        document, earned, level = self.read(host), 10 * self.plays, 1 + self.plays
        thing = f"{host.name}-{self.plays}"
        document["coins"] += earned
        document["level"] = max(document["level"], level)
        document["things"].append(thing)
        self.document["coins"] += earned
        self.document["level"] = max(self.document["level"], level)
        self.document["things"].append(thing)
        if note:
            document["note"] = self.document["note"] = note
        self.write(host, document)

    def holds(self, host):
        try:
            document = self.read(host)
        except (OSError, ValueError):
            return False
        document["things"] = sorted(document["things"])
        return document == dict(self.document, things=sorted(self.document["things"]))

    def differs(self):
        return "; ".join(f"{host.name} {self.text(host)}" for host in self.hosts if not self.holds(host))

    def meet(self):
        """Waits until every file holds the document, in one order. Returns the seconds."""
        took = wait_for(lambda: all(self.holds(host) for host in self.hosts),
                        lambda: f"wanted {self.document}; {self.differs()}", self.limit)
        texts = {self.text(host) for host in self.hosts}
        assert len({json.dumps(json.loads(text)) for text in texts}) == 1, f"the order of things differs: {texts}"
        return took

    def are_in_step(self):
        """Every agent says so, of all that it is linked to."""
        for host in self.hosts:
            report = self.ask(host, "sync")
            assert not report["behind"], f"{host.name} says: {report}"
            assert not report.get("troubles"), f"{host.name} says: {report}"
