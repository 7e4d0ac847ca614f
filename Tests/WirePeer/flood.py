"""A flood of connections that are no TLS, in a process of its own, so that it takes no turn from what a test measures:

    python3 flood.py PORT SECONDS IN_ONE_SECOND

The last line is how many were made.
"""

import socket
import subprocess
import sys
import time


def garbage(port, seconds, in_one_second):
    """Connections that begin like TLS and go on as garbage, so many in a second. Returns how many were made."""
    began, made = time.monotonic(), 0
    while (now := time.monotonic()) < began + seconds:
        if made > (now - began) * in_one_second:
            time.sleep(0.001)
            continue
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as raw:
                raw.send(b"\x16\x03\x01\x00\x05hello garbage" * 4)
        except OSError:
            pass
        made += 1
    return made


class Flood:
    """Such a process. It is there when its connections begin, so that a test does not measure its start."""

    def __init__(self, port, seconds, in_one_second):
        command = [sys.executable, __file__, str(port), str(seconds), str(in_one_second)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._process.stdout.readline()

    @property
    def is_running(self):
        return self._process.poll() is None

    def result(self, seconds=20):
        """How many connections were made; waits for the end."""
        try:
            return int(self._process.communicate(timeout=seconds)[0])
        finally:
            self._process.kill()


if __name__ == "__main__":
    print("begins", flush=True)
    print(garbage(*map(int, sys.argv[1:])))
