"""A link between members (ALPN hearth/1), as this peer speaks it: Hello, Vectors, what the agent lacks of the roster,
then deltas both ways."""

import os
import time
import zlib

import columns
import ranges
import tls
from atoms import Atom, Profile, history
from frames import FrameCutter, frame
from identity import fingerprint, head_text, is_signed, replica_id
from messages import pb

VERSION = 1


class Ended(Exception):
    """The agent said goodbye; the text is its reason."""


class Peer:
    """A device of the household that is no agent: its identity, its household, and the profiles that it holds."""

    def __init__(self, identity, household):
        self.identity = identity
        self.household = household
        self.profiles = {}
        # replica -> (key of the device, profile in which it began, slot)
        self.origins = {}
        # (replica, sequence, history) -> the signature of the device that writes as it
        self.heads = {}
        # profile -> the replica under which this peer writes in it
        self._replicas = {}

    def profile(self, profile_id):
        return self.profiles.setdefault(profile_id, Profile(profile_id))

    def named(self, name):
        """The profile that people call so, or None."""
        return next((p for p in self.profiles.values() if p.note(b"#name") == name), None)

    def new_replica(self, profile_id, slot=0):
        """A replica of this peer's own."""
        replica = replica_id(self.identity.key, profile_id, slot)
        self.origins[replica] = self.identity.key, profile_id, slot
        return replica

    def high_replica(self):
        """A replica of this peer's own with a high id, as if it came with a profile that was joined into another one: of
        two equal stamps that of the larger id counts."""
        while True:
            profile_id = os.urandom(16)
            if replica_id(self.identity.key, profile_id, 0)[0] == 0xFF:
                return self.new_replica(profile_id)

    def replica(self, profile):
        if profile.id not in self._replicas:
            self._replicas[profile.id] = self.new_replica(profile.id)
        return self._replicas[profile.id]

    def signature(self, replica, sequence, history):
        """The word of the device that writes as a replica: this peer's own, one that it was told, or zeros."""
        owner = self.origins.get(replica, (None,))[0]
        if owner == self.identity.key:
            return self.identity.head_signature(replica, sequence, history)
        return self.heads.get((replica, sequence, history), bytes(64))

    def write(self, profile, changes):
        return profile.write(self.replica(profile), changes)


class Link:
    """One connection to an agent. Nothing happens by itself: `run` takes what has come, `send_profile` sends."""

    def __init__(self, peer, connection):
        self.peer = peer
        self.connection = connection
        self._cutter = FrameCutter()
        self.out, self.incoming = columns.Direction(), columns.Direction()
        # What the agent said: its Hello, and what it covers of each profile.
        self.hello = None
        self.listed = False
        self.covered = {}
        # The ranges that the agent was asked about, where it sent hashes in place of a list.
        self._ranges = None
        # How often the agent stated a profile anew on this link.
        self.restated = {}
        self.file_behind = {}
        # What this peer said of itself, by profile.
        self._said = {}
        self._told = set()
        # Replicas of former members whose writes this peer says it had before their device was removed.
        self.had_before = set()
        self._open = None
        # Kinds of frames that came, in order; bytes of deltas that were sent.
        self.heard = []
        self.sent = 0
        # Called with each CopyList and CopyPart, where somebody wants them.
        self.on_copies = self.on_part = None

    @classmethod
    def dial(cls, peer, port, hello=None):
        """Connects to an agent and begins, with this peer's own Hello or another one."""
        link = cls(peer, tls.dial(peer.identity, port, tls.SYNC))
        link.begin(hello)
        return link

    # ---- sending

    def send(self, **body):
        self.connection.send(frame(pb.Frame(**body)))

    def send_raw(self, data, seconds=5):
        """Any bytes, for hostile peers."""
        self.connection.send(data, seconds)

    def begin(self, hello=None):
        self._digest = hello.household_digest if hello else self.peer.household.digest()
        clock = int(time.time() * 1000)
        own = pb.Hello(version=VERSION, name=self.peer.identity.name, clock=clock, household_digest=self._digest)
        self.send(hello=hello or own)
        vectors = pb.Vectors(complete=True)
        for profile in self.peer.profiles.values():
            vectors.profiles.append(self._statement(profile))
            self._said[profile.id] = dict(profile.vector)
        self.send(vectors=vectors)

    def send_roster_hashes(self):
        """Says which statements this peer holds."""
        salt = os.urandom(8)
        hashes = b"".join(fingerprint(statement, salt) for statement in self.peer.household.statements)
        self.send(roster_hashes=pb.RosterHashes(salt=salt, hashes=hashes))

    def _take_roster_hashes(self, held):
        """Sends the statements that the agent lacks."""
        hashes = {held.hashes[at : at + 8] for at in range(0, len(held.hashes), 8)}
        statements = self.peer.household.statements
        lacking = [statement for statement in statements if fingerprint(statement, held.salt) not in hashes]
        if lacking:
            self.send(roster=pb.Roster(statements=lacking))

    def _statement(self, profile):
        number, data = self.out.profiles.refer(profile.id)
        return pb.ProfileVector(profile=number, profile_id=data, entries=self.entries(profile.vector))

    def entries(self, vector):
        """A vector as the wire has it, replicas ascending."""
        result = []
        for replica in sorted(vector):
            number, data = self.out.replicas.refer(replica)
            sequence, value = vector[replica]
            result.append(pb.Entry(replica=number, replica_id=data, sequence=sequence, history=value))
        return result

    def send_profile(self, profile):
        """Sends what the agent lacks of a profile, in one frame."""
        covered = self.covered.get(profile.id, {})
        to = {r: entry for r, entry in profile.vector.items() if covered.get(r, (0, 0))[0] < entry[0]}
        if to:
            firsts = {replica: covered.get(replica, (0, 0))[0] + 1 for replica in to}
            self.send_delta(profile.id, to, firsts, profile.beyond(covered))
            self.covered.setdefault(profile.id, {}).update(to)

    def send_delta(self, profile_id, to, firsts, atoms, seconds=5):
        """One delta of one frame, whatever is in it: to is replica -> (sequence, history), firsts the first sequence
        number that it spans of each."""
        order = sorted(to)
        number, data = self.out.profiles.refer(profile_id)
        delta = pb.Delta(profile=number, profile_id=data)
        delta.restated = self.restated.get(profile_id, 0)
        delta.to.extend(self.entries(to))
        for position, replica in enumerate(order):
            delta.to[position].before = to[replica][0] - firsts[replica]
            delta.signatures += self.peer.signature(replica, *to[replica])
            if replica in self.had_before:
                delta.cut.append(position)
            if replica in self.peer.origins and replica not in self._told:
                key, began, slot = self.peer.origins[replica]
                device, device_key = self.out.devices.refer(key)
                origin = delta.origins.add(position=position, device=device, device_key=device_key, slot=slot)
                if began != profile_id:
                    origin.profile, origin.profile_id = self.out.profiles.refer(began)
                self._told.add(replica)
        if atoms:
            cells = columns.write(atoms, order, [firsts[r] for r in order], self.out, self.incoming)
            packed = zlib.compress(pb.Packed(columns=cells).SerializeToString())
            if len(packed) < cells.ByteSize():
                delta.packed = packed
            else:
                delta.columns.CopyFrom(cells)
        self._said.setdefault(profile_id, {}).update(to)
        data = frame(pb.Frame(delta=delta))
        self.sent += len(data)
        self.connection.send(data, seconds)

    def acknowledge(self, profile):
        """Says what this peer covers of a profile now."""
        said = self._said.setdefault(profile.id, {})
        news = {r: entry for r, entry in profile.vector.items() if said.get(r) != entry}
        if not news:
            return
        number, data = self.out.profiles.refer(profile.id)
        self.send(ack=pb.Ack(profile=number, profile_id=data, entries=self.entries(news)))
        said.update(news)

    # ---- receiving

    def run(self, until=None, seconds=5):
        """Takes frames until something is true, or for the time. Returns whether it became true."""
        end = time.monotonic() + seconds
        while not (until and until()):
            payload = self._cutter.next()
            if payload is not None:
                self._take(pb.Frame.FromString(payload))
                continue
            left = end - time.monotonic()
            if left <= 0:
                return False
            try:
                self._cutter.add(self.connection.receive(left))
            except tls.Late:
                return bool(until and until())
        return True

    def _take(self, message):
        body = message.WhichOneof("body")
        self.heard.append(body)
        if body == "goodbye":
            raise Ended(message.goodbye.reason)
        if body == "hello":
            self.hello = message.hello
            if self.hello.household_digest != self._digest:
                self.send_roster_hashes()
        elif body == "roster":
            self.peer.household.merge(message.roster.statements)
            self.peer.household.take_secret(message.roster)
        elif body == "roster_hashes":
            self._take_roster_hashes(message.roster_hashes)
        elif body == "vectors":
            self._take_vectors(message.vectors)
        elif body == "ranges":
            self._take_ranges(message.ranges)
        elif body == "ack":
            profile_id = self.incoming.profiles.resolve(message.ack.profile, message.ack.profile_id)
            self.covered.setdefault(profile_id, {}).update(self._vector(message.ack.entries))
            self.file_behind[profile_id] = message.ack.file_behind
        elif body == "delta":
            self._take_delta(message.delta)
        elif body == "ping":
            self.send(pong=pb.Pong())
        elif body == "copy_list":
            self._learn(message.copy_list)
            if self.on_copies:
                self.on_copies(message.copy_list)
        elif body == "copy_part" and self.on_part:
            self.on_part(message.copy_part)
        elif body == "form_request":
            self._learn(message.form_request)
            # This peer has no file of its own.
            self.send(form_part=pb.FormPart(size=0))
        elif body in ("word", "copy_request", "digest"):
            self._learn(getattr(message, body))

    def _learn(self, message):
        """Takes up the names that a frame defines, though this peer has no other use for it: later ones refer to them."""
        if message.profile or message.profile_id:
            self.incoming.profiles.resolve(message.profile, message.profile_id)
        for named in [*getattr(message, "entries", ()), *getattr(message, "spans", ())]:
            if named.replica or named.replica_id:
                self.incoming.replicas.resolve(named.replica, named.replica_id)

    def _vector(self, entries):
        return {
            self.incoming.replicas.resolve(e.replica, e.replica_id): (e.sequence, e.history) for e in entries
        }

    def _take_vectors(self, vectors):
        for stated in vectors.profiles:
            profile_id = self.incoming.profiles.resolve(stated.profile, stated.profile_id)
            self.covered[profile_id] = self._vector(stated.entries)
            self.restated[profile_id] = stated.restated
            if stated.restated:
                self._told.clear()
        if self._ranges is not None:
            self._ranges -= set(vectors.ranges)
        self.listed = self.listed or vectors.complete or self._ranges == set()

    def _take_ranges(self, message):
        """The agent's hashes of the whole: what differs is to be listed."""
        own = {profile.id: profile.vector for profile in self.peer.profiles.values()}
        self._ranges = set()
        for index, digit in enumerate(ranges.DIGITS):
            theirs = message.hashes[8 * index : 8 * index + 8]
            if theirs == ranges.fingerprint(own, digit, message.salt):
                for profile_id in ranges.members(own, digit):
                    self.covered[profile_id] = dict(own[profile_id])
            elif theirs != ranges.NOTHING:
                self._ranges.add(digit)
        self.listed = not self._ranges
        if self._ranges:
            self.send(ranges_wanted=pb.RangesWanted(lists=sorted(self._ranges)))

    def _take_delta(self, delta):
        if delta.number == 0:
            profile_id = self.incoming.profiles.resolve(delta.profile, delta.profile_id)
            replicas = [self.incoming.replicas.resolve(e.replica, e.replica_id) for e in delta.to]
            if replicas != sorted(replicas):
                raise ValueError("the replicas of a delta are not in ascending order")
            firsts = [e.sequence - e.before for e in delta.to]
            lasts = [e.sequence for e in delta.to]
            for origin in delta.origins:
                key = self.incoming.devices.resolve(origin.device, origin.device_key)
                began = profile_id
                if origin.profile or origin.profile_id:
                    began = self.incoming.profiles.resolve(origin.profile, origin.profile_id)
                replica = replicas[origin.position]
                if replica != replica_id(key, began, origin.slot):
                    raise ValueError("a replica is said to be another's than it is")
                self.peer.origins[replica] = key, began, origin.slot
            signatures = [delta.signatures[at : at + 64] for at in range(0, len(delta.signatures), 64)]
            reader = columns.Reader(replicas, firsts, lasts, self.incoming, self.out)
            self._open = profile_id, list(zip(replicas, firsts, delta.to, signatures, strict=True)), reader, []
        profile_id, heads, reader, atoms = self._open
        rest, cells = delta.rest, delta.columns if delta.HasField("columns") else None
        if delta.packed:
            packed = pb.Packed.FromString(zlib.decompress(delta.packed))
            rest, cells = packed.rest, packed.columns if packed.HasField("columns") else None
        if rest:
            last = atoms[-1]
            atoms[-1] = Atom(**{**vars(last), "content": last.content + rest})
        if cells is not None:
            atoms += reader.read(cells)
        if not delta.more:
            self._open = None
            self._finish_delta(profile_id, heads, atoms)

    def _finish_delta(self, profile_id, heads, atoms):
        """Joins a whole delta, if this peer covers what it begins after; each history hash that can be told is told."""
        profile = self.peer.profile(profile_id)
        to = {}
        for replica, first, entry, signature in heads:
            sequence, former = profile.vector.get(replica, (0, 0))
            if sequence < first - 1:
                raise ValueError(f"a delta begins with write {first} where only {sequence} are covered")
            value = entry.history
            if first == entry.sequence and sequence == first - 1:
                told = history(former, [a for a in atoms if a.replica == replica])
                if not entry.HasField("history"):
                    value = told
            elif not entry.HasField("history"):
                raise ValueError("the history of an entry that spans several writes is missing")
            to[replica] = entry.sequence, value
            if replica not in self.peer.origins:
                raise ValueError("a delta holds writes of a replica of which nobody said whose it is")
            if not is_signed(self.peer.origins[replica][0], signature, head_text(replica, entry.sequence, value)):
                raise ValueError("a delta says of a device that it wrote what it did not sign")
            self.peer.heads[replica, entry.sequence, value] = signature
        self.covered.setdefault(profile_id, {}).update(to)
        profile.join(atoms, to)
        self.acknowledge(profile)

    def close(self, reason=None):
        try:
            if reason:
                self.send(goodbye=pb.Goodbye(reason=reason))
            self.connection.close()
        except (tls.Closed, tls.Late):
            self.connection.cut()
