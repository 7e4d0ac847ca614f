"""One frame of each kind, byte for byte: Tests/SyncProtocolTests/Golden has them as hexadecimal text.

Everything in them follows from texts ("hearth golden 1 ..."), and from two keys that Tests/SyncProtocolTests knows too
(MemorySigner). So two implementations make the same bytes, apart from signatures: ECDSA is random in most libraries.
`signatures.txt` keeps those that were made once, and each is verified before it is used.

A file that is missing is made, and the test fails then: look at it, and commit it. To change a frame on purpose, remove
its file, and run `Tests/WirePeer/run HEARTH golden`.

The frames of the sync protocol are, in the order of FRAMES, what one device (Desk) says on one link to another (Lap):
numbers of names and keys go on from frame to frame. PARTS are other ways to say the frame "delta". RANGES is what Desk
says on another link, on which both have many profiles.
"""

import hashlib
import struct
import zlib
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

import atoms
import columns
import pairing
import ranges
from atoms import COUNTER, LATEST, SET, Atom
from frames import frame
from identity import (
    PAIRED,
    REMOVED,
    VOUCHED,
    WROTE,
    Identity,
    canonical,
    device_id,
    fingerprint,
    household_digest,
    is_signed,
    replica_id,
    roster_digest,
)
from messages import pb

FOLDER = Path(__file__).resolve().parents[1] / "SyncProtocolTests" / "Golden"
SIGNATURES = FOLDER / "signatures.txt"
ED25519 = bytes.fromhex("302a300506032b6570032100")
CODE = "K7QM-2XWD-9TRB-H4FG"
FORM = b'{\n  "hp": 9\n}\n'


def seeded(text, count=32):
    """Bytes that follow from a text."""
    return hashlib.sha256(f"hearth golden 1 {text}".encode()).digest()[:count]


class Signer(Identity):
    """A device whose key follows from a number, and that signs as it signed before."""

    def __init__(self, name, number):
        scalar = int.from_bytes(hashlib.sha256(f"hearth test key {number} 0".encode()).digest(), "big")
        super().__init__(name, ec.derive_private_key(scalar, ec.SECP256R1()))

    def sign(self, text):
        known = [bytes.fromhex(line) for line in SIGNATURES.read_text().split()] if SIGNATURES.exists() else []
        for signature in known:
            if is_signed(self.key, signature, text):
                return signature
        r, s = decode_dss_signature(self.private.sign(text, ec.ECDSA(hashes.SHA256(), deterministic_signing=True)))
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        FOLDER.mkdir(exist_ok=True)
        SIGNATURES.write_text("".join(f"{line.hex()}\n" for line in known + [signature]))
        return signature


DESK, LAP, GONE = Signer("Desk", 1), Signer("Lap", 2), Signer("Gone", 3)
NAS, OLD = ED25519 + seeded("nas"), ED25519 + seeded("old")
HOUSEHOLD, PROFILE = seeded("household", 16), seeded("profile", 16)
DESKS, LAPS, NASES, GONES = (
    replica_id(key, PROFILE, slot) for key, slot in ((DESK.key, 3), (LAP.key, 0), (NAS, 1), (GONE.key, 0))
)
EPOCH = struct.pack(">QBQ", 1, 2, 0) + seeded("epoch", 16)

WRITES = [
    [Atom(b"#name", LATEST, b"", atoms.number(0x818BCFE568000000) + b'"RPG"', DESKS, 1)],
    [
        Atom(b"/hp", LATEST, b"", atoms.number(0x818BCFE578000000) + b"7", DESKS, 2),
        Atom(b"/coins", COUNTER, DESKS, b"5 0", DESKS, 2),
    ],
    [
        Atom(b"/hp", LATEST, b"", atoms.number(0x818BCFE588000000) + b"9", DESKS, 3, EPOCH),
        Atom(b"/friends", SET, b'"x"', atoms.number(1) + b'"x"', DESKS, 3),
    ],
]


def _histories():
    result = [0]
    for write in WRITES:
        result.append(atoms.history(result[-1], write))
    return result


HISTORIES = _histories()

# What a device wrote that was removed since.
LAST_WRITE = [Atom(b"/level", LATEST, b"", atoms.number(0x818BCFE598000000) + b"3", GONES, 1)]
LAST_HISTORY = atoms.history(0, LAST_WRITE)


def told(what):
    """A running hash of writes that are not in these frames."""
    return int.from_bytes(seeded(f"history {what}", 8), "big")


class _Link:
    """Desk's direction of a link."""

    def __init__(self):
        self.out, self.known = columns.Direction(), columns.Direction()

    def profile(self):
        number, data = self.out.profiles.refer(PROFILE)
        return {"profile": number, "profile_id": data}

    def entries(self, vector):
        result = []
        for replica in sorted(vector):
            number, data = self.out.replicas.refer(replica)
            sequence, history = vector[replica]
            result.append(pb.Entry(replica=number, replica_id=data, sequence=sequence, history=history))
        return result

    def columns(self, written, first, replica=DESKS):
        return columns.write(written, [replica], [first], self.out, self.known)


def _first_delta(link):
    """The head of the first delta: two writes of Desk's replica, of which Lap has nothing."""
    delta = pb.Delta(**link.profile(), to=link.entries({DESKS: (2, HISTORIES[2])}))
    delta.to[0].before = 1
    device, key = link.out.devices.refer(DESK.key)
    delta.origins.add(position=0, device=device, device_key=key, slot=3)
    delta.signatures = DESK.head_signature(DESKS, 2, HISTORIES[2])
    return delta


def _delta_of_a_former_member(link):
    """The one write of a device that is no member any more; Desk had it before it learned of that, as it says."""
    delta = pb.Delta(**link.profile(), to=link.entries({GONES: (1, LAST_HISTORY)}), cut=[0])
    delta.to[0].ClearField("history")
    device, key = link.out.devices.refer(GONE.key)
    delta.origins.add(position=0, device=device, device_key=key, slot=0)
    delta.signatures = GONE.head_signature(GONES, 1, LAST_HISTORY)
    delta.columns.CopyFrom(link.columns(LAST_WRITE, 1, GONES))
    return delta


def roster():
    return [
        DESK.statement(HOUSEHOLD, LAP.key, "Lap", 1, PAIRED),
        DESK.statement(HOUSEHOLD, DESK.key, "Desk", 1, VOUCHED),
        DESK.statement(HOUSEHOLD, NAS, "Nas", 3, REMOVED),
        DESK.statement(HOUSEHOLD, OLD, "", 1, WROTE),
    ]


def frames():
    """Name and message of each frame of the sync protocol that Desk sends, in order."""
    link, made = _Link(), {}

    def add(name, **body):
        made[name] = pb.Frame(**body)

    digest = household_digest(roster(), seeded("secret"), 2)
    features = ["forms", "digests"]
    clock = 1_700_000_000_123
    add("hello", hello=pb.Hello(version=1, name="Desk", features=features, clock=clock, household_digest=digest))
    salt = seeded("salt", 8)
    hashes = b"".join(fingerprint(s, salt) for s in roster())
    add("roster-hashes", roster_hashes=pb.RosterHashes(salt=salt, hashes=hashes))
    add("roster", roster=pb.Roster(statements=roster(), secret=seeded("secret"), secret_serial=2))
    covered = {DESKS: (2, HISTORIES[2]), LAPS: (1, told("lap 1"))}
    statement = pb.ProfileVector(**link.profile(), entries=link.entries(covered))
    add("vectors", vectors=pb.Vectors(profiles=[statement], complete=True))
    delta = _first_delta(link)
    delta.columns.CopyFrom(link.columns(WRITES[0] + WRITES[1], 1))
    add("delta", delta=delta)
    delta = pb.Delta(**link.profile(), to=link.entries({DESKS: (3, HISTORIES[3])}))
    delta.to[0].ClearField("history")
    delta.signatures = DESK.head_signature(DESKS, 3, HISTORIES[3])
    delta.columns.CopyFrom(link.columns(WRITES[2], 3))
    add("delta-of-one-write", delta=delta)
    add("delta-of-a-former-member", delta=_delta_of_a_former_member(link))
    add("ack", ack=pb.Ack(**link.profile(), entries=link.entries({LAPS: (2, told("lap 2"))}), file_behind=True))
    add("ping", ping=pb.Ping())
    add("pong", pong=pb.Pong())
    add("keeps-copies", keeps_copies=pb.KeepsCopies(keeps=True))
    copies = [
        pb.CopyFacts(day=20_261_120, size=70_000, checksum=seeded("copy 1")),
        pb.CopyFacts(day=20_261_121, size=70_001, checksum=seeded("copy 2")),
    ]
    add("copy-list", copy_list=pb.CopyList(**link.profile(), copies=copies))
    add("copy-request", copy_request=pb.CopyRequest(**link.profile(), checksum=seeded("copy 3"), offset=65_536))
    add("copy-part", copy_part=pb.CopyPart(content=seeded("part")))
    add("form-request", form_request=pb.FormRequest(**link.profile(), offset=65_536))
    add("form-part", form_part=pb.FormPart(size=len(FORM), content=FORM))
    add("words-wanted", words_wanted=pb.WordsWanted(devices=sorted([device_id(NAS), device_id(OLD)])))
    vector = {DESKS: (2, HISTORIES[2]), NASES: (4, told("nas 4"))}
    add(
        "word",
        word=pb.Word(
            **link.profile(),
            device=device_id(NAS),
            through=[device_id(OLD)],
            entries=link.entries(vector),
            file_behind=True,
        ),
    )
    add("word-gone", word=pb.Word(**link.profile(), device=device_id(NAS), gone=True))
    number, data = link.out.replicas.refer(LAPS)
    span = pb.Span(replica=number, replica_id=data, after=1, sequence=2, history=told("lap 2"))
    add("digest-question", digest=pb.Digest(**link.profile(), spans=[span]))
    spans = [pb.Span(hash=seeded("digest")), pb.Span()]
    add("digest-answer", digest=pb.Digest(spans=spans, answer=True, vector=seeded("vector")))
    statement = pb.ProfileVector(**link.profile(), entries=link.entries({LAPS: (2, told("lap 2"))}), restated=1)
    add("vectors-anew", vectors=pb.Vectors(profiles=[statement]))
    add("goodbye", goodbye=pb.Goodbye(reason="Desk goes to sleep."))
    return made


# Of a hundred profiles Desk has those whose id does not begin with f, and Lap has written once more in one of them.
MANY = {seeded(f"profile {number}", 16): (number, told(f"profile {number}")) for number in range(1, 101)}
CHANGED = seeded("profile 1", 16)


def range_frames():
    """Name and message of each frame with which Desk finds out what Lap has, and says what it has itself."""
    link, salt = _Link(), seeded("salt", 8)
    desks = {profile: {DESKS: entry} for profile, entry in MANY.items() if not profile.hex().startswith("f")}
    first, second = CHANGED.hex()[:1], CHANGED.hex()[:2]
    statements = []
    for profile in ranges.members(desks, second):
        number, data = link.out.profiles.refer(profile)
        statements.append(pb.ProfileVector(profile=number, profile_id=data, entries=link.entries(desks[profile])))
    return {
        "ranges": pb.Frame(ranges=pb.Ranges(hashes=ranges.parts(desks, "", salt), salt=salt)),
        "ranges-wanted": pb.Frame(ranges_wanted=pb.RangesWanted(digits=[first], lists=["f"])),
        "ranges-of-a-part": pb.Frame(ranges=pb.Ranges(digits=first, hashes=ranges.parts(desks, first, salt))),
        "vectors-of-a-range": pb.Frame(vectors=pb.Vectors(profiles=statements, ranges=[second])),
    }


def parts():
    """Other ways to say the frames "delta" and "form-part": compressed (by a zlib stream that stores its bytes, so that
    every library writes it alike), and the delta in two frames that cut the last value but one."""
    def begun():
        link = _Link()
        link.profile()
        link.entries({DESKS: (2, 0), LAPS: (1, 0)})
        return link, _first_delta(link)

    def stream(plain):
        size = struct.pack("<HH", len(plain), len(plain) ^ 0xFFFF)
        return b"\x78\x01\x01" + size + plain + struct.pack(">I", zlib.adler32(plain))

    link, delta = begun()
    plain = pb.Packed(columns=link.columns(WRITES[0] + WRITES[1], 1)).SerializeToString()
    delta.packed = stream(plain)
    packed = frame(pb.Frame(delta=delta))
    packed_part = frame(pb.Frame(form_part=pb.FormPart(size=len(FORM), packed=stream(FORM))))

    link, delta = begun()
    cut = WRITES[1][0]
    begun_value = Atom(**{**vars(cut), "content": cut.content[:5]})
    delta.columns.CopyFrom(link.columns(WRITES[0] + [begun_value], 1))
    delta.unfinished = delta.more = True
    first = frame(pb.Frame(delta=delta))
    # A reader keeps the lead of the last content of 8 bytes or more that a frame's columns hold.
    rest = pb.Delta(number=1, rest=cut.content[5:])
    # The dot goes on from the frame before, so the run's step is 0.
    rest.columns.CopyFrom(link.columns(WRITES[1][1:], 2))
    in_two = first + frame(pb.Frame(delta=rest))
    return {"delta-packed": packed, "delta-in-two-frames": in_two, "form-part-packed": packed_part}


def _sorted(statements):
    return sorted(statements, key=lambda s: (s.subject, s.issuer, s.purpose))


def pair_frames():
    """Name and message of each frame of a pairing: Desk, which is alone, shows the code; it is typed at Lap, whose
    household it joins."""
    desks, laps = seeded("household of desk", 16), seeded("household of lap", 16)
    known = _sorted([LAP.statement(laps, NAS, "Nas", 1), LAP.statement(laps, LAP.key, "Lap", 1, VOUCHED)])

    def hello(name, household, statements):
        return pb.PairHello(
            version=1,
            name=name,
            nonce=seeded(f"nonce of {name}"),
            household=household,
            roster_digest=roster_digest(statements),
            others=bool(statements),
        )

    shower, typer = hello("Desk", desks, []), hello("Lap", laps, known)
    transcript = pairing.Transcript(CODE, DESK.key, LAP.key, shower, typer)
    offered = pb.PairSecrets(household_secret=seeded("secret of lap"), statements=known, secret_serial=2)
    granted = pb.PairSecrets(
        statements=_sorted(
            known
            + [
                DESK.statement(laps, LAP.key, "Lap", 2),
                DESK.statement(laps, DESK.key, "Desk", 1, VOUCHED),
                DESK.statement(laps, NAS, "Nas", 1, VOUCHED),
            ]
        )
    )

    def proof(side, secrets):
        return pb.PairFrame(
            proof=pb.PairProof(proof=transcript.proof(side), sealed=transcript.seal(side, secrets))
        )

    return {
        "pair-hello-responder": pb.PairFrame(hello=shower),
        "pair-hello-initiator": pb.PairFrame(hello=typer),
        "pair-proof-initiator": proof("typer", offered),
        "pair-proof-responder": proof("shower", granted),
        "pair-done": pb.PairFrame(done=pb.PairDone(statements=[LAP.statement(laps, DESK.key, "Desk", 2)])),
        "pair-goodbye": pb.PairFrame(goodbye=pb.Goodbye(reason="The code is shown no more.")),
    }


def everything():
    """Name and bytes of each file."""
    made = {name: frame(message) for name, message in (frames() | range_frames() | pair_frames()).items()}
    return made | parts()


def stored(name, made):
    """The bytes of a file; None where it was missing, and has been made."""
    path = FOLDER / f"{name}.hex"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        text = made.hex()
        path.write_text("".join(f"{text[at:at + 64]}\n" for at in range(0, len(text), 64)))
        return None
    return bytes.fromhex(path.read_text())
