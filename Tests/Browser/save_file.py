"""A save beside that of its machine, as its game writes and reads it."""

import json
import os
import time


class SaveFile:
    def __init__(self, path):
        self.path = path
        path.parent.mkdir(exist_ok=True)

    def write(self, document):
        self.write_text(json.dumps(document))

    def write_text(self, text):
        beside = self.path.with_suffix(".new")
        beside.write_text(text)
        os.replace(beside, self.path)

    def becomes(self, document, seconds=60):
        """Waits until the file holds a save, whatever the order of its members."""
        end, text = time.monotonic() + seconds, None
        while time.monotonic() < end:
            text = self.path.read_text() if self.path.exists() else ""
            try:
                if json.loads(text) == document:
                    return
            except ValueError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"{self.path} is still {text}, not {document}")


def shared(name, a, b, document, rules):
    """Keeps a new save on both machines; its files there."""
    one, other = (SaveFile(machine.home.parent / "more" / f"{name}.json") for machine in (a, b))
    one.write(document)
    (file := one.path.with_suffix(".yaml")).write_text(rules)
    a.ask("add", str(one.path), "--rules", str(file), "--name", name)
    end = time.monotonic() + 60
    while name not in [profile["name"] for profile in b.ask("status")["profiles"]]:
        assert time.monotonic() < end, f"{b.name} never heard of {name}"
        time.sleep(0.05)
    b.ask("restore", name, "--to", str(other.path))
    other.becomes(document)
    return one, other
