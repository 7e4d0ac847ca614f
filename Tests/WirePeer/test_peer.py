"""A second implementation of the wire against a real agent: whoever reads Sync.proto can pair and sync."""

import threading

import pytest

import atoms
import pairing
import tls
from agents import wait_for
from atoms import COUNTER, LATEST, SET
from conftest import SAVE
from identity import Household, Identity, device_id, statement_is_valid
from link import Ended, Link, Peer
from messages import pb

# ---- pairing


def test_the_typed_code_of_an_agent_pairs(agent):
    identity = Identity("peer")
    command, code = agent.show_code()
    household = pairing.type_code(identity, agent.port, code)
    assert command.wait(10) == 0
    assert all(statement_is_valid(statement) for statement in household.statements)
    assert len(household.members()) == 2
    listed = agent.ask("devices")[1]["devices"]
    assert {device["id"] for device in listed if not device["isThisDevice"]} == {identity.id.hex()}


def test_a_code_that_the_peer_shows_pairs(agent):
    identity = Identity("peer")
    listener = tls.Listener(identity)
    code = pairing.new_code()
    command = agent.begin("pair", code, "--address", f"127.0.0.1:{listener.port}")
    household = pairing.show_code(identity, listener, code)
    assert command.wait(10) == 0
    assert len(household.members()) == 2
    # The agent dials whom it has just paired with; this time the peer is TLS's server.
    connection = listener.accept()
    listener.close()
    assert connection.protocol == tls.SYNC
    assert device_id(connection.peer_key) in {device_id(key) for key in household.members()}
    link = Link(Peer(identity, household), connection)
    link.begin()
    assert link.run(lambda: link.peer.named("RPG"))


def test_a_wrong_code_is_refused(agent):
    command, _ = agent.show_code()
    with pytest.raises(pairing.Refused, match="The pairing was refused"):
        pairing.type_code(Identity("peer"), agent.port, pairing.new_code())
    assert command.poll() is None
    command.kill()
    command.wait(5)


def test_a_pairing_of_another_version_is_refused_in_a_sentence(agent):
    command, code = agent.show_code()
    with pytest.raises(pairing.Refused, match="speaks version 2 of the protocol and this device version 1: update"):
        pairing.type_code(Identity("peer"), agent.port, code, version=2)
    command.kill()
    command.wait(5)


def test_a_stranger_reads_nothing(agent):
    connection = tls.dial(Identity("stranger"), agent.port, tls.SYNC)
    with pytest.raises(tls.Closed):
        connection.receive()


# ---- the beginning of a link


def test_another_version_is_refused_in_a_sentence(agent, peer):
    link = Link.dial(peer, agent.port, pb.Hello(version=2, name="peer"))
    with pytest.raises(Ended, match="speaks version 2 of the protocol and this device version 1: update this device"):
        link.run()


def test_unknown_fields_and_frames_are_ignored(agent, peer):
    link = Link.dial(peer, agent.port)
    # Field 500 of Frame, bytes: a kind of frame that nobody knows.
    link.send_raw(bytes([0, 0, 0, 5]) + b"\xa2\x1f\x02ab")
    link.send(ping=pb.Ping())
    assert link.run(lambda: "pong" in link.heard)


# ---- profiles


def test_a_profile_is_received_and_its_document_built_again(agent, peer):
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG"))
    profile = peer.named("RPG")
    assert profile.document() == SAVE
    assert profile.vector == link.covered[profile.id]
    assert profile.note(b"#rules")["set"]["profile"] == "RPG"


def test_a_roster_that_both_hold_is_not_sent(agent, peer):
    def heard_of_it():
        """What the agent says of the roster on a new link, in its first half second."""
        link = Link.dial(peer, agent.port)
        assert link.run(lambda: link.hello and link.listed and peer.named("RPG"))
        link.run(seconds=0.5)
        link.close()
        return [body for body in link.heard if body.startswith("roster")]

    assert not heard_of_it()
    second = Identity("second")
    peer.household.add(second.key, second.name)
    assert heard_of_it() == ["roster_hashes", "roster"], "it is told the one statement, and says the secret"
    assert len(peer.household.statements) > 3 and any(d["name"] == "second" for d in agent.ask("devices")[1]["devices"])
    held = list(peer.household.statements)
    # The agent has confirmed that one meanwhile, and nothing else is news.
    heard_of_it()
    new = [statement for statement in peer.household.statements if statement not in held]
    assert all(statement.subject == second.key for statement in new)
    assert not heard_of_it()


def test_a_digest_that_lies_withholds_from_its_sender_alone(agent, peer):
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG"))
    link.close()
    forgetful = Peer(peer.identity, Household(peer.identity))
    forgetful.household.id = peer.household.id
    lie = pb.Hello(version=1, name="peer", household_digest=link.hello.household_digest)
    liar = Link.dial(forgetful, agent.port, lie)
    assert liar.run(lambda: forgetful.named("RPG"))
    assert "roster" not in liar.heard and not forgetful.household.statements
    liar.close()
    # Who says that it holds nothing is sent everything, before any atom.
    honest = Link.dial(forgetful, agent.port)
    forgetful.profiles.clear()
    assert honest.run(lambda: len(forgetful.household.members()) == 2 and honest.listed)
    assert "delta" not in honest.heard[: honest.heard.index("roster")]


def test_atoms_wait_for_the_hashes_of_the_roster(agent, peer):
    class Silent(Link):
        def send_roster_hashes(self):
            pass

    link = Silent.dial(peer, agent.port, pb.Hello(version=1, name="peer", household_digest=bytes(32)))
    assert link.run(lambda: link.listed and "roster_hashes" in link.heard)
    link.run(seconds=0.5)
    assert "delta" not in link.heard
    Link.send_roster_hashes(link)
    assert link.run(lambda: peer.named("RPG"))
    assert link.heard.index("roster") < link.heard.index("delta")


def test_of_many_profiles_those_alone_are_listed_that_differ(agent, peer):
    for number in range(40):
        path = agent.save.with_name(f"other{number}.json")
        path.write_text('{"level": 1}')
        assert agent.ask("add", str(path))[0] == 0
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: link.listed and len(peer.profiles) == 41, seconds=20)
    assert "ranges" in link.heard
    link.close()

    again = Link.dial(peer, agent.port)
    assert again.run(lambda: again.listed)
    assert "vectors" not in again.heard and "delta" not in again.heard
    assert again.covered == {profile.id: profile.vector for profile in peer.profiles.values()}
    again.close()

    agent.write({**SAVE, "coins": 90})
    third = Link.dial(peer, agent.port)
    assert third.run(lambda: third.listed and peer.named("RPG").document()["coins"] == 90)
    assert third.heard.count("delta") == 1
    assert len(third.covered) == 41 and third.covered[peer.named("RPG").id] == peer.named("RPG").vector


def test_a_write_of_the_peer_arrives_in_the_file(agent, peer):
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG"))
    profile = peer.named("RPG")
    peer.write(
        profile,
        [
            (b"/name", LATEST, b"", atoms.register("Bob")),
            (b"/coins", COUNTER, peer.replica(profile), b"5 2"),
            (b"/friends", SET, b'"z"', atoms.number(1) + b'"z"'),
            (b"/friends", SET, b'"x"', atoms.number(2) + b'"x"'),
        ],
    )
    link.send_profile(profile)
    expected = {**SAVE, "name": "Bob", "coins": 103, "friends": ["y", "z"]}
    wait_for(lambda: agent.read() == expected, 5, f"the agent's file is {agent.read()}")
    assert link.run(lambda: link.covered[profile.id] == profile.vector and "ack" in link.heard)
    assert profile.document() == expected


def test_an_edit_of_the_file_arrives_at_the_peer(agent, peer):
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG"))
    profile = peer.named("RPG")
    edited = {**SAVE, "coins": 90, "name": "Carl", "friends": ["y", "n"], "level": 4, "log": ["q", "r"]}
    agent.write(edited)
    assert link.run(lambda: profile.document()["name"] == "Carl")
    assert profile.document() == edited


def test_both_write_at_once_and_come_together(agent, peer):
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG"))
    profile = peer.named("RPG")
    peer.write(profile, [(b"/coins", COUNTER, peer.replica(profile), b"7 0")])
    agent.write({**SAVE, "coins": 110})
    link.send_profile(profile)
    wait_for(lambda: (agent.read() or {}).get("coins") == 117, 5, "the agent adds up both")
    assert link.run(lambda: profile.document()["coins"] == 117)


def test_histories_are_the_same_on_both_sides(agent, peer):
    """A hash that was left out and worked out here is the one that the agent states on the next link."""
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG"))
    profile = peer.named("RPG")
    for coins in (101, 102, 103):
        agent.write({**SAVE, "coins": coins, "level": coins, "friends": ["x", f"f{coins}"]})
        assert link.run(lambda: profile.document()["coins"] == coins)
    peer.write(profile, [(b"/name", LATEST, b"", atoms.register("Bob"))])
    link.send_profile(profile)
    assert link.run(lambda: "ack" in link.heard)
    link.close("done")
    again = Link.dial(peer, agent.port)
    assert again.run(lambda: again.listed)
    assert again.covered[profile.id] == profile.vector
    again.run(seconds=0.3)
    assert "delta" not in again.heard


def test_a_delta_that_begins_beyond_what_is_known_is_asked_for_again(agent, peer):
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG"))
    profile = peer.named("RPG")
    replica = peer.replica(profile)
    for name in ("one", "two"):
        peer.write(profile, [(b"/name", LATEST, b"", atoms.register(name))])
    # As if the agent had the first write.
    second = profile.beyond({**profile.vector, replica: (1, 0)})
    link.send_delta(profile.id, {replica: profile.vector[replica]}, {replica: 2}, second)
    assert link.run(lambda: link.restated.get(profile.id) == 1)
    assert replica not in link.covered[profile.id]
    link.send_profile(profile)
    wait_for(lambda: (agent.read() or {}).get("name") == "two", 5, "the whole delta is taken")


def test_a_profile_of_the_peer_is_restored(agent, peer):
    """A profile that no agent has ever seen, from its first atom."""
    profile = peer.profile(bytes(range(16)))
    peer.write(
        profile,
        [
            (b"#name", LATEST, b"", atoms.register("From the peer")),
            (b"/hp", LATEST, b"", atoms.register(12)),
            (b"/bag/gold", LATEST, b"", atoms.register(3)),
        ],
    )
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: link.listed)
    link.send_profile(profile)
    assert link.run(lambda: link.covered.get(profile.id) == profile.vector and "ack" in link.heard)
    target = agent.folder / "game" / "other.json"
    serving = threading.Event()

    def serve():
        # The agent asks for the form of the save; the peer says that it has none.
        link.run(serving.is_set, 10)

    thread = threading.Thread(target=serve)
    thread.start()
    code, said = agent.ask("restore", "From the peer", "--to", str(target))
    serving.set()
    link_alive = thread.is_alive()
    agent.write({**SAVE, "coins": 1})
    thread.join(10)
    assert link_alive and code == 0, said
    assert '"hp"' in target.read_text() and '"gold"' in target.read_text()


def test_a_large_value_comes_in_several_frames(agent, peer):
    large = [f"{number:06d}-{number * 7919 % 1000003}" for number in range(60_000)]
    agent.write({**SAVE, "large": large})
    link = Link.dial(peer, agent.port)
    assert link.run(lambda: peer.named("RPG") and "large" in peer.named("RPG").document(), 10)
    assert peer.named("RPG").document()["large"] == large
    assert link.heard.count("delta") > 1
