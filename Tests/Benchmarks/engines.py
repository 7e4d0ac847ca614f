#!/usr/bin/env python3
"""Hearth's core beside the engines one would pick instead: loro and pycrdt (CRDTs), orjson (JSON).

  python3 -m venv V && V/bin/pip install --only-binary=:all: loro pycrdt orjson
  V/bin/python Tests/Benchmarks/engines.py [--leaves 1000,10000,100000] [--runs 5] [--rounds 3]

A flat map of N whole numbers, the same steps for everybody, through each engine's batch interface; a JSON document
of 5 MB. The engines take turns within one session, so a slow minute slows all of them: look at the ratios. Printed
are medians over the rounds with the least and the most, then for each figure ours as a part of the best peer's.
"""
import argparse
import gc
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TIMES = ["build", "load", "delta_make", "delta_apply", "merge_full", "merge_delta"]


def key(number):
    return f"s/{number:06d}"


class Loro:
    def __init__(self):
        import loro
        self.lib = loro

    def new(self, number):
        document = self.lib.LoroDoc()
        document.peer_id = number
        return document

    def fill(self, document, items):
        leaves = document.get_map("leaves")
        for name, value in items:
            leaves.insert(name, value)
        document.commit()

    def value(self, document, name):
        value = document.get_map("leaves").get(name)
        return int(getattr(value, "value", value))

    def everything(self, document):
        return document.export(self.lib.ExportMode.Snapshot())

    def seen(self, document):
        return document.oplog_vv.encode()

    def missing(self, document, seen):
        return document.export(self.lib.ExportMode.Updates(self.lib.VersionVector.decode(seen)))

    def take(self, document, data):
        document.import_(data)


class Pycrdt:
    def __init__(self):
        import pycrdt
        self.lib = pycrdt

    def new(self, number):
        document = self.lib.Doc(client_id=number)
        document["leaves"] = self.lib.Map()
        return document

    def fill(self, document, items):
        with document.transaction():
            leaves = document["leaves"]
            for name, value in items:
                leaves[name] = value

    def value(self, document, name):
        return int(document["leaves"][name])

    def everything(self, document):
        return document.get_update()

    def seen(self, document):
        return document.get_state()

    def missing(self, document, seen):
        return document.get_update(seen)

    def take(self, document, data):
        document.apply_update(data)


ENGINES = {"loro": Loro, "pycrdt": Pycrdt}


def resident_kb():
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


def measure(engine, count, runs, path):
    """One engine, one number of leaves: medians of the times in ms, and sizes."""
    times, sizes = {}, {}

    def timed(name, work):
        start = time.perf_counter_ns()
        result = work()
        times.setdefault(name, []).append((time.perf_counter_ns() - start) / 1e6)
        return result

    for run in range(runs + 1):
        if run == 1:
            times.clear()
        chance = random.Random(7)
        items = [(key(number), chance.randrange(1_000_000)) for number in range(count)]
        first = engine.new(11)
        gc.collect()
        gc.disable()
        timed("build", lambda: engine.fill(first, items))
        whole = engine.everything(first)
        sizes["full_bytes"] = len(whole)
        with open(path, "wb") as file:
            file.write(whole)

        def load():
            with open(path, "rb") as file:
                data = file.read()
            document = engine.new(22)
            engine.take(document, data)
            assert engine.value(document, key(count // 2)) == items[count // 2][1]
            return document

        second = timed("load", load)
        for step in range(21):
            name = key((count // 3 + step * 7) % count)
            seen = engine.seen(second)
            engine.fill(first, [(name, 1_234_567)])
            make = "delta_make" if step else "first_delta_make"
            delta = timed(make, lambda: engine.missing(first, seen))
            sizes["delta_bytes"] = len(delta)

            def apply():
                engine.take(second, delta)
                assert engine.value(second, name) == 1_234_567

            timed("delta_apply" if step else "first_delta_apply", apply)
        chosen = chance.sample(range(count), count // 5)
        tenth = count // 10
        engine.fill(first, [(key(number), 2_000_000 + number) for number in chosen[:tenth]])
        engine.fill(second, [(key(number), 3_000_000 + number) for number in chosen[tenth:]])
        other = engine.new(33)
        engine.take(other, engine.everything(first))
        whole, seen, sought = engine.everything(second), engine.seen(first), key(chosen[tenth])

        def merge(document, data):
            engine.take(document, data())
            assert engine.value(document, sought) == 3_000_000 + chosen[tenth]

        timed("merge_full", lambda: merge(first, lambda: whole))
        timed("merge_delta", lambda: merge(other, lambda: engine.missing(second, seen)))
        engine.take(second, engine.missing(first, engine.seen(second)))
        seen = engine.seen(second)
        engine.fill(first, [(key(chosen[0]), 9)])
        sizes["delta_after_merge_bytes"] = len(engine.missing(first, seen))
        gc.enable()
    return {**sizes, **{f"{name}_ms": statistics.median(values) for name, values in times.items()}}


def memory(engine, count, path):
    """Growth of the resident memory by a built document, and by one loaded in a process that built nothing."""
    items = [(key(number), number * 7) for number in range(count)]
    if os.fork() == 0:
        document = engine.new(1)
        engine.fill(document, items)
        with open(path, "wb") as file:
            file.write(engine.everything(document))
        os._exit(0)
    os.wait()
    figures = {}
    for name, loads in [("rss_load_kb", True), ("rss_build_kb", False)]:
        reader, writer = os.pipe()
        if os.fork() == 0:
            engine.fill(engine.new(1), [("x", 1)])
            gc.collect()
            before = resident_kb()
            document = engine.new(2)
            if loads:
                with open(path, "rb") as file:
                    engine.take(document, file.read())
                engine.value(document, key(count // 2))
            else:
                engine.fill(document, items)
            gc.collect()
            os.write(writer, str(resident_kb() - before).encode())
            os._exit(0)
        os.wait()
        figures[name] = int(os.read(reader, 32))
    return figures


def document(path):
    """About 5 MB of what saves are made of."""
    chance = random.Random(5)
    rows = {
        f"thing:{number}":
        {"name": f"Thing {number}", "count": chance.randrange(10**6), "at": [chance.random(), number],
         "done": number % 3 == 0, "note": "a word, \"quoted\", and ünïcode"}
        for number in range(38_000)
    }
    with open(path, "w") as file:
        json.dump({"version": "1.0", "things": rows}, file, separators=(",", ":"), ensure_ascii=False)


def orjson_parse(path, runs):
    import orjson
    with open(path, "rb") as file:
        data = file.read()
    values = []
    for _ in range(runs + 1):
        gc.collect()
        gc.disable()
        start = time.perf_counter_ns()
        orjson.loads(data)
        values.append((time.perf_counter_ns() - start) / 1e6)
        gc.enable()
    return {"parse_ms": statistics.median(values[1:])}


def child(arguments):
    """Every measurement in a process of its own."""
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=1800)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr.strip().splitlines()[-1:] or done.stdout[-200:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def median_text(values):
    return f"{statistics.median(values):.4g} ({min(values):.4g}..{max(values):.4g})"


def table(title, rows, names):
    print(f"\n{title}")
    for name in names:
        ours = rows["hearth"].get(name)
        if not ours:
            continue
        peers = {peer: values[name] for peer, values in rows.items() if peer != "hearth" and values.get(name)}
        text = ", ".join(f"{peer} {median_text(values)}" for peer, values in peers.items())
        best = min((statistics.median(values) for values in peers.values()), default=None)
        part = f"  = {statistics.median(ours) / best:.2f} x the best peer" if best else ""
        print(f"  {name}: hearth {median_text(ours)}, {text}{part}")


def worker(arguments):
    what, engine, count, runs = arguments
    if what == "orjson":
        return orjson_parse(engine, int(runs))
    handle, path = tempfile.mkstemp(prefix="engines-")
    os.close(handle)
    try:
        made = ENGINES[engine]()
        return measure(made, int(count), int(runs), path) if what == "time" else memory(made, int(count), path)
    finally:
        os.remove(path)


def main():
    if len(sys.argv) == 6 and sys.argv[1] == "--worker":
        print(json.dumps(worker(sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leaves", default="1000,10000,100000")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    build = ["swift", "build", "--configuration", "release", "--package-path", HERE]
    subprocess.run(build + ["--product", "enginebench"], check=True, stdout=sys.stderr)
    folder = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    ours, me, runs = f"{folder}/enginebench", [sys.executable, os.path.abspath(__file__), "--worker"], str(options.runs)

    def collect(rows, name, figures):
        for figure, value in figures.items():
            rows.setdefault(name, {}).setdefault(figure, []).append(value)

    rows = {}
    handle, path = tempfile.mkstemp(prefix="engines-", suffix=".json")
    os.close(handle)
    document(path)
    for _ in range(options.rounds):
        collect(rows, "orjson", child(me + ["orjson", path, "0", runs]))
        collect(rows, "hearth", child([ours, "document", path, runs]))
    table(f"A document of {os.path.getsize(path)} bytes", rows, ["parse_ms", "diff_ms", "values_ms"])
    os.remove(path)
    for count in options.leaves.split(","):
        rows = {}
        for _ in range(options.rounds):
            for engine in ENGINES:
                collect(rows, engine, child(me + ["time", engine, count, runs]))
                collect(rows, engine, child(me + ["memory", engine, count, runs]))
            collect(rows, "hearth", child([ours, "map", count, runs]))
        values = {key(n): random.Random(n).randrange(10**6) for n in range(int(count))}
        plain = json.dumps(values, separators=(",", ":"))
        print(f"\nzlib of the JSON of {count} leaves: {len(zlib.compress(plain.encode(), 6))} bytes")
        names = [f"{name}_ms" for name in TIMES] + ["full_bytes", "delta_bytes", "delta_after_merge_bytes"]
        more = ["rss_build_kb", "rss_load_kb", "joins_per_second", "churn_growth_bytes"]
        table(f"{count} leaves", rows, names + more)


main()
