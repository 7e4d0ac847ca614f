"""What a device that was paired and turned bad can send, one function an attack. Nothing here checks anything."""

import json
import os
import time

import atoms
import tls
from atoms import EPOCH, LATEST, MIN, REMOVAL, RULES, SET, Atom
from frames import frame
from identity import REMOVED, Identity, replica_id
from link import Ended, Link
from messages import pb

TOPMOST = (1 << 64) - 1
# The last causal length, and the last stamp, that are not refused.
LAST_LENGTH = 1 << 62
LAST_STAMP = 1 << 63 | (1 << 47) - (1 << 40) - 1 << 16 | 0xFFFF

# ---- vectors


def crowd(link, profile, count, are_joined):
    """Self-made replicas that wrote nothing, each signed by this peer: they only make the profile's vector long. They
    have slots that no device has, or are said to come with profiles that were joined into this one. To be told to two
    agents, so that each link alone stays below its limit."""
    places = [(os.urandom(16), 0) if are_joined else (profile.id, slot) for slot in range(count)]
    replicas = sorted(link.peer.new_replica(*place) for place in places)
    link.send_delta(profile.id, {r: (1, 1) for r in replicas}, {r: 1 for r in replicas}, [])


def claim_slots(link, profile, owner):
    """Says of every replica that another device can begin in a profile that it wrote already."""
    for slot in range(16):
        replica = replica_id(owner, profile.id, slot)
        link.peer.origins[replica] = owner, profile.id, slot
        if replica not in profile.vector:
            claim(link, profile.id, replica, 1, 1, 0)


def claim(link, profile_id, replica, sequence, history, after):
    """An empty delta by which the writes of somebody else's replica are covered, and lack every value."""
    link.send_delta(profile_id, {replica: (sequence, history)}, {replica: after + 1}, [])


def states_too_much(link, profile, replicas, restated):
    """A statement of this peer that says it has more of some replicas than their owner wrote."""
    vector = {**profile.vector, **{replica: (1 << 40, 1) for replica in replicas}}
    number, data = link.out.profiles.refer(profile.id)
    statement = pb.ProfileVector(profile=number, profile_id=data, entries=link.entries(vector), restated=restated)
    link.send(vectors=pb.Vectors(profiles=[statement]))


def denies_all_writers(link, profile, owner, seconds):
    """Says again and again that the agent's newest replica is somebody else's. Returns how many the agent made."""
    def own():
        return {r for r, (key, _, _) in link.peer.origins.items() if key == owner and r in profile.vector}

    first, end, restated = own(), time.monotonic() + seconds, 0
    denied = set()
    while time.monotonic() < end:
        new = own() - denied
        if new:
            restated += 1
            denied |= new
            states_too_much(link, profile, sorted(new), restated)
        known = len(own())
        link.run(lambda: len(own()) > known, min(1.0, max(0.0, end - time.monotonic())))
    return len(own() - first)


# ---- values


def deep_value(link, profile, steps=505, nested=500):
    """A place deep in the document whose value is deep itself: together more than any text may be nested."""
    value = "[" * nested + "]" * nested
    content = atoms.number(atoms.stamp()) + value.encode()
    link.peer.write(profile, [(b"/d" * steps, LATEST, b"", content)])
    link.send_profile(profile)


def deep_places(link, profile, count, steps):
    """Values at the ends of long paths. The wire has what two paths begin with once; a document that is indented has
    the square of their length in blanks."""
    places = [(b"/p%d" % at + b"/x" * steps, LATEST, b"", atoms.register(at)) for at in range(count)]
    link.peer.write(profile, places)
    link.send_profile(profile)


def topmost_stamp(link, profile, path, value, stamp=LAST_STAMP):
    """A value that no later write is later than, by a replica that wins against every other."""
    profile.write(link.peer.high_replica(), [(path, LATEST, b"", atoms.register(value, stamp))])
    link.send_profile(profile)


def removal_of_the_future(link, profile, path):
    """A removal of all that anybody else is ever going to write at a place: it names writes that do not exist yet."""
    own = link.peer.replica(profile)
    others = sorted(set(profile.vector) - {own})
    reads = len(others).to_bytes(2, "big") + b"".join(replica + atoms.number(1 << 48) for replica in others)
    link.peer.write(profile, [(path, REMOVAL, own, atoms.number(1) + reads + reads)])
    link.send_profile(profile)


def longest_member(link, profile, path, element, length):
    """An element of a set that was, it says, put in and taken out that often."""
    text = json.dumps(element).encode()
    link.peer.write(profile, [(path, SET, text, atoms.number(length) + text)])
    link.send_profile(profile)


def epoch_id(number, kind, stamp, origin):
    return atoms.number(number) + bytes([kind]) + atoms.number(stamp) + origin


def epoch(link, profile, number, patterns=(), places=("",), kind=2, replica=None):
    """An epoch (a reset, if not said otherwise) over places, by a replica of this peer."""
    replica = replica or link.peer.replica(profile)
    name = epoch_id(number, kind, 0, replica)
    cover = json.dumps({"patterns": list(patterns), "places": list(places), "seen": {}}).encode()
    profile.write(replica, [(b"#epochs", EPOCH, name + replica, cover)])
    link.send_profile(profile)
    return name


def many_epochs(link, profile, count):
    """So many resets in one write, each of a place that nobody has."""
    replica = link.peer.replica(profile)
    values = []
    for number in range(1, count + 1):
        cover = json.dumps({"patterns": [], "places": [f"/nowhere/{number}"], "seen": {}}).encode()
        values.append((b"#epochs", EPOCH, epoch_id(number, 2, 0, replica) + replica, cover))
    link.peer.write(profile, values)
    link.send_profile(profile)


def rule_set(patterns, seen, generation=0):
    """The content of a #rules atom: each pattern is latest. Rules of a later generation count before all others."""
    rules = [{"path": pattern, "merge": "latest"} for pattern in patterns]
    value = {"set": {"profile": "RPG", "rules": rules}, "seen": seen}
    if generation:
        value["version"] = {"generation": generation, "former": {}}
    return RULES, atoms.register(value)


def rules(link, profile, patterns, generation=0):
    """Other rules for the profile."""
    kind, content = rule_set(patterns, profile.note(b"#rules")["seen"], generation)
    link.peer.write(profile, [(b"#rules", kind, b"", content)])
    link.send_profile(profile)


def same_large_value(link, profile, count, size):
    """Many places with one and the same large value, which the wire carries once. Returns the bytes on the wire."""
    replica = link.peer.replica(profile)
    content = atoms.number(atoms.stamp()) + json.dumps("v" * size).encode()
    sequence = profile.vector.get(replica, (0, 0))[0] + 1
    paths = [b"/fill/%d" % (sequence * count + at) for at in range(count)]
    group = [Atom(path, LATEST, b"", content, replica, sequence) for path in paths]
    profile.vector[replica] = sequence, sequence
    before = link.sent
    link.send_delta(profile.id, {replica: (sequence, sequence)}, {replica: sequence}, group)
    link.covered.setdefault(profile.id, {})[replica] = sequence, sequence
    return link.sent - before


def sparse_arrays(count, seen, index=99_999):
    """The changes for many arrays of which only a far element is there: whoever shows them fills them up with null. The
    rules make them arrays whose elements merge one by one."""
    kind, content = rule_set(["/s/*/*"], seen)
    value = atoms.register(1)
    places = [(b"/s/%d/~3%d" % (at, index), LATEST, b"", value) for at in range(count)]
    return [(b"#rules", kind, b"", content)] + places


def joined(link, profile, into):
    """The note that a profile was joined into another one."""
    link.peer.write(profile, [(b"#joined", LATEST, b"", atoms.register(into.hex()))])
    link.send_profile(profile)


# ---- floods


def flood(connection, message, seconds):
    """One small frame again and again, as fast as it is taken. Returns the MiB that were sent."""
    block = frame(message) * 10_000
    end, sent = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        try:
            connection.send(block, seconds=end - time.monotonic())
        except tls.Late:
            break
        except tls.Closed:
            break
        sent += len(block)
    return sent / (1 << 20)


def flood_of_pongs(link, seconds):
    return flood(link.connection, pb.Frame(pong=pb.Pong()), seconds)


def flood_of_empty_frames(link, seconds):
    return flood(link.connection, b"", seconds)


def flood_while_pairing(identity, port, seconds):
    """Empty frames from somebody who knows no code, to an agent that shows one; each connection that ends is made anew.
    Returns the MiB that were sent, and on how many connections."""
    end, sent, count = time.monotonic() + seconds, 0, 0
    while (left := end - time.monotonic()) > 0:
        try:
            connection = tls.dial(identity, port, tls.PAIRING)
        except (tls.Closed, tls.Late, OSError):
            time.sleep(0.01)
            continue
        count += 1
        try:
            sent += flood(connection, b"", left)
        finally:
            connection.cut()
    return sent, count


def break_the_protocol(peer, port, seconds):
    """Links that end with a fault as soon as they stand. Returns how many."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        try:
            link = Link.dial(peer, port)
            link.send(hello=pb.Hello(version=1, name="again"))
            link.run(seconds=1)
        except (Ended, tls.Closed, tls.Late, OSError):
            count += 1
    return count


def closes_at_once(listener, seconds, faulty=None):
    """Takes the agent's connections and ends each: without a word, or after a fault on a link of a peer. Returns the
    time at which each came."""
    end, times = time.monotonic() + seconds, []
    while time.monotonic() < end:
        try:
            connection = listener.accept(max(0.01, end - time.monotonic()))
        except tls.Late:
            break
        times.append(time.monotonic())
        try:
            if faulty:
                link = Link(faulty, connection)
                link.begin()
                link.send(hello=pb.Hello(version=1, name="again"))
                link.run(seconds=1)
        except (Ended, tls.Closed, tls.Late):
            pass
        finally:
            connection.close()
    return times


def hold_pairings(identity, port, seconds, count=8):
    """Pairing connections from several addresses that say nothing; each that is closed is made anew at once. Returns
    how many were let in."""
    end, held, made, number = time.monotonic() + seconds, [], 0, 0
    while time.monotonic() < end:
        for connection in list(held):
            try:
                while connection.receive(0.001):
                    pass
            except tls.Late:
                continue
            except tls.Closed:
                connection.cut()
                held.remove(connection)
        while len(held) < count and time.monotonic() < end:
            number += 1
            try:
                connection = tls.dial(identity, port, tls.PAIRING, source=f"127.0.1.{number % 250 + 1}")
                connection.receive(0.5)
                held.append(connection)
                made += 1
            except (tls.Closed, tls.Late, OSError):
                break
    for connection in held:
        connection.cut()
    return made


# ---- the roster


def vouch(link, identity):
    """This peer's word for a device that nobody paired with. Returns the statement."""
    statement = link.peer.household.add(identity.key, identity.name)[0]
    link.send(roster=pb.Roster(statements=link.peer.household.statements))
    return statement


def vouch_for_many(link, count):
    """This peer's word for so many devices that are nowhere."""
    peer = link.peer
    for number in range(count):
        nobody = Identity(f"nobody {number}")
        peer.household.statements.append(peer.identity.statement(peer.household.id, nobody.key, nobody.name, 1))
    link.send(roster=pb.Roster(statements=peer.household.statements))


def removal(peer, key, serial=1 << 48):
    """This peer's word that a device is removed; with that serial, one which no later word could outdo."""
    return peer.identity.statement(peer.household.id, key, "removed", serial, REMOVED)
