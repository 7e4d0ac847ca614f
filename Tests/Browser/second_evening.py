"""A second evening, of two other machines: what is asked before it is done, and what makes trouble."""

import doubts
import gone
import hostile
import idle_rules
import members
import namesakes
import ways_back
from save_file import shared


def story(browser, a, b, pictures):
    tab = browser.tab(a.link())
    yield from members.paired(tab, a, b, pictures)

    files = shared("Quest", a, b, doubts.EARLY, doubts.RULES)
    yield from idle_rules.idle(tab, files[0], a, doubts.RULES, pictures)
    yield from doubts.held_less(tab, files, pictures)
    yield from doubts.damaged(tab, files, pictures)
    yield from ways_back.backup(tab, files, pictures)
    yield from ways_back.narrowed(tab, files, a, b)
    yield from ways_back.looked_at(tab, files, pictures)
    yield from ways_back.one_scope(tab, a, b, pictures)
    yield from members.acted(tab, a, b, pictures)
    yield from namesakes.one_name(tab, a, b, pictures)
    yield from namesakes.another_says(tab, a, b, pictures)
    yield from namesakes.answered_elsewhere(tab, a, b, pictures)
    yield from hostile.texts(tab, a, b, pictures)
    yield from members.removed(browser, tab, a, b, files, pictures)
    yield from gone.gone(tab, a, pictures)

    found = [text for text in tab.complaints() if "Failed to load resource" not in text]
    assert not found, found
    yield "no script of the second evening failed, and the policy refused nothing"
