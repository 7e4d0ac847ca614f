"""A third evening: a machine's first day, saves that rest, what is newer than this machine, a full disk, and hostile names."""

import amounts
import carried
import first_run
import full_disk
import names
import newer
import resting
from machine import Machine


def story(browser, a, b, pictures):
    tab = browser.tab(a.link())
    yield from first_run.first_acts(tab, a, b, pictures)
    yield from amounts.answers(tab, a, b, pictures)
    yield from carried.by_hand(browser, a, b, pictures)
    yield from resting.rests(browser, tab, a, b, pictures)
    yield from newer.game(browser, tab, a, b, pictures)
    yield from newer.files(tab, a, pictures)

    b.stop()
    newer.put_newer_rules(b.home)
    small, isMountable = b.home.parent / "small", full_disk.can_mount()
    b.start(a, under=full_disk.on_small_disk(small) if isMountable else ())
    yield from newer.rules(browser, tab, a, b, pictures)

    def others():
        yield from third_machine(browser, tab, a, b, pictures)
        yield from names.machines(browser, tab, a, b, pictures)
        yield from names.saves(tab, a, pictures)

    if isMountable:
        yield from full_disk.full(browser, tab, a, b, small, pictures, others)
    else:
        print("skipped: a full disk needs mounts, which are not allowed here", flush=True)
        yield from others()

    found = [text for text in tab.complaints() if "Failed to load resource" not in text]
    assert not found, found
    yield "no script of the third evening failed, and the policy refused nothing"


def third_machine(browser, tab, a, b, pictures):
    c = Machine("tower", a.home.parent.parent, a.hearth)
    c.start(b)
    try:
        yield from first_run.stranger(tab, a, c, pictures)
        yield from first_run.let_in(browser, tab, a, b, c, pictures)
    finally:
        c.stop()
