"""Atoms: what a profile is made of, how two of them join, and what document they show.

Only what the tests need is shown: members of objects under the rules latest, max, min, counter, set and union. Atoms of
every other kind are kept, hashed and relayed.
"""

import json
import struct
import time
from dataclasses import dataclass, field

LATEST, MAX, MIN, COUNTER, UNION, SET, FLAG, CHOICE = 0, 1, 2, 3, 4, 5, 6, 7
ELEMENT, RULES, FURTHEST, EPOCH, ORDER, REMOVAL = 8, 9, 10, 11, 12, 13

# Stamps and causal lengths are 8 bytes, most significant first.
_NUMBER = struct.Struct(">Q")
_SMALL = struct.Struct("<Q")


@dataclass(frozen=True)
class Atom:
    """One value. Its key is path, kind and sub; its dot is the replica that wrote it and the number of that write."""

    path: bytes
    kind: int
    sub: bytes
    content: bytes
    replica: bytes
    sequence: int
    # 33 bytes, or none.
    epoch: bytes = b""

    @property
    def key(self):
        return self.path, self.kind, self.sub


def number(value):
    return _NUMBER.pack(value)


def stamp(seconds=None):
    """The stamp of a live write: the highest bit, 47 bits milliseconds since 1970, 16 bits counter."""
    milliseconds = int((time.time() if seconds is None else seconds) * 1000)
    return 1 << 63 | milliseconds << 16


def register(value, at=None):
    """The content of a latest atom: its stamp, then JSON."""
    return number(stamp() if at is None else at) + json.dumps(value, separators=(",", ":")).encode()


def history(former, atoms):
    """The running hash of a replica's writes after the atoms of its next write, from the hash before it.

    FNV-1a with 64 bits. Where a write left no atom behind, the hash cannot be told by the others.
    """
    data = [_SMALL.pack(former)]
    for atom in atoms:
        for part in (atom.path, bytes([atom.kind]), atom.sub, atom.content) + ((atom.epoch,) if atom.epoch else ()):
            data += [_SMALL.pack(len(part)), part]
        data.append(_SMALL.pack(atom.sequence))
    value = 0xCBF29CE484222325
    for byte in b"".join(data):
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def _weight(atom):
    """By what the rule of an atom orders two atoms of one key, the larger one stays."""
    base = atom.kind & 31
    if base == COUNTER:
        return [_amount(part) for part in atom.content.decode().split(" ")]
    if base in (LATEST, SET, ELEMENT, CHOICE, FURTHEST, ORDER, REMOVAL, RULES):
        return atom.content[:8]
    if base == FLAG:
        return atom.content
    if base == MAX:
        return _amount(atom.content.decode())
    if base == MIN:
        return -_amount(atom.content.decode())
    return b""


def _amount(text):
    return float(text) if any(letter in text for letter in ".eE") else int(text)


def wins(new, old):
    """Whether an atom replaces another one of the same key: by epoch, then the rule's order, then dot, then bytes."""
    if new.epoch != old.epoch:
        return new.epoch > old.epoch
    ours, theirs = _weight(new), _weight(old)
    if ours != theirs:
        return ours > theirs
    return (new.replica, new.sequence, new.content) > (old.replica, old.sequence, old.content)


@dataclass
class Profile:
    """One save as this peer has it: its atoms, and for each replica how far it is covered."""

    id: bytes
    atoms: dict = field(default_factory=dict)
    # replica -> (sequence, history)
    vector: dict = field(default_factory=dict)

    def covers(self, vector):
        return all(self.vector.get(replica, (0, 0))[0] >= entry[0] for replica, entry in vector.items())

    def join(self, atoms, to):
        """Takes up a delta. Atoms that were known before it change nothing."""
        for atom in atoms:
            old = self.atoms.get(atom.key)
            if old is None or wins(atom, old):
                self.atoms[atom.key] = atom
        for replica, entry in to.items():
            self.vector[replica] = max(entry, self.vector.get(replica, (0, 0)))

    def beyond(self, vector):
        """The atoms that a vector does not cover, ascending by dot."""
        missing = [a for a in self.atoms.values() if vector.get(a.replica, (0, 0))[0] < a.sequence]
        return sorted(missing, key=lambda atom: (atom.replica, atom.sequence))

    def write(self, replica, changes):
        """A write under a replica of this peer: (path, kind, sub, content) each. Returns its atoms."""
        sequence, former = self.vector.get(replica, (0, 0))
        atoms = [Atom(path, kind, sub, content, replica, sequence + 1) for path, kind, sub, content in changes]
        self.join(atoms, {replica: (sequence + 1, history(former, atoms))})
        return atoms

    def note(self, name):
        """The value of one of Hearth's own notes, such as #name; None where there is none."""
        for key in ((name, LATEST, b""), (name, RULES, b"")):
            if key in self.atoms and len(self.atoms[key].content) > 8:
                return json.loads(self.atoms[key].content[8:])
        return None

    # ---- the document

    def document(self):
        """The save as a value: objects of what stands at its paths."""
        places = {}
        for atom in self.atoms.values():
            if atom.path.startswith(b"/"):
                places.setdefault(atom.path, []).append(atom)
        root = {}
        for path, atoms in sorted(places.items()):
            value = _shown(atoms)
            if value is not None:
                *parents, name = [_unescaped(step) for step in path.decode().split("/")[1:]]
                place = root
                for parent in parents:
                    place = place.setdefault(parent, {})
                place[name] = value
        return root


def _unescaped(step):
    return step.replace("~1", "/").replace("~0", "~")


def _shown(atoms):
    kinds = {atom.kind & 31 for atom in atoms}
    if COUNTER in kinds:
        total = 0
        for atom in atoms:
            if atom.kind & 31 == COUNTER:
                earned, _, spent = atom.content.decode().partition(" ")
                total += _amount(earned) - (_amount(spent) if spent else 0)
        return max(0, total)
    for kind in (SET, UNION):
        if kind in kinds:
            at = {atom.sub: atom.content[8:] for atom in atoms if atom.kind & 31 == ORDER}
            here = [a for a in atoms if a.kind & 31 == kind and (kind == UNION or a.content[7] % 2 == 1)]
            # An element that nobody moved stands where its own beginning puts it (of texts; numbers go by size).
            here.sort(key=lambda atom: (at.get(atom.sub, atom.sub[:24]), atom.sub))
            return [json.loads(a.content[8:] if kind == SET else a.content) for a in here]
    for atom in atoms:
        if atom.kind & 31 in (MAX, MIN):
            return json.loads(atom.content)
        if atom.kind == LATEST:
            return json.loads(atom.content[8:]) if len(atom.content) > 8 else None
    return None
