"""What the tests share: agents that are gone at the end of each test, and peers that are paired with them."""

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
        self.honest("before")

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
        """An edit goes from A to B and another one back; Unwanted where one of them takes longer than the limit."""
        for source, target in ((self.a, self.b), (self.b, self.a)):
            seconds = self.edit(source, target, patience)
            if seconds is None or when != "before":
                took = "did not arrive" if seconds is None else f"took {seconds:.2f} s"
                self.say(f"{when}, an edit from {source.name} to {target.name} {took}")
            if seconds is None or seconds > limit:
                raise Unwanted(f"{when}, an edit from {source.name} to {target.name} {took}")

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
        began = time.monotonic()
        source.write({**save, "note": note})
        try:
            agents.wait_for(lambda: (target.read() or {}).get("note") == note, patience, "the edit arrives")
        except agents.Trouble:
            return None
        return time.monotonic() - began

    def not_above(self, agent, before, mebibytes, what="memory"):
        """Unwanted where an agent took more memory since it was measured than it may."""
        if agent.was_too_large:
            self.say(f"{agent.name} was ended at more than {agents.MEMORY_LIMIT} MiB")
            raise Unwanted(f"{agent.name} took more than {agents.MEMORY_LIMIT} MiB of memory")
        if not agent.is_running:
            raise Unwanted(f"the agent {agent.name} is gone: {agent.log[-300:]}")
        peak = agent.memory()[1]
        self.say(f"{what} of {agent.name} went from {before:.0f} to {peak:.0f} MiB")
        if peak - before > mebibytes:
            raise Unwanted(f"{what} of {agent.name} went from {before:.0f} to {peak:.0f} MiB")

    def no_link_cut(self):
        """Unwanted where the honest agents ended a link because one found that the other broke the protocol."""
        for agent, other in ((self.a, "b"), (self.b, "a")):
            for line in agent.log.splitlines():
                if "a link ended" in line and f"device={other}" in line and "broke the protocol" in line:
                    raise Unwanted(f"{agent.name} cut its link to {other}: {line.split('why=')[-1][:200]}")


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
