"""The messages of the wire, as classes.

They are made at import time from Sync.proto, the published specification, by Debian's protoc. Nothing generated is kept
in the repository, so this peer cannot drift away from the specification unnoticed.
"""

import importlib
import subprocess
import sys
import tempfile
from pathlib import Path

SPECIFICATION = Path(__file__).resolve().parents[2] / "Sources" / "SyncProtocol" / "Messages" / "Sync.proto"


def _compile():
    with tempfile.TemporaryDirectory(prefix="wire-peer-") as folder:
        subprocess.run(
            ["protoc", f"--proto_path={SPECIFICATION.parent}", f"--python_out={folder}", SPECIFICATION.name],
            check=True,
        )
        sys.path.insert(0, folder)
        try:
            return importlib.import_module("Sync_pb2")
        finally:
            sys.path.remove(folder)


pb = _compile()
