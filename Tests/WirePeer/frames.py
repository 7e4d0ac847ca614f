"""Frames: the length of a message in 4 bytes, most significant first, then the message."""

import struct

# The longest frame that an agent takes from a member. Before the Hello it is FRAME_BEFORE_HELLO.
FRAME = 1 << 20
FRAME_BEFORE_HELLO = 1 << 10


def frame(message):
    """The bytes of one frame that holds a message, or raw bytes."""
    payload = message if isinstance(message, bytes) else message.SerializeToString()
    return struct.pack(">I", len(payload)) + payload


class FrameCutter:
    """Cuts the bytes that arrive, in whatever slices, into frames."""

    def __init__(self, limit=FRAME):
        self.limit = limit
        self._buffer = bytearray()

    def add(self, data):
        self._buffer += data

    def next(self):
        """The next whole frame without its length, or None until more bytes come."""
        if len(self._buffer) < 4:
            return None
        size = struct.unpack(">I", self._buffer[:4])[0]
        if size > self.limit:
            raise ValueError(f"a frame of {size} bytes was announced where at most {self.limit} are taken")
        if len(self._buffer) < 4 + size:
            return None
        payload = bytes(self._buffer[4 : 4 + size])
        del self._buffer[: 4 + size]
        return payload
