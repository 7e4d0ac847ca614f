"""How saves come to a machine by its page. The first tab is at the first machine, the third one at home on the second."""

import json

from access import inspect, walk
from topics import write_anew

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
    first.until(f"{fault}.includes('no absolute path')")
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
    first.until(f"{card(MARKUP)}?.innerText.includes('second slot.json')")
    assert first.run(f"document.querySelector('input[name=path]').value + {fault}") == "", "it is done, and the form is empty"
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
