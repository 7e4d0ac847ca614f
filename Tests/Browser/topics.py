"""Steps of the evening that are about one topic each; every one is a promise of the page."""

import json
import subprocess
import time

from access import inspect, walk

# A passphrase; the space at its end belongs to it.
SECRET = "a secret "

# Sets a choice, as a person does.
CHOOSE = """(() => {{
    const field = document.querySelector({selector});
    if (!field) return false;
    field.value = {value};
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, {{ bubbles: true }}));
    return field.value === {value};
}})()"""


def choose(tab, selector, value):
    tab.until(CHOOSE.format(selector=json.dumps(selector), value=json.dumps(value)))


def write_anew(tab, selector, text):
    """Types a text in place of the one that is there."""
    tab.until(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field?.focus(); field?.select();"
              " return document.activeElement === field; })()")
    tab.call("Input.insertText", text=text)


def asked(tab, request, **parameters):
    """The agent's answer to a request of the page, which begins and ends faster than a command does."""
    return tab.run(f"import('/app/agent.js').then(({{ ask }}) => ask({json.dumps(request)}, {json.dumps(parameters)}))")


def household(browser, a, b, pictures):
    """Who is linked with whom, and what happened. The second machine is stopped meanwhile, and stays so."""
    tab = browser.tab(a.link())
    tab.until("document.querySelector('.card') !== null")
    tab.run("location.hash = '#/household'")
    words = "document.getElementById('map-words')?.innerText"
    tab.until(f"{words}?.includes({json.dumps(f'{a.name} is linked with {b.name}.')})")
    assert tab.run("document.querySelectorAll('svg.map .spot').length") == 2
    assert tab.run("document.querySelectorAll('svg.map .wire.linked').length") == 1
    inspect(tab, "linked", pictures)
    b.stop()
    tab.until(f"{words}.includes({json.dumps(f'{b.name} is linked with nobody')})")
    assert tab.run("document.querySelectorAll('svg.map .wire.letIn').length") == 1, "it was let in, and is so still"
    inspect(tab, "away", pictures)
    yield "a map shows who is linked with whom, and says the same in words"

    items = "Array.from(document.querySelectorAll('section[aria-labelledby=log] ol > li'), (item) => item.innerText)"
    every = tab.run(items)
    assert any("Taken back" in item for item in every) and any("Saved" in item for item in every), every
    choose(tab, "select[name=log-level]", "notice")
    notices = tab.until(f"(() => {{ const all = {items}; return all.length < {len(every)} && all; }})()")
    assert any("Taken back" in item for item in notices) and not any("· Saved" in item for item in notices), notices
    choose(tab, "select[name=log-level]", "info")
    choose(tab, "select[name=log-device]", b.name)
    tab.until(f"(() => {{ const all = {items}; return all.length > 0 && all.every((item) => item.includes({json.dumps(b.name)})); }})()")
    choose(tab, "select[name=log-device]", "")
    choose(tab, "select[name=log-save]", tab.run("document.querySelector('select[name=log-save] option:nth-child(2)').value"))
    tab.until(f"(() => {{ const all = {items}; return all.length > 0 && all.every((item) => item.includes('onerror')); }})()")
    tab.close()
    yield "what happened can be looked at for one machine, one save, or what stands out"


def rules(first, third, a, b, pictures):
    """The rules of the save. The first tab is at it on the first machine, the third one at home on the second."""
    table = "document.querySelector('section[aria-labelledby=rules] tbody')"
    first.until(f"{table}?.rows.length === 6 && {table}.innerText.includes('/coins')")
    assert "counter" in first.run(f"{table}.rows[0].innerText") and first.run(f"{table}.rows[0].cells[2].innerText") == "1"
    first.press("Change the rules")
    first.press("Add a rule")
    # It is drawn with the next frame; until then, the last line is another one.
    first.until("document.querySelectorAll('.rules > li').length === 7")
    last, outcome = ".rules > li:last-child", "document.querySelector('form[data-key=editor] [role=status]').innerText"
    write_anew(first, f"{last} input[name=place]", "/level")
    first.until(f"{outcome}.includes('/level')")
    assert first.run("document.querySelector('form[data-key=editor] .main').disabled"), "two rules of one place"
    write_anew(first, f"{last} input[name=place]", "/sonud")
    first.until(f"document.querySelector({json.dumps(last)}).innerText.includes('did you mean /sound')")
    write_anew(first, f"{last} input[name=place]", "/sound")
    choose(first, f"{last} select", "flag")
    first.until(f"{outcome}.includes('/sound') && {outcome}.includes('flag')")
    assert first.run("document.activeElement.name") == "place", "the focus is lost while the preview comes"
    inspect(first, "rules", pictures)
    walk(first, "rules")
    first.press("Put in force")
    first.until(f"{table}?.rows.length === 7")
    third.run("document.querySelector('.card a').click()")
    third.until(f"{table}?.innerText.includes('/sound')")
    inspect(third, "regeln", pictures)
    third.run("location.hash = '#/'")
    # What is true once stays so from now on, whichever machine's game says otherwise.
    b.write(dict(b.read_until(lambda save: save["sound"] is True), sound=False))
    b.read_until(lambda save: save["sound"] is True)
    yield "a rule is added with a preview of what would change, and counts on both machines"


def drop(tab, selector, path):
    """Drops a file of the disk on an element, once the element says that it would take it."""
    place = f"document.querySelector({json.dumps(selector)})"
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    end = time.monotonic() + 60
    while time.monotonic() < end:
        # What is drawn anew above it moves it.
        x, y = tab.until(f"(() => {{ {place}?.scrollIntoView({{ block: 'center' }}); const box = {place}?.getBoundingClientRect();"
                         " return box && [box.x + box.width / 2, box.y + box.height / 2]; })()")
        for kind in ("dragEnter", "dragOver"):
            tab.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
        if not tab.run(f"{place}.classList.contains('over')"):
            continue
        # It may have moved since; then the file falls beside it, where nothing takes it.
        tab.run("""window.fellOn = null;
            document.addEventListener("drop", (event) => { window.fellOn = event.target; }, { once: true, capture: true }); 0""")
        tab.call("Input.dispatchDragEvent", type="drop", x=x, y=y, data=data)
        if tab.run(f"{place}.contains(window.fellOn)"):
            return
    raise AssertionError(f"{selector} takes no file")


def is_sealed(file):
    """Whether a file is an encrypted transfer file, and whole."""
    made = file.read_bytes()
    return made[8:12] == b"\1\0\1\0" and int.from_bytes(made[32:40], "little") + 56 == len(made)


def files(first, third, a, b, pictures):
    """Files that come in and go out. The tabs are as for the rules."""
    dialog = "document.getElementById('ask')"
    folder = a.home.parent
    old, rubbish = folder / "old.json", folder / "rubbish.hearth"
    old.write_text(json.dumps(dict(a.read_until(lambda save: True), coins=100, level=2, gems=7)))
    drop(first, ".drop", old)
    first.until(f"{dialog}.innerText.includes('/gems') && {dialog}.innerText.includes('old.json')")
    assert "/level" not in first.run(f"{dialog}.innerText"), "nothing goes down"
    inspect(first, "import", pictures)
    first.press("Do it", dialog)
    b.read_until(lambda save: save.get("gems") == 7 and save["level"] == 3)
    assert first.run("location.hash").startswith("#/save/"), "the page went away to the file"
    yield "a save that is dropped on its page is shown first, and comes in on both machines"

    rubbish.write_bytes(bytes(range(256)))
    drop(first, ".drop", rubbish)
    first.until(f"{dialog}.innerText.includes('does not begin as a transfer file')")
    first.press("Close", dialog)

    sealed = folder / "sealed.hearth"
    name = a.ask("status")["profiles"][0]["name"]
    subprocess.run([a.hearth, "export", name, "--passphrase-fd", "0", "--output", sealed, "--home", a.home], input=SECRET.encode(),
                   check=True, capture_output=True, timeout=60)
    drop(first, ".drop", sealed)
    first.until(f"{dialog}.innerText.includes('sealed.hearth is encrypted')")
    inspect(first, "sealed", pictures)
    walk(first, "sealed")
    first.type("#ask input[type=password]", SECRET.strip())
    first.key("Enter")
    first.until(f"{dialog}.querySelector('[role=alert]')?.innerText.includes('the passphrase is wrong')")
    assert first.run(f"{dialog}.querySelector('input').value") == SECRET.strip(), "it can be mended"
    write_anew(first, "#ask input[type=password]", SECRET)
    first.key("Enter")
    first.until(f"{dialog}.innerText.includes('It comes from {a.name}') && {dialog}.innerText.includes('Nothing would change')")
    first.press("Leave it", dialog)
    first.until(f"{dialog}.innerText === '' && document.querySelector('input[type=password]') === null")
    assert "secret" not in first.run("location.href + document.documentElement.outerHTML + JSON.stringify([sessionStorage, localStorage])")
    kept = [file for machine in (a, b) for file in machine.home.rglob("*") if file.is_file() and SECRET.strip().encode() in file.read_bytes()]
    assert not kept, kept
    yield "an encrypted file is opened with its passphrase, which is kept nowhere, and shown as any other"

    first.press("Save with its history")
    first.until("document.getElementById('said').innerText.includes('.hearth')")
    downloads, end = folder / "downloads", time.monotonic() + 40
    # A browser makes the file before it has what goes into it.
    while not (found := [file for file in downloads.glob("*.hearth") if file.stat().st_size]) and time.monotonic() < end:
        time.sleep(0.05)
    assert len(found) == 1, found
    third.run("document.querySelector('.card a').click()")
    third.until("document.querySelector('input[type=file]') !== null")
    root = third.call("DOM.getDocument")["root"]["nodeId"]
    field = third.call("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    third.call("DOM.setFileInputFiles", nodeId=field, files=[str(found[0])])
    third.until(f"{dialog}.innerText.includes({json.dumps(a.name)}) && {dialog}.innerText.includes('Nichts würde sich ändern')")
    third.press("Lassen", dialog)
    third.press("Verschlüsselt speichern")
    third.type("#ask input[name=passphrase]", SECRET)
    third.type("#ask input[name=again]", SECRET.strip())
    third.key("Enter")
    third.until(f"{dialog}.querySelector('[role=alert]')?.innerText === 'Die beiden Passphrasen sind verschieden.'")
    inspect(third, "verschlüsseln", pictures)
    walk(third, "verschlüsseln")
    write_anew(third, "#ask input[name=again]", SECRET)
    third.key("Enter")
    third.until(f"!{dialog}.open && document.getElementById('said').innerText.includes('.hearth ist beim Browser')")
    end = time.monotonic() + 40
    # It has the name of the one before, and takes its place.
    while not is_sealed(found[0]) and time.monotonic() < end:
        time.sleep(0.05)
    answer = subprocess.run([a.hearth, "import", found[0], "--dry-run", "--passphrase-fd", "0", "--json", "--home", a.home],
                            input=SECRET.encode(), capture_output=True, timeout=60)
    assert answer.returncode == 0 and json.loads(answer.stdout)["device"] == b.name, answer
    third.run("location.hash = '#/'")
    yield "a signed file goes out of one page and into the other, an encrypted one to the command, and rubbish is refused"
