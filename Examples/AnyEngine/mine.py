#!/usr/bin/env python3
"""Tin Mine: a small game for the terminal.

Dig for tin, copper and silver, sell what is in the bag, buy what takes you deeper, and find what lies in the stone.
The game saves by itself, every few seconds and at the end. It reads its save once, when it starts, and from then on
writes what it has in memory, as most games do.

Without a terminal it takes its commands from standard input, one a line, so a script can play it.
"""

import argparse
import datetime
import json
import os
import pathlib
import random
import select
import signal
import sys
import time

ORES = {"tin": 2, "copper": 5, "silver": 12}  # what a merchant pays
LADDER = 10  # how many metres everybody comes down
GEAR = {"rope": (15, 30), "winch": (60, 60), "lift": (200, 150)}  # its price, and how many metres it takes one down
STONES = ["ammonite", "trilobite", "amber", "geode", "fern", "old coin", "lamp of 1702", "miner's boot"]
HELP = """dig               break rock; the deeper, the better the ore
down, up          climb ten metres
sell              sell what is in the bag (in daylight)
buy GEAR          rope, winch, lift: each takes you deeper (in daylight)
look, log         what you have; your last trips
name NAME         what you are called
new               a new game: everything begins again
bell on, bell off ring at every find
help, quit"""


def beginning():
    """The save of a new game."""
    return {
        "miner": "nobody", "coins": 0, "swings": 0, "bag": {ore: 0 for ore in ORES}, "gear": [], "stones": [],
        "deepest": 0, "bestSale": 0, "luckiest": 0, "shaft": {"depth": 0, "swings": 0, "deepest": 0}, "trips": [],
        "settings": {"bell": False},
    }


class Save:
    """The file of the game. What this version of the game does not know stays in it."""

    def __init__(self, path):
        self.path = path

    def read(self):
        """Returns what is saved, with the beginning of whatever is missing."""
        state = beginning()
        if self.path.exists():
            saved = json.loads(self.path.read_text(encoding="utf-8"))
            if not isinstance(saved, dict):
                raise ValueError("this is no save of the mine")
            for name, value in state.items():
                if isinstance(value, dict):
                    saved[name] = {**value, **saved.get(name, {})}
            state.update(saved)
        return state

    def write(self, state):
        """Writes a new file beside the old one and then renames it, so that there is always a whole one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_name(self.path.name + ".new")
        with open(new, "w", encoding="utf-8") as file:
            json.dump(state, file, indent=2, ensure_ascii=False)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path)


class Mine:
    """The rules of the game. Each command returns what the player reads."""

    def __init__(self, state, chance):
        self.state, self.chance = state, chance

    @property
    def shaft(self):
        return self.state["shaft"]

    def do(self, line):
        word, _, rest = line.strip().partition(" ")
        command = getattr(self, f"do_{word}", None)
        return command(rest.strip()) if command else f"There is no \"{word}\". \"help\" lists what there is."

    def do_dig(self, _):
        state, shaft = self.state, self.shaft
        if shaft["depth"] == 0:
            return "There is only grass here. Climb down."
        state["swings"] += 1
        shaft["swings"] += 1
        if self.chance.random() < 0.04 + shaft["depth"] / 1_000:
            return self.find(self.chance.choice(STONES))
        if self.chance.random() < 0.35:
            return "You break rock."
        ore = self.chance.choices(list(ORES), [60, shaft["depth"], shaft["depth"] / 4])[0]
        amount = self.chance.randint(1, 1 + shaft["depth"] // 20)
        state["bag"][ore] += amount
        return f"You break rock: {amount} {ore}."

    def find(self, stone):
        state = self.state
        if stone in state["stones"]:
            return f"You break rock: another {stone}, which you leave there."
        state["stones"].append(stone)
        if not 0 < state["luckiest"] <= self.shaft["swings"]:
            state["luckiest"] = self.shaft["swings"]
        return f"You find: {stone}, after {self.shaft['swings']} swings!" + ("\a" if state["settings"]["bell"] else "")

    def do_down(self, _):
        reach = max([LADDER, *(GEAR[gear][1] for gear in self.state["gear"] if gear in GEAR)])
        if self.shaft["depth"] >= reach:
            return f"Your gear reaches {reach} m."
        self.shaft["depth"] += 10
        self.shaft["deepest"] = max(self.shaft["deepest"], self.shaft["depth"])
        self.state["deepest"] = max(self.state["deepest"], self.shaft["depth"])
        return f"You are at {self.shaft['depth']} m."

    def do_up(self, _):
        shaft = self.shaft
        if shaft["depth"] == 0:
            return "You are in daylight."
        shaft["depth"] -= 10
        if shaft["depth"] > 0:
            return f"You are at {shaft['depth']} m."
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
        trip = {"ended": now, "deepest": shaft["deepest"], "swings": shaft["swings"]}
        self.state["trips"] = [trip, *self.state["trips"]][:50]
        self.state["shaft"] = beginning()["shaft"]
        return f"You are in daylight, after {trip['swings']} swings at {trip['deepest']} m."

    def do_sell(self, _):
        state = self.state
        if self.shaft["depth"] > 0:
            return "Nobody buys down here."
        sold = {ore: amount for ore, amount in state["bag"].items() if amount > 0}
        if not sold:
            return "Your bag is empty."
        price = sum(amount * ORES.get(ore, 1) for ore, amount in sold.items())
        state["bag"].update(dict.fromkeys(sold, 0))
        state["coins"] += price
        state["bestSale"] = max(state["bestSale"], price)
        return f"You sell {', '.join(f'{amount} {ore}' for ore, amount in sold.items())} for {price} coins."

    def do_buy(self, gear):
        state = self.state
        if gear not in GEAR or gear in state["gear"]:
            return "You have that." if gear in GEAR else f"Nobody sells \"{gear}\"."
        if self.shaft["depth"] > 0:
            return "Nobody sells anything down here."
        price = GEAR[gear][0]
        if state["coins"] < price:
            return f"A {gear} costs {price} coins."
        state["coins"] -= price
        state["gear"].append(gear)
        return f"You buy a {gear} for {price} coins."

    def do_look(self, _):
        state = self.state
        bag = ", ".join(f"{amount} {ore}" for ore, amount in state["bag"].items() if amount) or "nothing"
        return "\n".join([
            f"You are {state['miner']}, at {self.shaft['depth']} m, with {state['coins']} coins.",
            f"In the bag: {bag}. Gear: {', '.join(['ladder', *state['gear']])}.",
            f"Found: {', '.join(state['stones']) or 'nothing'}; luckiest after {state['luckiest'] or 'no'} swings.",
            f"{state['swings']} swings, {state['deepest']} m at the deepest, best sale {state['bestSale']} coins.",
        ])

    def do_log(self, _):
        return "\n".join(f"{trip['ended'][:16]}  {trip['deepest']:4} m  {trip['swings']:4} swings"
                         for trip in self.state["trips"][:10]) or "You were never down there."

    def do_name(self, name):
        self.state["miner"] = name or self.state["miner"]
        return f"You are {self.state['miner']}."

    def do_bell(self, word):
        self.state["settings"]["bell"] = word == "on"
        return f"The bell is {'on' if word == 'on' else 'off'}."

    def do_new(self, _):
        for name, value in beginning().items():
            if name != "settings":
                self.state[name] = value
        return "A new game. You have a ladder, and that is all."

    def do_help(self, _):
        return HELP


def lines(autosave, save):
    """Yields what the player types, line by line, and saves in between."""
    typed, due = b"", time.monotonic() + autosave
    while True:
        while b"\n" in typed:
            line, _, typed = typed.partition(b"\n")
            yield line.decode("utf-8", "replace")
        if time.monotonic() >= due:
            save()
            due = time.monotonic() + autosave
        if select.select([sys.stdin], [], [], max(0, due - time.monotonic()))[0]:
            part = os.read(sys.stdin.fileno(), 4_096)
            if not part:
                return
            typed += part


def main():
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    parser = argparse.ArgumentParser(description="A small game about a mine.")
    parser.add_argument("--save", type=pathlib.Path, default=pathlib.Path(data, "tin-mine", "save.json"),
                        help="the file of the game (default: %(default)s)")
    parser.add_argument("--autosave", type=float, default=5, metavar="SECONDS", help="how often the game saves")
    parser.add_argument("--seed", type=int, help="the same luck every time")
    options = parser.parse_args()
    save = Save(options.save)
    try:
        mine = Mine(save.read(), random.Random(options.seed))
    except (OSError, ValueError) as error:
        sys.exit(f"{options.save} cannot be read, and is left as it is: {error}")
    # Whoever closes the window or shuts the computer down loses nothing.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit())
    prompt = "> " if sys.stdin.isatty() else ""
    print(f"Tin Mine. \"help\" says how to play.\n{mine.do('look')}\n{prompt}", end="", flush=True)
    try:
        for line in lines(options.autosave, lambda: save.write(mine.state)):
            if line.strip() == "quit":
                break
            print(f"{mine.do(line)}\n{prompt}" if line.strip() else prompt, end="", flush=True)
    finally:
        save.write(mine.state)


if __name__ == "__main__":
    main()
