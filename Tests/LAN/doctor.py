"""What `hearth doctor` says on a host, held against troubles that are really there."""

import json
import pathlib
import signal
import subprocess
import typing

from household import PORT
from lan import wait_for

# Where what to do is not asserted.
ANY = object()


class Trouble(typing.NamedTuple):
    """A finding that is not well: its kind, the name of what it is about, words of its sentence, and its command."""

    kind: str
    about: typing.Optional[str]
    words: str
    command: object = None


def asked(home, host):
    """What is wrong as JSON has it, and the text; both are asked for at once."""
    command = host.command([home.hearth, "doctor", "--home", host.folder / "hearth"])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as text:
        report = home.ask(host, "doctor", codes=(0, 1))
        said, _ = text.communicate(timeout=60)
    faults = [finding for finding in report["findings"] if not finding["ok"]]
    assert report["ok"] == (not faults), report
    assert text.returncode == (0 if said.endswith("All is well.\n") else 1), said
    return faults, " ".join(said.split())


def says(finding):
    """The words by which the text has a finding."""
    about = f"{finding['about']}: " if finding.get("about") else ""
    command = f": {finding['command']}" if finding.get("command") else ""
    return " ".join(f"✗ {about}{finding['sentence']}{command}".split())


def fits(finding, trouble):
    return (finding["kind"] == trouble.kind and finding.get("about") == trouble.about
            and trouble.words in finding["sentence"] and trouble.command in (ANY, finding.get("command")))


def finds(home, host, *troubles, within=None):
    """Asks the doctor of a host until it finds just these, and has the same words in its text. Returns the seconds.

    Within 0 seconds, its first answer counts.
    """
    said = None

    def holds():
        nonlocal said
        said = faults, text = asked(home, host)
        verdict = {0: "All is well.", 1: "One thing is wrong."}.get(len(faults), f"{len(faults)} things are wrong.")
        return (len(faults) == len(troubles) and all(any(fits(fault, each) for fault in faults) for each in troubles)
                and all(says(fault) in text for fault in faults) and text.endswith(verdict))

    return wait_for(holds, lambda: f"{host.name}: wanted {troubles}; the doctor says {json.dumps(said)}",
                    home.limit if within is None else within)


def is_well(home, *hosts):
    return max(finds(home, host) for host in hosts)


def mended(home, *hosts):
    """Nothing is found any more, and saves are in step again."""
    began = is_well(home, *hosts)
    home.play(home.hosts[0])
    took = home.meet()
    home.are_in_step()
    return max(began, took)


# ---- troubles

def other_machine(home):
    """The other agent is stopped, then its clock is wrong, and then firewalls are in the way."""
    first, last = home.hosts
    clock = last.folder / "clock.so"
    source = pathlib.Path(__file__).parent / "clock.c"
    subprocess.run(["clang", "-shared", "-fPIC", "-o", clock, source], check=True)
    home.start()
    home.pair(last, first, f"{last.address}:{PORT}")
    home.keep_save()
    is_well(home, first, last)

    last.end("agent", signal.SIGTERM)
    finds(home, first, Trouble("refused", last.name, "start the agent on that machine", "hearth agent"))
    home.start_agent(last, clock=clock)
    home.is_ready(last)
    # Ahead by two hours; the other one says the same from its side.
    finds(home, first, Trouble("clock", last.name, "ahead of this machine's", "timedatectl set-ntp true"))
    home.restart(last)
    took = mended(home, first, last)

    # One firewall alone is no trouble: the other side's dials get through.
    for host in (last, first):
        is_well(home, first, last)
        host.block(f"tcp:{PORT}")
        home.restart(host)
    finds(home, first,
          Trouble("noAnswer", last.name, "let its firewall pass the port", f"sudo ufw allow {PORT}/tcp"))
    last.unblock()
    return max(took, mended(home, first, last))


def beside_another(home):
    """A machine is gone, and a third one can be reached by its own dials alone; the agent that looks knows neither."""
    first, third, last = home.hosts
    home.start()
    for host in (third, last):
        home.pair(host, first, f"{host.address}:{PORT}")
    home.keep_save()
    home.meet()
    is_well(home, *home.hosts)
    third.block(f"tcp:{PORT}")
    last.end("agent", signal.SIGTERM)
    home.restart(first)
    wait_for(lambda: home.is_linked(first, third), "the third one dials")
    # Nothing that is known of the third one is said of the last.
    for _ in range(3):
        finds(home, first, Trouble("refused", last.name, "start the agent on that machine", "hearth agent"), within=0)
    third.unblock()
    home.start_agent(last)
    home.is_ready(last)
    return mended(home, *home.hosts)


def other_subnet(home):
    """Two machines in two subnets; the router between them passes nothing any more."""
    router = home.hosts.pop()
    near, far = home.hosts
    home.lan.put_behind(router, far)
    home.start()
    home.pair(far, near, f"{far.address}:{PORT}")
    home.keep_save()
    is_well(home, near, far)
    for host in home.hosts:
        host.end("agent", signal.SIGTERM)
    router.set("ipv4/ip_forward", 0)
    home.start()
    finds(home, near, Trouble("elsewhere", far.name, "which is in another subnet", f"ping -c 3 {far.address}"))
    router.set("ipv4/ip_forward", 1)
    return mended(home, near, far)


def no_multicast(home):
    """A firewall drops multicast, and then avahi is killed."""
    first, last = home.hosts
    home.start()
    home.pair_all()
    home.keep_save()
    is_well(home, first, last)

    blocked = Trouble("multicast", None, "no multicast", "sudo ufw allow 5353/udp")
    took = 0
    for starts_anew in (False, True):
        first.block("udp:5353")
        if starts_anew:
            home.restart(first)
        # At once: the agent had seen its own announcement before.
        finds(home, first, blocked, within=0)
        is_well(home, last)
        first.unblock()
        took = max(took, mended(home, first))

    first.end("avahi")
    finds(home, first, Trouble("discovery", None, "; start it again, or start the agent without",
                               "sudo systemctl restart avahi-daemon"))
    is_well(home, last)
    first.start_avahi()
    return max(took, mended(home, first))


def saves_and_disks(home):
    """A paused save, one that its game holds, a broken one, and full disks."""
    first, last = home.hosts
    folder, hearth = last.folder / "saves", last.folder / "hearth"
    for disk in (folder, hearth):
        last.mount(disk, 160)
    home.folders[last.name] = folder
    home.start()
    home.pair_all()
    home.keep_save()
    home.meet()
    is_well(home, first, last)
    behind = Trouble("behind", "demo", f"{last.name} is connected", "hearth doctor")

    home.ask(last, "pause", "demo")
    finds(home, last, Trouble("paused", "demo", "its sync is paused here", "hearth resume demo"))
    home.ask(last, "resume", "demo")
    took = mended(home, last)

    runs = last.folder / "runs"
    game = f"touch {runs}; while [ -e {runs} ]; do sleep 0.1; done"
    last.start("game", [home.hearth, "play", "demo", "--home", hearth, "--", "sh", "-c", game])
    wait_for(runs.exists, "the game runs")
    home.play(first)
    finds(home, last, Trouble("held", "demo", "which holds the file", "hearth doctor"))
    finds(home, first, behind)
    runs.unlink()
    last.daemons.pop("game").wait(20)
    took = max(took, mended(home, last))

    whole = home.text(last)
    home.write_text(last, whole[:40])
    finds(home, last, Trouble("file", "demo", "the text ends inside"))
    home.write_text(last, whole)
    took = max(took, mended(home, last))

    # The file that a write replaced is removed some seconds later, and would leave room for the next one.
    wait_for(lambda: not list(last.reach(folder).glob(".hearth-*")), "the former file is removed")
    last.fill(folder)
    home.play(first)
    finds(home, last, Trouble("disk", None, "make room there", f"df -h {folder}/save.json"),
          Trouble("file", "demo", "the disk is full; free some space, it is tried again"))
    finds(home, first, behind)
    last.clear(folder)
    took = max(took, mended(home, last, first))

    last.fill(hearth)
    finds(home, last, Trouble("disk", None, "make room there", f"df -h {hearth}"),
          Trouble("home", None, "the disk is full; free some space, it is tried again"))
    home.play(first)
    finds(home, first, Trouble("link", last.name, "it cannot store what comes in; make room on its disk", "hearth doctor"))
    finds(home, last, Trouble("disk", None, "make room there", f"df -h {hearth}"),
          Trouble("home", None, "the disk is full; free some space, it is tried again"),
          Trouble("record", None, "the disk is full"),
          Trouble("link", first.name, "what it sends cannot be stored here", "df -h"))
    last.clear(hearth)
    return max(took, mended(home, last, first))
