"""A machine that runs with a copy of another one's Hearth folder, as after its disk was copied."""

import shutil
import signal

from household import PORT
from lan import wait_for


def copied_home(home):
    """Both copies and nobody else say so, and the copy comes in as a new machine by what they say."""
    copy = home.hosts.pop()
    first, last = home.hosts
    home.start()
    home.pair_all()
    first.end("agent", signal.SIGTERM)
    shutil.copytree(first.folder / "hearth", copy.folder / "hearth", ignore=shutil.ignore_patterns("run"))
    for host in (first, copy):
        home.start_agent(host)
    for host, other in ((first, copy), (copy, first)):
        home.is_ready(host)
        wait_for(lambda: any(f"the machine at {other.address} runs with a copy" in trouble
                             for trouble in home.ask(host, "status")["troubles"]),
                 lambda: f"{host.name} names the copy: {home.ask(host, 'status')}", home.limit)
        said = [finding["sentence"] for finding in home.ask(host, "doctor", codes=(0, 1))["findings"]]
        assert any("a copy of this machine's Hearth folder" in sentence for sentence in said), said
    assert not home.ask(last, "status")["troubles"]

    copy.end("agent", signal.SIGTERM)
    (copy.folder / "hearth").rename(copy.folder / "away")
    home.start_agent(copy)
    home.is_ready(copy)
    home.pair(first, copy, f"{first.address}:{PORT}")
    home.hosts.append(copy)
    home.keep_save()
    home.play(first)
    home.play(copy)
    return home.meet()
