"""The rule files for Godot and Unity, on the sample saves beside them.

`hearth check` must find nothing wrong, and a merge of what two machines played apart must hold what is written here,
place by place, whichever of both is named first.
"""

import copy
import json
import os
import subprocess
import tempfile

from machine import ROOT

EXAMPLES = ROOT / "Examples/AnyEngine"


def godot_laptop(save):
    """Godot 4.4 and later write every number as a float; so does the sample."""
    save["coins"] += 250.0
    save["inventory"]["potion"] -= 2.0
    save["levels"]["forest"].update(stars=3.0, best_time=70.25)
    save["unlocked"].append("dash")
    save["checkpoint"] = {"scene": "res://levels/forest.tscn", "x": 10.0, "y": 20.0}
    save["last_played"] = "2026-03-02T20:00:00"
    save["options"]["music"] = 0.2


def godot_deck(save):
    """An earlier Godot there writes whole numbers as such."""
    save["coins"] = int(save["coins"]) - 80
    save["inventory"]["torch"] = 4
    save["inventory"]["potion"] = int(save["inventory"]["potion"]) + 1
    save["levels"]["harbour"].update(stars=1, best_time=99.5, done=True)
    save["levels"]["forest"]["best_time"] = 71.0
    save["unlocked"].append("hook")
    save["player_level"] = 8
    save["last_played"] = "2026-03-02T21:30:00"
    save["checkpoint"]["x"] = 500


def godot_both(save, last):
    save.update(coins=1420, player_level=8, last_played="2026-03-02T21:30:00", checkpoint=last["checkpoint"])
    save["inventory"] = {"potion": 2, "rope": 1, "torch": 4}
    save["levels"]["forest"].update(stars=3, best_time=70.25)
    save["levels"]["harbour"].update(stars=1, best_time=99.5, done=True)
    save["unlocked"] = ["double_jump", "lantern", "dash", "hook"]


def unity_laptop(save):
    save["gold"] += 250
    save["inventory"] = [{"id": "potion", "count": 1}]
    save["stages"][0].update(stars=3, bestTime=70.25)
    save["achievements"].append("no_damage")
    save["scene"] = {"name": "Forest", "position": {"x": 1.0, "y": 2.0, "z": 3.0}}
    save["settings"]["quality"] = 0


def unity_deck(save):
    save["gold"] -= 80
    save["inventory"][0]["count"] += 1
    save["inventory"].append({"id": "torch", "count": 4})
    save["stages"][1].update(stars=1, bestTime=99.5)
    save["stages"].append({"id": "castle", "stars": 1, "bestTime": 0.0})
    save["achievements"].append("speedrun")
    save["level"] = 8
    save["scene"]["position"]["x"] = 40.0


def unity_both(save, last):
    """The rope is gone: the laptop sold it, and the deck did not touch it."""
    save.update(gold=1420, level=8, scene=last["scene"])
    save["inventory"] = [{"id": "potion", "count": 2}, {"id": "torch", "count": 4}]
    save["stages"][0].update(stars=3, bestTime=70.25)
    save["stages"][1].update(stars=1, bestTime=99.5)
    save["stages"].append({"id": "castle", "stars": 1, "bestTime": 0.0})
    save["achievements"] = ["first_blood", "lantern", "no_damage", "speedrun"]


# Lists to which both have added are in one order everywhere; which one comes first is not the question here.
UNORDERED = {"unlocked", "achievements", "inventory", "stages"}
ENGINES = {
    "godot": (godot_laptop, godot_deck, godot_both, "options"),
    "unity": (unity_laptop, unity_deck, unity_both, "settings"),
}


def ordered(save):
    return {name: sorted(value, key=json.dumps) if name in UNORDERED and isinstance(value, list) else value
            for name, value in save.items()}


def run(hearth, *words):
    done = subprocess.run([hearth, *map(str, words)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"hearth {' '.join(map(str, words))}: {done.stdout}{done.stderr}"
    return done.stdout


def merged(hearth, first, last, base, rules, folder):
    """What `hearth merge` makes of two saves, with each of both named first once; `last` was written after `first`."""
    paths = []
    for number, (name, save) in enumerate([("first", first), ("last", last)]):
        paths.append(os.path.join(folder, name))
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump(save, file)
        os.utime(paths[-1], (1_770_000_000 + number, 1_770_000_000 + number))
    return [json.loads(run(hearth, "merge", *order, "--base", base, "--rules", rules)) for order in (paths, paths[::-1])]


def check_samples(hearth):
    for engine, (laptop, deck, expected, local) in ENGINES.items():
        base, rules = EXAMPLES / engine / "save.json", EXAMPLES / engine / "rules.yaml"
        run(hearth, "check", base, "--rules", rules)
        sample = json.loads(base.read_text(encoding="utf-8"))
        first, last, wanted = (copy.deepcopy(sample) for _ in range(3))
        laptop(first)
        deck(last)
        expected(wanted, last)
        with tempfile.TemporaryDirectory() as folder:
            for result, here in zip(merged(hearth, first, last, base, rules, folder), (first, last)):
                wanted[local] = here[local]
                result, right = ordered(result), ordered(wanted)
                assert result == right, f"{engine}: {result}\nand must be\n{right}"
        print(f"the rules for {engine} fit its save, and merge it")
