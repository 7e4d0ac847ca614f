"""An agent that is gone under an open page."""

from access import inspect

# What the page knows of the saves, without the times.
KNOWN = "Array.from(document.querySelectorAll('.card h3, .card .fields'), (part) => part.innerText).join()"


def gone(tab, a, pictures):
    """The tab is at home on the machine, whose agent is killed and stays so."""
    known = tab.until(f"document.querySelector('.card .fields') !== null && {KNOWN}")
    a.kill()
    tab.until("document.getElementById('link').innerText.includes('The agent does not answer')")
    assert tab.run(KNOWN) == known, "what was known is gone as well"
    inspect(tab, "agent gone", pictures)
    tab.run("location.hash = '#/household'")
    tab.press("Show a code")
    tab.until("document.querySelector('#said .bad')?.innerText")
    assert tab.run("document.querySelector('output')") is None
    yield "where the agent is gone, the page says so, still shows what it knew, and says that an act has failed"
