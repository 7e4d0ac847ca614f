"""Looks at what is shown with the eyes and hands of people who use no mouse, see little, or hear the page."""

import pathlib

SCRIPT = (pathlib.Path(__file__).parent / "access.js").read_text()

# What the browser itself tells a screen reader of these has to have a name.
NAMED = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "image", "img", "dialog", "navigation", "region",
         "DisclosureTriangle"}

# What has the focus, and what shows that: the width of its outline, and how far that stands out from what is around it.
FOCUSED = """(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const all = Array.from(document.querySelectorAll("*"));
    const style = getComputedStyle(element);
    const { top, bottom } = element.getBoundingClientRect();
    return {
        number: all.indexOf(element), is: element.outerHTML.slice(0, 100),
        outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth), color: style.outlineColor,
        // Something of it is in the window.
        seen: bottom > 0 && top < innerHeight,
    };
})()"""

# What Tab has to reach: every control that is shown and can be used; of an open dialog, which is all that there is then.
STOPS = """Array.from(document.querySelectorAll("*")).flatMap((element, number) =>
    element.matches("button:not([disabled]), a[href], input, select, summary") && element.checkVisibility()
        && (document.querySelector("dialog[open]") ?? document).contains(element) ? [number] : [])"""


def findings(tab, isSpoken=True):
    """What is wrong with what is shown now: by the script, and by the tree that the browser gives to a screen reader."""
    found = tab.run(SCRIPT)
    if not isSpoken:
        return found
    tab.call("Accessibility.enable")
    for node in tab.call("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role in NAMED and not node.get("name", {}).get("value", "").strip():
            found.append(f"a {role} that is spoken without a name")
    tab.call("Accessibility.disable")
    return found


def inspect(tab, name, pictures):
    """Looks at the place that is shown, as wide as a desk and as a phone, light and dark; keeps a picture of each."""
    for width, height in ((1200, 900), (360, 740)):
        tab.size(width, height)
        for scheme in ("light", "dark"):
            tab.look({"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"})
            # The colours are those of the scheme once the browser has drawn them.
            tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            if pictures:
                tab.picture(pictures / f"{name}-{width}-{scheme}.png")
            # What is spoken is the same in the dark.
            found = findings(tab, isSpoken=scheme == "light")
            assert not found, f"{name} at {width}, {scheme}: {found}"


def walk(tab, name):
    """Goes through the whole place with Tab: every control is reached, and seen while it has the focus."""
    tab.call("Page.bringToFront")
    # The first stop of a page; where it goes on from a former one, Tab would not come by here.
    tab.run("(document.querySelector('dialog[open] :is(button, input)') ?? document.getElementById('skip')).focus({ focusVisible: true })")
    wanted, reached = set(tab.run(STOPS)), []
    for _ in range(len(wanted) + 20):
        stop = tab.run(FOCUSED)
        if stop is None or stop["number"] in reached:
            break
        reached.append(stop["number"])
        assert stop["outline"] >= 2, f"{name}: the focus is not seen on {stop['is']}"
        assert stop["seen"], f"{name}: the focus is outside of the window on {stop['is']}"
        tab.key("Tab")
    missed = sorted(wanted - set(reached))
    assert not missed, f"{name}: Tab does not reach " + str(
        tab.run(f"{missed}.map((number) => document.querySelectorAll('*')[number].outerHTML.slice(0, 100))"))
    return len(reached)


# What is done to the page, and a word of what has to be found then.
FAULTS = {
    "main.append(made('button'))": "no name",
    "main.append(made('input'))": "no label",
    "main.append(made('p', { id: 'needs' }, 'again'))": "id twice",
    "main.append(made('h4', {}, 'deep'), made('h6', {}, 'deeper'))": "a heading of level 6",
    "main.append(made('h1', {}, 'second'))": "not one h1",
    "main.append(made('section', {}, 'nameless'))": "a part of the page without a name",
    "document.body.append(made('p', {}, 'outside'))": "outside of every landmark",
    "main.append(made('p', { tint: 'rgb(150, 140, 130)' }, 'hardly seen'))": "contrast",
    "main.append(made('img', { src: '/icon.svg' }))": "a picture without words",
    "main.append(made('button', { 'aria-label': 'Other' }, 'Seen'))": "called otherwise",
    "main.append(made('button', { tabindex: '-1' }, 'Unreached'))": "no key reaches it",
    "main.append(made('button', { 'aria-describedby': 'nowhere' }, 'Described'))": "is of nothing",
    "main.append(made('div', { role: 'buton' }, 'x'))": "unknown role",
    "document.documentElement.removeAttribute('lang')": "no language",
    "main.append(made('p', { wide: '3000px' }, 'wide'))": "wider than the window",
    "main.append(made('section', { 'aria-label': 'One' }), made('section', { 'aria-label': 'One' }))": "two parts of one name",
    "main.append(made('label', { for: 'both' }, 'One'), made('label', { for: 'both' }, 'Other'), made('input', { id: 'both' }))":
        "labels that contradict",
    "main.append(within('a', { href: '#/' }, made('button', {}, 'Inner')))": "a control within a control",
    "main.append(made('button', { accesskey: 's' }, 'Keyed'))": "a key of its own",
    "main.append(within('dl', {}, made('p', {}, 'no term')))": "no term of its list",
    "main.append(made('dt', {}, 'lonely'))": "a term of no list",
    "main.append(made('p', { lang: 'klingon' }, 'Qapla'))": "unknown language",
    "main.append(within('p', {}, 'words and ', plain(made('a', { href: '#/' }, 'a link'))))": "like the words around it",
    "main.append(cut(made('p', {}, 'word '.repeat(900))))": "no key moves what is cut off",
    "main.append(made('p', { 'aria-lable': 'x' }, 'mistyped'))": "aria-lable is not known",
    "main.append(made('span', { 'aria-label': 'Other words' }, 'text'))": "a name on what has no role",
    "main.append(made('p', { 'aria-expanded': 'true' }, 'unfolded'))": "nothing to unfold",
    "main.append(within('label', {}, 'Field', made('input', { autocomplete: 'everything' })))": "autocomplete",
}

MADE = """const main = document.querySelector("main");
const made = (name, { tint, wide, ...others } = {}, text = "") => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(others)) element.setAttribute(key, value);
    if (tint) element.style.color = element.style.backgroundColor = tint;
    if (wide) element.style.width = wide;
    element.textContent = text;
    return element;
};
const within = (name, members, ...children) => {
    const element = made(name, members);
    element.append(...children);
    return element;
};
const plain = (link) => {
    link.style.textDecoration = "none";
    return link;
};
const cut = (element) => {
    Object.assign(element.style, { height: "3rem", overflow: "auto" });
    return element;
};
"""


def prove(tab):
    """Each check finds the fault that it is for."""
    assert not findings(tab), "the page itself has faults"
    for fault, word in FAULTS.items():
        # One script makes the fault, looks, and takes it back: the page, which draws itself anew at any time, has no turn between.
        found = tab.run(f"""(() => {{
            const {{ lang }} = document.documentElement;
            const former = document.body.cloneNode(true);
            {MADE} {fault};
            const found = {SCRIPT};
            document.body.replaceWith(former);
            document.documentElement.lang = lang;
            return found;
        }})()""")
        assert any(word in finding for finding in found), f"{fault} is not found: {found}"
    return len(FAULTS)
