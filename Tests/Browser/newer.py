"""What a newer version of a game, or of Hearth, has written: the page says so, leaves it alone, and goes on when it can."""

import contextlib
import json
import sqlite3
import subprocess

from access import inspect
from doubts import DIALOG, NEEDS, opened
from save_file import shared
from topics import drop

OLD = 'version: "1.0"\nversionAt: /version\nrules:\n  /coins: counter\n'
NEW = OLD.replace('version: "1.0"', 'version: "2.0"') + 'migrations:\n  - from: "1.0"\n    to: "2.0"\n    steps:\n      - default: {path: /lamps, value: 0}\n'


def card(name):
    return f"Array.from(document.querySelectorAll('.card')).find((card) => card.querySelector('h3').innerText === {json.dumps(name)})"


def game(browser, tab, a, b, pictures):
    """The tab is at home on the first machine, and stays there."""
    one, other = shared("Saga", a, b, {"version": "1.0", "coins": 1}, OLD)
    there = browser.tab(b.link())
    text = '{"version": "2.0", "coins": 9, "lamps": 4}'
    one.write_text(text)
    tab.until(f"{NEEDS}?.includes('Saga needs a look') && {NEEDS}.includes('is of version 2.0, newer than the rules (1.0)')")
    assert "update the rules, or the game on this device" in tab.run(NEEDS), tab.run(NEEDS)
    # It can be read very well.
    assert tab.run(f"{card('Saga')}.querySelector('.state.bad').innerText") == "Needs a look"
    there.until(f"{card('Saga')}?.innerText.includes({json.dumps(f'{a.name} is behind')})")
    inspect(tab, "newer save", pictures)
    assert one.path.read_text() == text and json.loads(other.path.read_text())["coins"] == 1, "it was not left alone"
    yield "a save of a newer version of its game is left alone, and the page says what has to be newer"

    (rules := one.path.with_suffix(".yaml")).write_text(NEW)
    a.ask("add", str(one.path), "--rules", str(rules))
    tab.until(f"!({NEEDS} ?? '').includes('Saga')")
    there.until(f"{card('Saga')}.innerText.includes('The game here is older than elsewhere')")
    # The numbers of the household are there all the same.
    there.until(f"{card('Saga')}.querySelector('.fields').innerText.includes('9')")
    words = there.until(f"{NEEDS}?.includes('and the household plays version 2.0') && {NEEDS}")
    assert "update the game on this device; what is played here counts" in words and "hearth migrate Saga" in words, words
    inspect(there, "older game", pictures)
    other.write({"version": "1.0", "coins": 3})
    one.becomes({"version": "2.0", "coins": 11, "lamps": 4})
    b.ask("migrate", "Saga")
    other.becomes({"version": "2.0", "coins": 11, "lamps": 4})
    there.until(f"{card('Saga')}.innerText.includes('In step') && !({NEEDS} ?? '').includes('Saga')")
    there.close()
    yield "with newer rules it counts; the machine whose game is older says so, and what is played there counts as well"


def files(tab, a, pictures):
    """A backup, and a file of another machine, in forms that this version does not know. The tab is at home on the first machine."""
    transfer = a.home.parent / "newer.hearth"
    subprocess.run([a.hearth, "export", "Saga", "--output", transfer, "--home", a.home], check=True, capture_output=True, timeout=60)
    renumber(transfer)
    tab.run("document.querySelector('details[data-key=add]').open = true")
    drop(tab, "details[data-key=add] .drop", transfer)
    tab.until(f"{DIALOG}.innerText.includes('was written by a newer version of Hearth')")
    assert "update Hearth on this device" in tab.run(f"{DIALOG}.innerText")
    inspect(tab, "newer file", pictures)
    tab.press("Close", DIALOG)
    tab.until(f"!{DIALOG}.open")
    tab.run("document.querySelector('details[data-key=add]').open = false")

    saga = next(profile["id"] for profile in a.ask("status")["profiles"] if profile["name"] == "Saga")
    renumber(max(a.home.glob(f"backups/{saga}/*.backup")))
    opened(tab, "Saga")
    tab.until("document.querySelector('section[aria-labelledby=backups]').innerText.includes('cannot be used: ')")
    row = tab.run("Array.from(document.querySelectorAll('section[aria-labelledby=backups] li')).find((row) => row.innerText.includes('cannot be used')).innerText")
    assert "newer version of Hearth" in row and "Put back" not in row, row
    assert "years ago" not in row, f"nobody knows when that was: {row}"
    inspect(tab, "newer backup", pictures)
    tab.run("location.hash = '#/'")
    yield "a file and a backup of a newer Hearth are said to be so, and the backup has no button that would fail"


def rules(browser, tab, a, b, pictures):
    """The second machine, which is stopped meanwhile, has rules of a newer Hearth; the tab is at home on the first one."""
    there = browser.tab(b.link())
    words = there.until(f"{NEEDS}?.includes('Saga needs a look') && {NEEDS}")
    for part in ('its rules come from a newer Hearth (the rule "ledgers" is unknown to this version)', "update Hearth on this device",
                 "or put rules that this one knows in force on all machines: hearth add "):
        assert part in words, words
    assert there.run(f"{card('Saga')}.querySelector('.state.bad').innerText") == "Needs a look"
    opened(there, "Saga")
    # Its rules are told by nobody here, which is said where they would stand.
    there.until("document.querySelector('section[aria-labelledby=rules] .bad')?.innerText.includes('come from a newer Hearth')")
    inspect(there, "newer rules", pictures)
    tab.until(f"{card('Saga')}?.innerText.includes({json.dumps(f'{b.name} is behind')})")
    (file := a.home.parent / "more" / "Saga.yaml").write_text(NEW.replace("counter\n", "counter\n  /lamps: max\n"))
    a.ask("add", str(file.with_suffix(".json")), "--rules", str(file))
    there.until(f"document.querySelector('main p.state').innerText.startsWith('In step') && !({NEEDS} ?? '').includes('Saga')")
    there.close()
    yield "rules of a newer Hearth are said to be so, until rules that this one knows are in force"


def renumber(path):
    """Gives a file of Hearth's the number of a later form, which stands behind eight bytes."""
    content = bytearray(path.read_bytes())
    content[8:10] = (99).to_bytes(2, "little")
    path.write_bytes(content)


class Mark:
    """The check value of a row of the record, as RowChecksum computes it."""

    def __init__(self):
        self.hash = 0xCBF29CE484222325

    def word(self, value):
        self.hash = (self.hash ^ value & 0xFFFFFFFFFFFFFFFF) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        self.hash ^= self.hash >> 29

    def text(self, content):
        self.word(len(content))
        whole = len(content) // 8 * 8
        for at in range(0, whole, 8):
            self.word(int.from_bytes(content[at:at + 8], "little"))
        for byte in content[whole:]:
            self.word(byte)

    def value(self):
        return (self.hash ^ self.hash >> 32) & 0xFFFFFFFF


def mark(row, content):
    profile, path, kind, sub, uuid, sequence, epoch = row
    made = Mark()
    made.word(profile)
    made.text(path)
    made.word(kind)
    made.text(sub)
    made.word(int.from_bytes(uuid[:8], "big"))
    made.word(int.from_bytes(uuid[8:], "big"))
    made.word(sequence)
    made.text(content)
    if epoch is not None:
        made.text(epoch)
    return made.value()


def put_newer_rules(home):
    """Writes into the record of a stopped agent what a newer Hearth would have sent: rules with a word that this one does not know."""
    text, newer = b'"merge":"counter"', b'"merge":"ledgers"'
    with contextlib.closing(sqlite3.connect(home / "hearth.sqlite")) as record, record:
        rows = record.execute("SELECT profile, path, kind, sub, uuid, sequence, epoch, content, atom.mark FROM atom"
                              " JOIN replica ON replica.id = atom.replica WHERE path = ?", (b"#rules",)).fetchall()
        found = [row for row in rows if b"/lamps" in row[7] and text in row[7]]
        assert len(found) == 1, f"{len(found)} rules in the record are those of Saga"
        *row, content, known = found[0]
        assert mark(row, content) == known, "the record has another form by now"
        content = content.replace(text, newer)
        record.execute("UPDATE atom SET content = ?, mark = ? WHERE profile = ? AND path = ? AND kind = ? AND sub = ?",
                       (content, mark(row, content), *row[:4]))
