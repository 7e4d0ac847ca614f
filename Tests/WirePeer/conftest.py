"""What the tests share: agents that are gone at the end of each test, and peers that are paired with them."""

import json
import time

import pytest

import agents
import pairing
from identity import Identity
from link import Link, Peer

RULES = """\
profile: RPG
rules:
  /coins: counter
  /level: max
  /friends: set
  /log: union
"""
SAVE = {
    "coins": 100,
    "level": 3,
    "name": "Ada",
    "note": "new",
    "friends": ["x", "y"],
    "log": ["q"],
    "deep": {"er": [1, 2]},
}

# What tests measured, for the lines at the end of a run.
figures = []
# MiB that an honest agent may take more, whatever a bad peer does, where a test says nothing else.
MEMORY = 64


def pytest_terminal_summary(terminalreporter):
    if figures:
        terminalreporter.section("measured")
        for line in figures:
            terminalreporter.write_line(line)


class Unwanted(AssertionError):
    """The agent did what a hostile peer wanted. Tests of known faults expect this and no other failure."""


class Household:
    """Two honest agents with one save, and a peer that the first of them took in and that turned bad."""

    def __init__(self, house, test):
        self._test = test
        self.house = house
        self.a, self.b = house.agent("a"), house.agent("b")
        self.a.start(self.b)
        self.b.start(self.a)
        self.a.pair_with(self.b)
        self.a.add(SAVE, RULES)
        self.b.restore("RPG")
        self.peer = join(self.a)
        self._edits = 0
        # What the honest two wrote: all of it is in both saves at the end, whatever else is there.
        self.written = dict(SAVE)
        self.honest("before")
        # MiB that an honest agent may take more than before the bad peer did anything.
        self.memory_limit = MEMORY
        self.measure_memory()

    def link(self, agent):
        """A link of the bad peer to an agent, once it has the honest save."""
        link = Link.dial(self.peer, agent.port)
        if not link.run(lambda: self.peer.named("RPG") and link.listed and link.hello):
            raise agents.Trouble("the peer was not given the save")
        return link

    @property
    def profile(self):
        return self.peer.named("RPG")

    def say(self, text):
        """Keeps a figure for the end of the run."""
        figures.append(f"{self._test}: {text}")

    def honest(self, when="after", limit=2.0, patience=5.0):
        """An edit goes from A to B and another one back; Unwanted where one of them takes longer than the limit, where
        something is lost that the honest two wrote, where one of them cut the link to the other, and where one took
        more memory than `memory_limit`."""
        took = []
        for source, target in ((self.a, self.b), (self.b, self.a)):
            seconds = self.edit(source, target, patience)
            took.append("did not arrive" if seconds is None else f"took {seconds:.2f} s")
            if seconds is None or seconds > limit:
                self.say(f"{when}, an edit from {source.name} to {target.name} {took[-1]}")
                raise Unwanted(f"{when}, an edit from {source.name} to {target.name} {took[-1]}")
        self.nothing_is_lost(when)
        self.no_link_cut()
        if when != "before":
            grown = self.memory_within(self.memory_limit)
            self.say(f"{when}, edits {' and '.join(took)}; memory of a and b at most {grown} MiB")

    def memory_within(self, mebibytes):
        """Unwanted where an honest agent took more memory than this since `quiet_memory` was measured. Returns both
        figures for people."""
        for agent, before in self.quiet_memory.items():
            if agent.was_too_large:
                raise Unwanted(f"{agent.name} took more than {agents.MEMORY_LIMIT} MiB of memory, and was ended")
            if not agent.is_running:
                raise Unwanted(f"the agent {agent.name} is gone: {agent.log[-300:]}")
            peak = agent.memory()[1]
            if peak - before > mebibytes:
                raise Unwanted(f"memory of {agent.name} went from {before:.0f} to {peak:.0f} MiB")
        return " and ".join(f"{agent.memory()[1] - before:+.0f}" for agent, before in self.quiet_memory.items())

    def measure_memory(self):
        """Measures anew what memory is above: resident memory as it is now."""
        self.quiet_memory = {agent: agent.memory()[0] for agent in (self.a, self.b)}
        for agent in self.quiet_memory:
            agent.forget_peak()

    def first_edits(self, when, patience):
        """An edit each way, for which nothing is asked but that it arrives. The first save after a change compares all
        of that change with all that the game may have read."""
        for source, target in ((self.a, self.b), (self.b, self.a)):
            before = source.processor_time() + target.processor_time()
            if self.edit(source, target, patience) is None:
                raise Unwanted(f"{when}, no edit from {source.name} to {target.name} arrives within {patience} s")
            used = source.processor_time() + target.processor_time() - before
            self.say(f"{when}, the first edit of {source.name} took {used:.1f} s of the processor")

    def there_and_back(self, limit=2.0):
        """The seconds that the slower one of an edit from A to B and one back takes; Unwanted beyond the limit."""
        times = [self.edit(self.a, self.b, 10) or 10, self.edit(self.b, self.a, 10) or 10]
        if max(times) > limit:
            raise Unwanted(f"an edit took {max(times):.1f} s")
        return max(times)

    def settle(self, seconds=60):
        """Waits until both agents have used next to nothing of the processor for half a second."""
        end = time.monotonic() + seconds
        while True:
            before = [agent.processor_time() for agent in (self.a, self.b)]
            time.sleep(0.5)
            if all(agent.processor_time() - used < 0.03 for agent, used in zip((self.a, self.b), before)):
                return
            if time.monotonic() > end:
                raise agents.Trouble(f"the agents are busy for {seconds} s")

    def nothing_is_lost(self, when):
        """Unwanted where the save of an honest device lacks something that one of the two wrote. A counter that counted
        an edit twice, or not at all, is found as well."""
        for agent in (self.a, self.b):
            save = agent.read() or {}
            lost = {name: save.get(name) for name, value in self.written.items() if not _same(save.get(name), value)}
            if lost:
                raise Unwanted(f"{when}, {agent.name} has {lost} where the honest two wrote something else")

    def restart(self, limit=5.0, patience=10):
        """Ends both agents as a power cut would, and starts them again; then edits go both ways as before. Unwanted
        where one does not start, or takes longer than the limit."""
        self.a.kill()
        self.b.kill()
        took = []
        for agent, other in ((self.a, self.b), (self.b, self.a)):
            try:
                took.append(agent.start(other))
            except agents.Trouble as trouble:
                raise Unwanted(f"{agent.name} does not start again: {trouble}") from None
        self.say(f"the starts after that took {took[0]:.1f} and {took[1]:.1f} s")
        if max(took) > limit:
            raise Unwanted(f"a start takes {max(took):.1f} s")
        # The first edit waits until the two are linked again, which is not what an edit takes.
        self.first_edits("after the restart", patience)
        self.honest("after the restart")

    def takes_in(self, name="c"):
        """Unwanted where a further device cannot be paired with A, or is not given the save as it is."""
        late = self.house.agent(name)
        late.start(self.a, self.b)
        command, code = self.a.show_code()
        done, said = late.ask("pair", code, "--address", f"127.0.0.1:{self.a.port}")
        command.kill()
        command.wait(5)
        if done != 0:
            self.say(f"pair: {said.get('message', '')[:150]}")
            raise Unwanted("no other device can be paired any more")
        try:
            late.restore("RPG")
            agents.wait_for(lambda: late.read() == self.a.read(), 5, f"{name} has the save")
        except agents.Trouble as trouble:
            raise Unwanted(f"a device that had nothing of the save is not given it: {trouble}") from None

    def edit(self, source, target, patience):
        """The seconds that an edit takes from one agent's file to the other's; None where it does not arrive."""
        for agent in (source, target):
            if not agent.is_running:
                raise Unwanted(f"the agent {agent.name} is gone")
        save = source.read()
        if save is None or "coins" not in save:
            raise Unwanted(f"the save of {source.name} is {save}")
        self._edits += 1
        note = f"edit {self._edits} of {source.name}"
        edited = {**save, "note": note, "coins": save["coins"] + 1, "log": [*save["log"], note]}
        self.written |= {"note": note, "coins": self.written["coins"] + 1, "log": [*self.written["log"], note]}
        began = time.monotonic()
        source.write(edited)
        try:
            agents.wait_for(lambda: (target.read() or {}).get("note") == note, patience, "the edit arrives")
        except agents.Trouble:
            return None
        return time.monotonic() - began

    def no_link_cut(self):
        """Unwanted where the honest agents ended a link because one found that the other broke the protocol."""
        for agent, other in ((self.a, "b"), (self.b, "a")):
            for line in agent.log.splitlines():
                if "a link ended" in line and f"device={other}" in line and "broke the protocol" in line:
                    raise Unwanted(f"{agent.name} cut its link to {other}: {line.split('why=')[-1][:200]}")


def _same(one, other):
    """Whether two values of a save are one, whatever the order of a set's elements."""
    if isinstance(one, list) and isinstance(other, list):
        return sorted(map(json.dumps, one)) == sorted(map(json.dumps, other))
    return one == other


@pytest.fixture
def house():
    house = agents.House()
    yield house
    house.clear()


@pytest.fixture
def agent(house):
    """One agent that keeps one save."""
    agent = house.agent("a")
    agent.start()
    agent.add(SAVE, RULES)
    return agent


def join(agent, name="peer"):
    """A peer that has typed the code that an agent showed."""
    identity = Identity(name)
    command, code = agent.show_code()
    peer = Peer(identity, pairing.type_code(identity, agent.port, code))
    assert command.wait(10) == 0
    return peer


@pytest.fixture
def peer(agent):
    return join(agent)


@pytest.fixture
def home(house, request):
    return Household(house, request.node.name)
