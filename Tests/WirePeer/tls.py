"""TLS 1.3 with a certificate on both sides, over TCP on the loopback interface.

Any well-formed self-signed certificate passes the handshake, on both sides; which key it was is compared afterwards.
The standard library's ssl cannot ask a caller for a certificate without knowing it before, so this uses pyOpenSSL.
"""

import select
import socket
import time

from cryptography.hazmat.primitives import serialization
from OpenSSL import SSL

SYNC = b"hearth/1"
PAIRING = b"hearth-pair/1"


class Closed(Exception):
    """The other side has closed the connection."""


class Late(Exception):
    """Nothing came, or nothing could be sent, in time."""


def _context(identity, protocols, is_server):
    context = SSL.Context(SSL.TLS_METHOD)
    context.set_min_proto_version(SSL.TLS1_3_VERSION)
    context.use_certificate(identity.certificate)
    context.use_privatekey(identity.private)
    context.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, lambda *_: True)
    if is_server:
        context.set_alpn_select_callback(
            lambda _, offered: next((p for p in protocols if p in offered), SSL.NO_OVERLAPPING_PROTOCOLS)
        )
    else:
        context.set_alpn_protos(protocols)
    return context


class Connection:
    """One TLS connection. Every call ends at its deadline."""

    def __init__(self, raw, context, is_server, seconds=5):
        raw.setblocking(False)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._raw = raw
        self._tls = SSL.Connection(context, raw)
        if is_server:
            self._tls.set_accept_state()
        else:
            self._tls.set_connect_state()
        self._until(time.monotonic() + seconds, self._tls.do_handshake)
        certificate = self._tls.get_peer_certificate(as_cryptography=True)
        self.peer_key = certificate.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self.protocol = self._tls.get_alpn_proto_negotiated()

    def send(self, data, seconds=5):
        """Sends all bytes. Raises Late where the other side does not read, Closed where it is gone."""
        deadline = time.monotonic() + seconds
        rest = memoryview(data)
        while rest:
            rest = rest[self._until(deadline, lambda: self._tls.send(rest[: 1 << 16])) :]

    def receive(self, seconds=5):
        """Some bytes."""
        return self._until(time.monotonic() + seconds, lambda: self._tls.recv(1 << 16))

    def close(self):
        try:
            self._tls.shutdown()
        except SSL.Error:
            pass
        self._raw.close()

    def cut(self):
        """Closes TCP without a word."""
        self._raw.close()

    def _until(self, deadline, step):
        while True:
            try:
                return step()
            except SSL.WantReadError:
                self._wait(deadline, reading=True)
            except SSL.WantWriteError:
                self._wait(deadline, reading=False)
            except SSL.ZeroReturnError:
                raise Closed("the other side ended TLS") from None
            except SSL.SysCallError as error:
                raise Closed(f"the connection is gone: {error}") from None
            except SSL.Error as error:
                raise Closed(f"TLS failed: {error}") from None

    def _wait(self, deadline, reading):
        left = deadline - time.monotonic()
        sockets = ([self._raw], []) if reading else ([], [self._raw])
        if left <= 0 or not any(select.select(*sockets, [], left)):
            raise Late("nothing happened in time")


def dial(identity, port, protocol, seconds=5, source="127.0.0.1"):
    """Connects to an agent on this machine, from any address of the loopback interface."""
    raw = socket.create_connection(("127.0.0.1", port), timeout=seconds, source_address=(source, 0))
    return Connection(raw, _context(identity, [protocol], False), False, seconds)


class Listener:
    """Takes connections on a port of the loopback interface."""

    def __init__(self, identity, protocols=(SYNC, PAIRING)):
        self._context = _context(identity, list(protocols), True)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]

    def accept(self, seconds=10):
        """The next connection that gets through its handshake."""
        deadline = time.monotonic() + seconds
        while True:
            self._socket.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                raw, _ = self._socket.accept()
            except TimeoutError:
                raise Late("nobody connected in time") from None
            try:
                return Connection(raw, self._context, True)
            except (Closed, Late):
                raw.close()

    def close(self):
        self._socket.close()
