#!/usr/bin/env python3
"""How long devices take to find each other, on a LAN of two hosts in namespaces.

    figures.py [--runs COUNT] HEARTH [embedded|system …]

For each discovery it prints, with median and spread (the least and the most) of the runs (9):

    start      both agents start, on addresses that neither has seen: until a save that one side played before is in the
               other's file
    address    one of two linked hosts gets another address and saves: until the other's file holds that

Both are seen from outside, in the files, so they hold the sync itself as well (some 20 ms). `start` never goes by a
remembered address; with `system` it is beside what the daemon takes to publish (0.8 to 1.0 s by RFC 6762). The last line
is JSON. Nothing else should run on the machine meanwhile. `lan.py` says what it needs.
"""

import argparse
import json
import pathlib
import signal
import statistics
import sys
import tempfile
import time

# The folder of the tests stays as it is.
sys.dont_write_bytecode = True
from household import Household  # noqa: E402
from lan import Lan, TooLate  # noqa: E402

LIMIT = 60


def seconds_until(holds, what):
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > LIMIT:
            raise TooLate(f"{what}: not within {LIMIT} s")
        time.sleep(0.005)
    return time.monotonic() - began


class Figures:
    def __init__(self, home):
        self.home = home
        self.first, self.last = home.hosts
        # The last part of the next address; none is used twice.
        self.address = 20

    def move(self, host):
        self.address += 1
        host.change_address(self.address)

    def start(self):
        home = self.home
        for host in home.hosts:
            host.end("agent", signal.SIGTERM)
        for host in home.hosts:
            self.move(host)
        home.play(self.first)
        # The daemons have published the new addresses.
        time.sleep(3)
        for host in home.hosts:
            home.start_agent(host)
        took = seconds_until(lambda: home.holds(self.last), "the save of before the start")
        home.meet()
        return took

    def new_address(self):
        home = self.home
        home.play(self.first)
        home.meet()
        time.sleep(3)
        self.move(self.last)
        home.play(self.last)
        return seconds_until(lambda: home.holds(self.first), "the save after another address")


def measure(hearth, discovery, runs):
    with tempfile.TemporaryDirectory() as folder:
        lan = Lan(folder, 2)
        try:
            if discovery == "system":
                for host in lan.hosts:
                    host.start_avahi()
            home = Household(lan, hearth, discovery, LIMIT)
            home.start()
            home.pair_all()
            home.keep_save()
            home.meet()
            figures = Figures(home)
            return {name: [act() for _ in range(runs)]
                    for name, act in (("start", figures.start), ("address", figures.new_address))}
        finally:
            lan.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("hearth", type=pathlib.Path)
    parser.add_argument("discoveries", nargs="*", default=["embedded", "system"])
    chosen = parser.parse_args()
    if not 1 <= chosen.runs <= 40:
        parser.error("--runs: from 1 to 40, since each run takes fresh addresses")
    figures = {}
    for discovery in chosen.discoveries:
        for name, took in measure(chosen.hearth.resolve(), discovery, chosen.runs).items():
            figures[f"{discovery} {name}"] = {
                "median": round(statistics.median(took), 3), "least": round(min(took), 3), "most": round(max(took), 3)}
            print("{:<18} median {median:.2f} s, {least:.2f} to {most:.2f}".format(
                f"{discovery} {name}", **figures[f"{discovery} {name}"]), flush=True)
    print(json.dumps(figures))


main()
