"""The agent's sentences on a German page."""

import json
import pathlib

from access import inspect

# How the agent says something, and below that how the page does.
TABLE = pathlib.Path(__file__).with_name("german.txt")

# Waits for the list, which the page loads by itself, and gives what each sentence became.
TRANSLATE = """(async () => {{
    const {{ prepare, translated }} = await import("/app/sentences.js");
    await prepare();
    return {sentences}.map((sentence) => translated(sentence));
}})()"""

UNKNOWN = ["the moon is made of cheese", "nobody has said this before; and this neither", "Quest", ""]


def rows():
    return [pair.split("\n") for pair in TABLE.read_text().strip().split("\n\n")]


def translated(tab, sentences):
    return tab.run(TRANSLATE.format(sentences=json.dumps(sentences)))


def table(tab):
    """The tab has a German page."""
    found = translated(tab, [english for english, _ in rows()])
    wrong = [(one, german) for one, (_, german) in zip(found, rows()) if one != {"text": german, "lang": "de"}]
    assert len(found) > 60 and not wrong, wrong
    assert translated(tab, UNKNOWN) == [{"text": text, "lang": "en"} for text in UNKNOWN]
    # What stands in a sentence may come from anybody: it is cleaned, and costs no time.
    evil = "nothing is at <b>\u202e/x\u2028; it is written again shortly"
    assert translated(tab, [evil])[0]["text"] == "Unter <b> /x  ist nichts; die Datei wird gleich wieder geschrieben"
    hostile = [part * (4000 // len(part)) for part in ("a and b; c, d + e (", "/a from 1 to 2, ", " earned 1 + ", "nothing is at ", "; ", "#: ")]
    took = tab.run(f"(async () => {{ const began = performance.now(); await {TRANSLATE.format(sentences=json.dumps(hostile))};"
                   " return performance.now() - began; })()")
    assert took < 2000, f"{took} ms"
    yield f"{len(found)} sentences of the agent are German on a German page, and one that it does not know stays English"


def shown(english, tab, b, pictures):
    """The first tab has an English page, the other one a German page of the same machine, which is at home."""
    assert not any("german" in name for name in loaded(english)), "the English page loads the German sentences"
    tab.run("document.querySelector('details.add').open = true")
    tab.type("details.add input[name=path]", "/nowhere/save.json")
    tab.key("Enter")
    fault = "document.querySelector('details.add [role=alert] [lang=de]')?.innerText"
    tab.until(f"{fault}?.startsWith('Unter /nowhere/save.json ist nichts; prüfe den Pfad')")
    tab.run("document.querySelector('details.add form').reset(); document.querySelector('details.add').open = false")

    good = b.save.read_bytes()
    b.save.write_text("this is no save")
    told = ("Array.from(document.querySelectorAll('.needs [lang=de]'), (line) => line.innerText)"
            ".find((line) => line.includes('hier muss ein Wert stehen'))")
    line = tab.until(told)
    assert "hearth restore " in line and str(b.save) in line, line
    assert tab.run("document.querySelector('.needs [lang=en]') === null"), tab.text()
    inspect(tab, "deutsch", pictures)
    b.save.write_bytes(good)
    tab.until(f"{told} === undefined")
    yield "what is wrong is said in German on a German page, with the command as it is"


def loaded(tab):
    return tab.run("performance.getEntriesByType('resource').map((entry) => entry.name)")
