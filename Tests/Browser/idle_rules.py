"""A rule that matches nothing: nothing waits for the player, and yet not all is well."""

from access import inspect

VERDICT = "document.querySelector('h1').innerText"
CARD = "document.querySelector('.card').innerText"


def idle(tab, file, machine, rules, pictures):
    """The tab is at home on the machine, whose only save has the file, and these rules."""
    path = file.path.with_suffix(".yaml")

    def give(text):
        path.write_text(text)
        machine.ask("add", str(file.path), "--rules", str(path))

    tab.until(f"{VERDICT}.startsWith('All is well')")
    give(rules + "  /bset: max\n")
    tab.until(f"{CARD}.includes('One rule does nothing here')")
    assert tab.run(VERDICT) == "Nothing needs you.", tab.run(VERDICT)
    inspect(tab, "idle rule", pictures)
    give(rules)
    tab.until(f"{VERDICT}.startsWith('All is well') && !{CARD}.includes('rule')")
    yield "a rule that matches nothing is said on the card, and not all is well until it does"
