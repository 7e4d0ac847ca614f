"""What a player of Tin Mine has, worked out from what the game told each player, and from nothing else."""

import collections
import json
import re

BEGINNING = {"depth": 0, "swings": 0, "deepest": 0}


def trip(line):
    """How deep a trip was, and its swings, where a line tells of its end."""
    found = re.fullmatch(r"You are in daylight, after (\d+) swings at (\d+) m\.", line)
    return (int(found[2]), int(found[1])) if found else None


class Model:
    """Of both machines together: no order of what they did apart changes it."""

    def __init__(self):
        self.miner, self.trips = "nobody", collections.Counter()
        self.reset()

    def reset(self):
        """What "hearth reset" starts over: all but the name and the trips."""
        self.coins = self.swings = self.deepest = self.best_sale = self.luckiest = 0
        self.bag = collections.Counter()
        self.gear, self.stones = set(), set()

    def hear(self, line):
        """Takes one line that a game has said."""
        if line.startswith(("You break rock", "You find:")):
            self.swings += 1
        if found := re.fullmatch(r"You break rock: (\d+) (\w+)\.", line):
            self.bag[found[2]] += int(found[1])
        elif found := re.fullmatch(r"You find: (.+), after (\d+) swings!", line):
            self.stones.add(found[1])
            self.luckiest = min(self.luckiest or int(found[2]), int(found[2]))
        elif found := re.fullmatch(r"You are at (\d+) m\.", line):
            self.deepest = max(self.deepest, int(found[1]))
        elif trip(line):
            self.trips[trip(line)] += 1
        elif found := re.fullmatch(r"You sell (.+) for (\d+) coins\.", line):
            for amount, ore in re.findall(r"(\d+) (\w+)", found[1]):
                self.bag[ore] -= int(amount)
            self.coins += int(found[2])
            self.best_sale = max(self.best_sale, int(found[2]))
        elif found := re.fullmatch(r"You buy a (\w+) for (\d+) coins\.", line):
            self.gear.add(found[1])
            self.coins -= int(found[2])
        elif found := re.fullmatch(r"You are (\w+)\.", line):
            self.miner = found[1]

    def differences(self, save):
        """What of a save is otherwise, one text for each place; none where it is as it must be."""
        wanted = {
            "miner": self.miner, "coins": self.coins, "swings": self.swings, "deepest": self.deepest,
            "bestSale": self.best_sale, "luckiest": self.luckiest, "shaft": BEGINNING, "gear": sorted(self.gear),
            "stones": sorted(self.stones), "trips": sorted(self.trips.elements()),
            "bag": {ore: self.bag[ore] for ore in ("tin", "copper", "silver")},
        }
        # What a reset took out of the file begins anew when the game starts.
        beginnings = {"shaft": BEGINNING, "bag": {}, "gear": [], "stones": [], "trips": []}
        shown = {name: save.get(name, beginnings.get(name, 0)) for name in wanted}
        shown["bag"] = {ore: shown["bag"].get(ore, 0) for ore in wanted["bag"]}
        shown["gear"], shown["stones"] = sorted(shown["gear"]), sorted(shown["stones"])
        shown["trips"] = sorted((trip["deepest"], trip["swings"]) for trip in shown["trips"])
        return [f"{name} is {json.dumps(shown[name])}, and must be {json.dumps(wanted[name])}"
                for name in wanted if json.dumps(shown[name]) != json.dumps(wanted[name])]
