"""The page of one save: a backup is put back, what happened is narrowed down, and ways back are only looked at."""

import json
import time

from access import inspect, walk
from doubts import DIALOG, EARLY, LATE, opened
from save_file import shared
from topics import choose, write_anew

STEPS = "Array.from(document.querySelectorAll('.timeline > li'), (step) => step.textContent)"

# Presses the button of the newest backup that has so many bytes.
PUT_BACK = """(() => {{
    const all = Array.from(document.querySelectorAll("section[aria-labelledby=backups] li"));
    const found = all.find((backup) => backup.innerText.includes("{size} bytes"));
    found?.querySelector("[data-key=putBack]").click();
    return found !== undefined;
}})()"""


def left(tab):
    """Leaves the dialog without doing what it is about."""
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")


def backup(tab, files, pictures):
    """The tab is at home; the files of the save are those of both machines."""
    opened(tab, "Quest")
    put_back = PUT_BACK.format(size=len(json.dumps(LATE)))
    tab.until(put_back)
    tab.until(f"/What would change\\s*\\/best\\s*60\\s*→\\s*90/.test({DIALOG}.innerText)")
    inspect(tab, "restore", pictures)
    walk(tab, "restore")
    left(tab)
    for file in files:
        file.becomes(EARLY)
    tab.until(put_back)
    tab.press("Do it", DIALOG)
    for file in files:
        file.becomes(LATE)
    tab.until("document.querySelector('.timeline > li').innerText.startsWith('Put in place whole')")
    yield "a backup is shown before it is put back, and is in both files then"

    # Newer ones may come meanwhile.
    key = tab.run("document.querySelector('section[aria-labelledby=backups] li').getAttribute('data-key')")
    one = f"document.querySelector('section[aria-labelledby=backups] li[data-key=\"{key}\"]')"
    for button, isKept in (("Keep for good", "true"), ("Keep no longer than others", "false")):
        tab.press(button, one)
        tab.until(f"{one}.innerText.includes('kept for good') === {isKept}")
    yield "a backup is kept for good, until the player says otherwise"


def narrowed(tab, files, a, b):
    """What happened, by one machine and at one place. The second file is that of the second machine."""
    earned = dict(LATE, coins=35)
    files[1].write(earned)
    files[0].becomes(earned)
    every = tab.until(f"(() => {{ const all = {STEPS}; return all[0].includes('35') && all; }})()")
    choose(tab, "section[aria-labelledby=history] select", b.name)
    tab.until(f"{STEPS}.length === 1 && {STEPS}[0].includes({json.dumps(b.name)})")
    choose(tab, "section[aria-labelledby=history] select", "")
    tab.until(f"{STEPS}.length === {len(every)}")
    field = "section[aria-labelledby=history] input"
    tab.type(field, "/coins")
    tab.key("Enter")
    # The first step brought the whole save, the last one the coins.
    tab.until(f"{STEPS}.length === 2 && {STEPS}.every((step) => step.includes('/coins'))")
    write_anew(tab, field, "/nowhere")
    tab.key("Enter")
    tab.until(f"{STEPS}.length === 0 && document.body.innerText.includes('Nothing of that is in the newest')")
    tab.run(f"document.querySelector({json.dumps(field)}).select()")
    tab.key("Backspace")
    tab.key("Enter")
    tab.until(f"{STEPS}.length === {len(every)}")
    yield "what happened can be narrowed down to one machine, and to one place"


def looked_at(tab, files, pictures):
    held = json.loads(files[0].path.read_text())
    tab.press("Take back")
    tab.until(f"{DIALOG}.innerText.includes('/coins') && /35\\s*→\\s*10/.test({DIALOG}.innerText)")
    inspect(tab, "undo", pictures)
    left(tab)
    tab.press("Start over")
    tab.until(f"{DIALOG}.innerText.includes('/best')")
    assert tab.run(f"{DIALOG}.querySelector('.main').disabled"), "nobody has typed the name"
    inspect(tab, "reset", pictures)
    walk(tab, "reset")
    left(tab)
    for file in files:
        file.becomes(held)
    tab.run("location.hash = '#/'")
    yield "what would be taken back, and started over, is shown; nothing of it is done unless the player says so"


SCOPES = "rules:\n  /run/floor: max\n  /gems: counter\n  /keys: counter\nresets:\n  run: [/run]\n  shop: [/keys]\n"


def one_scope(tab, a, b, pictures):
    """The tab is at home, and goes back there."""
    one, other = shared("Rogue", a, b, {"run": {"floor": 7}, "gems": 4, "keys": 2}, SCOPES)
    opened(tab, "Rogue")
    tab.press("Start over")
    tab.until(f"{DIALOG}.innerText.includes('/gems') || {DIALOG}.innerText.includes('/run')")
    choose(tab, "#ask select", "shop")
    tab.until(f"/\\/keys\\s*2\\s*→/.test({DIALOG}.innerText) && !{DIALOG}.innerText.includes('/run')")
    inspect(tab, "one scope", pictures)
    tab.type("#ask input", "Rogue")
    tab.press("Do it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    end = time.monotonic() + 20
    while any(json.loads(file.path.read_text()).get("keys") == 2 for file in (one, other)):
        assert time.monotonic() < end, other.path.read_text()
        time.sleep(0.05)
    for file in (one, other):
        held = json.loads(file.path.read_text())
        assert held["run"] == {"floor": 7} and held["gems"] == 4, held
    tab.run("location.hash = '#/'")
    yield "one part of a save starts over on both machines, and the rest stays"
