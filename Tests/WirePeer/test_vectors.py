"""Bytes of the wire that are written down: who writes another implementation can hold it against these."""

import hashlib
import zlib

import pytest

import atoms
import columns
import golden
import pairing
from atoms import COUNTER, LATEST, Atom
from frames import FrameCutter, frame
from identity import announcement_tag, head_text, is_signed, replica_id, statement_is_valid
from messages import pb

P256 = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
CODE = "K7QM-2XWD-9TRB-H4FG"


def hello(name, nonce, household):
    return pb.PairHello(
        version=1,
        name=name,
        nonce=bytes([nonce]) * 32,
        household=bytes([household]) * 16,
        roster_digest=hashlib.sha256(b"").digest(),
    )


@pytest.fixture
def transcript():
    keys = [P256 + bytes([number]) * 64 for number in (10, 11)]
    return pairing.Transcript(CODE, *keys, hello("Desk", 1, 2), hello("Lap", 3, 4))


def test_a_code_and_its_check():
    assert pairing.read_code(CODE) == [19, 7, 23, 20, 2, 29, 28, 13, 9, 26, 24, 11, 17, 4, 15]
    assert pairing.read_code("k7qm 2xwd 9trb h4fg".replace(" ", "-")) == pairing.read_code(CODE)
    with pytest.raises(ValueError):
        pairing.read_code("K7QM-2XWD-9TRB-H4FC")


def test_the_proofs_of_a_pairing(transcript):
    assert transcript.hash.hex() == "bc60dd656c3c8d78ad630f6c3fa47a1130a93db195efa30fa4c555f5a59ef446"
    assert transcript.proof("typer").hex() == "2bc9f4ed3c55af7555abf33aafb5b028d4a50e23623fdb4f59af11e897182803"
    assert transcript.proof("shower").hex() == "3f12837e5b79352d43c85556ea8ef4fa3652b7dedb99a71fae4e7372919bed35"
    assert transcript.seal("typer", pb.PairSecrets()).hex() == "3163f07e87d790b3f36a68ab0b79429d"


def test_the_tag_of_an_announcement():
    tag = announcement_tag(bytes([7]) * 32, bytes(range(1, 9)), "0011223344556677", 7411, 498000)
    assert tag == "0102030405060708.00079950.4ea0e34aa71c68c7db88b179b992fd1d"


def test_a_replica_and_how_far_it_goes():
    assert replica_id(P256 + bytes([10]) * 64, bytes(range(16)), 3).hex() == "e5f53f306f9b40bc7f74aac0ff3aa628"
    assert head_text(bytes(range(16)), 2, 0xCEEDCF872779463B).hex() == (
        "00000015686561727468207265706c69636120686561642031"
        "00000010000102030405060708090a0b0c0d0e0f00000008000000000000000200000008ceedcf872779463b"
    )


def test_histories_and_a_delta():
    replica = bytes(range(16))
    first = [Atom(b"#name", LATEST, b"", atoms.number(0x81A2084DC24B0000) + b'"RPG"', replica, 1)]
    second = [
        Atom(b"/hp", LATEST, b"", atoms.number(0x81A2084DC24C0000) + b"7", replica, 2),
        Atom(b"/coins", COUNTER, replica, b"5 0", replica, 2),
    ]
    once = atoms.history(0, first)
    twice = atoms.history(once, second)
    assert (once, twice) == (0x09E0B24465DB5AD5, 0xCEEDCF872779463B)

    delta = pb.Delta(profile=1, profile_id=bytes(15) + b"\x01")
    delta.to.add(replica=1, replica_id=replica, sequence=2, history=twice, before=1)
    out, incoming = columns.Direction(), columns.Direction()
    delta.columns.CopyFrom(columns.write(first + second, [replica], [1], out, incoming))
    written = frame(pb.Frame(delta=delta)).hex()
    assert written == (
        "0000008312800108011210000000000000000000000000000000011a2108011210000102030405060708090a0b0c0d0e0f1802"
        "213b46792787cfedce28015a470a01011a020001320200053a020d04421481a2084dc24b000022525047224c00003735203052"
        "030000015a020503620d236e616d652f6870636f696e736a030000037203000001"
    )
    reader = columns.Reader([replica], [1], [2], columns.Direction(), columns.Direction())
    assert reader.read(delta.columns) == first + second


MADE = golden.everything()


@pytest.mark.parametrize("name", MADE)
def test_golden_frames_are_these(name):
    stored = golden.stored(name, MADE[name])
    assert stored is not None, f"{name}.hex was missing and has been made; look at it, and commit it"
    assert stored == MADE[name]


def test_golden_frames_are_of_every_kind():
    names = [golden.frames() | golden.range_frames(), golden.pair_frames()]
    for kind, made in zip((pb.Frame, pb.PairFrame), names, strict=True):
        assert {message.WhichOneof("body") for message in made.values()} == {f.name for f in kind.DESCRIPTOR.fields}
    stored = {path.stem for path in golden.FOLDER.glob("*.hex")}
    assert stored == set(MADE)


def messages(name):
    """The messages of a file, as another reader finds them."""
    cutter = FrameCutter()
    cutter.add(golden.stored(name, MADE[name]))
    while payload := cutter.next():
        yield pb.Frame.FromString(payload).delta


@pytest.mark.parametrize("name", ["delta", "delta-packed", "delta-in-two-frames"])
def test_golden_deltas_are_read(name):
    known = columns.Direction()
    reader = columns.Reader([golden.DESKS], [1], [2], known, columns.Direction())
    read = []
    for delta in messages(name):
        if delta.rest:
            read[-1] = Atom(**{**vars(read[-1]), "content": read[-1].content + delta.rest})
        cells = delta.columns
        if delta.packed:
            cells = pb.Packed.FromString(zlib.decompress(delta.packed)).columns
        read += reader.read(cells)
    assert read == golden.WRITES[0] + golden.WRITES[1]
    if name == "delta":
        (last,) = messages("delta-of-one-write")
        reader = columns.Reader([golden.DESKS], [3], [3], known, columns.Direction())
        assert reader.read(last.columns) == golden.WRITES[2]


def test_golden_signatures_are_right():
    for statement in golden.roster():
        assert statement_is_valid(statement)
    for name, sequence in (("delta", 2), ("delta-of-one-write", 3)):
        (delta,) = messages(name)
        text = head_text(golden.DESKS, sequence, golden.HISTORIES[sequence])
        assert is_signed(golden.DESK.key, delta.signatures, text)
    (delta,) = messages("delta-of-a-former-member")
    assert list(delta.cut) == [0]
    assert is_signed(golden.GONE.key, delta.signatures, head_text(golden.GONES, 1, golden.LAST_HISTORY))
