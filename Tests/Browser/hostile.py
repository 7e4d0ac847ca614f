"""A save whose keys, members, ids and rules would do harm if the page took them for anything but texts."""

import json

from access import inspect
from doubts import DIALOG, opened
from save_file import shared
from topics import write_anew

TEXTS = [
    # Markup, and ends of what the text may stand in.
    "<img src=x onerror=\"document.title='broken'\">", "<script>document.title='broken'</script>",
    "</bdi></code><script>alert(1)</script>", "<iframe src='javascript:alert(1)'>", "<svg onload=alert(1)>",
    "<style>*{display:none}</style>", "\"><b onmouseover=alert(1)>", "' autofocus onfocus='alert(1)",
    "&lt;img src=x&gt;", "&#60;script&#62;", "<!--", "]]>",
    # Addresses, and words that mean something to other readers.
    "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "#/household", "%3Cscript%3E",
    "\\u003cimg\\u003e", "${alert(1)}", "{{7*7}}", "`alert(1)`", "\" ' ` quotes", "__proto__", "constructor", "a/b~c",
    # Writing that is not seen, turns around, stands on what is before it, or does not end.
    "\u202egnp.daolnwod", "\u200f", "\u0301", "e" + "\u0301" * 60, "\u200b\ufeff\u2066", "one\u2028two\tthree",
    "\u05e9\u05dc\u05d5\u05dd", "W" * 400, "\U0001f468\u200d\U0001f469\u200d\U0001f467",
]
# Those that are shown letter by letter.
SHOWN = [text for text in TEXTS if text.isprintable() and len(text) < 60]

# What would be there if a text had become more than a text.
MADE = """(() => {
    const count = (selector) => document.querySelectorAll(selector).length;
    const listens = (element) => element.getAttributeNames().some((name) => name.startsWith("on"));
    return [document.title.endsWith("Hearth"), count("script"), count("img, iframe, object, embed, style, base, [autofocus]"),
        count("a[href^='javascript:' i]"), Array.from(document.querySelectorAll("*")).filter(listens).length];
})()"""
# The script is the page's own.
NOTHING_MADE = [True, 1, 0, 0, 0]

CARD = "Array.from(document.querySelectorAll('.card')).find((card) => card.innerText.startsWith('Hostile'))"
# Opens what is folded, but for the form that adds a save.
UNFOLD = "document.querySelectorAll('details:not([data-key=add])').forEach((part) => { part.open = true; })"


def escaped(text):
    return text.replace("~", "~0").replace("/", "~1")


def yaml(text):
    """The text in the quotes of a rule file."""
    plain = set(map(chr, range(32, 127))) - set('"\\')
    return '"' + "".join(letter if letter in plain else f"\\U{ord(letter):08x}" for letter in text) + '"'


def save(count):
    """Every number in it is the count, and its list has so many members."""
    return {**dict.fromkeys(TEXTS, count), "seen": TEXTS[:count],
            "things": [{"id": text, "size": count} for text in TEXTS],
            "odd": [{"<b>key</b>": text, "size": count} for text in TEXTS]}


DESK, PHONE = (1200, 900), (360, 740)


def harmless(tab, place, sizes=(DESK, PHONE)):
    """Nothing but texts came of the texts, and they do not push the page apart. A dialog would have ended the story."""
    for width, height in sizes:
        tab.size(width, height)
        wide = tab.run("document.documentElement.scrollWidth")
        assert wide <= width, f"{place} is {wide} wide in a window of {width}"
    assert (made := tab.run(MADE)) == NOTHING_MADE, f"{place}: {made}"


def missing(tab, root, places):
    """The places that a part of the page does not show."""
    words = tab.run(f"document.querySelector({json.dumps(root)}).textContent")
    return [place for place in places if place not in words]


def texts(tab, a, b, pictures):
    """The tab is at home on the first machine."""
    rules = {"/seen": "union", "/things[id]/size": "max", "/odd[<b>key<~1b>]/size": "max"}
    rules |= {"/" + escaped(text): "max" for text in TEXTS}
    lines = [f"  {yaml(place)}: {rule}" for place, rule in rules.items()]
    files = shared("Hostile", a, b, save(1), "\n".join(["rules:", *lines, ""]))
    files[1].write(save(len(TEXTS)))
    files[0].becomes(save(len(TEXTS)))
    tab.until(f"{CARD}?.querySelector('.fields')?.innerText.includes('{len(TEXTS)}')")
    inspect(tab, "hostile home", pictures)
    harmless(tab, "hostile home")
    yield f"a save of {len(TEXTS)} hostile texts is a card of texts"

    opened(tab, "Hostile")
    places = ["/" + escaped(text) for text in SHOWN]
    tab.until(f"document.querySelector('section[aria-labelledby=rules] tbody')?.rows.length === {len(rules)}")
    assert not (lost := missing(tab, "section[aria-labelledby=rules] tbody", places)), lost
    tab.until(f"document.querySelector('#shelf')?.textContent.includes('{len(TEXTS)}')")
    assert not (lost := missing(tab, "section[aria-labelledby=shelf]", SHOWN)), lost
    inspect(tab, "hostile save", pictures)
    harmless(tab, "hostile save")
    tab.until("document.querySelectorAll('.timeline > li').length === 2")
    ids = [f"/things/[{escaped(json.dumps(text, ensure_ascii=False))}]/size" for text in SHOWN]
    assert not (lost := missing(tab, ".timeline > li", places + ids)), lost
    tab.run(UNFOLD)
    harmless(tab, "hostile history")
    yield "its page shows them all as texts: in its rules, on its shelf, and in what happened"

    count = tab.run("document.querySelectorAll('.places button').length")
    for number in range(count):
        tab.run(f"document.querySelectorAll('.places button')[{number}].click()")
    others = ["/things/0/size", "/odd/1/size", places[-1], places[0] + "/x"]
    for pointer in others:
        write_anew(tab, "input[name=place]", pointer)
        tab.press("Ask")
    tab.until("document.querySelectorAll('.places .why, .places .bad').length === " + str(count + len(others)))
    harmless(tab, "hostile reasons")
    tab.press("Take back")
    tab.until(f"{DIALOG}.querySelector('h3') !== null")
    harmless(tab, "hostile undo")
    tab.press("Leave it", DIALOG)
    tab.press("Change the rules")
    tab.until(f"document.querySelectorAll('.rules input[name=place]').length === {len(rules)}")
    written = tab.run("Array.from(document.querySelectorAll('.rules input[name=place]'), (field) => field.value)")
    assert sorted(written) == sorted(rules), set(rules).symmetric_difference(written)
    harmless(tab, "hostile editor")
    spoilt = tab.run("(() => { const image = document.createElement('img'); document.body.append(image);"
                     f" const made = {MADE}; image.remove(); return made; }})()")
    assert spoilt != NOTHING_MADE, f"what is looked for is not found: {spoilt}"
    tab.run("location.hash = '#/'")
    yield "they stay texts where a value is explained, a step is shown before it is taken back, and rules are changed"
