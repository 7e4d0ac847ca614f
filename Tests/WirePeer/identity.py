"""A device's identity: its key, the certificate that TLS needs around it, and what the device signs with it."""

import hashlib
import hmac
import os
import struct
from datetime import datetime, timezone

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.x509.oid import NameOID

from messages import pb

# What a statement says: a member that its issuer paired with; no member; a member by the words of others; no member by
# this, but a writer of what came along.
PAIRED, REMOVED, VOUCHED, WROTE = 0, 1, 2, 3


def canonical(*fields):
    """Bytes to be signed or hashed: each field is preceded by its length in 4 bytes, most significant first."""
    return b"".join(struct.pack(">I", len(field)) + field for field in map(_field, fields))


def _field(value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, int):
        return struct.pack(">Q", value)
    return bytes(value)


def device_id(key):
    """What people are shown of a device: the first 16 bytes of SHA-256 over its key."""
    return hashlib.sha256(key).digest()[:16]


def announcement_tag(secret, nonce, instance, port, hour):
    """The TXT string `tag` of an announcement by DNS-SD; `hour` counts from 1970."""
    text = canonical("hearth announcement 2", nonce, instance, struct.pack(">H", port), struct.pack(">I", hour))
    return f"{nonce.hex()}.{hour:08x}.{hmac.digest(secret, text, 'sha256')[:16].hex()}"


def replica_id(key, profile_id, slot):
    """The id of the replica as which a device writes in a profile."""
    return hashlib.sha256(canonical("hearth replica 1", key, profile_id, slot)).digest()[:16]


def head_text(replica, sequence, history):
    """What a device signs of how far it has written as a replica."""
    return canonical("hearth replica head 1", replica, sequence, history)


def is_signed(key, signature, text):
    """Whether a signature of 64 bytes over a text was made with a key (DER SubjectPublicKeyInfo)."""
    public = serialization.load_der_public_key(key)
    try:
        if isinstance(public, ed25519.Ed25519PublicKey):
            public.verify(signature, text)
        else:
            r, s = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
            public.verify(encode_dss_signature(r, s), text, ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


class Identity:
    """A device with a P-256 key of its own, made anew for each test unless one is given."""

    def __init__(self, name, private=None):
        self.name = name
        self.private = private or ec.generate_private_key(ec.SECP256R1())
        self.key = self.private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self.certificate = self._certificate()

    @property
    def id(self):
        return device_id(self.key)

    def sign(self, text):
        """64 bytes: r and s of ECDSA over SHA-256, 32 bytes each."""
        r, s = decode_dss_signature(self.private.sign(text, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def statement(self, household, subject, name, serial, purpose=PAIRED):
        """This device's signed word that a device is, or is no longer, a member of a household."""
        text = canonical(
            "hearth roster statement 1", household, subject, name, bytes([purpose]), serial, self.key
        )
        return pb.Statement(
            household=household,
            subject=subject,
            name=name,
            purpose=purpose,
            serial=serial,
            issuer=self.key,
            signature=self.sign(text),
        )

    def head_signature(self, replica, sequence, history):
        """This device's signed word that it wrote so far as a replica."""
        return self.sign(head_text(replica, sequence, history))

    def _certificate(self):
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hearth")])
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self.private.public_key())
            .serial_number(1)
            .not_valid_before(datetime(1970, 1, 1, tzinfo=timezone.utc))
            .not_valid_after(datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc))
            .sign(self.private, hashes.SHA256())
        )


def _signed(statement):
    """The bytes that the issuer of a statement signed."""
    return canonical(
        "hearth roster statement 1",
        statement.household,
        statement.subject,
        statement.name,
        bytes([statement.purpose]),
        statement.serial,
        statement.issuer,
    )


def statement_is_valid(statement):
    """Whether a statement is signed by the device that it names as its issuer."""
    return is_signed(statement.issuer, statement.signature, _signed(statement))


def statement_hash(statement):
    """Which statement it is, to the byte."""
    return hashlib.sha256(canonical(_signed(statement), statement.signature)).digest()


def fingerprint(statement, salt):
    """The same in short, as RosterHashes lists it."""
    return hashlib.sha256(canonical("hearth statement 1", salt, statement_hash(statement))).digest()[:8]


def roster_digest(statements):
    """SHA-256 over all statements, as PairHello.roster_digest says it."""
    return hashlib.sha256(canonical("hearth roster 1", *sorted(map(statement_hash, statements)))).digest()


def household_digest(statements, secret, serial):
    """SHA-256 over all statements and the household's secret, as Hello.household_digest says it."""
    return hashlib.sha256(canonical("hearth household 1", roster_digest(statements), secret, serial)).digest()


class Household:
    """What a device knows of its household: the id, the shared secret, and the roster as signed statements."""

    def __init__(self, identity):
        self.identity = identity
        self.id = os.urandom(16)
        self.secret, self.secret_serial = os.urandom(32), 0
        self.statements = []

    def members(self):
        """The keys of all devices that anybody vouches for and nobody removed under the same or a higher serial."""
        removed = {}
        for statement in self.statements:
            if statement.purpose == REMOVED:
                removed[statement.subject] = max(removed.get(statement.subject, 0), statement.serial)
        vouched = {
            s.subject
            for s in self.statements
            if s.purpose in (PAIRED, VOUCHED) and s.serial > removed.get(s.subject, 0)
        }
        return vouched | {self.identity.key}

    def merge(self, statements):
        """Takes up statements that are validly signed and of this household."""
        known = {s.SerializeToString() for s in self.statements}
        for statement in statements:
            if statement.SerializeToString() in known or statement.household != self.id:
                continue
            if not statement_is_valid(statement):
                raise ValueError("a statement of the roster is not signed by its issuer")
            self.statements.append(statement)

    def add(self, key, name):
        """Vouches for a device that was just paired, and for this device itself. Returns the new statements."""
        serial = 1 + max([s.serial for s in self.statements if s.subject == key], default=0)
        new = [self.identity.statement(self.id, key, name, serial)]
        if not any(s.subject == self.identity.key == s.issuer for s in self.statements):
            own = max([s.serial for s in self.statements if s.subject == self.identity.key], default=1)
            new.append(self.identity.statement(self.id, self.identity.key, self.identity.name, own, VOUCHED))
        self.statements += new
        return new

    def take_secret(self, roster):
        """Takes the secret of a Roster, where there is one and it counts before the own one."""
        said, own = (roster.secret_serial, roster.secret), (self.secret_serial, self.secret)
        if roster.secret and said > own:
            self.secret_serial, self.secret = said

    def digest(self):
        """What a Hello says of all that this device holds."""
        return household_digest(self.statements, self.secret, self.secret_serial)
