"""Tries what the sandbox of the unit takes from the agent, and what the agent needs of it all the same.

    probe.py PROCESS FILE     run by systemd in the sandbox; PROCESS is another one of the same user

FILE gets, as JSON, what came of each: "goes", or the name of the error.
"""

import ctypes
import errno
import json
import mmap
import os
import pathlib
import resource
import socket
import sys

PROCESS, FILE = sys.argv[1:]
SYSTEM = ctypes.CDLL(None, use_errno=True)
TRACEME, NEW_USER, NO_RANDOM_ADDRESSES = 0, 0x10000000, 0x40000
FOLDER_AND_NAME, OPEN_OF_CHILD = 0xC00, 0x08000020


def call(name, *arguments):
    result = getattr(SYSTEM, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def hears_of_opens():
    queue = call("fanotify_init", FOLDER_AND_NAME, 0)
    folder = str(pathlib.Path(FILE).parent).encode()
    call("fanotify_mark", queue, 1, ctypes.c_uint64(OPEN_OF_CHILD), -100, folder)


def keeps_every_bit():
    pathlib.Path(FILE).touch()
    os.chmod(FILE, 0o4755)


def says(name):
    return next(line.split()[1] for line in open("/proc/self/status") if line.startswith(f"{name}:"))


TRIED = {
    # What it must not do, and what any other program of a user may.
    "raw packets": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    "memory to write and run": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC),
    "another personality": lambda: call("personality", NO_RANDOM_ADDRESSES),
    "a call of debuggers": lambda: call("ptrace", TRACEME, 0, 0, 0),
    # What it needs.
    "the program of a game": lambda: os.readlink(f"/proc/{PROCESS}/exe"),
    "the open files of a game": lambda: os.readlink(f"/proc/{PROCESS}/fd/0"),
    "the news of network interfaces": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "the network": lambda: (socket.socket(socket.AF_INET), socket.socket(socket.AF_INET6)),
    "who opened a save": hears_of_opens,
    "every bit of a mode": keeps_every_bit,
    # It must not do this either. It comes last: where it goes, this process is no longer what it was.
    "a namespace": lambda: call("unshare", NEW_USER),
}


def outcome(attempt):
    try:
        attempt()
        return "goes"
    except OSError as error:
        return errno.errorcode[error.errno]


came = {name: outcome(attempt) for name, attempt in TRIED.items()}
came["NoNewPrivs"], came["Seccomp"] = says("NoNewPrivs"), says("Seccomp")
came["bytes of a core file"] = max(resource.getrlimit(resource.RLIMIT_CORE))
pathlib.Path(FILE).write_text(json.dumps(came))
