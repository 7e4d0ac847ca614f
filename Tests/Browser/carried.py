"""A file that was carried over by hand: the page asks whether what two machines have each saved counts once."""

import shutil
import time

from access import inspect, walk
from doubts import DIALOG, NEEDS
from save_file import shared

RULES = "rules:\n  /coins: counter\n  /found: union\n"


def by_hand(browser, a, b, pictures):
    """The game of the first machine plays while the other one is off, and its file is copied there."""
    start = {"coins": 300, "found": ["key"], "room": "hall", "level": 1}
    played = {"coins": 400, "found": ["key", "map"], "room": "attic", "level": 2}
    one, other = shared("Carried", a, b, start, RULES)
    b.stop()
    one.write(played)
    end = time.monotonic() + 60
    while a.ask("show", "Carried", "/coins")["document"].strip() != "400":
        assert time.monotonic() < end, f"{a.name} has not read its game's save"
        time.sleep(0.05)
    shutil.copyfile(one.path, other.path)
    b.start(a)
    for file in (one, other):
        file.becomes(dict(played, coins=500))
    tab = browser.tab(b.link())
    tab.until(f"{NEEDS}?.includes('have each saved exactly the same (/coins from 300 to 400)')")
    inspect(tab, "carried", pictures)
    walk(tab, "carried")
    tab.press("Keep what there is")
    tab.until(f"{DIALOG}.innerText.includes('it counts twice, as it does now')")
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    tab.press("Count it once")
    tab.until(f"/What would change\\s*\\/coins\\s*500\\s*→\\s*400/.test({DIALOG}.innerText)")
    tab.press("Do it", DIALOG)
    for file in (one, other):
        file.becomes(played)
    # Something about another save may be left to read there.
    tab.until(f"!{DIALOG}.open && !({NEEDS} ?? '').includes('Carried')")
    tab.close()
    yield "of a file that was carried over by hand, the page asks whether it counts once, and that is so on both machines"
