#!/usr/bin/env python3
"""A firewall on the host that this runs on: drops what comes in for these ports, until it is ended.

    firewall.py tcp:7411 udp:5353

A table of nftables, spoken to by netlink since no `nft` has to be installed. It belongs to the socket that made it, so
the kernel removes it with the program.
"""

import signal
import socket
import struct
import sys

NETFILTER, REQUEST, ACK = 12, 1, 4
CREATE, APPEND = 0x400, 0x800
NEW_TABLE, NEW_CHAIN, NEW_RULE = 0xa00, 0xa03, 0xa06
BATCH_BEGIN, BATCH_END = 0x10, 0x11
# Of IPv4 and IPv6 alike.
INET, NFTABLES = 1, 10
LOCAL_IN, OWNED, PROTOCOL = 1, 2, 16
PROTOCOLS = {"tcp": socket.IPPROTO_TCP, "udp": socket.IPPROTO_UDP}


def number(value):
    return struct.pack(">I", value)


def text(value):
    return value.encode() + b"\0"


def attributes(values):
    """Attributes of netlink; a dictionary is nested ones, a list is the nested elements of a list."""
    packed = b""
    for kind, value in values.items() if isinstance(values, dict) else ((1, each) for each in values):
        if isinstance(value, (dict, list)):
            kind, value = kind | 0x8000, attributes(value)
        packed += struct.pack("=HH", 4 + len(value), kind) + value + b"\0" * (-len(value) % 4)
    return packed


def message(kind, flags, values, family=INET, subsystem=0):
    body = struct.pack(">BBH", family, 0, subsystem) + attributes(values)
    return struct.pack("=IHHII", 16 + len(body), kind, REQUEST | flags, 1, 0) + body


def expression(name, values):
    return {1: text(name), 2: values}


def equals(data):
    return expression("cmp", {1: number(1), 2: number(0), 3: {1: data}})


def drops(protocol, port):
    """A packet of this protocol with this destination port; the port is at the same place in both."""
    return [
        expression("meta", {1: number(1), 2: number(PROTOCOL)}),
        equals(bytes([PROTOCOLS[protocol]])),
        expression("payload", {1: number(1), 2: number(2), 3: number(2), 4: number(2)}),
        equals(struct.pack(">H", port)),
        expression("immediate", {1: number(0), 2: {2: {1: number(0)}}}),
    ]


def main():
    messages = [
        message(NEW_TABLE, CREATE | ACK, {1: text("test"), 2: number(OWNED)}),
        message(NEW_CHAIN, CREATE | ACK, {1: text("test"), 3: text("in"), 4: {1: number(LOCAL_IN), 2: number(0)},
                                          7: text("filter")}),
    ]
    for word in sys.argv[1:]:
        protocol, port = word.split(":")
        messages.append(message(NEW_RULE, CREATE | APPEND | ACK,
                                {1: text("test"), 2: text("in"), 4: drops(protocol, int(port))}))
    kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETFILTER)
    kernel.settimeout(10)
    kernel.bind((0, 0))
    kernel.send(message(BATCH_BEGIN, 0, {}, 0, NFTABLES) + b"".join(messages) + message(BATCH_END, 0, {}, 0, NFTABLES))
    answered = 0
    while answered < len(messages):
        data = kernel.recv(65536)
        while data:
            length, kind = struct.unpack("=IH", data[:6])
            error, = struct.unpack("=i", data[16:20])
            if kind == 2 and error:
                sys.exit(f"the kernel refuses the firewall: error {-error}")
            answered += 1
            data = data[(length + 3) & ~3:]
    print("up", flush=True)
    signal.pause()


main()
