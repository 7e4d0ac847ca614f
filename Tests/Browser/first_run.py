"""A machine on its first day, without a save and without another machine; and one that another machine let in."""

import json
import subprocess

from access import inspect, walk
from doubts import DIALOG
from members import wait

SAID = "document.getElementById('said').innerText"


def reach(tab, selector):
    """Goes to a control with Tab, from the first stop of the page."""
    tab.call("Page.bringToFront")
    tab.until("(() => { const skip = document.getElementById('skip'); skip.focus(); return document.activeElement === skip; })()")
    for _ in range(200):
        tab.key("Tab")
        if tab.run(f"document.activeElement.matches({json.dumps(selector)})"):
            return
    raise AssertionError(f"Tab does not come to {selector}")


def paired(a, b):
    """Lets the second machine into the household of the first one."""
    shown = subprocess.Popen([a.hearth, "pair", "--json", "--home", a.home], stdout=subprocess.PIPE)
    code = json.loads(shown.stdout.readline())["code"]
    b.ask("pair", code, "--address", f"127.0.0.1:{a.port}")
    shown.wait(20)


def first_acts(tab, a, b, pictures):
    """The tab is at home on the first machine, and goes back there; nothing is on either machine."""
    tab.until("document.querySelector('h1')?.innerText === 'Nothing needs you.'")
    words = tab.text()
    for word in ("No save is kept yet", "This machine is alone. Pair it with another one", a.name):
        assert word in words, words
    assert tab.run("document.querySelector('.card, .needs') === null")
    assert tab.run("document.querySelector('details[data-key=add]').open"), "the first act is folded away"
    inspect(tab, "first run", pictures)
    walk(tab, "first run")
    yield "a machine without a save and without another one shows what can be done first"

    reach(tab, "main a[href='#/household']")
    tab.key("Enter")
    tab.until("document.querySelector('h1')?.innerText === 'Household'")
    reach(tab, ".pairing button.main")
    tab.key("Enter")
    code = tab.until("document.querySelector('output')?.textContent")
    b.ask("pair", code, "--address", f"127.0.0.1:{a.port}")
    tab.until(f"{SAID} === {json.dumps(f'Paired with {b.name}.')}")
    tab.until("document.querySelector('output') === null")
    reach(tab, "nav a[href='#/']")
    tab.key("Enter")
    tab.until("document.querySelector('h1')?.innerText.startsWith('All is well') && !document.body.innerText.includes('is alone')")
    yield "Tab and Return alone lead from the first page to the household, and let another machine in"

    save = a.home.parent / "first" / "save.json"
    save.parent.mkdir()
    save.write_text(json.dumps({"coins": 3, "level": 1}))
    reach(tab, "input[name=path]")
    tab.call("Input.insertText", text=str(save))
    tab.key("Enter")
    # It goes on with the rules that the save suggests.
    tab.until("document.querySelector('h1')?.innerText === 'save' && document.querySelector('.rules input[name=place]') !== null")
    reach(tab, "p a[href='#/']")
    tab.key("Enter")
    tab.until("document.querySelector('.card h3')?.innerText === 'save' && !document.body.innerText.includes('No save is kept yet')")
    a.ask("forget", "save", "--yes")
    tab.until("document.querySelector('.card') === null && document.body.innerText.includes('No save is kept yet')")
    yield "Tab, a path and Return add the first save, and when it is forgotten the first page is there again"


def stranger(tab, a, c, pictures):
    """A file of a machine that was never in the household is dropped at home, on the first machine."""
    (save := c.home.parent / "elsewhere.json").write_text('{"coins": 8}')
    c.ask("add", str(save), "--name", "Elsewhere")
    file = c.home.parent / "elsewhere.hearth"
    subprocess.run([c.hearth, "export", "Elsewhere", "--output", file, "--home", c.home], check=True, capture_output=True, timeout=60)
    root = tab.call("DOM.getDocument")["root"]["nodeId"]
    field = tab.call("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    tab.call("DOM.setFileInputFiles", nodeId=field, files=[str(file)])
    tab.until(f"{DIALOG}.innerText.includes({json.dumps(f'It comes from {c.name}, which was never in this household.')})")
    said = tab.run(f"{DIALOG}.innerText")
    assert "It is taken as a plain copy." in said and "It holds a save that is not here yet: Elsewhere." in said, said
    inspect(tab, "strangers file", pictures)
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    assert "Elsewhere" not in [profile["name"] for profile in a.ask("status")["profiles"]], "it came in all the same"
    yield "a file of a machine that nobody knows is said to be one before it is taken"


def let_in(browser, tab, a, b, c, pictures):
    """The second machine lets a third one in; the tab is at home on the first one."""
    paired(b, c)
    other = browser.tab(c.link())
    needs = "document.querySelector('.needs')?.innerText"
    tab.until(f"{needs}?.includes('Another machine let one into the household')"
              f" && {needs}.includes({json.dumps(f'{c.name} is new in the household; {b.name} let it in')})")
    inspect(tab, "newcomer", pictures)
    walk(tab, "newcomer")
    reach(tab, ".needs a[href='#/household']")
    tab.key("Enter")
    tab.until(f"document.querySelector('button[aria-label={json.dumps('Remove … ' + c.name)}]') !== null")
    tab.run("location.hash = '#/'")
    tab.press("I know it")
    tab.until("document.querySelector('.needs') === null")
    wait(lambda: "newcomers" not in a.ask("status"))
    yield "a machine that another one let in is shown, leads to where it can be removed, and is known once the player says so"

    other.until("document.querySelector('.card') !== null")
    button = "document.querySelector('.card button[data-key=place]')"
    assert other.run(f"{button}.innerText") == "Put it on this machine …"
    inspect(other, "first saves", pictures)
    other.close()
    yield "the page of the new machine offers what the household has"
