#!/usr/bin/env python3
"""Several hosts on one LAN, with what happens to real ones.

    hosts.py [--within SECONDS] [--slack FACTOR] HEARTH [WORD …]

Each scenario is a house of its own: network namespaces on one bridge, an agent and a save on each. Both sides play
while something is wrong; once it is put right every file must hold what the plays add up to, and every agent must say
"in step". What it must come to is worked out here, not by Hearth. Prints the seconds of each.

    --within   a scenario fails that takes longer after a mend (default: 10, as the design promises)
    --slack    a machine that is busy with other things may take so many times as long (default: 1)
    WORD       only the scenarios whose names hold one of these words

`lan.py` says what it needs, and that it touches no interface of the machine.
"""

import argparse
import pathlib
import sys
import tempfile
import time
import traceback

# The folder of the tests stays as it is.
sys.dont_write_bytecode = True
import copied  # noqa: E402
import doctor  # noqa: E402
from household import PORT, Household  # noqa: E402
from lan import Lan, wait_for  # noqa: E402

# An agent notices within this time that a peer does not answer any more, and the link ends within the other: after 30
# and 45 s (`KeepAlive`).
SILENCE = 40
END = 60


class Scenario:
    def __init__(self, name, count, discovery, act, has_ipv4=True, daemons=False):
        self.name, self.count, self.discovery, self.act = name, count, discovery, act
        self.has_ipv4, self.daemons = has_ipv4, daemons

    def run(self, hearth, limit):
        with tempfile.TemporaryDirectory() as folder:
            lan = Lan(folder, self.count, self.has_ipv4)
            try:
                if self.daemons:
                    for host in lan.hosts:
                        host.start_avahi()
                return self.act(Household(lan, hearth, self.discovery, limit))
            except Exception:
                for host in lan.hosts:
                    log = host.folder / "agent.log"
                    said = log.read_text().splitlines()[-25:] if log.exists() else []
                    print(f"-- {host.name}\n" + "\n".join(said), file=sys.stderr)
                raise
            finally:
                lan.close()


def settled(home):
    """Starts, pairs, and gives everybody the save."""
    home.start()
    home.pair_all()
    home.keep_save()
    home.meet()
    home.play(home.hosts[0], note="together")
    return home.meet()


def all_play(home):
    for host in home.hosts:
        home.play(host)
    # Each agent takes up its own side before anything is put right.
    time.sleep(1)


def meet(home):
    took = home.meet()
    home.are_in_step()
    return took


# ---- what happens to a LAN

def unplugged(home):
    """A cable is pulled; everybody plays on."""
    settled(home)
    last = home.hosts[-1]
    home.lan.unplug(last)
    all_play(home)
    home.lan.plug(last)
    return meet(home)


def one_way(home):
    """Nothing arrives at one host, while all that it sends does."""
    settled(home)
    home.lan.deafen(home.hosts[-1])
    all_play(home)
    time.sleep(5)
    home.lan.undeafen(home.hosts[-1])
    return meet(home)


def daemon_killed(home):
    """The daemons are killed: devices find one another all the same. They come back: no link is lost."""
    settled(home)
    last = home.hosts[-1]
    for host in home.hosts:
        host.end("avahi")
    home.lan.unplug(last)
    all_play(home)
    home.lan.plug(last)
    first = meet(home)
    for host in home.hosts:
        host.start_avahi()
    time.sleep(2)
    assert home.is_linked(home.hosts[0], last), "the link ended when the daemon came back"
    home.play(last)
    return max(first, meet(home))


def daemon_late(home):
    """The daemons start after the agents."""
    home.start()
    for host in home.hosts:
        host.start_avahi()
    home.pair_all()
    home.keep_save()
    home.play(home.hosts[0])
    return meet(home)


def asleep(home):
    """A device sleeps, with a game that had saved before, until every link to it has ended."""
    settled(home)
    first, last = home.hosts[0], home.hosts[-1]
    home.sleeps(last)
    home.lan.unplug(last)
    all_play(home)
    # Each answer, also before the third one notices: of no save the silent one is called connected.
    silent = doctor.Trouble("silent", last.name, "it sleeps, or the network is gone", doctor.ANY)
    for _ in range(2):
        doctor.finds(home, first, silent, within=0)
    wait_for(lambda: "answer" not in home.other(first, last)["reason"], "the link has ended", END)
    doctor.finds(home, first, doctor.Trouble("noAnswer", last.name, "switch that machine on", doctor.ANY))
    home.play(first)
    home.wakes(last)
    home.lan.plug(last)
    took = meet(home)
    return max(took, doctor.is_well(home, first))


def middle_only(home):
    """The first and the last reach the one in the middle, and not each other."""
    settled(home)
    first, _, last = home.hosts
    home.lan.separate([first, last])
    for host in (first, last):
        home.lan.unplug(host)
    for host in (first, last):
        wait_for(lambda: not home.is_linked(home.hosts[1], host), f"{host.name} is away", SILENCE)
    for host in (first, last):
        home.lan.plug(host)
    home.play(first)
    took = home.meet()
    home.play(last)
    took = max(took, home.meet())
    assert not home.is_linked(first, last), "the two should not reach each other"
    home.are_in_step()
    home.lan.join([first, last])
    return took


def address_changes(home):
    """A host gets another address."""
    settled(home)
    home.hosts[-1].change_address()
    all_play(home)
    return meet(home)


def slow_line(home):
    """Between two hosts there is only a slow line that cuts what it passes on into small pieces."""
    line = home.hosts.pop()
    home.lan.separate(home.hosts)
    home.start()
    first, last = home.hosts
    proxy = pathlib.Path(__file__).parent / "proxy.py"
    line.start("proxy", [sys.executable, proxy, PORT, first.address, PORT])
    home.pair(first, last, f"{line.address}:{PORT}")
    home.keep_save()
    home.meet()
    all_play(home)
    took = meet(home)
    line.end("proxy")
    all_play(home)
    line.start("proxy", [sys.executable, proxy, PORT, first.address, PORT])
    return max(took, meet(home))


SCENARIOS = [
    Scenario("two, unplugged, by avahi", 2, "system", unplugged, daemons=True),
    Scenario("three, unplugged, embedded", 3, "embedded", unplugged),
    Scenario("five, unplugged, by avahi", 5, "auto", unplugged, daemons=True),
    Scenario("two, IPv6 link-local alone", 2, "embedded", unplugged, has_ipv4=False),
    Scenario("three, one of them deaf", 3, "embedded", one_way),
    Scenario("three, the daemons killed and back", 3, "auto", daemon_killed, daemons=True),
    Scenario("two, the daemons late", 2, "auto", daemon_late),
    Scenario("three, one asleep", 3, "embedded", asleep),
    Scenario("three, in a line", 3, "embedded", middle_only),
    Scenario("three, another address", 3, "embedded", address_changes),
    Scenario("three, one of them a copy of another", 3, "embedded", copied.copied_home),
    Scenario("two, over a slow line in pieces", 3, "off", slow_line),
    Scenario("two, the doctor on the other one", 2, "embedded", doctor.other_machine),
    Scenario("three, the doctor beside a firewall", 3, "embedded", doctor.beside_another),
    Scenario("two, the doctor across subnets", 3, "embedded", doctor.other_subnet),
    Scenario("two, the doctor without multicast", 2, "system", doctor.no_multicast, daemons=True),
    Scenario("two, the doctor on saves and disks", 2, "embedded", doctor.saves_and_disks),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--within", type=float, default=10)
    parser.add_argument("--slack", type=float, default=1)
    parser.add_argument("hearth", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    chosen = parser.parse_args()
    failed = ran = 0
    for scenario in SCENARIOS:
        if chosen.words and not any(word in scenario.name for word in chosen.words):
            continue
        ran += 1
        began = time.monotonic()
        try:
            took = scenario.run(chosen.hearth.resolve(), chosen.within * chosen.slack)
            print(f"{scenario.name}: in step {took:.1f} s after it was put right "
                  f"({time.monotonic() - began:.0f} s in all)", flush=True)
        except Exception:
            failed += 1
            traceback.print_exc()
            print(f"{scenario.name}: FAILED", flush=True)
    print(f"hosts: {ran} scenarios, {failed} failed")
    sys.exit(1 if failed or not ran else 0)


main()
