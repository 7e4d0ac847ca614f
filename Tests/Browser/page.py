#!/usr/bin/env python3
"""The page of two real agents in a real headless Chromium.

    Tests/Browser/page.py HEARTH [PICTURES]

HEARTH is the built command. Screenshots of each place, at the widths of a desk and of a phone, light and dark, are put into
the folder PICTURES, to be looked at. Needs Debian's packages chromium and python3, and nothing else.
"""

import http.server
import json
import os
import pathlib
import statistics
import sys
import tempfile
import threading
import time

import arrivals
import german
import second_evening
import third_evening
import topics
from access import inspect, prove, walk
from chromium import Chromium
from machine import Machine

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


def first_evening(browser, a, b, pictures):
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
    assert first.run(f"document.querySelector('.code').innerText.includes('127.0.0.1:{a.port}')"), "where it is"
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
    yield from topics.household(browser, a, b, pictures)

    b.stop()
    a.write(dict(SAVE, name="Bea"))
    first.until("document.querySelector('.timeline')?.innerText.includes('Bea')")
    b.write(dict(SAVE, name="Cleo"))
    b.start(a)
    first.until("document.querySelectorAll('.sides > li').length === 2")
    inspect(first, "choice", pictures)
    first.press("Take this one: Cleo")
    first.until("document.getElementById('said').innerText.includes('Done')")
    yield "a choice is shown with both sides, and decided"

    second.until("document.getElementById('link').innerText !== ''")
    third = browser.tab(b.link(), languages="de")
    third.until("document.querySelector('.card .fields')?.innerText.includes('Cleo')")
    third.key("Tab")
    assert third.run("document.activeElement.id") == "skip", "the first stop of Tab"
    yield "a page whose agent was restarted says so, and another link opens one"

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
    end, given = time.monotonic() + 40, downloads / "save.json"
    # A browser makes the file before it has all that goes into it.
    while not (given.exists() and given.read_bytes() == a.save.read_bytes()) and time.monotonic() < end:
        time.sleep(0.05)
    assert given.read_bytes() == a.save.read_bytes(), "the file is another save"
    yield "the save is given as a file"

    yield from topics.rules(first, third, a, b, pictures)
    yield from topics.files(first, third, a, b, pictures)

    # It took its time to give up hope, in which other steps were done.
    second.until("document.getElementById('link').innerText.includes('hearth page')")
    yield "a page whose agent does not come back says how to open another one"

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

    save = first.run("location.hash")
    for place, name in (("#/", "home"), ("#/household", "household"), (save, "save")):
        first.run(f"location.hash = {json.dumps(place)}")
        inspect(first, name, pictures)
    yield "every place can be seen, heard and read by everybody, at a desk and on a phone, light and dark"

    stops = 0
    for place in ("#/", "#/household", save):
        first.run(f"location.hash = {json.dumps(place)}")
        first.until("document.querySelector('#place h1') !== null")
        stops += walk(first, place)
    yield f"Tab reaches every control of every place, and shows where it is ({stops} stops)"

    yield from keeping_focus(first, a, save)

    spoilt = browser.tab(a.link())
    spoilt.until("document.querySelector('.card') !== null")
    yield f"each of {prove(spoilt)} faults that is put into the page is found"
    spoilt.close()
    yield from figures(browser, third, a, b)
    yield from german.table(third)
    yield from german.shown(first, third, b, pictures)
    yield from arrivals.added(first, third, a, b, pictures)
    yield from arrivals.brought(first, a, pictures)
    yield from arrivals.placed(first, third, a, b, pictures)
    yield from arrivals.kept(first, third, a, b, pictures)
    yield from arrivals.placed_all(first, third, a, b, pictures)

    # What the browser could not load from an agent that was stopped is no fault of the page.
    found = [text for tab in (first, third) for text in tab.complaints() if "Failed to load resource" not in text]
    assert not found, found
    yield "no script failed, and the policy refused nothing"


def keeping_focus(tab, machine, save):
    """The focus stays on what has it, on every place, while the page is drawn anew under it."""
    level = 20
    for place, selector in (("#/", ".card a"), (save, ".places button"), ("#/household", "select[name=log-level]")):
        tab.run(f"location.hash = {json.dumps(place)}")
        tab.until(f"(() => {{ const wanted = document.querySelector({json.dumps(selector)}); wanted?.focus();"
                  " window.focused = wanted; return wanted !== null && document.activeElement === wanted; })()")
        level += 1
        machine.write(dict(machine.read_until(lambda save: True), level=level))
        tab.until(f"document.getElementById('place').textContent.includes('{level}')")
        assert tab.run("document.activeElement === focused"), f"{place}: the focus went to " + tab.run("document.activeElement.outerHTML")
    yield "the focus stays where it is while the page is drawn anew, on every place"


# Resolves with the time at which the card says a text.
SHOWN = """window.shown = new Promise((done) => {{
    const look = () => {{
        if (!document.querySelector('.card .fields')?.textContent.includes({text})) return;
        observer.disconnect();
        requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
    }};
    const observer = new MutationObserver(look);
    observer.observe(document.body, {{ subtree: true, childList: true, characterData: true }});
}}); 0"""


# The milliseconds to the first paint, and the bytes of the whole page as they are sent, that are promised.
PAINTED, LARGEST = 100, 150_000

# All that makes the page; what the agent answered is no part of it.
SIZE = ("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".filter((entry) => entry.initiatorType !== 'fetch').reduce((sum, entry) => sum + entry.encodedBodySize, 0)")

PAINT = "(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1)"


class OneWord(http.server.BaseHTTPRequestHandler):
    """Serves a page of one word."""

    def do_GET(self):
        text = b"<!doctype html><title>One word</title><p>word"
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def figures(browser, tab, a, b):
    """How much the page is, and how soon it is there. The tab is at the home of the second machine."""
    # A page of one word shows what this browser needs on this machine, whatever a page holds.
    word = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OneWord)
    threading.Thread(target=word.serve_forever, daemon=True).start()
    paints, floors, size = [], [], 0
    for _ in range(5):
        empty = browser.tab(f"http://127.0.0.1:{word.server_port}/")
        empty.until(f"{PAINT} > 0")
        floors.append(empty.run(PAINT))
        empty.close()
        fresh = browser.tab(b.link())
        fresh.until("document.querySelector('.card') !== null")
        paints.append(fresh.run(PAINT))
        size = fresh.run(SIZE)
        fresh.close()
    word.shutdown()
    assert min(paints) > 0, "the browser has measured no paint"
    paint, floor = statistics.median(paints), statistics.median(floors)
    # A page that became several times as slow is a fault. The promise itself is a figure: a machine may be slow, or have other
    # work, and then a page of one word is slow as well.
    assert paint <= max(2 * PAINTED, 4 * floor), f"first paint after {paint:.0f} ms, that of a page of one word after {floor:.0f} ms"
    # A German page has all that an English one has, and the German sentences.
    fresh = browser.tab(b.link(), languages="de")
    fresh.until("document.querySelector('.card') !== null && performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/german.js'))")
    german_size = fresh.run(SIZE)
    fresh.close()
    assert 10_000 < size < german_size <= LARGEST, f"the page has {size} bytes, and {german_size} in German"
    yield (f"figures: the page has {size} bytes, and {german_size} in German; first paint after {paint:.0f} ms, "
           f"that of a page of one word after {floor:.0f} ms (medians of 5)")

    tab.until("document.querySelector('.card') !== null")
    times = []
    for number in range(9):
        name = f"edit{number}"
        tab.run(SHOWN.format(text=json.dumps(str(5000 + number))))
        save = dict(a.read_until(lambda save: True), level=5000 + number, name=name)
        began = time.time()
        a.write(save)
        times.append(tab.run("shown") - 1000 * began)
    yield f"figures: an edit on another machine shows after {statistics.median(times):.0f} ms (median of {len(times)})"


def played(story, names, hearth, pictures):
    """Plays a story with two machines of its own: how many of its promises were kept, and whether one was not."""
    kept = 0
    with tempfile.TemporaryDirectory(prefix="hearth-page-") as folder:
        a, b = (Machine(name, pathlib.Path(folder), hearth) for name in names)
        browser = Chromium()
        try:
            a.start()
            b.start(a)
            for sentence in story(browser, a, b, pictures):
                print("ok:", sentence, flush=True)
                kept += 1
        except AssertionError as error:
            print("failed after that:", error, flush=True)
            return kept, 1
        finally:
            browser.close()
            a.stop()
            b.stop()
    return kept, 0


def main():
    hearth = os.path.abspath(sys.argv[1])
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    stories = (first_evening, ("laptop", "deck & <i>")), (second_evening.story, ("attic", "cellar")), (third_evening.story, ("den", "loft"))
    kept, failed = map(sum, zip(*(played(*one, hearth, pictures) for one in stories)))
    print(f"{kept} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
