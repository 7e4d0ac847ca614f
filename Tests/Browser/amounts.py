"""Amounts of which nobody knows what the game had read: the page asks, and what it says of a sum adds up."""

from access import inspect, walk
from doubts import DIALOG, NEEDS, opened
from save_file import shared

RULES = "rules:\n  /coins: counter\n  /best: max\n"
WHY = "document.querySelector('.why')?.innerText"


def asked(tab, files, before, other, saved):
    """The other machine's game leaves one number of coins, and one that may have read that or not leaves another one."""
    one, there = files
    there.write({"coins": other, "best": 80})
    one.becomes({"coins": other, "best": 80})
    one.write({"coins": saved, "best": 80})
    read, unread = saved - other, saved - before
    tab.until(f"{NEEDS}?.includes('/coins ({read:+d} or {unread:+d})')")


def answers(tab, a, b, pictures):
    """The tab is at home on the first machine, and goes back there."""
    files = shared("Purse", a, b, {"coins": 100, "best": 80}, RULES)
    asked(tab, files, 100, 500, 200)
    words = tab.run(NEEDS)
    assert "nobody can tell whether the game had read what other machines earned" in words, words
    # What was there before stays in the file until there is an answer.
    files[0].becomes({"coins": 500, "best": 80})
    inspect(tab, "amounts", pictures)
    walk(tab, "amounts")
    for button, title, coins in (("The game had read it", "Had the game of Purse read what others earned?", 200),
                                 ("The game had not read it", "Had the game of Purse not read what others earned?", 600)):
        tab.press(button)
        tab.until(f"/What would change\\s*\\/coins\\s*500\\s*→\\s*{coins}/.test({DIALOG}.innerText)")
        assert tab.run(f"{DIALOG}.querySelector('h2').innerText") == title
        if coins == 600:
            inspect(tab, "amounts apart", pictures)
        tab.press("Leave it", DIALOG)
        tab.until(f"!{DIALOG}.open")
    tab.press("Keep what there is")
    tab.until(f"{DIALOG}.innerText.includes('What would not count') && {DIALOG}.innerText.includes('/coins')")
    tab.press("Leave it", DIALOG)
    tab.until(f"!{DIALOG}.open")
    assert "/coins (-300 or +100)" in tab.run(NEEDS), "nothing was answered"
    tab.press("The game had not read it")
    tab.press("Do it", DIALOG)
    for file in files:
        file.becomes({"coins": 600, "best": 80})
    tab.until(f"!{DIALOG}.open && document.querySelector('.needs') === null")
    yield "where nobody can tell what the game had read, each answer says what it makes of the sum, and does that on both machines"

    asked(tab, files, 600, 1000, 700)
    tab.press("The game had read it")
    tab.press("Do it", DIALOG)
    for file in files:
        file.becomes({"coins": 700, "best": 80})
    tab.until(f"!{DIALOG}.open && document.querySelector('.needs') === null")
    yield "the other answer gives the other sum, on both machines"

    opened(tab, "Purse")
    tab.press("Why? /coins")
    said = tab.until(f"{WHY}?.startsWith('700 = ') && {WHY}")
    # 100 at the start; 400 and 400 earned there; 100 earned and 300 spent here.
    for part in (f"{b.name} earned 800", a.name, "100"):
        assert part in said, said
    parts = tab.run("Array.from(document.querySelectorAll('.why li'), (part) => part.innerText)")
    amounts = [int(word.replace(",", "")) * (-1 if "spent" in part else 1)
               for part in parts for word in part.split(", ")[0].split() if word.replace(",", "").isdigit()]
    assert sum(amounts) == 700, f"{parts} are {sum(amounts)}"
    inspect(tab, "sum", pictures)
    tab.run("location.hash = '#/'")
    yield f"a sum is explained by its parts, and they add up ({said.splitlines()[0]})"
