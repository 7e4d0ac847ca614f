"""Writes the manual page hearth(1) from what `hearth --experimental-dump-help` prints, so that page and --help agree.

    hearth --experimental-dump-help | manual.py VERSION > hearth.1
"""

import json
import os
import re
import sys
import time


def escaped(text):
    """Text for roff: a backslash is written as such, and neither a dot nor a quote begins a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def blocks(text):
    """The parts of a discussion between which a line is empty."""
    return list(filter(None, (block.strip("\n") for block in text.split("\n\n"))))


def paragraphs(parts):
    """Parts of a discussion: lines with an indentation are examples, and stay as they are."""
    for part in parts:
        lines = part.split("\n")
        shown = next((i for i, line in enumerate(lines) if line.startswith(" ")), len(lines))
        yield ".PP"
        yield escaped("\n".join(lines[:shown]))
        if lines[shown:]:
            yield ".nf\n" + escaped("\n".join(lines[shown:])) + "\n.fi"


def spelling(argument):
    """How an option, a flag or an argument is written."""
    value = f"\\fI{escaped(argument.get('valueName', 'value'))}\\fR"
    if argument["kind"] == "positional":
        return value
    names = ["\\-\\-" + escaped(n["name"]) if n["kind"].startswith("long") and n["kind"] != "longWithSingleDash"
             else "\\-" + escaped(n["name"]) for n in argument["names"]]
    shown = ", ".join(f"\\fB{name}\\fR" for name in names)
    return shown if argument["kind"] == "flag" else f"{shown} {value}"


def arguments(command):
    """The arguments of a command that are shown; help is said once, for all."""
    for argument in command.get("arguments", []):
        names = [n["name"] for n in argument.get("names", [])]
        if argument.get("shouldDisplay", True) and "help" not in names and "version" not in names:
            yield argument


def usage(words, command):
    parts = [f"\\fB{escaped(' '.join(words))}\\fR"]
    if any(a["kind"] != "positional" for a in arguments(command)):
        parts.append("[\\fIoptions\\fR]")
    for argument in arguments(command):
        if argument["kind"] == "positional":
            text = spelling(argument) + ("..." if argument.get("isRepeating") else "")
            parts.append(f"[{text}]" if argument.get("isOptional") else text)
    return " ".join(parts)


def commands(words, command):
    """All commands below one, in the order of the help: a verb that has commands of its own stands before them."""
    for child in command.get("subcommands", []):
        if child["commandName"] != "help" and child.get("shouldDisplay", True):
            own = words + [child["commandName"]]
            yield own, child
            yield from commands(own, child)


# What the program and the agent read. Packaging/test looks whether one is missing.
ENVIRONMENT = [
    ("HEARTH_HOME", "The folder of this installation, where no --home names one."),
    ("XDG_DATA_HOME", "Where it is an absolute path, the folder is 'hearth' in it, else '.local/share/hearth' in HOME."),
    ("NO_COLOR", "Where it is set and not empty, nothing is coloured. Neither is it on a terminal whose TERM is 'dumb'."),
    ("DISPLAY, WAYLAND_DISPLAY", "Where one is set, 'hearth page' opens the browser. On macOS SSH_CONNECTION keeps it from that."),
    ("PATH", "Where 'hearth play' looks for a game that is named without a folder."),
    ("TMPDIR", "Where 'hearth demo' makes its folder, else '/tmp'."),
    ("XDG_CONFIG_HOME", "Where 'hearth service install' puts the unit of systemd, else '.config' in HOME."),
    ("XDG_RUNTIME_DIR", "Where the control socket is, if the path of the folder is too long for one; also where the "
                        "desktop is reached that shows messages, if DBUS_SESSION_BUS_ADDRESS does not say it."),
    ("NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID", "How the agent tells systemd that it is ready and well."),
    ("JOURNAL_STREAM", "Tells the agent that its log goes to the journal, which keeps time and level itself."),
]

# What lies in the folder of an installation.
FILES = [
    ("config.yaml", "What you write for this machine: the programs of your games, and with whom backups are shared."),
    ("device.key", "The key of this machine. Whoever has a copy passes for it."),
    ("backup.key", "The key that encrypts backups, where 'hearth backup-key create' made one."),
    ("hearth.sqlite", "The record of what happened, with all that is known of each save."),
    ("proposed-rules/", "Rules that were guessed from a save, for you to read and change."),
    ("backups/", "The backups of each save, a folder each."),
    ("copies/", "Copies of the backups of other machines, where this one keeps them."),
    ("run/control.sock", "The socket through which commands and games ask the agent."),
    ("agent.log", "What the agent inside a game said; that of a service is in the journal."),
    ("page.port, page.token", "Where the page is, and the token for programs, while it is open."),
]


def entries(things):
    for name, text in things:
        yield f".TP\n.B {escaped(name)}\n{escaped(text)}"


def page(root, version, date):
    parts = blocks(root.get("discussion", ""))
    codes = [part for part in parts if part.startswith("Exit codes:")]
    if len(codes) != 1:
        sys.exit("manual.py: the discussion of hearth --help has no paragraph 'Exit codes:'")
    yield f'.TH HEARTH 1 "{date}" "Hearth {version}" "User commands"'
    yield f".SH NAME\nhearth \\- {escaped(root['abstract'].rstrip('.'))}"
    yield ".SH SYNOPSIS\n.B hearth\n.I command\n.RI [ options ]"
    yield f".SH DESCRIPTION\n{escaped(root['abstract'])}"
    yield from paragraphs(part for part in parts if part not in codes)
    yield ".SH COMMANDS\nEvery command takes \\fB\\-\\-help\\fR."
    for words, command in commands(["hearth"], root):
        yield f".SS {usage(words, command)}\n{escaped(command.get('abstract', ''))}"
        yield from paragraphs(blocks(command.get("discussion", "")))
        for argument in arguments(command):
            yield f".TP\n{spelling(argument)}\n{escaped(argument.get('abstract', ''))}"
    yield ".SH EXIT STATUS"
    yield from entries(re.findall(r"(\d+) ([^,]+?)[,.](?:\s|$)", codes[0]))
    yield ".SH ENVIRONMENT"
    yield from entries(ENVIRONMENT)
    yield ".SH FILES\nThe folder of an installation is \\fI~/.local/share/hearth\\fR, where nothing else is said. In it:"
    yield from entries(FILES)


def main():
    root = json.load(sys.stdin)["command"]
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    print("\n".join(line for line in page(root, sys.argv[1], date) if line))


main()
