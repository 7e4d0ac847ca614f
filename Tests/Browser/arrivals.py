"""How saves come to a machine by its page. The first tab is at the first machine, the third one at home on the second."""

import json
import os
import subprocess
import time

from access import inspect, walk
from topics import asked, drop, write_anew

MARKUP = "<b>second</b>"


def card(name):
    """The card of a save, as JavaScript."""
    return (f"Array.from(document.querySelectorAll('.card'))"
            f".find((card) => card.querySelector('h3').innerText === {json.dumps(name)})")


def opened(tab):
    """Opens the part of the page that adds saves, as a person without a mouse does."""
    tab.until("(() => { const part = document.querySelector('details[data-key=add] summary'); part?.focus();"
              " return part !== null && document.activeElement === part; })()")
    tab.key("Enter")
    tab.until("document.querySelector('details[data-key=add]').open")


def holds(path, save, seconds=20):
    """Waits until a file holds a save: the page may know of it a moment earlier."""
    end = time.monotonic() + seconds
    while not path.exists() or json.loads(path.read_text()) != save:
        assert time.monotonic() < end, path.read_text()
        time.sleep(0.02)


def added(first, third, a, b, pictures):
    first.run("location.hash = '#/'")
    opened(first)
    save = a.home.parent / "other" / "second slot.json"
    save.parent.mkdir()
    save.write_text(json.dumps({"coins": 5}))
    fault = "document.querySelector('details[data-key=add] [role=alert]').innerText"
    first.type("input[name=path]", "other/second slot.json")
    first.type("input[name=name]", MARKUP)
    first.key("Enter")
    # The browser says by itself, in its own language, that this is no whole path.
    first.until("document.querySelector('input[name=path]').validity.patternMismatch")
    # What came in meanwhile draws the page anew.
    a.write(dict(a.read_until(lambda save: True), level=9001))
    first.until("document.querySelector('.card .fields').innerText.includes('9001')")
    typed = first.run("['path', 'name'].map((name) => document.querySelector(`input[name=${name}]`).value)")
    assert typed == ["other/second slot.json", MARKUP], typed
    write_anew(first, "input[name=path]", str(save.parent / "nothing.json"))
    first.key("Enter")
    first.until(f"{fault}.includes('nothing.json')")
    inspect(first, "add", pictures)
    walk(first, "add")
    write_anew(first, "input[name=path]", str(save))
    first.key("Enter")
    # The rules that it suggests, and why; they are in force once the player says so.
    first.until("document.querySelector('.rules input[name=place]')?.value === '/coins'")
    first.until("document.querySelector('.rules').innerText.includes('earned and spent on every machine add up')")
    first.until("document.activeElement.getAttribute('aria-labelledby') === 'rules'")
    first.until("document.getElementById('said').innerText.includes('is kept in step from now on')")
    inspect(first, "guessed", pictures)
    first.press("Put in force")
    first.until("document.querySelector('section[aria-labelledby=rules] tbody')?.innerText.includes('amounts add up')")
    first.run("location.hash = '#/'")
    opened(first)
    first.until(f"{card(MARKUP)}?.innerText.includes('second slot.json')")
    # It is done, so the form is empty again.
    first.until(f"document.querySelector('input[name=path]').value + {fault} === ''")
    yield "a save that was added shows the rules that it suggests, and one press puts them in force"
    write_anew(first, "input[name=path]", str(save))
    first.key("Enter")
    first.until(f"{fault}.includes('is profile')")
    third.until(f"{card(MARKUP)}?.innerText.includes('Keine Datei hier')")
    opened(third)
    inspect(third, "hinzu", pictures)
    yield "a save is added by its path; a wrong path is answered in the form, and nothing that was typed is lost"

    plain = save.parent / "plain.name.json"
    plain.write_text("{}")
    write_anew(first, "input[name=path]", str(plain))
    first.press("Add it")
    first.until(f"{card('plain.name')}?.innerText.includes('plain.name.json')")
    yield "a save without a name is called as its file"

    synced = save.parent / "synced" / "synced.json"
    synced.parent.mkdir()
    (synced.parent / ".stfolder").mkdir()
    synced.write_text("{}")
    write_anew(first, "input[name=path]", str(synced))
    first.press("Add it")
    first.until(f"{fault}.includes('Syncthing syncs the folder')")
    inspect(first, "synced", pictures)
    assert first.run(f"{card('synced')}") is None, "it is not kept before the player wants that"
    first.press("Do it anyway")
    first.until(f"{card('synced')}?.innerText.includes('synced.json')")
    yield "a save in a folder that another tool syncs is only added where the player wants that all the same"


DIALOG = "document.getElementById('ask')"


def brought(first, a, pictures):
    """A file is dropped beside the saves; the tab is at home on the first machine."""
    folder = a.home.parent
    # The part of the page that adds saves is open.
    place = "details[data-key=add] .drop"
    (plain := folder / "plain.json").write_text('{"coins": 1}')
    drop(first, place, plain)
    first.until("document.getElementById('said').innerText.includes('plain.json is a plain save')")
    name = a.ask("status")["profiles"][0]["name"]
    subprocess.run([a.hearth, "export", name, "--output", folder / "carried.hearth", "--home", a.home], check=True, capture_output=True, timeout=60)
    drop(first, place, folder / "carried.hearth")
    first.until(f"{DIALOG}.innerText.includes('It comes from {a.name}') && {DIALOG}.innerText.includes('It belongs to the save')")
    inspect(first, "carried", pictures)
    first.press("Leave it", DIALOG)
    first.until(f"!{DIALOG}.open")
    yield "a file of another machine is dropped beside the saves, whether its save is here or not"
TALER = "profile: Taler\nrules:\n  /coins: counter\n"


def placed(first, third, a, b, pictures):
    folder = b.home.parent / "games"
    path = folder / "new" / "second.json"
    third.press("Auf dieses Gerät legen … " + MARKUP)
    third.type("#ask input[name=path]", str(b.home))
    third.key("Enter")
    third.until(f"{DIALOG}.querySelector('[role=alert]')?.innerText.includes({json.dumps(str(b.home))})")
    assert third.run("document.activeElement.value") == str(b.home), "what was typed stays, and the focus in it"
    write_anew(third, "#ask input[name=path]", str(path))
    third.until(f"{DIALOG}.querySelector('[role=alert]') === null")
    third.key("Enter")
    third.until(f"{DIALOG}.innerText.includes('Geschrieben wird er nach')")
    assert not path.exists(), "it is shown before it is done"
    third.key("Enter")
    third.until(f"!{DIALOG}.open && {card(MARKUP)}.innerText.includes('second.json')")
    holds(path, {"coins": 5})
    assert third.run(f"{card(MARKUP)}.querySelector('button')") is None, "it is here"
    third.until("document.activeElement !== document.body")
    yield "a save is put on a machine where it has no file, in a folder that is made, by keyboard"

    (save := a.home.parent / "other" / "taler.json").write_text('{"coins": 100}')
    (rules := a.home.parent / "taler.yaml").write_text(TALER)
    a.ask("add", str(save), "--rules", str(rules), "--name", "Taler")
    (played := folder / "taler.json").write_text('{"coins": 70}')
    third.until(f"{card('Taler')} !== undefined")
    third.run(f"{card('Taler')}.querySelector('a').click()")
    third.press("Auf dieses Gerät legen … Taler")
    third.type("#ask input[name=path]", str(path))
    third.until(f"{DIALOG}.innerText.includes({json.dumps(f'Diese Datei ist der Spielstand {MARKUP}')})")
    (marker := folder / ".stfolder").mkdir()
    write_anew(third, "#ask input[name=path]", str(played))
    third.key("Enter")
    third.until(f"{DIALOG}.querySelector('[role=alert]')?.innerText.includes('Syncthing gleicht den Ordner')")
    third.press("Trotzdem", DIALOG)
    third.until(f"{DIALOG}.innerText.includes('100 im Haushalt, 70 in der Datei: 100 zählt; getrennt gespielt 170')")
    inspect(third, "hierher", pictures)
    walk(third, "hierher")
    third.run(f"{DIALOG}.querySelector('input[type=checkbox]').click()")
    third.press("Ausführen", DIALOG)
    third.until(f"!{DIALOG}.open && document.querySelector('#place').innerText.includes('170')")
    holds(played, {"coins": 170})
    marker.rmdir()
    third.run("location.hash = '#/'")
    yield "where a save is already, both sums are shown, and the player says which one counts"


# So many saves that they do not all come between two frames of the page.
MANY = 50

# Notes every text that is said of how far the work is.
PROGRESS = """window.said = [];
new MutationObserver(() => {
    const text = document.querySelector("section[aria-labelledby=saves] [role=status]").innerText;
    if (text && text !== said.at(-1)) said.push(text);
}).observe(document.getElementById("place"), { subtree: true, childList: true, characterData: true }); 0"""


def placed_all(first, third, a, b, pictures):
    source, folder = a.home.parent / "many", b.home.parent / "many"
    source.mkdir()
    folder.mkdir()
    for number in range(1, MANY - 1):
        (source / f"slot{number}.json").write_text(json.dumps({"slot": number}))
        asked(first, "add", path=str(source / f"slot{number}.json"), name=f"Slot {number}", anyway=False)
    (folder / "slot3.json").write_text('{"slot": "mine"}')
    # Together with the two that were added without a name.
    third.press(f"Alle {MANY} in einen Ordner legen")
    third.type("#ask input[name=folder]", "many")
    third.key("Enter")
    third.until("document.querySelector('#ask input[name=folder]').validity.patternMismatch")
    inspect(third, "alle", pictures)
    write_anew(third, "#ask input[name=folder]", str(folder))
    third.run(PROGRESS)
    third.key("Enter")
    third.until(f"document.getElementById('said').innerText === '{MANY - 1} von {MANY} Spielständen sind jetzt hier.'")
    assert not third.run(f"{DIALOG}.open")
    said = third.run("said")
    assert said and all(text.endswith(f" von {MANY} …") for text in said), said
    slots = [f"slot{number}.json" for number in range(1, MANY - 1)]
    assert sorted(file.name for file in folder.iterdir()) == sorted(slots + ["plain.name.json", "synced.json"])
    assert json.loads((folder / "slot3.json").read_text()) == {"slot": "mine"}, "what is there is left alone"
    assert json.loads((folder / "slot12.json").read_text()) == {"slot": 12}
    reasons = "document.querySelector('section[aria-labelledby=saves] [data-key=left] ul')?.innerText"
    third.until(f"{reasons}?.startsWith('Slot 3') && {reasons}.includes('Dort ist schon eine Datei')")
    inspect(third, "fast alle", pictures)
    third.press("Ich habe es gelesen", "document.querySelector('[data-key=left]')")
    third.until("document.querySelector('[data-key=left]') === null && document.querySelector('[data-key=all]') === null")
    yield f"all saves are put into a folder; what cannot be put there says why, and stays out ({', '.join(said)})"


def kept(first, third, a, b, pictures):
    """A save gets another name, joins an older one of the other machine, and is forgotten."""
    save = a.home.parent / "other" / "mood.json"
    save.write_text(json.dumps({"mood": "calm", "who": "Ada"}))
    a.ask("add", str(save), "--name", "Mood")
    first.run("location.hash = '#/'")
    first.until(f"{card('Mood')} !== undefined")
    first.run(f"location.hash = {card('Mood')}.querySelector('a').hash")
    first.press("Rename …")
    first.type("#ask input[name=to]", "Plain")
    first.key("Enter")
    first.until(f"!{DIALOG}.open && document.querySelector('h1').innerText === 'Plain'")
    third.until(f"{card('Plain')}?.innerText.includes('Keine Datei hier')")
    yield "a save gets another name on both machines"

    older = b.home.parent / "games" / "older.json"
    older.write_text(json.dumps({"mood": "wild", "who": "Bea"}))
    os.utime(older, (time.time() - 86400,) * 2)
    towers = older.parent / "towers.json"
    towers.write_text(json.dumps({"towers": 1}))
    third.until(f"{card('Plain')}.innerText.includes('Ada')")
    third.press("Auf dieses Gerät legen … Plain")
    third.type("#ask input[name=path]", str(towers))
    third.key("Enter")
    third.until(f"{DIALOG}.innerText.includes('kein Feld gemeinsam')")
    write_anew(third, "#ask input[name=path]", str(older))
    third.key("Enter")
    third.until(f"{DIALOG}.innerText.includes('nicht mehr zeigt') && {DIALOG}.innerText.includes('wild → calm')")
    inspect(third, "joins", pictures)
    assert json.loads(older.read_text())["mood"] == "wild", "it is shown before it is done"
    third.key("Enter")
    third.until(f"!{DIALOG}.open && {card('Plain')}.innerText.includes('older.json')")
    holds(older, {"mood": "calm", "who": "Ada"})
    yield "what a save of this machine loses by becoming one with another is shown before, and two games are told apart"

    first.press("Forget …")
    first.until(f"{DIALOG}.open")
    first.run("history.back()")
    first.until(f"!{DIALOG}.open && location.hash === '#/'")
    first.run("history.forward()")
    first.until("document.querySelector('h1').innerText === 'Plain'")
    first.press("Forget …")
    first.until(f"{DIALOG}.querySelector('button.main').disabled")
    first.type("#ask input", "Plain")
    inspect(first, "forget", pictures)
    first.key("Enter")
    first.until(f"!{DIALOG}.open && location.hash === '#/' && {card('Plain')} === undefined")
    third.until(f"{card('Plain')} === undefined")
    holds(older, {"mood": "calm", "who": "Ada"})
    yield "Back closes a dialog; a save is forgotten on both machines after its name was typed, and its files stay"

    # The machine whose file it was is told, until its player has read it.
    third.run("location.hash = '#/'")
    told = f"[...document.querySelectorAll('li')].find((item) => item.innerText.includes({json.dumps(str(older))}))"
    third.until(f"{told}?.innerText.includes('Ich habe es gelesen')")
    third.press("Ich habe es gelesen")
    third.until(f"!{told}")
    yield "a save that another machine forgot is told of until that was read"
