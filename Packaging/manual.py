"""Writes the manual page hearth(1) from what `hearth --experimental-dump-help` prints, so that page and --help agree.

    hearth --experimental-dump-help | manual.py VERSION > hearth.1
"""

import json
import os
import sys
import time


def escaped(text):
    """Text for roff: a backslash is written as such, and neither a dot nor a quote begins a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def paragraphs(text):
    """A discussion: blocks with an indentation are examples, and stay as they are."""
    for block in filter(None, (block.strip("\n") for block in text.split("\n\n"))):
        if block.startswith(" "):
            yield f".PP\n.nf\n{escaped(block)}\n.fi"
        else:
            yield f".PP\n{escaped(block)}"


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


def leaves(words, command):
    """The commands that do something, in the order of the help."""
    below = [c for c in command.get("subcommands", []) if c["commandName"] != "help" and c.get("shouldDisplay", True)]
    if not below:
        yield words, command
    for child in below:
        yield from leaves(words + [child["commandName"]], child)


def page(root, version, date):
    yield f'.TH HEARTH 1 "{date}" "Hearth {version}" "User commands"'
    yield f".SH NAME\nhearth \\- {escaped(root['abstract'].rstrip('.'))}"
    yield ".SH SYNOPSIS\n.B hearth\n.I command\n.RI [ options ]"
    yield f".SH DESCRIPTION\n{escaped(root['abstract'])}"
    yield from paragraphs(root.get("discussion", ""))
    yield ".SH COMMANDS\nEvery command takes \\fB\\-\\-help\\fR."
    for words, command in leaves(["hearth"], root):
        if len(words) == 1:
            continue
        yield f".SS {usage(words, command)}\n{escaped(command.get('abstract', ''))}"
        yield from paragraphs(command.get("discussion", ""))
        for argument in arguments(command):
            yield f".TP\n{spelling(argument)}\n{escaped(argument.get('abstract', ''))}"
    yield ".SH FILES\n.TP\n.I ~/.local/share/hearth\nThe key of this device, the record of what happened, and the backups."


def main():
    root = json.load(sys.stdin)["command"]
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    print("\n".join(line for line in page(root, sys.argv[1], date) if line))


main()
