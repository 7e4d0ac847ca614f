"""Steps of the evening that are about one topic each; every one is a promise of the page."""

import json

from access import inspect, walk

# Sets a choice, as a person does.
CHOOSE = """(() => {{
    const field = document.querySelector({selector});
    if (!field) return false;
    field.value = {value};
    field.dispatchEvent(new Event("change", {{ bubbles: true }}));
    return field.value === {value};
}})()"""


def choose(tab, selector, value):
    tab.until(CHOOSE.format(selector=json.dumps(selector), value=json.dumps(value)))


def write_anew(tab, selector, text):
    """Types a text in place of the one that is there."""
    tab.until(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field?.focus(); field?.select();"
              " return document.activeElement === field; })()")
    tab.call("Input.insertText", text=text)


def rules(first, third, a, b, pictures):
    """The rules of the save. The first tab is at it on the first machine, the third one at home on the second."""
    table = "document.querySelector('section[aria-labelledby=rules] tbody')"
    first.until(f"{table}?.rows.length === 6 && {table}.innerText.includes('/coins')")
    assert "counter" in first.run(f"{table}.rows[0].innerText") and first.run(f"{table}.rows[0].cells[2].innerText") == "1"
    first.press("Change the rules")
    first.press("Add a rule")
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
