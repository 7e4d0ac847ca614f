"""Two saves that are one game's progress: the page makes them one, on the machine that is asked."""

import json

from access import inspect, walk
from save_file import SaveFile, shared

DIALOG = "document.getElementById('ask')"
NEEDS = "document.querySelector('.needs')"
RULES = "rules:\n  /coins: counter\n  /best: max\n"


def added(machine, name, file, document):
    """Keeps a new save on one machine; its file."""
    save = SaveFile(machine.home.parent / "more" / f"{file}.json")
    save.write(document)
    (rules := save.path.with_suffix(".yaml")).write_text(RULES)
    machine.ask("add", str(save.path), "--rules", str(rules), "--name", name)
    return save


def one_name(tab, a, b, pictures):
    files = added(a, "Duo", "duo here", {"coins": 10, "best": 3}), added(b, "Duo", "duo there", {"coins": 7, "best": 4})
    tab.until(f"{NEEDS}?.innerText.includes('2 saves are called Duo')")
    inspect(tab, "one name", pictures)
    tab.press("Make them one …", NEEDS)
    tab.until(f"{DIALOG}.innerText.includes('7 in the household, 10 in the file')")
    assert str(files[0].path) in tab.run(f"{DIALOG}.innerText"), "where it is written"
    inspect(tab, "make them one", pictures)
    walk(tab, "make them one")
    tab.run(f"{DIALOG}.querySelector('input[type=checkbox]').click()")
    tab.press("Do it", DIALOG)
    for file in files:
        file.becomes({"coins": 17, "best": 4})
    tab.until(f"!{DIALOG}.open && {NEEDS} === null")
    yield "two saves of one name are made one by a button, with what was played on both"


def another_says(tab, a, b, pictures):
    here, there = shared("Solo", a, b, {"coins": 1, "best": 1}, RULES)
    added(b, "Elder", "elder", {"coins": 5, "best": 9})
    b.ask("remove", "Elder")
    b.ask("restore", "Elder", "--to", str(there.path), "--yes")
    tab.until(f"{NEEDS}?.innerText.includes('says that this save and Elder')")
    inspect(tab, "they are one", pictures)
    tab.press("They are one …", NEEDS)
    tab.until(f"{DIALOG}.innerText.includes('Make Elder and Solo one?')")
    tab.until(f"!{DIALOG}.querySelector('.main').disabled")
    tab.press("Do it", DIALOG)
    tab.until(f"!{DIALOG}.open && {NEEDS} === null")
    here.becomes(json.loads(there.path.read_text()))
    yield "what another machine says to be one save is made one here by a button"


def answered_elsewhere(tab, a, b, pictures):
    here, there = shared("Late", a, b, {"coins": 1, "best": 8}, RULES)
    here.write({"coins": 1, "best": 2})
    tab.until(f"{NEEDS}?.innerText.includes('holds less than before')")
    tab.press("The save counts")
    tab.until(f"!{DIALOG}.querySelector('.main').disabled")
    a.ask("keep", "Late", "--yes")
    tab.until(f"{DIALOG}.querySelector('[role=alert]')?.innerText.includes('nothing is asked')")
    assert tab.run(f"{DIALOG}.querySelector('.main').disabled")
    tab.press("Close", DIALOG)
    here.becomes({"coins": 1, "best": 8})
    yield "a question that is answered elsewhere while its dialog is open is not answered again"
