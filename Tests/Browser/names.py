"""Names of machines and saves that would do harm, or hide which is which, if the page took them for anything but texts."""

import json

from access import inspect, walk
from doubts import DIALOG
from hostile import PHONE, harmless
from topics import asked, choose

NAMES = [
    # Markup, and ends of what a name may stand in.
    "<img src=x onerror=\"document.title='broken'\">", "<script>document.title='broken'</script>", "</bdi></h3><script>alert(1)</script>",
    "<svg onload=alert(1)>", "\"><b onmouseover=alert(1)>", "' autofocus onfocus='alert(1)", "&lt;img src=x&gt;", "<!--", "]]>",
    # Addresses, paths, commands and options.
    "javascript:alert(1)", "#/household", "http://127.0.0.1:1/?a=1&b=2", "../../etc/passwd", "/home/ada/save.json", "C:\\Windows\\win.ini",
    "$(reboot); rm -rf ~", "--help", "%3Cscript%3E",
    # Words that mean something to whoever puts texts together or looks one up.
    "\\u003cimg\\u003e", "${alert(1)}", "{{7*7}}", "`alert(1)`", "\"both\" and 'one'", "__proto__", "constructor", "null", "$& and $1",
    "# is # and #", "3 entries",
    # Writing that turns around, stands on what is before it, is of several parts, or has no place to break.
    "\u05e9\u05dc\u05d5\u05dd", "e" + "\u0301" * 20, "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f4", "W" * 64,
]
# Those that are typed where the page asks for the name before something is done for good.
TYPED = [NAMES[0], *NAMES[-8:]]
# What the agent takes for no name, and says so in words without what cannot be seen.
REFUSED = ["\u202egnp.daolnwod", "zero\u200bwidth", "one\u2028two", "W" * 200]

# The most letters of a machine's name that are shown.
MOST = 60

LINKS = "Array.from(document.querySelectorAll('.card h3 a'))"


def machines(browser, tab, a, b, pictures):
    """The first machine, where the tab is at home, gets each name, and keeps one; the second one as well."""
    there = browser.tab(b.link())
    there.until("document.querySelector('.card') !== null")
    own = a.ask("status")["device"]["id"]
    for one in (tab, there):
        one.run("location.hash = '#/household'")
    named = ("Array.from(document.querySelectorAll('.devices strong'), (word) => word.innerText).includes({0})"
             " && Array.from(document.querySelectorAll('#map-words li')).some((line) => line.innerText.includes({0}))")
    for name in reversed(NAMES):
        asked(tab, "rename", subject=own, to=name)
        if name == NAMES[0]:
            asked(there, "rename", subject=b.ask("status")["device"]["id"], to="constructor")
        tab.until(named.format(json.dumps(name if len(name) <= MOST else name[:MOST] + "…")))
        harmless(tab, f"a machine called {name}", [PHONE])
    harmless(tab, f"a machine called {name}")
    # Another machine hears of a name within some seconds.
    there.until(named.format(json.dumps(name)))
    harmless(there, f"another machine called {name}")
    there.close()
    yield f"a machine that is called in {len(NAMES)} hostile ways is called so, on another machine as well, and it stays a name"

    tab.press("Rename …", "document.querySelector('.devices')")
    for name in REFUSED:
        tab.until(f"(() => {{ const field = {DIALOG}.querySelector('input[name=to]'); field?.focus(); field?.select(); return field !== null; }})()")
        tab.call("Input.insertText", text=name)
        tab.key("Enter")
        tab.until(f"{DIALOG}.querySelector('[role=alert]')?.innerText.includes('this is no name')")
        harmless(tab, f"the refused name {name!r}")
    inspect(tab, "no name", pictures)
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    yield "what is no name is refused in the dialog, where it can be mended"

    # Look-alikes of what scripts are made of, on both machines, in all that the page puts together from names.
    asked(tab, "rename", subject=own, to="__proto__")
    tab.until("['__proto__', 'constructor'].every((name) => document.querySelector('.devices').innerText.includes(name))")
    choose(tab, "select[name=log-device]", "constructor")
    tab.until("(() => { const all = Array.from(document.querySelectorAll('section[aria-labelledby=log] ol > li'), (item) => item.innerText);"
              " return all.length > 0 && all.every((item) => item.includes('constructor')); })()")
    choose(tab, "select[name=log-device]", "")
    tab.run("location.hash = '#/'")
    tab.until(f"(() => {{ const found = {LINKS}.find((link) => link.innerText === 'Purse'); found?.click(); return found !== undefined; }})()")
    legend = "document.querySelector('.legend')?.innerText"
    tab.until(f"{legend}?.includes('__proto__') && {legend}.includes('constructor')")
    tab.press("Why? /coins")
    tab.until("document.querySelector('.why')?.innerText.includes('constructor earned 800')")
    inspect(tab, "machines names", pictures)
    tab.run("location.hash = '#/'")
    yield "names of machines that scripts know stay names in pictures, sums and what happened"


def saves(tab, a, pictures):
    """A save of each name; the tab is at home, and stays there."""
    folder = a.home.parent / "names"
    folder.mkdir()
    before = tab.run(f"{LINKS}.length")
    for number, name in enumerate(NAMES):
        (folder / f"{number}.json").write_text(json.dumps({"number": number}))
        asked(tab, "add", path=str(folder / f"{number}.json"), name=name, anyway=False)
    tab.until(f"{LINKS}.length === {before + len(NAMES)}")
    shown = tab.run(f"{LINKS}.map((link) => link.innerText)")
    assert len(set(shown)) == len(shown) and set(NAMES) <= set(shown), set(NAMES) - set(shown)
    assert tab.run(f"new Set({LINKS}.map((link) => link.href)).size") == len(shown)
    inspect(tab, "hostile names", pictures)
    harmless(tab, "hostile names")
    stops = walk(tab, "hostile names")
    yield f"{len(NAMES)} saves of hostile names are cards of texts, each with another text, and Tab reaches them all ({stops} stops)"

    for name in NAMES:
        tab.until(f"(() => {{ const found = {LINKS}.find((link) => link.innerText === {json.dumps(name)}); found?.focus();"
                  " return found !== undefined && document.activeElement === found; })()")
        tab.key("Enter")
        tab.until(f"document.querySelector('h1').innerText === {json.dumps(name)} && document.title.startsWith({json.dumps(name[:50])})")
        assert "save" not in tab.run("document.title").replace(name, ""), "the title is of another place"
        if name in TYPED:
            tab.press("Forget …")
            tab.until(f"{DIALOG}.querySelector('.main').disabled && {DIALOG}.innerText.includes({json.dumps('Type ' + name + ' to go on')})")
            tab.type("#ask input", name)
            tab.until(f"!{DIALOG}.querySelector('.main').disabled")
        harmless(tab, f"a save called {name}", [PHONE])
        tab.run("location.hash = '#/'")
    yield "each is chosen by keyboard, and is told by its page; what is hard to type can be typed where the name is asked for"

    tab.run("location.hash = '#/household'")
    options = "Array.from(document.querySelectorAll('select[name=log-save] option'), (option) => option.text)"
    tab.until(f"{options}.length === {len(shown) + 1}")
    texts = tab.run(options)
    assert len(set(texts)) == len(texts), "two saves of the list cannot be told apart"
    tab.until("(() => { const field = document.querySelector('select[name=log-save]'); field.focus(); return document.activeElement === field; })()")
    tab.key("ArrowDown")
    tab.until("document.querySelector('select[name=log-save]').selectedIndex === 1")
    tab.until(f"(() => {{ const all = Array.from(document.querySelectorAll('section[aria-labelledby=log] ol > li'), (item) => item.innerText);"
              f" return all.length > 0 && all.every((item) => item.includes({json.dumps(texts[1])})); }})()")
    harmless(tab, "hostile names of the log")
    choose(tab, "select[name=log-save]", "")
    tab.run("location.hash = '#/'")
    yield "a list of hostile names is gone through by keyboard"
