"""A save that is left alone: paused, held while its game runs, or set aside because it was none."""

import json
import subprocess

from access import inspect
from doubts import NEEDS, opened
from save_file import shared

STATE = "document.querySelector('main p.state')?.innerText"
CARD = "Array.from(document.querySelectorAll('.card')).find((card) => card.querySelector('h3').innerText === 'Rest')"
RULES = "rules:\n  /coins: counter\n"


def home(tab):
    tab.run("location.hash = '#/'")
    tab.until(f"{CARD} !== undefined")


def rests(browser, tab, a, b, pictures):
    """The tab is at home on the first machine, and goes back there."""
    one, other = files = shared("Rest", a, b, {"coins": 1}, RULES)
    there = browser.tab(b.link())
    opened(tab, "Rest")
    tab.press("Pause here")
    tab.until(f"{STATE} === 'Paused' && document.getElementById('said').innerText === 'Rest is left alone on this machine.'")
    other.write({"coins": 5})
    one.write({"coins": 2})
    there.until(f"{CARD}?.innerText.includes({json.dumps(f'{a.name} is behind')})")
    inspect(there, "other is paused", pictures)
    # This ends when every machine that is connected has answered.
    assert a.ask("sync")["paused"] == ["Rest"]
    assert json.loads(one.path.read_text()) == {"coins": 2} and json.loads(other.path.read_text()) == {"coins": 5}, "it was not left alone"
    home(tab)
    tab.until(f"{CARD}.querySelector('.state.quiet')?.innerText === 'Paused'")
    inspect(tab, "paused", pictures)
    opened(tab, "Rest")
    tab.press("Go on")
    for file in files:
        file.becomes({"coins": 6})
    tab.until(f"{STATE}.startsWith('In step')")
    home(tab)
    there.until(f"{CARD}.innerText.includes('In step')")
    yield "a save that is paused says so on both machines, and what was played meanwhile comes together when it goes on"

    # A game that ends when its input does.
    game = subprocess.Popen([a.hearth, "play", "Rest", "--home", a.home, "--", "cat"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    tab.until(f"{CARD}.innerText.includes('Left alone while cat runs')")
    other.write({"coins": 16})
    tab.until(f"{CARD}.querySelector('.fields').innerText.includes('16')")
    inspect(tab, "game runs", pictures)
    assert json.loads(one.path.read_text()) == {"coins": 6}, "the game's file was written while it runs"
    there.until(f"!{CARD}.innerText.includes('In step')")
    game.stdin.close()
    one.becomes({"coins": 16})
    assert game.wait(20) == 0
    tab.until(f"{CARD}.innerText.includes('In step')")
    yield "a save whose game runs is said to be left alone, and has what came in once the game has ended"

    one.write_text('{"coins": 1')
    # The page has the command that puts the save back at once.
    command = tab.until(f"{NEEDS}?.includes('the last good state is put back') && {NEEDS}.includes('hearth restore Rest --to') && {NEEDS}")
    assert str(one.path) in command, command
    a.ask("restore", "Rest", "--to", str(one.path), "--yes")
    one.becomes({"coins": 16})
    kept = tab.until(f"{NEEDS}?.includes('that file is kept at ') && {NEEDS}").split("that file is kept at ")[1].split("\n")[0]
    inspect(tab, "set aside", pictures)
    with open(kept) as file:
        assert file.read() == '{"coins": 1', "another file is kept"
    tab.press("I have read this")
    tab.until("document.querySelector('.needs') === null")
    there.close()
    yield "a file that was no save is put aside, and the page says where it is kept until that was read"
