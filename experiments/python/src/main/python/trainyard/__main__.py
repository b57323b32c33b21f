"""``python -m trainyard COMMAND …`` runs Trainyard's command line."""

from __future__ import annotations

import os
import subprocess
import sys

from . import _launcher
from .errors import TrainyardError


def main() -> int:
    try:
        command = _launcher.command(sys.argv[1:])
    except TrainyardError as failed:
        print(f"trainyard: {failed}", file=sys.stderr)
        return 2
    if os.name == "posix":
        os.execvpe(command[0], command, _launcher.variables())
    return subprocess.call(command, env=_launcher.variables())


if __name__ == "__main__":
    sys.exit(main())
