"""Names of machines and saves that would do harm, or hide which is which, if the page took them for anything but texts."""

import json

from access import inspect, walk
from doubts import DIALOG
from hostile import MADE, NOTHING_MADE, PHONE, harmless
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

# Gives the machine one name after the other, waits until the list and the map say it, and looks what came of it: the names
# that are shown otherwise, or push the page apart.
CALLED = """(async () => {{
    const {{ ask }} = await import("/app/agent.js");
    const wrong = [];
    for (const name of {names}) {{
        await ask("rename", {{ subject: {own}, to: name }});
        const letters = Array.from(name);
        const shown = letters.length > {most} ? letters.slice(0, {most}).join("") + "…" : name;
        const isShown = () => Array.from(document.querySelectorAll(".devices strong"), (word) => word.innerText).includes(shown)
            && Array.from(document.querySelectorAll("#map-words li")).some((line) => line.innerText.includes(shown));
        const end = performance.now() + 20_000;
        while (!isShown() && performance.now() < end) await new Promise((done) => requestAnimationFrame(done));
        const isHarmless = JSON.stringify({made}) === JSON.stringify({nothing}) && document.documentElement.scrollWidth <= innerWidth;
        if (!isShown() || !isHarmless) wrong.push([name, isShown(), isHarmless]);
    }}
    return wrong;
}})()"""

# Goes to the page of each save by its link, and looks for its name there: the names that are not there.
TOLD = """(async () => {{
    const all = {links}.map((link) => [link.innerText, link.hash]);
    const wrong = [];
    for (const [name, hash] of all) {{
        location.hash = hash;
        const isTold = () => document.querySelector("h1").innerText === name && document.title.startsWith(Array.from(name).slice(0, 60).join(""));
        const end = performance.now() + 20_000;
        while (!isTold() && performance.now() < end) await new Promise((done) => requestAnimationFrame(done));
        const isHarmless = JSON.stringify({made}) === JSON.stringify({nothing}) && document.documentElement.scrollWidth <= innerWidth;
        if (!isTold() || !isHarmless) wrong.push([name, isTold(), isHarmless]);
    }}
    location.hash = "#/";
    return wrong;
}})()"""

LINKS = "Array.from(document.querySelectorAll('.card h3 a'))"


def machines(browser, tab, a, b, pictures):
    """The first machine, where the tab is at home, gets each name, and keeps one; the second one as well."""
    there = browser.tab(b.link())
    there.until("document.querySelector('.card') !== null")
    own = a.ask("status")["device"]["id"]
    for one in (tab, there):
        one.run("location.hash = '#/household'")
    # The other machine hears of a name within some seconds.
    asked(there, "rename", subject=b.ask("status")["device"]["id"], to="toString")
    tab.size(*PHONE)
    wrong = tab.run(CALLED.format(names=json.dumps(NAMES[::-1]), own=json.dumps(own), most=MOST, made=MADE, nothing=json.dumps(NOTHING_MADE)))
    assert not wrong, wrong
    harmless(tab, f"a machine called {NAMES[0]}")
    yield f"a machine that is called in {len(NAMES)} hostile ways is called so, and it stays a name"

    tab.press("Rename …", "document.querySelector('.devices')")
    for name in REFUSED:
        tab.until(f"(() => {{ const field = {DIALOG}.querySelector('input[name=to]'); field?.focus(); field?.select(); return field !== null; }})()")
        tab.call("Input.insertText", text=name)
        tab.key("Enter")
        tab.until(f"{DIALOG}.querySelector('[role=alert]')?.innerText.includes('this is no name')")
        harmless(tab, f"the refused name {name!r}", [PHONE])
    inspect(tab, "no name", pictures)
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    yield "what is no name is refused in the dialog, where it can be mended"

    # Two whose names differ in what is not shown of them have their ids beside them, and so nobody removes the wrong one.
    marks = tab.run(f"""import("/app/home.js").then(({{ deviceName }}) => {{
        const all = ["1", "2"].map((end) => ({{ id: end.repeat(32), name: "W".repeat({MOST}) + end }}));
        return all.map((device) => deviceName(device, {{ device: all[0], household: all.slice(1) }})[1]?.textContent);
    }})""")
    assert marks == [" (11111111)", " (22222222)"], marks

    # Look-alikes of what scripts are made of, on both machines, in all that the page puts together from names.
    asked(tab, "rename", subject=own, to="__proto__")
    tab.until("['__proto__', 'toString'].every((name) => document.querySelector('.devices').innerText.includes(name))")
    choose(tab, "select[name=log-device]", "toString")
    tab.until("(() => { const all = Array.from(document.querySelectorAll('section[aria-labelledby=log] ol > li'), (item) => item.innerText);"
              " return all.length > 0 && all.every((item) => item.includes('toString')); })()")
    choose(tab, "select[name=log-device]", "")
    tab.run("location.hash = '#/'")
    tab.until(f"(() => {{ const found = {LINKS}.find((link) => link.innerText === 'Purse'); found?.click(); return found !== undefined; }})()")
    legend = "document.querySelector('.legend')?.innerText"
    tab.until(f"{legend}?.includes('__proto__') && {legend}.includes('toString')")
    tab.press("Why? /coins")
    tab.until("document.querySelector('.why')?.innerText.includes('toString earned 800')")
    inspect(tab, "machines names", pictures)
    there.until("['__proto__', 'toString'].every((name) => document.querySelector('.devices').innerText.includes(name)"
                " && document.querySelector('#map-words').innerText.includes(name))")
    harmless(there, "machines called as what scripts know")
    there.close()
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

    tab.size(*PHONE)
    wrong = tab.run(TOLD.format(links=LINKS, made=MADE, nothing=json.dumps(NOTHING_MADE)))
    assert not wrong, wrong
    for name in TYPED:
        tab.until(f"(() => {{ const found = {LINKS}.find((link) => link.innerText === {json.dumps(name)}); found?.focus();"
                  " return found !== undefined && document.activeElement === found; })()")
        tab.key("Enter")
        tab.until(f"document.querySelector('h1').innerText === {json.dumps(name)}")
        tab.press("Forget …")
        tab.until(f"{DIALOG}.querySelector('.main').disabled && {DIALOG}.innerText.includes({json.dumps('Type ' + name + ' to go on')})")
        tab.type("#ask input", name)
        tab.until(f"!{DIALOG}.querySelector('.main').disabled")
        harmless(tab, f"a save called {name}", [PHONE])
        tab.run("location.hash = '#/'")
    yield "each is told by its page; what is hard to type is chosen by keyboard, and typed where its name is asked for"

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
