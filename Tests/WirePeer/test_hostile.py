"""A device that was paired and turned bad, against two honest agents.

Each test says what is wanted: the honest two go on, an edit between them arrives within two seconds, nothing of what
they wrote is lost or counted twice, memory is bounded, and nobody cuts anybody's link but the bad device's
(`home.honest`); where something was stored, the same after both agents were killed and started again (`home.restart`).
Where the agent of today fails, the test is expected to, with what happened when it was measured; a test that passes then
fails the run, so that the list stays true, but where a faster machine may pass. The numbers are those of the rows in the
issue on a LAN that can be trusted.
"""

import json
import os
import signal
import threading
import time

import pytest

import atoms
import hostile
import pairing
import tls
from agents import Trouble, wait_for
from atoms import LATEST
from conftest import Unwanted, join
from flood import Flood
from identity import Identity
from link import Ended, Link, Peer
from messages import pb
from transfer import transfer_file


def listen(home, link, seconds, until=None):
    """Takes what the agent says, for a time, or until something is true or it ends the link."""
    try:
        return link.run(until, seconds)
    except (Ended, tls.Closed) as error:
        home.say(f"the bad link ended: {error}")


def has_grown(agent, before, mebibytes=400):
    """Whether there is nothing more to wait for: an agent has taken far too much memory, or is gone."""
    return not agent.is_running or agent.memory()[1] - before > mebibytes


class Aside:
    """Does something beside the test, in a thread; `result` waits for what it returns."""

    def __init__(self, work, *arguments):
        self._value = None

        def run():
            self._value = work(*arguments)

        self._thread = threading.Thread(target=run)
        self._thread.start()

    def result(self):
        self._thread.join()
        return self._value


# ---- row 1: vectors


@pytest.mark.parametrize("are_joined", [False, True], ids=["of_slots_that_no_device_has", "of_joined_profiles"])
def test_1_replicas_without_number(home, are_joined):
    for agent in (home.a, home.b):
        link = home.link(agent)
        hostile.crowd(link, home.profile, 2_300, are_joined)
        listen(home, link, 6, lambda: "ack" in link.heard)
        link.close()
    time.sleep(2)
    home.honest()
    # What a device brings that had nothing of it goes on as well.
    home.takes_in()
    home.restart()
    assert home.a.ask("unpair", "peer", "--yes")[0] == 0
    home.honest("after the peer was removed")


def test_1_the_replicas_of_another(home):
    link = home.link(home.b)
    owner = home.link(home.a).connection.peer_key
    hostile.claim_slots(link, home.profile, owner)
    listen(home, link, 1)
    home.honest()


def test_1_false_vectors(home):
    link = home.link(home.a)
    made = hostile.denies_all_writers(link, home.profile, link.connection.peer_key, 3)
    home.say(f"{made} new replicas in 3 s")
    home.honest()
    if made > 16:
        raise Unwanted(f"the agent made {made} new replicas in 3 s")


def dialled_by_agent(home):
    """A peer whose listener agent A dials, since it typed the code that was shown there."""
    identity = Identity("shower")
    listener = tls.Listener(identity)
    code = pairing.new_code()
    command = home.a.begin("pair", code, "--address", f"127.0.0.1:{listener.port}")
    peer = Peer(identity, pairing.show_code(identity, listener, code))
    command.communicate(timeout=10)
    return peer, listener


@pytest.mark.parametrize("is_faulty", [True, False], ids=["who_breaks_the_protocol", "who_removed_it"])
def test_1_dials_a_device(home, is_faulty):
    peer, listener = dialled_by_agent(home)
    times = hostile.closes_at_once(listener, 6, peer if is_faulty else None)
    listener.close()
    waits = [late - early for early, late in zip(times, times[1:])]
    home.say(f"dialled again after {', '.join(f'{wait:.1f}' for wait in waits)} s")
    home.honest()
    if len(times) > 8:
        raise Unwanted(f"it was dialled {len(times)} times in 6 s")
    # The delay is doubled each time, up to 2 s in the first minute; at random it is up to half as long.
    if max(waits, default=0) < 1:
        raise Unwanted(f"it was dialled again after {waits} s")


# ---- row 2: words about others' writes


def told_while_apart(home, change):
    """B is away while A edits. The peer tells it A's write before A can, with what `change` makes of its values."""
    link = home.link(home.a)
    home.b.kill()
    edited = {**home.a.read(), "note": "while b was away"}
    home.a.write(edited)
    assert link.run(lambda: home.profile.document().get("note") == "while b was away")
    owner = link.connection.peer_key
    replica = next(r for r, (key, _, _) in home.peer.origins.items() if key == owner and r in home.profile.vector)
    sequence, history = home.profile.vector[replica]
    os.kill(home.a.process.pid, signal.SIGSTOP)
    try:
        home.b.start(home.a)
        bad = home.link(home.b)
        after = bad.covered[home.profile.id][replica][0]
        assert after < sequence
        values = change(home.profile.beyond({**home.profile.vector, replica: (after, 0)}))
        bad.send_delta(home.profile.id, {replica: (sequence, history)}, {replica: after + 1}, values)
        assert listen(home, bad, 3, lambda: "ack" in bad.heard)
        bad.close("done")
    finally:
        os.kill(home.a.process.pid, signal.SIGCONT)
    link.close("done")
    try:
        wait_for(lambda: home.b.read() == edited, 5, "b has what a wrote")
    except Trouble:
        lags = home.a.ask("status")[1]["profiles"][0].get("behind", [])
        home.say(f"b shows {home.b.read().get('note')!r}, and a's status names as behind: {lags}")
        raise Unwanted(f"b shows {home.b.read().get('note')!r} where a wrote {edited['note']!r}") from None
    home.honest()


def test_2_an_empty_claim(home):
    told_while_apart(home, lambda values: [])


def test_2_a_forged_value(home):
    def forge(values):
        return [atoms.Atom(**{**vars(value), "content": atoms.register("forged")}) for value in values]

    told_while_apart(home, forge)


def test_2_an_honest_relay(home):
    """The same way with nothing changed: what the two tests above find is the lie, and not the way."""
    told_while_apart(home, lambda values: values)


def test_2_a_claim_far_ahead(home):
    link = home.link(home.b)
    for replica, (sequence, _) in list(home.profile.vector.items()):
        if home.peer.origins[replica][0] != home.peer.identity.key:
            hostile.claim(link, home.profile.id, replica, 1_000, 7, sequence)
    listen(home, link, 1)
    home.honest()


# ---- row 3: who belongs to the household


def test_3_a_device_that_a_removed_one_brought_in(home):
    second = Identity("second")
    link = home.link(home.a)
    hostile.vouch(link, second)

    def is_announced(agent):
        """Whether a device says that the second one is there, and who let it in."""
        by = [d["broughtInBy"] for d in agent.ask("devices")[1]["devices"] if d["id"] == second.id.hex()]
        news = " ".join(agent.ask("status")[1].get("newcomers", []))
        return by == [[home.peer.identity.id.hex()]] and "second is new" in news and "peer let it in" in news

    for agent in (home.a, home.b):
        wait_for(lambda: is_announced(agent), 5, f"{agent.name} says who came, and by whom")
    code, said = home.a.ask("unpair", "peer", "--yes")
    assert code == 0, said
    if second.id.hex() not in json.dumps(said):
        late = Link.dial(Peer(second, home.peer.household), home.a.port)
        try:
            is_in = late.run(lambda: late.listed, 3)
        except (Ended, tls.Closed):
            is_in = False
        if is_in:
            raise Unwanted("a device that the removed one brought in is a member, and unpair did not name it")
    home.honest()


def test_3_removals_by_a_removed_device(home):
    second = Identity("second")
    link = home.link(home.a)
    hostile.vouch(link, second)
    wait_for(lambda: any(d["name"] == "second" for d in home.a.ask("devices")[1]["devices"]), 5, "a knows it")
    keys = {agent: home.link(agent).connection.peer_key for agent in (home.a, home.b)}
    assert home.a.ask("unpair", "peer", "--yes")[0] == 0
    home.peer.household.statements += [hostile.removal(home.peer, key) for key in keys.values()]
    home.peer.household.statements += [hostile.removal(home.peer, key, 1) for key in keys.values()]
    try:
        late = Link.dial(Peer(second, home.peer.household), home.a.port)
        listen(home, late, 1)
    except (tls.Closed, OSError):
        pass
    try:
        home.honest()
    except Unwanted:
        for agent in (home.a, home.b):
            names = [device["name"] for device in agent.ask("devices")[1]["devices"]]
            home.say(f"devices of {agent.name}: {names}")
        raise
    home.takes_in()
    home.restart()


def late_write(home, says_it_had_it):
    """A member passes on what a device wrote after it was removed. Returns the name that A's save has then."""
    gone, second = home.peer, join(home.a, "second")
    assert home.a.ask("unpair", "peer", "--yes")[0] == 0
    link = Link.dial(second, home.a.port)
    assert link.run(lambda: second.named("RPG") and link.listed)
    profile = second.named("RPG")
    replica = gone.new_replica(profile.id)
    second.origins[replica] = gone.origins[replica]
    second.heads[replica, 1, 7] = gone.identity.head_signature(replica, 1, 7)
    link.had_before = {replica} if says_it_had_it else set()
    value = atoms.Atom(b"/name", LATEST, b"", atoms.register("late"), replica, 1)
    link.send_delta(profile.id, {replica: (1, 7)}, {replica: 1}, [value])
    serving = Aside(listen, home, link, 4)
    try:
        wait_for(lambda: home.a.read().get("name") == "late", 2, "the late write is there")
    except Trouble:
        pass
    name = home.a.read().get("name")
    if says_it_had_it:
        home.written["name"] = "late"
    home.honest()
    serving.result()
    return name


def test_3_writes_after_a_removal(home):
    if late_write(home, False) == "late":
        raise Unwanted("what a removed device wrote later came in through a member")


def test_3_writes_before_a_removal(home):
    """The same with the word that belongs to it: what the test above finds is the missing word, and not the way."""
    assert late_write(home, True) == "late"


def test_3_a_file_of_a_removed_device(home):
    home.link(home.a)
    assert home.a.ask("unpair", "peer", "--yes")[0] == 0
    home.peer.write(home.profile, [(b"/name", LATEST, b"", atoms.register("late"))])
    path = home.a.folder / "late.hearth"
    path.write_bytes(transfer_file(home.peer, home.profile))
    code, said = home.a.ask("import", str(path))
    home.say(f"import: {code} {said['error']['message'][:90] if code else said}")
    if code != 3:
        raise Unwanted("a file of a removed device is taken without a question")
    home.honest()


def test_3_devices_without_number(home):
    link = home.link(home.a)
    hostile.vouch_for_many(link, 900)
    listen(home, link, 2)
    link.close()
    home.honest()
    listed = home.a.ask("devices")[1]["devices"]
    home.say(f"a lists {len(listed)} devices")
    home.takes_in()


# ---- row 4: numbers that nobody can go beyond


def test_4_the_last_epoch(home):
    link = home.link(home.a)
    hostile.epoch(link, home.profile, hostile.TOPMOST)
    listen(home, link, 1)
    save = home.a.read()
    home.say(f"the save of a is {json.dumps(save)[:80]}")
    if not save or save.get("name") != "Ada":
        code, said = home.a.ask("reset", "RPG", "--yes")
        home.say(f"reset: {code} {str(said)[:160]}")
        raise Unwanted(f"an epoch emptied the save of a: {save}")
    home.honest()
    # What the row says was locked: a reset still counts, and can be undone.
    for word, coins in (("reset", 0), ("undo", home.written["coins"])):
        code, said = home.a.ask(word, "RPG", "--yes")
        if code != 0:
            raise Unwanted(f"{word} is refused: {said}")
        wait_for(lambda: all((agent.read() or {}).get("coins") == coins for agent in (home.a, home.b)), 5, word)
    home.restart()


def test_4_rules_beyond_all_generations(home):
    link = home.link(home.a)
    before = home.profile.note(b"#rules")
    hostile.rules(link, home.profile, ["/coins"], generation=1 << 60)
    listen(home, link, 1)
    fresh = Link.dial(Peer(home.peer.identity, home.peer.household), home.b.port)
    assert fresh.run(lambda: fresh.peer.named("RPG"))
    if fresh.peer.named("RPG").note(b"#rules")["set"] != before["set"]:
        raise Unwanted("rules that no later ones could replace are in force")
    home.honest()


@pytest.mark.parametrize("path", [b"/name", b"#name"])
def test_4_a_stamp_beyond_all_clocks(home, path):
    link = home.link(home.a)
    hostile.topmost_stamp(link, home.profile, path, "frozen", hostile.TOPMOST)
    listen(home, link, 1)
    if home.a.read()["name"] == "frozen" or home.a.ask("status")[1]["profiles"][0]["name"] == "frozen":
        raise Unwanted("a value with a time later than any clock shows counts")
    home.honest()


def test_4_the_last_stamp(home):
    link = home.link(home.a)
    hostile.topmost_stamp(link, home.profile, b"/name", "frozen")
    listen(home, link, 1)
    home.a.write({**home.a.read(), "name": "free"})
    serving = Aside(listen, home, link, 6)
    try:
        wait_for(lambda: home.a.read()["name"] == home.b.read()["name"] == "free", 3, "the edit counts")
    except Trouble:
        said = home.a.ask("sync")[1]
        serving.result()
        names = [agent.read()["name"] for agent in (home.a, home.b)]
        home.say(f"a and b show {names}, and a's sync says {json.dumps(said)}")
        raise Unwanted("an edit does not count against a value with the last stamp") from None
    home.written["name"] = "free"
    home.honest()
    serving.result()
    home.restart()


@pytest.mark.parametrize("path", [b"", b"/name"])
def test_4_a_removal_of_writes_to_come(home, path):
    link = home.link(home.a)
    hostile.removal_of_the_future(link, home.profile, path)
    listen(home, link, 1)
    for agent, name in ((home.a, "Bea"), (home.b, "Cem")):
        agent.write({**agent.read(), "name": name})
        home.written["name"] = name
        try:
            wait_for(lambda: home.a.read().get("name") == home.b.read().get("name") == name, 3, "the edit counts")
        except Trouble:
            raise Unwanted(f"what is played is silenced: {home.a.read()}, {home.b.read()}") from None
    home.honest()
    home.restart()


@pytest.mark.parametrize("length", [hostile.LAST_LENGTH, hostile.TOPMOST])
def test_4_the_longest_member(home, length):
    link = home.link(home.a)
    hostile.longest_member(link, home.profile, b"/friends", "junk", length)
    listen(home, link, 1)
    serving = Aside(listen, home, link, 8)
    # Put in, taken out, and put in again. A save like an earlier one would be a question, so each has something new.
    for note in ("one", "two", "three"):
        save = home.a.read()
        friends = [name for name in save["friends"] if name != "junk"]
        if friends == save["friends"]:
            friends.append("junk")
        home.written |= {"note": note, "level": save["level"] + 1}
        home.a.write({**save, "friends": friends, "note": note, "level": save["level"] + 1})
        try:
            wait_for(lambda: sorted(home.a.read()["friends"]) == sorted(home.b.read()["friends"]) == sorted(friends),
                     3, "the edit counts")
        except Trouble:
            raise Unwanted(f"an element is there for good: {home.a.read()['friends']}, {home.b.read()['friends']}") from None
    home.written["friends"] = friends
    home.honest()
    serving.result()


# ---- row 5: small words for large documents


def test_5_sparse_arrays_from_a_member(home):
    """400 arrays that together have 100,000 empty places, from about 500 bytes. A tenth of them is filled."""
    home.memory_limit = 256
    link = home.link(home.a)
    before, sent = home.a.memory()[0], link.sent
    home.peer.write(home.profile, hostile.sparse_arrays(400, home.profile.note(b"#rules")["seen"]))
    link.send_profile(home.profile)
    home.say(f"{link.sent - sent} bytes were sent")
    for _ in range(40):
        if has_grown(home.a, before) or listen(home, link, 0.5, lambda: "ack" in link.heard):
            break
    link.close()
    home.honest()
    home.restart()


def test_5_deep_places_in_an_indented_save(home):
    """Indented at each level, they would be 77 MB. Hearth writes what is nested deep on one line; the game here does so
    with its whole save."""
    link = home.link(home.a)
    sent = link.sent
    hostile.deep_places(link, home.profile, 150, 505)
    home.say(f"{link.sent - sent} bytes were sent")
    listen(home, link, 2)
    sizes = [agent.save.stat().st_size for agent in (home.a, home.b)]
    if max(sizes) > 4 << 20:
        raise Unwanted(f"the saves have {sizes} bytes")
    home.a.indent = home.b.indent = None
    home.memory_limit = 128
    home.first_edits("after", 10)
    home.honest()
    home.restart()


def test_5_a_transfer_file_from_a_stranger(home):
    stranger = Identity("stranger")
    peer = Peer(stranger, pairing.Household(stranger))
    profile = peer.profile(os.urandom(16))
    peer.write(profile, [(b"#name", LATEST, b"", atoms.register("Gift"))] + hostile.sparse_arrays(400, {}))
    path = home.a.folder / "gift.hearth"
    path.write_bytes(transfer_file(peer, profile))
    home.say(f"a file of {path.stat().st_size} bytes")
    home.memory_limit = 256
    before = home.a.memory()[0]
    command = home.a.begin("import", str(path))
    wait_for(lambda: command.poll() is not None or has_grown(home.a, before), 40, "import answers")
    if command.poll() is not None:
        home.say(f"import: {command.returncode} {command.stderr.read()[:120].strip()}")
    command.kill()
    command.wait(5)
    home.honest()
    home.restart()


# ---- row 6: depth


def test_6_a_deep_value_at_a_deep_place(home):
    link = home.link(home.a)
    hostile.deep_value(link, home.profile)
    listen(home, link, 1)
    try:
        home.honest(patience=4)
    except Unwanted:
        reason = home.a.ask("status")[1]["profiles"][0].get("reason", "")
        home.say(f"status of a: {reason.rsplit('/', 1)[-1]}")
        raise
    home.restart()


def test_6_a_deep_save_that_is_restored(home):
    link = home.link(home.a)
    gift = home.peer.profile(bytes(15) + b"\x01")
    home.peer.write(gift, [(b"#name", LATEST, b"", atoms.register("Gift"))])
    hostile.deep_value(link, gift)
    serving = Aside(listen, home, link, 3)
    target = home.a.save.with_name("gift.json")
    code, said = home.a.ask("restore", "Gift", "--to", str(target))
    serving.result()
    home.say(f"restore: {code} {str(said)[:60]}")
    new = target.with_name("gift.json.new")
    new.write_text('{"hp": 1}')
    os.rename(new, target)
    try:
        wait_for(lambda: not home.a.is_running, 2, "")
    except Trouble:
        home.honest()
        return home.restart()
    home.say(f"a ended with {home.a.process.returncode} at the next save of its game: {fatal_error(home.a)}")
    for _ in range(2):
        try:
            home.a.start(home.b)
            wait_for(lambda: not home.a.is_running, 2, "")
            home.say(f"a ended with {home.a.process.returncode} after its start")
        except Trouble as trouble:
            home.say(f"the next start: {str(trouble)[:90]}")
    raise Unwanted("the agent ends at the next save of a game, and at each start")


def fatal_error(agent):
    return next((line[-160:] for line in agent.log.splitlines() if "Fatal error" in line), "no word")


# ---- row 7: floods


def keeps_its_turn(home, seconds=1.0):
    """Unwanted where the control socket of A does not answer in time."""
    began = time.monotonic()
    try:
        home.a.request("status", seconds=10)
    except OSError as error:
        raise Unwanted(f"a does not answer: {error}") from None
    took = time.monotonic() - began
    home.say(f"in the flood, a status took {took:.2f} s")
    if took > seconds:
        raise Unwanted(f"in the flood, a status takes {took:.1f} s")


def in_a_flood(home, flood, *arguments):
    """While a flood goes on for 5 s, edits arrive and the control socket answers. Returns what the flood says."""
    sending = Aside(flood, *arguments, 5)
    time.sleep(1)
    try:
        for _ in range(3):
            home.honest("in the flood")
            keeps_its_turn(home)
    finally:
        said = sending.result()
    home.honest()
    return said


def test_7_a_flood_of_pongs(home):
    sent = in_a_flood(home, hostile.flood_of_pongs, home.link(home.a))
    home.say(f"{sent:.0f} MiB of pongs in 5 s")


def test_7_a_flood_of_empty_frames(home):
    link = home.link(home.a)
    sent = hostile.flood_of_empty_frames(link, 5)
    home.say(f"{sent:.2f} MiB of empty frames were taken")
    with pytest.raises((tls.Closed, Ended)):
        link.run(seconds=1)
    home.honest()


def test_7_a_flood_of_empty_frames_while_pairing(home):
    command, _ = home.a.show_code()
    sent, count = in_a_flood(home, hostile.flood_while_pairing, Identity("stranger"), home.a.port)
    command.kill()
    command.wait(5)
    home.say(f"{sent:.1f} MiB of empty frames on {count} connections in 5 s")
    if count < 2:
        raise Unwanted("a connection that sends empty frames stays")


# ---- row 8: patterns


def with_deep_places(home, count=40, steps=100):
    """A link of the bad peer, after it put values deep into the document, where patterns take long to compare."""
    link = home.link(home.a)
    places = [(b"/p%d" % at + b"/x" * steps, LATEST, b"", atoms.register(at)) for at in range(count)]
    home.peer.write(home.profile, places)
    link.send_profile(home.profile)
    assert listen(home, link, 20, lambda: "ack" in link.heard)
    link.heard.clear()
    return link


def joins_soon(home, link, what, limit=2.0, patience=30.0):
    """Unwanted where a delta takes the agent more processor time than this, until it answers or refuses the link."""
    before = home.a.processor_time()
    is_done = listen(home, link, patience, lambda: "ack" in link.heard or "vectors" in link.heard)
    took = home.a.processor_time() - before
    home.say(f"the join of {what} took {took:.1f} s of processor time" + ("" if is_done else ", and was not done"))
    # False says that nothing came in all that time; None that the agent ended the link.
    if took > limit or is_done is False:
        raise Unwanted(f"the join of {what} takes more than {limit} s")


def test_8_epochs_with_many_patterns(home):
    link = with_deep_places(home)
    hostile.epoch(link, home.profile, 1, ["/**/x" * 31 + f"/{at}" for at in range(1_000)], (), kind=0)
    joins_soon(home, link, "an epoch with 1,000 patterns")
    home.honest()
    home.restart()


def with_many_values(home, count=5_000):
    """A link of the bad peer, after it put so many values into the document."""
    link = home.link(home.a)
    home.peer.write(home.profile, [(b"/n%d" % at, LATEST, b"", atoms.register(at)) for at in range(count)])
    link.send_profile(home.profile)
    assert listen(home, link, 20, lambda: "ack" in link.heard)
    link.heard.clear()
    return link


def test_8_many_epochs_of_places(home):
    """Many epochs, each of one more place, beside many values; and the start after that."""
    link = with_many_values(home)
    hostile.many_epochs(link, home.profile, 1_000)
    joins_soon(home, link, "1,000 epochs beside 5,000 values", limit=15, patience=60)
    link.close("done")
    home.settle()
    home.honest()
    home.restart()


def test_8_the_join_of_many_epochs(home):
    link = with_many_values(home)
    hostile.many_epochs(link, home.profile, 1_000)
    joins_soon(home, link, "1,000 epochs beside 5,000 values")
    home.honest()


def test_8_epochs_without_number(home):
    """More than are taken of one replica: nothing of them is stored."""
    link = home.link(home.a)
    hostile.many_epochs(link, home.profile, 5_000)
    listen(home, link, 3)
    home.honest()
    if home.a.read().get("name") != "Ada":
        raise Unwanted(f"epochs beyond the bound count: {home.a.read()}")


def test_8_rules_with_many_patterns(home):
    link = with_deep_places(home)
    hostile.rules(link, home.profile, ["/**/x" * 3 + f"/**/{at}" for at in range(1_000)])
    joins_soon(home, link, "1,000 rules")
    home.honest()
    home.restart()


def test_8_all_patterns_that_are_taken(home):
    """As many `**` as are taken of one replica, in each replica that a device may have, and in the rules."""
    link = with_deep_places(home)
    for slot in range(1, 16):
        replica = home.peer.new_replica(home.profile.id, slot)
        patterns = ["/**/y" * 3 + f"/{slot}/{at}" for at in range(33)]
        hostile.epoch(link, home.profile, slot, patterns, (), replica=replica)
        joins_soon(home, link, f"the epoch of replica {slot}")
        link.heard.clear()
    hostile.rules(link, home.profile, ["/**/y" * 3 + f"/{at}" for at in range(33)])
    joins_soon(home, link, "the rules")
    link.close("done")
    home.settle()
    home.first_edits("after", 20)
    home.honest()
    home.restart()


def test_8_rules_beyond_the_limits(home):
    link = home.link(home.a)
    hostile.rules(link, home.profile, ["/**/x" * 31 + f"/{at}" for at in range(1_000)])
    joins_soon(home, link, "rules beyond the limits")
    try:
        home.honest()
    except Unwanted:
        home.say(f"status of a: {home.a.ask('status')[1]['profiles'][0].get('reason')}")
        raise


# ---- row 9: amounts


def grown(home, disk):
    """MiB by which the homes of A and B grew."""
    return [agent.disk() - was for agent, was in zip((home.a, home.b), disk)]


def test_9_the_same_large_value_at_many_places(home):
    """One frame that stands for 60 MB."""
    link = home.link(home.a)
    disk = home.a.disk(), home.b.disk()
    sent = hostile.same_large_value(link, home.profile, 60, 1_000_000)
    if listen(home, link, 10, lambda: "ack" in link.heard) is not None:
        raise Unwanted("a frame that stands for 60 MB is taken")
    home.honest()
    home.say(f"{sent} bytes were sent; the homes of a and b grew by {max(grown(home, disk)):.1f} MiB")
    if max(grown(home, disk)) > 4:
        raise Unwanted(f"{sent} bytes made {max(grown(home, disk)):.0f} MiB on disk")
    home.restart()


def test_9_many_large_values(home):
    """Frames that each stand for as much as one may: a device may fill a save so. What 8 MB of it cost is measured: about
    twenty times as much memory, at the first save after that."""
    home.memory_limit = 320
    link = home.link(home.a)
    disk = home.a.disk(), home.b.disk()
    count = 8
    sent = sum(hostile.same_large_value(link, home.profile, 1, 1_000_000) for _ in range(count))
    listen(home, link, 60, lambda: link.heard.count("ack") == count)
    link.close("done")
    home.first_edits("after", 30)
    home.honest()
    home.say(f"{sent} bytes were sent; the homes of a and b grew by {max(grown(home, disk)):.1f} MiB")
    if max(grown(home, disk)) > 4 * count:
        raise Unwanted(f"{count} MB made {max(grown(home, disk)):.0f} MiB on disk")


# ---- row 10: profiles that were joined


def test_10_a_joined_word(home):
    link = home.link(home.a)
    other = home.peer.profile(bytes(15) + b"\x01")
    values = [(b"#name", "Other"), (b"/name", "Eve")]
    home.peer.write(other, [(path, LATEST, b"", atoms.register(value)) for path, value in values])
    link.send_profile(other)
    listen(home, link, 1)
    hostile.joined(link, home.profile, other.id)
    listen(home, link, 1)
    home.say(f"status: {[(p['name'], p['id'][:8], p.get('state')) for p in home.a.ask('status')[1]['profiles']]}")
    home.say(f"the save of a is {json.dumps(home.a.read())[:90]}")
    for device in (home.a, home.b):
        saves = [profile for profile in device.ask("status")[1]["profiles"] if profile["name"] == "RPG"]
        if not saves or not any("are one" in words for words in saves[0].get("decisions", [])):
            raise Unwanted(f"a word of the bad peer made one profile of two, and nobody was asked: {saves}")
    if home.a.read()["name"] == "Eve":
        raise Unwanted("the save shows what the bad peer wrote into another one")
    home.honest()
    home.restart()


def test_10_a_cycle_of_joined_words(home):
    link = home.link(home.a)
    other = home.peer.profile(bytes(15) + b"\x01")
    home.peer.write(other, [(b"#name", LATEST, b"", atoms.register("Other"))])
    link.send_profile(other)
    listen(home, link, 1)
    hostile.joined(link, home.profile, other.id)
    hostile.joined(link, other, home.profile.id)
    listen(home, link, 1)
    profiles = home.a.ask("status")[1]["profiles"]
    home.say(f"status: {[(p['name'], p['id'][:8], p.get('state')) for p in profiles]}")
    if "RPG" not in [profile["name"] for profile in profiles]:
        raise Unwanted(f"a cycle hides the save: status lists {[p['name'] for p in profiles]}")
    home.honest()


# ---- row 11: strangers beside many profiles

# Seconds for which the garbage comes.
FLOOD = 6
# How many profiles there are. 10,000 of them take minutes to set up.
COUNTS = [1, 1_000] + ([10_000] if os.environ.get("HEARTH_MANY_PROFILES") else [])


def fill(home, count):
    """Adds saves of 1 KB at A until it keeps so many, and takes each to B, into files on both machines."""
    folder = home.a.folder / "many"
    folder.mkdir()
    places = {f"item{index:03}": {"owned": index % 9, "level": index} for index in range(30)}
    for number in range(1, count):
        path = folder / f"{number:05}.json"
        path.write_text(json.dumps({"slot": number, "items": places}, separators=(",", ":")))
        home.a.request("add", path=str(path), name=f"save {number:05}")
    wait_for(lambda: home.b.kept() >= count, 600, "b has all saves")
    if count > 1:
        other = home.b.folder / "many"
        other.mkdir()
        home.b.request("restoreMany", folder=str(other))
        wait_for(lambda: len(os.listdir(other)) >= count - 1, 600, "all files are there")


@pytest.mark.parametrize("count", COUNTS)
def test_11_garbage_beside_many_profiles(home, count):
    began = time.monotonic()
    fill(home, count)
    home.say(f"{count} profiles were there after {time.monotonic() - began:.0f} s")
    home.settle(300)
    quiet = max(home.there_and_back() for _ in range(3))
    home.say(f"beside {count} profiles the worst of 6 edits took {quiet:.2f} s")
    home.measure_memory()
    home.memory_limit = 19
    log = len(home.a.log)
    floods = [Flood(home.a.port, FLOOD, 250) for _ in range(4)]
    times = []
    while any(flood.is_running for flood in floods):
        times.append(home.there_and_back())
        time.sleep(0.1)
    made = sum(flood.result() for flood in floods)
    home.say(f"with {made} connections in {FLOOD} s the worst of {2 * len(times)} edits took {max(times):.2f} s")
    a_day = (len(home.a.log) - log) / FLOOD * 86_400 / (1 << 30)
    home.honest()
    if a_day > 0.1:
        raise Unwanted(f"the log grows by {a_day:.1f} GiB a day")


# ---- row 12: the log


def test_12_the_log(home):
    before = len(home.a.log)
    count = hostile.break_the_protocol(home.peer, home.a.port, 3)
    grown = len(home.a.log) - before
    a_day = grown / 3 * 86_400 / (1 << 30)
    home.say(f"{count} links that broke the protocol in 3 s made {grown} bytes of log: {a_day:.1f} GiB a day")
    home.honest()
    if a_day > 0.1:
        raise Unwanted(f"the log grows by {a_day:.1f} GiB a day")


# ---- rows 12 to 17, as far as they are about the wire


def test_13_pairing_beside_a_noisy_host(home):
    command, code = home.a.show_code()
    noise = Aside(hostile.hold_pairings, Identity("stranger"), home.a.port, 6)
    time.sleep(1)
    began = time.monotonic()
    done, said = home.b.ask("pair", code, "--address", f"127.0.0.1:{home.a.port}")
    took = time.monotonic() - began
    home.say(f"the pairing took {took:.1f} s")
    home.say(f"{noise.result()} connections that said nothing were let in")
    command.kill()
    command.wait(5)
    if done != 0:
        home.say(f"pair: {said.get('message', '')[:150]}")
        raise Unwanted("a device that has the right code cannot pair")
    if took > 4:
        raise Unwanted(f"a device that has the right code pairs after {took:.1f} s, once nobody else tries")
    home.honest()


def brought_while_apart(home, is_honest):
    """B is away while A begins a profile. The peer brings it to B, and says whose A's replica is, or that it is its own.
    Returns whom B names for what A wrote."""
    link = home.link(home.a)
    home.b.kill()
    other = home.a.save.with_name("other.json")
    other.write_text('{"hp": 1}')
    rules = home.a.folder / "other.yaml"
    rules.write_text("profile: Other\nrules:\n  /hp: latest\n")
    assert home.a.ask("add", str(other), "--rules", str(rules))[0] == 0
    assert link.run(lambda: home.peer.named("Other"))
    profile = home.peer.named("Other")
    [replica] = profile.vector
    os.kill(home.a.process.pid, signal.SIGSTOP)
    try:
        home.b.start(home.a)
        identity = home.peer.identity
        if not is_honest:
            home.peer.origins[replica] = identity.key, profile.id, 0
        bad = home.link(home.b)
        bad.send_profile(profile)
        listen(home, bad, 2, lambda: "ack" in bad.heard)
        bad.close("done")
    finally:
        os.kill(home.a.process.pid, signal.SIGCONT)
    link.close("done")
    target = home.b.save.with_name("other.json")
    wait_for(lambda: home.b.ask("restore", "Other", "--to", str(target))[0] == 0, 10, "b takes the profile")
    other.write_text('{"hp": 2}')
    wait_for(lambda: '2' in target.read_text(), 5, "the edit arrives")
    writers = {name for step in home.b.ask("history", "Other")[1]["history"] for name in step["devices"]}
    home.say(f"b's history of what a wrote names {sorted(writers)}")
    home.honest()
    return writers


def test_16_the_replica_of_another_as_ones_own(home):
    if "peer" in brought_while_apart(home, is_honest=False):
        raise Unwanted("b shows writes of a under the name of the bad peer")


def test_16_an_honest_origin(home):
    assert brought_while_apart(home, is_honest=True) == {"a"}


def test_17_copies_for_whoever_asks(home):
    (home.a.folder / "home" / "config.yaml").write_text("sharesBackups: [b]\n")
    home.a.kill()
    home.a.start(home.b)
    home.honest("after the start")
    link = home.link(home.a)
    lists, parts = [], []
    link.on_copies = lists.append
    link.on_part = parts.append
    link.send(keeps_copies=pb.KeepsCopies(keeps=True))
    listen(home, link, 3, lambda: lists)
    if not lists:
        return home.honest()
    home.say(f"{len(lists[0].copies)} backups were listed for the bad peer")
    copy = lists[0].copies[-1]
    number, data = link.out.profiles.refer(home.profile.id)
    link.send(copy_request=pb.CopyRequest(profile=number, profile_id=data, checksum=copy.checksum, offset=0))
    listen(home, link, 3, lambda: parts)
    got = sum(len(part.content) for part in parts)
    home.say(f"{got} of {copy.size} bytes of a backup came")
    if got:
        raise Unwanted("a device that nobody named as a keeper of copies gets backups whole")
    home.honest()
