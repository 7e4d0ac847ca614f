"""What the tests share: agents that are gone at the end of each test, and a peer that is paired."""

import pytest

import agents
import pairing
from identity import Identity
from link import Peer

RULES = """\
profile: RPG
rules:
  /coins: counter
  /level: max
  /friends: set
  /log: union
"""
SAVE = {"coins": 100, "level": 3, "name": "Ada", "friends": ["x", "y"], "log": ["q"], "deep": {"er": [1, 2]}}


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
