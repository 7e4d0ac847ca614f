"""How a machine comes into the household by the code of a page, and how it is removed by another page."""

import json
import time

from access import inspect, walk
from doubts import DIALOG
from qr import text_of


def paired(tab, a, b, pictures):
    """The tab is at the first machine, which is alone so far."""
    tab.until("document.body?.innerText.includes('This machine is alone')")
    inspect(tab, "empty", pictures)
    tab.run("location.hash = '#/household'")
    tab.press("Show a code")
    code = tab.until("document.querySelector('output')?.textContent")
    assert text_of(tab) == code, f"{text_of(tab)} is not {code}"
    inspect(tab, "code", pictures)
    # The other machine is told what the picture says.
    b.ask("pair", text_of(tab), "--address", f"127.0.0.1:{a.port}")
    tab.until(f"document.querySelector('.devices').innerText.includes({json.dumps(b.name)})")
    tab.run("location.hash = '#/'")
    yield "the picture of a code, read as a camera reads it, lets the other machine in"


def acted(tab, a, b, pictures):
    """The tab is at home on the first machine, and goes back there."""
    devices = "document.querySelector('.devices')"
    tab.run("location.hash = '#/household'")
    for name in ("loft", a.name):
        tab.press("Rename …", devices)
        tab.type("#ask input[name=to]", name)
        tab.key("Enter")
        tab.until(f"!{DIALOG}.open && {devices}.innerText.includes({json.dumps(name)})")
        wait(lambda: name in [one["name"] for one in b.ask("status")["household"]])
    yield "a machine gets another name, on every machine"

    tab.press("Find out")
    findings = "document.querySelector('section[aria-labelledby=doctor] ul')?.innerText"
    tab.until(f"{findings}?.includes('the agent runs and listens') && {findings}.includes({json.dumps(b.name)})")
    inspect(tab, "doctor", pictures)
    tab.run("location.hash = '#/'")
    yield "the page finds out why a machine is not seen or a save not in step"


def wait(wish, seconds=20):
    end = time.monotonic() + seconds
    while not wish():
        assert time.monotonic() < end, "in vain"
        time.sleep(0.05)


def removed(browser, tab, a, b, files, pictures):
    """The first machine, where the tab is at home, removes the second one; the files are those of both."""
    other = browser.tab(b.link())
    other.until("document.querySelector('.card') !== null")
    tab.run("location.hash = '#/household'")
    devices = "document.querySelector('.devices').innerText"
    tab.press(f"Remove … {b.name}")
    tab.until(f"{DIALOG}.innerText.includes({json.dumps(f'Remove {b.name} from the household?')})")
    said = tab.run(f"{DIALOG}.innerText")
    for word in ("closes its link to it for good", "What it has played stays", "come back only by pairing"):
        assert word in said, said
    inspect(tab, "remove", pictures)
    walk(tab, "remove")
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    assert b.name in tab.run(devices) and a.name in [one["name"] for one in b.ask("status")["household"]]
    yield "the page says what the removal of a machine means, and leaves it where the player does"

    played = [file.path.read_text() for file in files]
    tab.press(f"Remove … {b.name}")
    tab.press("Do it", DIALOG)
    tab.until(f"document.getElementById('said').innerText === {json.dumps(f'{b.name} was removed.')}")
    tab.until(f"!{devices}.includes({json.dumps(b.name)})")
    tab.run("location.hash = '#/'")
    tab.until("document.body.innerText.includes('This machine is alone')")
    other.until("document.querySelector('.needs')?.innerText.includes('this device was removed from its household')")
    inspect(other, "removed", pictures)
    assert not any(one["connected"] for one in b.ask("status")["household"])
    assert other.run("document.querySelectorAll('.card').length") == len(b.ask("status")["profiles"]) > 0
    for file, text in zip(files, played):
        assert file.path.read_text() == text, f"{file.path} was changed"
    other.close()
    yield "a machine that was removed is in nobody's household any more, and what was played stays"
