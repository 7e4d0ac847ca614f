"""A disk that is full: one of a few kilobytes, which only the agent of the machine sees, and which goes with it."""

import json
import os
import subprocess

from access import inspect
from doubts import NEEDS
from save_file import SaveFile

RULES = "rules:\n  /coins: counter\n"

# A namespace of mounts of its own; who is not root gets one with a namespace of users.
OWN_MOUNTS = ["unshare", "--mount", "--propagation", "private"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])


def can_mount():
    try:
        return subprocess.run([*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, timeout=20).returncode == 0
    except FileNotFoundError:
        return False


def on_small_disk(folder):
    """The words with which an agent is started that sees a small disk at a folder."""
    folder.mkdir(exist_ok=True)
    return [*OWN_MOUNTS, "sh", "-c", 'mount -t tmpfs -o size=256k,mode=700 tmpfs "$0" && exec "$@"', folder]


class DistantFile(SaveFile):
    """A file as the agent sees it, among whose mounts it is."""

    def __init__(self, path, machine):
        self.path = machine.seen(path)


def fill(path):
    """Takes all the room there is."""
    with open(path, "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass


def full(browser, tab, a, b, folder, pictures, meanwhile):
    """The second machine has the small disk at the folder; the tab is at home on the first machine, and stays there. Steps
    of something else are done meanwhile."""
    one, other = SaveFile(a.home.parent / "more" / "Tight.json"), DistantFile(folder / "Tight.json", b)
    one.write({"coins": 1})
    (rules := one.path.with_suffix(".yaml")).write_text(RULES)
    a.ask("add", str(one.path), "--rules", str(rules), "--name", "Tight")
    card = "Array.from(document.querySelectorAll('.card')).find((card) => card.querySelector('h3').innerText === 'Tight')"
    there = browser.tab(b.link())
    there.until(f"{card} !== undefined")
    b.ask("restore", "Tight", "--to", str(folder / "Tight.json"))
    other.becomes({"coins": 1})
    fill(b.seen(folder / "filler"))
    one.write({"coins": 7})
    there.until(f"{NEEDS}?.includes('Tight needs a look') && {NEEDS}.includes('the disk is full; free some space, it is tried again')")
    assert str(folder / "Tight.json") in there.run(NEEDS), "which disk that is"
    # What came in is known all the same.
    there.until(f"{card}.querySelector('.fields').innerText.includes('7') && {card}.querySelector('.state.bad').innerText === 'Needs a look'")
    assert json.loads(other.path.read_text()) == {"coins": 1}, "the file was cut short"
    inspect(there, "full disk", pictures)
    tab.until(f"{card}.innerText.includes({json.dumps(f'{b.name} is behind')})")
    inspect(tab, "other disk is full", pictures)
    yield "a full disk is said on the page, with the file that it keeps from being written; the other machine says who is behind"

    # It is written again within some seconds, while the next steps go on.
    b.seen(folder / "filler").unlink()
    yield from meanwhile()
    other.becomes({"coins": 7})
    there.until(f"!({NEEDS} ?? '').includes('Tight') && /in step/i.test({card}.innerText)")
    there.close()
    yield "once the disk has room, what came in is written by itself, and nothing more is said of it"
