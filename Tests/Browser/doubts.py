"""Saves that hold less than before: the page asks what they mean, and does what the player answers."""

import json

from access import inspect, walk

DIALOG = "document.getElementById('ask')"
NEEDS = "document.querySelector('.needs')?.innerText"

RULES = "rules:\n  /best: max\n  /coins: counter\n  /seen: union\n"
EARLY = {"best": 60, "coins": 10, "room": 3, "seen": ["cave"]}
LATE = {"best": 90, "coins": 10, "room": 7, "seen": ["cave", "lake"]}
LEAST = {"best": 20, "coins": 10, "room": 3, "seen": ["cave"]}


def opened(tab, name):
    """Goes from home to the page of a save."""
    tab.until(f"(() => {{ const found = Array.from(document.querySelectorAll('.card a')).find((link) =>"
              f" link.innerText === {json.dumps(name)}); found?.click(); return found !== undefined; }})()")
    tab.until(f"document.querySelector('h1')?.innerText === {json.dumps(name)}")


def held_less(tab, files, pictures):
    """The tab is at home on the first machine; the files are those of both machines."""
    one, other = files
    one.write(LATE)
    other.becomes(LATE)
    one.write(EARLY)
    tab.until(f"{NEEDS}?.includes('what the file held at an earlier time')")
    # The file shows what there was until the player says otherwise.
    one.becomes(LATE)
    inspect(tab, "held less", pictures)
    tab.press("The save counts")
    tab.until(f"/What would change\\s*\\/best\\s*90\\s*→\\s*60/.test({DIALOG}.innerText)")
    inspect(tab, "accept", pictures)
    walk(tab, "accept")
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    assert "earlier time" in tab.run(NEEDS), "nothing was answered"
    tab.press("The save counts")
    tab.press("Do it", DIALOG)
    for file in (one, other):
        file.becomes(EARLY)
    tab.until(f"!{DIALOG}.open && document.querySelector('.needs') === null")
    yield "a save that holds less is asked about, and counts on both machines where the player says so"

    one.write(LEAST)
    tab.until(f"{NEEDS}?.includes('holds less than before')")
    tab.press("Keep what there is")
    tab.until(f"/What would not count\\s*\\/best\\s*60\\s*→\\s*20/.test({DIALOG}.innerText)")
    inspect(tab, "keep", pictures)
    tab.press("Do it", DIALOG)
    tab.until(f"!{DIALOG}.open && document.querySelector('.needs') === null")
    for file in (one, other):
        file.becomes(EARLY)
    yield "where the player keeps what there is, the former save stays in both files"


def damaged(tab, files, pictures):
    one, other = files
    one.write_text('{"best": 90, "coins": 10, "ro')
    tab.until(f"{NEEDS}?.includes('Quest needs a look') && {NEEDS}.includes('the text ends inside the string')")
    assert tab.run("document.querySelector('.card .state').innerText") == "Needs a look"
    inspect(tab, "damaged", pictures)
    other.becomes(EARLY)
    one.write(EARLY)
    tab.until("document.querySelector('.card .state.bad') === null && document.querySelector('.needs') === null")
    yield "a file that cannot be read is said to be so, until the game has written it again"
