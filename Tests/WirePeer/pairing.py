"""Pairing by a one-time code, from either side, as Sync.proto says it under "Pairing"."""

import hashlib
import hmac
import os
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import tls
from frames import FrameCutter, frame
from identity import Household, canonical, roster_digest
from messages import pb

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
VERSION = 1


class Refused(Exception):
    """The other side ended the pairing; the text is its reason."""


def read_code(text):
    """The 15 values of a code such as K7QM-2XWD-9TRB-H4FC; its check character must be right."""
    letters = text.upper().replace("-", "").replace("O", "0").replace("I", "1").replace("L", "1")
    values = [ALPHABET.index(letter) for letter in letters]
    if len(values) != 16 or values[15] != _check(values[:15]):
        raise ValueError("this is no pairing code")
    return values[:15]


def new_code():
    """A random code as people see it."""
    values = [byte & 31 for byte in os.urandom(15)]
    letters = "".join(ALPHABET[value] for value in values + [_check(values)])
    return "-".join(letters[at : at + 4] for at in range(0, 16, 4))


def _check(values):
    """The check character: the polynomial of the values over GF(32), at a root of x^5 + x^2 + 1, by Horner's rule."""
    total = 0
    for value in values:
        total = (total ^ value) << 1
        if total & 32:
            total ^= 0b100101
    return total


class Transcript:
    """All that both sides must have seen alike, hashed, and the keys that follow from this hash and the code."""

    def __init__(self, code, shower_key, typer_key, shower, typer):
        self._code = bytes(read_code(code))
        self.hash = hashlib.sha256(
            canonical("hearth pairing transcript 1", "hearth-pair/1", shower_key, typer_key)
            + self._hello(shower)
            + self._hello(typer)
        ).digest()

    @staticmethod
    def _hello(hello):
        return canonical(
            struct.pack(">I", hello.version),
            hello.name,
            hello.nonce,
            hello.household,
            hello.roster_digest,
            bytes([hello.others]),
        )

    def _key(self, use):
        info = canonical(use, self.hash)
        return HKDF(algorithm=SHA256(), length=32, salt=b"hearth pairing 1", info=info).derive(self._code)

    def proof(self, side):
        return hmac.digest(self._key(f"{side} proves"), self.hash, "sha256")

    def seal(self, side, secrets):
        cipher = ChaCha20Poly1305(self._key(f"{side} seals"))
        return cipher.encrypt(bytes(12), secrets.SerializeToString(), self.hash)

    def open(self, side, sealed):
        try:
            plain = ChaCha20Poly1305(self._key(f"{side} seals")).decrypt(bytes(12), sealed, self.hash)
        except InvalidTag:
            raise Refused("its sealed message cannot be opened") from None
        return pb.PairSecrets.FromString(plain)


class _Talk:
    """One pairing connection: frames out and in."""

    def __init__(self, connection):
        self.connection = connection
        self._cutter = FrameCutter()

    def send(self, **body):
        self.connection.send(frame(pb.PairFrame(**body)))

    def read(self, body):
        """The next frame, which must have this body."""
        while (payload := self._cutter.next()) is None:
            try:
                self._cutter.add(self.connection.receive())
            except tls.Closed:
                raise Refused("it closed the connection without a word") from None
        message = pb.PairFrame.FromString(payload)
        if message.HasField("goodbye"):
            raise Refused(message.goodbye.reason)
        if not message.HasField(body):
            raise Refused(f"it said {message.WhichOneof('body')} where {body} was due")
        return getattr(message, body)


def hello_of(household, version=VERSION):
    return pb.PairHello(
        version=version,
        name=household.identity.name,
        nonce=os.urandom(32),
        household=household.id,
        roster_digest=roster_digest(household.statements),
        others=len(household.members()) > 1,
    )


def _adopt(household, theirs, secrets):
    """Makes the other side's household this device's own."""
    household.id = theirs.household
    household.secret, household.secret_serial = secrets.household_secret, secrets.secret_serial
    household.statements = []


def type_code(identity, port, code, household=None, version=VERSION):
    """Pairs as the side at which a code is typed; the agent at the port shows it. Returns the household."""
    household = household or Household(identity)
    connection = tls.dial(identity, port, tls.PAIRING)
    try:
        talk = _Talk(connection)
        mine = hello_of(household, version)
        talk.send(hello=mine)
        theirs = talk.read("hello")
        transcript = Transcript(code, connection.peer_key, identity.key, theirs, mine)
        is_host = mine.others and not theirs.others
        secrets = pb.PairSecrets()
        if is_host:
            secrets.household_secret = household.secret
        if is_host or mine.household == theirs.household:
            secrets.statements.extend(household.statements)
        talk.send(proof=pb.PairProof(proof=transcript.proof("typer"), sealed=transcript.seal("typer", secrets)))
        answer = talk.read("proof")
        if answer.proof != transcript.proof("shower"):
            raise Refused("it does not know the code that it shows")
        granted = transcript.open("shower", answer.sealed)
        if not is_host:
            _adopt(household, theirs, granted)
        household.merge(granted.statements)
        if identity.key not in household.members():
            raise Refused("its roster has no word for this device")
        talk.send(done=pb.PairDone(statements=household.add(connection.peer_key, theirs.name)))
        return household
    finally:
        connection.close()


def show_code(identity, listener, code, household=None):
    """Pairs as the side that shows a code; the agent that has it typed dials the listener. Returns the household."""
    household = household or Household(identity)
    connection = listener.accept()
    try:
        if connection.protocol != tls.PAIRING:
            raise Refused("it did not come to pair")
        talk = _Talk(connection)
        mine = hello_of(household)
        talk.send(hello=mine)
        theirs = talk.read("hello")
        transcript = Transcript(code, identity.key, connection.peer_key, mine, theirs)
        proof = talk.read("proof")
        if proof.proof != transcript.proof("typer"):
            talk.send(goodbye=pb.Goodbye(reason="The pairing was refused: compare the code."))
            raise Refused("it gave a wrong code")
        granted = transcript.open("typer", proof.sealed)
        secrets = pb.PairSecrets()
        if theirs.others and not mine.others:
            _adopt(household, theirs, granted)
            household.merge(granted.statements)
        else:
            secrets.household_secret = household.secret
        household.add(connection.peer_key, theirs.name)
        secrets.statements.extend(household.statements)
        talk.send(proof=pb.PairProof(proof=transcript.proof("shower"), sealed=transcript.seal("shower", secrets)))
        household.merge(talk.read("done").statements)
        return household
    finally:
        connection.close()
