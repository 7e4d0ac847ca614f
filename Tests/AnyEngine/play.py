#!/usr/bin/env python3
"""Examples/AnyEngine, played on two machines: a game that never heard of Hearth, and two real agents.

    play.py HEARTH

What both files must hold is worked out from what the game told its players (model.py). The agents reach each other over
the loopback interface by --peer, so nothing here needs root or a network. Prints the seconds of each part.
"""

import json
import pathlib
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from machine import NAME, ROOT, Machine, wait_for  # noqa: E402
from model import Model  # noqa: E402
from samples import check_samples  # noqa: E402

RULES = ROOT / "Examples/AnyEngine/rules.yaml"


class Home:
    def __init__(self, folder, hearth):
        self.model = Model()
        self.desk, self.deck = (Machine(name, folder, hearth, self.model) for name in ("desk", "deck"))
        self.deck.peers = [self.desk]
        self.machines = [self.desk, self.deck]

    def meet(self):
        """Waits until both files hold what the model has, in one order, and nothing waits for the player."""
        wait_for(lambda: not self.differences(), lambda: "; ".join(self.differences()))
        for machine in self.machines:
            report = machine.ask("sync", NAME)
            assert report["inStep"] and not report.get("behind"), f"{machine.name} says {report}"

    def differences(self):
        wrong = [difference for machine in self.machines for difference in self.differences_on(machine)]
        saves = [{**machine.read(), "settings": None} for machine in self.machines]
        return wrong or ([f"the files differ: {saves}"] if saves[0] != saves[1] else [])

    def differences_on(self, machine):
        return [f"on {machine.name} {difference}" for difference in self.model.differences(machine.read())]


# ---- what is played; each part begins and ends with both in step

def a_save_from_before_hearth_is_restored_on_a_second_device(home):
    desk, deck = home.machines
    game = desk.starts_game()
    game.do("name Ada")
    game.do("bell on")
    game.digs(swings=12)
    game.do("sell")
    game.ends()
    for machine in home.machines:
        machine.start_agent()
    desk.ask("add", desk.save, "--rules", RULES)
    desk.pair(deck)
    deck.restores()
    home.meet()
    assert "settings" not in deck.read() or not deck.read()["settings"].get("bell"), "what is local came along"


def played_in_turn(home):
    """With `hearth play` and without, the other machine has it a moment later."""
    for machine, through_hearth in [(home.deck, True), (home.desk, False), (home.deck, False), (home.desk, True)]:
        game = machine.starts_game(through_hearth)
        game.digs(swings=8)
        game.do("sell")
        game.do("buy rope")
        game.ends()
        home.meet()


def played_apart(home):
    """The deck loses its agent as in a power cut; both play on."""
    home.deck.kill_agent()
    home.deck.plays(*["down", *["dig"] * 9, "up"])
    home.desk.plays(*["down", "down", *["dig"] * 7, "up", "up", "sell", "buy winch"])
    home.deck.plays("name Bo", "down", "dig", "up")
    home.deck.start_agent()
    home.meet()


def a_game_that_saves_from_memory(home):
    """It read its save before the other machine played, and writes what it has in memory, several times."""
    game = home.desk.starts_game()
    game.digs(swings=3)
    game.saves_by_itself()
    before = home.desk.known()["swings"]
    home.deck.plays("down", *["dig"] * 5, "up")
    wait_for(lambda: home.desk.known()["swings"] > before, "the desk's agent knows what the deck played")
    game.digs(swings=4)
    game.saves_by_itself()
    home.deck.plays("down", "dig", "up", "sell")
    game.digs(swings=2)
    game.ends()
    home.meet()


def a_game_under_hearth_play_is_left_alone(home):
    """Nothing is written into its save while it runs, and all is there once it has ended."""
    game = home.desk.starts_game(through_hearth=True)
    game.digs(swings=3)
    game.saves_by_itself()
    home.deck.plays("name Cy", "down", *["dig"] * 5, "up")
    # What the deck played has come to the desk's agent, and not into the file of the game.
    wait_for(lambda: home.desk.known()["miner"] == "Cy", "the desk's agent knows it")
    assert home.desk.read()["miner"] != "Cy", "the save was written while its game ran under 'hearth play'"
    game.digs(swings=3)
    game.ends()
    home.meet()


def both_run_when_they_meet(home):
    home.deck.kill_agent()
    games = [machine.starts_game() for machine in home.machines]
    for number, game in enumerate(games):
        game.digs(swings=20 + number)
        game.saves_by_itself()
    home.deck.start_agent()
    for number, game in enumerate(games):
        game.digs(metres=20, swings=20 + number)
        game.saves_by_itself()
    games[0].is_killed()
    games[1].ends()
    home.meet()


def a_reset_stays_a_reset(home):
    """Also for a game that still has the old career in its memory."""
    game = home.deck.starts_game()
    home.desk.ask("reset", NAME, "--scope", "career", "--yes")
    wait_for(lambda: home.deck.known()["swings"] == 0, "the deck's agent knows of the reset")
    game.digs(swings=6)
    game.ends()
    # What was dug in the old career is put aside with it; the trip stays, as the name does.
    home.model.reset()
    home.meet()
    home.deck.plays("down", *["dig"] * 6, "up", "sell")
    home.meet()


def a_game_that_empties_its_file_first(home):
    """It writes its save in place, and stops in the middle. What is cut short is no edit, and what is whole counts."""
    for machine in home.machines:
        save, before = machine.read(), machine.known()
        save["swings"] += 5
        home.model.swings += 5
        text = json.dumps(save, indent="\t")
        with open(machine.save, "w", encoding="utf-8") as file:
            file.write(text[:len(text) // 2])
            file.flush()
            # Who is asked to sync looks at its files; of this one nothing is known yet.
            machine.run("sync", NAME)
            assert machine.known() == before, f"{machine.name} took a save that was cut short for one"
            file.write(text[len(text) // 2:])
        home.meet()


def a_new_game_is_asked_about(home):
    """Its save holds nothing, which could be a mistake: all stays as it is until the player has said so."""
    game = home.deck.starts_game()
    game.do("new")
    game.ends()
    wait_for(lambda: home.deck.run("status").returncode == 3, "the deck asks")
    assert not home.differences_on(home.desk), home.differences_on(home.desk)
    home.deck.ask("keep", NAME, "--yes")
    home.meet()


def a_new_disk(home):
    """The deck's disk is lost, and all that Hearth had there: it is a new device, and the old one is taken out."""
    home.deck.kill_agent()
    lost = next(device for device in home.desk.ask("devices")["devices"] if device["name"] == "deck")
    home.desk.ask("unpair", lost["id"], "--yes")
    home.desk.plays("down", *["dig"] * 4, "up")
    for folder in (home.deck.home, home.deck.save.parent):
        shutil.rmtree(folder)
    home.deck.start_agent()
    home.desk.pair(home.deck)
    home.deck.restores()
    home.deck.plays("down", *["dig"] * 4, "up", "sell")
    home.meet()


PARTS = [a_save_from_before_hearth_is_restored_on_a_second_device, played_in_turn, played_apart,
         a_game_that_saves_from_memory, a_game_under_hearth_play_is_left_alone, both_run_when_they_meet,
         a_game_that_empties_its_file_first, a_new_game_is_asked_about, a_reset_stays_a_reset, a_new_disk]


def main():
    hearth = str(pathlib.Path(sys.argv[1]).resolve())
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("the game was played for five minutes, which is too long"))
    signal.alarm(300)
    check_samples(hearth)
    with tempfile.TemporaryDirectory() as folder:
        home, began = Home(folder, hearth), time.monotonic()
        try:
            for part in PARTS:
                since = time.monotonic()
                part(home)
                print(f"{part.__name__.replace('_', ' ')}: {time.monotonic() - since:.1f} s")
        except BaseException:
            for machine in home.machines:
                print(machine.run("status").stdout if machine.agent else "no agent", file=sys.stderr)
                log = machine.folder / "agent.log"
                print(f"-- {machine.name}\n" + (log.read_text()[-3000:] if log.exists() else ""), file=sys.stderr)
            raise
        finally:
            for machine in home.machines:
                machine.close()
    print(f"Examples/AnyEngine: {sum(home.model.trips.values())} trips on two machines, nothing lost, in "
          f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
