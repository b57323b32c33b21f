"""A ``trainyard gym`` of our own, started on demand."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Sequence

from . import _launcher
from .errors import InputError, ProtocolError, ServerDied, TimeLimitExceeded, TrainyardError

_PATIENCE = 1.5
"""Seconds after which a start says what it waits for."""


class ServerProcess:
    """A ``trainyard gym`` of our own: started with a pipe on its standard input, so that it ends when we do."""

    def __init__(self, config: str, overrides: Sequence[str], start_limit: float) -> None:
        self.folder = tempfile.mkdtemp(prefix="trainyard")
        path = os.path.join(self.folder, "gym.sock")
        arguments = ["gym", _launcher.config_file(config), "--socket", path, "--attached"]
        for override in overrides:
            arguments += ["--set", override]
        self._log = open(os.path.join(self.folder, "stderr"), "w+b")
        try:
            self.process = subprocess.Popen(
                _launcher.command(arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=_launcher.variables(),
                # Not in the group of the terminal or the notebook, whose Ctrl-C is meant for us alone.
                start_new_session=True,
            )
        except OSError as failed:
            self._remove()
            raise TrainyardError(f"trainyard gym could not be started: {failed}") from None
        try:
            self.address = self._address(time.monotonic() + start_limit, start_limit)
        except BaseException:
            self.close(patience=0)
            raise

    def _address(self, deadline: float, limit: float) -> str:
        out = self.process.stdout
        assert out is not None
        line = b""
        told = False
        while not line.endswith(b"\n"):
            left = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([out], [], [], left if told else min(left, _PATIENCE))
            if not ready and not told and left > _PATIENCE:
                told = True
                print(f"trainyard: waiting for the simulator: {self.last_words('Java starts')}", file=sys.stderr)
                continue
            if not ready:
                raise TimeLimitExceeded(f"trainyard gym did not start within {limit:g} s")
            piece = os.read(out.fileno(), 4096)
            if not piece:
                code = self.process.wait()
                raise (InputError if code == 2 else ServerDied)(self.last_words(f"trainyard gym ended with code {code}"))
            line += piece
        try:
            return str(json.loads(line)["listening"])
        except (ValueError, KeyError):
            raise ProtocolError(f"trainyard gym began with {line!r}, not with its address") from None

    def last_words(self, without: str) -> str:
        """The last line that the process reported."""
        self._log.flush()
        lines = [line for line in Path(self._log.name).read_text("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1] if lines else without

    def close(self, patience: float = 5) -> None:
        """Ends the process: closes its standard input, and kills it when that does not help."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()
        self._remove()

    def kill(self) -> None:
        """Kills the process and those that it has started, such as its build."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    def _remove(self) -> None:
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
