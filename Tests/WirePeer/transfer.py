"""Transfer files (`hearth import` reads them): signed and not encrypted. Their numbers are little-endian."""

import hashlib
import struct
import time
import zlib

from identity import canonical
from link import Link
from messages import pb

# The magic bytes, format 1, form 0 (signed).
START = b"\x89HTF\r\n\x1a\n" + struct.pack("<HH", 1, 0)


class _Collector:
    """Stands where a connection stands, and keeps what is sent."""

    def __init__(self):
        self.data = b""

    def send(self, data, seconds=0):
        self.data += data


def transfer_file(peer, profile, document=b"{}"):
    """A profile of a peer as one file, signed by the peer, with the text of a save to begin with."""
    frames = _Collector()
    Link(peer, frames).send_profile(profile)
    fields = [
        peer.household.id,
        peer.identity.name.encode(),
        struct.pack("<q", int(time.time() * 1000)),
        pb.Roster(statements=peer.household.statements).SerializeToString(),
        document,
        frames.data,
    ]
    content = b"".join(struct.pack("<I", len(field)) + field for field in fields)
    stored = zlib.compress(content, 9)
    key = peer.identity.key
    file = START + struct.pack("<HHQQ", len(key), 0, len(content), len(stored)) + key + stored
    return file + peer.identity.sign(canonical("hearth transfer 1", hashlib.sha256(file).digest()))
