#!/usr/bin/env python3
"""The page of two real agents in a real headless Chromium.

    Tests/Browser/page.py HEARTH [PICTURES]

HEARTH is the built command. Screenshots of each place, at the widths of a desk and of a phone, light and dark, are put into
the folder PICTURES, to be looked at. Needs Debian's packages chromium and python3, and nothing else.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

from chromium import Chromium

EVIL = "<img src=x onerror=\"document.title='broken'\">"
RULES = """
profile: RPG
rules:
  /coins: counter
  /level: max
  /name: choice
  /unlocked/themes: union
  /unlocked/tutorial: flag
  /unlocked/feats[id]/done: flag
"""
SAVE = {"coins": 100, "level": 3, "name": "Ada", "sound": True, "recent": ["cave"],
        "unlocked": {"themes": ["day"], "tutorial": False, "feats": [{"id": "first", "done": False}, {"id": "last", "done": False}]}}
PLAYED = {"themes": ["day", "night"], "tutorial": True, "feats": [{"id": "first", "done": False}, {"id": "last", "done": True}]}

# What a person who uses no mouse, or hears the page, needs; each finding in a few words.
ACCESS = """(() => {
    const found = [];
    const shown = (element) => element.checkVisibility();
    const name = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim();
    for (const element of document.querySelectorAll("button, a")) if (shown(element) && !name(element)) found.push("no name: " + element.outerHTML);
    for (const element of document.querySelectorAll("input, select")) if (shown(element) && element.labels.length === 0) found.push("no label: " + element.outerHTML);
    for (const landmark of ["main", "header", "nav", "footer"]) if (document.querySelectorAll(landmark).length !== 1) found.push("landmark " + landmark);
    for (const element of document.querySelectorAll("[role=img]")) {
        const texts = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
        if (!element.getAttribute("aria-label") && !texts.every(Boolean)) found.push("a picture without words");
    }
    if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
    if (!document.documentElement.lang) found.push("no language");
    const ids = Array.from(document.querySelectorAll("[id]"), (element) => element.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push("id twice: " + id);
    for (const element of document.querySelectorAll("[aria-labelledby]")) if (!element.getAttribute("aria-labelledby").split(" ").every((id) => document.getElementById(id))) { if (element.id !== "ask") found.push("labelled by nothing"); }
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window: " + document.documentElement.scrollWidth);
    return found;
})()"""

# Has the next preview wait until `letGo()` is called.
SLOW_PREVIEW = """(() => {
    const fetched = window.fetch;
    window.letGo = () => false;
    window.fetch = async (address, ...more) => {
        if (!String(address).includes("preview.")) return fetched(address, ...more);
        window.fetch = fetched;
        await new Promise((done) => { window.letGo = () => { done(); return true; }; });
        return fetched(address, ...more);
    };
})()"""


class Machine:
    def __init__(self, name, folder, hearth):
        self.name, self.hearth = name, hearth
        self.home, self.save = folder / name / "home", folder / name / "save.json"
        self.save.parent.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.agent = None

    def start(self, *peers):
        words = [self.hearth, "agent", "--json", "--home", self.home, "--name", self.name, "--host", "127.0.0.1", "--port",
                 str(self.port), "--discovery", "off"]
        for peer in peers:
            words += ["--peer", f"127.0.0.1:{peer.port}"]
        self.agent = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.agent.stdout.readline()

    def stop(self):
        if self.agent:
            self.agent.send_signal(signal.SIGTERM)
            self.agent.wait(10)

    def ask(self, *words):
        outcome = subprocess.run([self.hearth, *words, "--home", self.home, "--json"], capture_output=True, timeout=60)
        assert outcome.returncode in (0, 3), f"{words}: {outcome.stdout.decode()}"
        return json.loads(outcome.stdout.splitlines()[-1])

    def link(self):
        return self.ask("page")["url"]

    def write(self, document):
        beside = self.save.with_suffix(".new")
        beside.write_text(json.dumps(document))
        os.replace(beside, self.save)

    def read_until(self, wish):
        """The save, as a game reads it, once it is as wished."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            save = json.loads(self.save.read_text())
            if wish(save):
                return save
            time.sleep(0.05)
        raise AssertionError(f"the save of {self.name} is still {save}")


def inspect(tab, name, pictures):
    """Looks at the place that is shown, as wide as a desk and as a phone, light and dark."""
    for width, height in ((1200, 900), (360, 740)):
        tab.size(width, height)
        for scheme in ("light", "dark"):
            tab.look({"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"})
            time.sleep(0.1)
            found = tab.run(ACCESS)
            assert not found, f"{name} at {width}, {scheme}: {found}"
            if pictures:
                tab.picture(pictures / f"{name}-{width}-{scheme}.png")


def story(browser, a, b, pictures):
    """One evening; each step is a promise of the page."""
    first, second = browser.tab(a.link()), browser.tab(b.link(), languages="de")
    first.until("document.body?.innerText.includes('No save is kept yet')")
    second.until("document.body?.innerText.includes('Noch wird kein Spielstand gehalten')")
    assert first.run("location.href").endswith("/#/"), "the code is out of the address"
    yield "the link opens the page, in the language of the browser"

    for tab in (first, second):
        tab.run("location.hash = '#/household'")
    first.press("Show a code")
    code = first.until("document.querySelector('output')?.textContent")
    assert first.run("document.querySelector('svg.qr path').getAttribute('d').length > 500")
    second.type("input[name=code]", code)
    second.type("input[name=address]", f"127.0.0.1:{a.port}")
    second.key("Enter")
    first.until(f"document.getElementById('said').innerText.includes({json.dumps('Paired with ' + b.name)})")
    second.until(f"document.querySelector('.devices')?.innerText.includes({json.dumps(a.name)})")
    yield "two machines are paired from page to page, by keyboard"

    first.until("(() => { const button = document.querySelector('.pairing button.main'); button?.focus();"
                " return button !== null && document.activeElement === button; })()")
    first.key("Enter")
    first.until("document.querySelector('output') !== null")
    assert first.run("document.activeElement.getAttribute('aria-labelledby')") == "pairing", "the focus is lost"
    first.press("Put it away")
    first.until("document.querySelector('output') === null")
    yield "where a button goes away under the focus, the focus stays in its part of the page"

    rules = a.home.parent / "rules.yaml"
    rules.write_text(RULES)
    a.write(SAVE)
    a.ask("add", str(a.save), "--rules", str(rules), "--name", EVIL)
    first.run("location.hash = '#/'")
    first.until(f"document.querySelector('.card h3')?.innerText === {json.dumps(EVIL)}")
    assert first.run("document.querySelectorAll('img').length") == 0 and first.run("document.title") == "Hearth"
    second.run("location.hash = '#/'")
    second.until(f"document.querySelector('.card h3')?.innerText === {json.dumps(EVIL)}")
    b.ask("restore", EVIL, "--to", str(b.save))
    yield "a save whose name is markup is a card with that text, on both machines"

    second.until("document.querySelector('.card .fields')?.innerText.includes('100')")
    began = time.monotonic()
    a.write(dict(SAVE, coins=130))
    second.until("document.querySelector('.card .fields')?.innerText.includes('130')")
    yield f"an edit on the other machine shows on the card ({1000 * (time.monotonic() - began):.0f} ms)"

    first.run("document.querySelector('.card a').click()")
    first.press("Why? /coins")
    first.until("document.querySelector('.why')?.innerText.includes('130')")
    first.press("Take back")
    first.until("document.getElementById('ask').innerText.includes('/coins')")
    first.press("Do it", "document.getElementById('ask')")
    second.until("document.querySelector('.card .fields')?.innerText.includes('100')")
    yield "a step is explained, shown before it is taken back, and taken back on both machines"

    steps = first.until("(() => { const all = Array.from(document.querySelectorAll('.timeline > li'), (step) => step.dataset.key);"
                        " return all.length > 2 && all; })()")
    take_back = "document.querySelector('.timeline > li[data-key=\"{}\"] .row button').click()"
    first.run(SLOW_PREVIEW)
    first.run(take_back.format(steps[0]))
    first.press("Leave it", "document.getElementById('ask')")
    first.until("!document.getElementById('ask').open")
    first.run(take_back.format(steps[1]))
    first.until("document.querySelector('#ask h3, #ask .bad') !== null")
    shown = first.run("document.getElementById('ask').innerText")
    assert first.run("letGo()"), "the first preview was not asked for"
    time.sleep(0.2)
    assert first.run("document.getElementById('ask').innerText") == shown, "a late preview took over"
    assert f" {steps[1]} " in shown, shown
    # It cannot be taken back, so all that is left is to close the dialog.
    first.press("Close", "document.getElementById('ask')")
    yield "a preview that comes late shows nothing in another one's dialog"

    tabs = [browser.tab(a.link(), window=number == 0) for number in range(8)]
    for tab in tabs:
        tab.until("document.querySelector('.card') !== null")
    hidden = [tab.run("document.hidden") for tab in tabs]
    assert hidden == [True] * 7 + [False], f"tabs of one window: {hidden}"
    a.write(dict(SAVE, name="Eve"))
    for tab in (first, tabs[0], tabs[7]):
        tab.until("document.querySelector('.timeline, .fields')?.innerText.includes('Eve')")
        assert tab.run("document.getElementById('link').innerText") == ""
    for tab in tabs:
        tab.close()
    yield "many tabs of one browser leave each other their session and their connections"

    b.read_until(lambda save: save == dict(SAVE, name="Eve"))
    b.stop()
    a.write(dict(SAVE, name="Bea"))
    first.until("document.querySelector('.timeline')?.innerText.includes('Bea')")
    b.write(dict(SAVE, name="Cleo"))
    b.start(a)
    first.press("Take this one: Cleo")
    first.until("document.getElementById('said').innerText.includes('Done')")
    yield "a choice is shown with both sides, and decided"

    second.until("document.getElementById('link').innerText !== ''")
    second.until("document.getElementById('link').innerText.includes('hearth page')")
    third = browser.tab(b.link(), languages="de")
    third.until("document.querySelector('.card .fields')?.innerText.includes('Cleo')")
    third.key("Tab")
    assert third.run("document.activeElement.id") == "skip", "the first stop of Tab"
    yield "a page whose agent was restarted says so, and a new link opens it again"

    b.write(dict(b.read_until(lambda save: save["name"] == "Cleo"), coins=170, unlocked=PLAYED))
    picture = "document.querySelector('svg.picture')"
    first.until(f"{picture}?.textContent.includes('170')")
    b.write(dict(b.read_until(lambda save: save["coins"] == 170), coins=100))
    spoken = first.until(f"(() => {{ const text = {picture}?.querySelector('desc').textContent;"
                         " return text?.includes('highest 170') && text.includes('5 changes') && text; })()")
    assert spoken.startswith(f"From 100 ({a.name}, ") and f" to 100 ({b.name}, " in spoken, spoken
    assert first.run(f"Array.from({picture}.querySelectorAll('.curve'), (line) => line.getAttribute('stroke-dasharray'))") == [None, "7 4"]
    titles = first.run("Array.from(document.querySelectorAll('svg.picture title'), (title) => title.textContent)")
    assert titles == ["/coins over time"], f"the level has one value alone: {titles}"
    legend = first.run("document.querySelector('.legend').innerText")
    assert a.name in legend and f"{b.name} last 100" in legend, legend
    yield "a number is a picture over time, a line each machine, and said in words"

    items = first.until("(() => { const all = Array.from(document.querySelectorAll('.trophies li'), (item) => item.innerText);"
                        " return all.length === 4 && all; })()")
    names = [item.split("\n")[0] for item in items]
    assert set(names[:3]) == {"night", "tutorial", "last"} and names[3] == "day", items
    assert all(b.name in item for item in items[:3]) and "nobody knows when" in items[3], items
    third.run("document.querySelector('.card a').click()")
    third.until("document.querySelector('svg.picture') && document.querySelectorAll('.trophies li').length === 4")
    inspect(first, "played", pictures)
    inspect(third, "gespielt", pictures)
    third.run("location.hash = '#/'")
    yield "what was unlocked is on a shelf, the newest first, by the machine that did it"

    downloads = a.home.parent / "downloads"
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
    first.press("Save as a file")
    first.until("document.getElementById('said').innerText.includes('save.json')")
    end = time.monotonic() + 10
    while not (downloads / "save.json").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert (downloads / "save.json").read_bytes() == a.save.read_bytes(), "the file is another save"
    yield "the save is given as a file"

    first.press("Start over")
    first.type("#ask input", EVIL)
    first.press("Do it", "document.getElementById('ask')")
    third.until("document.querySelector('.card') && !document.querySelector('.card .fields')?.innerText.includes('100')")
    yield "a save is started over after its name was typed"

    first.type("input[name=place]", "/lev")
    # A game reads its save before it goes on; what it plays apart from a reset would be put aside.
    a.write(dict(a.read_until(lambda save: "level" not in save), level=9))
    newest = "document.querySelector('.timeline > li').textContent"
    first.until(f"{newest}.includes('/level') && {newest}.includes('9')")
    assert first.run("document.activeElement.name + document.activeElement.value") == "place/lev"
    yield "focus and typed words stay while the page is drawn anew"

    for place, name in (("#/", "home"), ("#/household", "household"), (first.run("location.hash"), "save")):
        first.run(f"location.hash = {json.dumps(place)}")
        inspect(first, name, pictures)
    yield "every place has names, labels and landmarks, and fits a phone"

    paint = third.run("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
    assert 0 < paint, "the browser has measured no paint"
    yield f"first paint after {paint:.0f} ms"

    # What the browser could not load from an agent that was stopped is no fault of the page.
    found = [text for tab in (first, third) for text in tab.complaints() if "Failed to load resource" not in text]
    assert not found, found
    yield "no script failed, and the policy refused nothing"


def main():
    hearth = os.path.abspath(sys.argv[1])
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory(prefix="hearth-page-") as folder:
        a, b = Machine("laptop", pathlib.Path(folder), hearth), Machine("deck & <i>", pathlib.Path(folder), hearth)
        browser = Chromium()
        try:
            a.start()
            b.start(a)
            for sentence in story(browser, a, b, pictures):
                print("ok:", sentence, flush=True)
                passed += 1
        except AssertionError as error:
            print("failed after that:", error, flush=True)
            failed = 1
        finally:
            browser.close()
            a.stop()
            b.stop()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
