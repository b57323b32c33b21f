"""The process in which the command line plays schedulers of a Python file: ``python -m trainyard._scheduler_runs FILE SOCKET``.

It loads the file once, prints a line of JSON with what it found, and forks for each connection, which is one run.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import inspect
import json
import os
import signal
import socket
import struct
import sys
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, Sequence

from .scheduling import MARKED, Cluster

_DECISIONS, _ERROR = 9, 255
_MARK = 0x5954
_HEADER = struct.Struct("<IHHQ")


class _Refused(Exception):
    """One line for the user."""


class _File:
    """A file with marked schedulers."""

    def __init__(self, named: str) -> None:
        path, colon, name = named.rpartition(":")
        if not colon or not name.isidentifier():
            path, name = named, ""
        self.path = Path(path).resolve()
        if not self.path.is_file():
            raise _Refused(f"{path}: no such file")
        MARKED.clear()
        spec = importlib.util.spec_from_file_location(self.path.stem, self.path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        sys.path.insert(0, str(self.path.parent))
        try:
            spec.loader.exec_module(module)
        except Exception as failed:
            raise self.blamed(failed) from failed
        if name and name not in MARKED:
            raise _Refused(f"{path}: has no '{name}' marked by @trainyard.scheduler: expected one of {', '.join(MARKED) or 'some'}")
        if not name and len(MARKED) != 1:
            has = f"has {', '.join(MARKED)}: name one, python:{path}:NAME" if MARKED else "has nothing marked by @trainyard.scheduler"
            raise _Refused(f"{path}: {has}")
        self.name = name or next(iter(MARKED))
        self.what, self.preempts = MARKED[self.name]

    def about(self) -> Dict[str, Any]:
        lines = (inspect.getdoc(self.what) or "").splitlines()
        return {
            "name": self.name,
            "description": lines[0].rstrip(".") if lines else "a scheduler in Python",
            "preempts": self.preempts,
            "sha256": hashlib.sha256(self.path.read_bytes()).hexdigest(),
        }

    def made(self, cluster: Cluster) -> Callable[[Cluster], Any]:
        """The scheduler for one run."""
        cluster.preempts = self.preempts
        decide = self.what(cluster).decide if inspect.isclass(self.what) else self.what

        def checked(state: Cluster) -> None:
            returned = decide(state)
            if returned is not None:
                raise TypeError(f"{self.name} returned {returned!r}: jobs are started and preempted by cluster.start and cluster.preempt")

        return checked

    def blamed(self, failed: BaseException) -> _Refused:
        """A failure with the last line of the file that took part in it."""
        words = " ".join(str(failed).split())
        if isinstance(failed, SyntaxError) and failed.filename:
            return _Refused(f"{failed.filename}:{failed.lineno}: SyntaxError: {failed.msg}")
        lines = [frame.lineno for frame in traceback.extract_tb(failed.__traceback__) if frame.filename == str(self.path)]
        place = f"{self.path}:{lines[-1]}" if lines else str(self.path)
        return _Refused(f"{place}: {type(failed).__name__}: {words}")


class _Run:
    """One run of a simulation, from its hello to the end of its connection."""

    def __init__(self, connection: socket.socket, file: _File) -> None:
        self._connection = connection
        self._file = file
        self._number = 0
        self._buffer = bytearray(1 << 16)

    def play(self) -> None:
        try:
            cluster = Cluster(json.loads(bytes(self._read())))
            cluster._ask = lambda: self._settle(cluster)
            decide = self._file.made(cluster)
            while True:
                cluster._take(self._read())
                decide(cluster)
                self._send(_DECISIONS, cluster._answer(True))
        except (EOFError, OSError):
            return
        except Exception as failed:
            self._read_pending()
            self._send(_ERROR, json.dumps({"kind": "input", "message": str(self._file.blamed(failed))}).encode())

    def _settle(self, cluster: Cluster) -> None:
        self._send(_DECISIONS, cluster._answer(False))
        cluster._take(self._read())

    def _read_pending(self) -> None:
        """A failure before the first instant is the answer to that instant."""
        if self._number < 2:
            self._read()

    def _read(self) -> memoryview:
        header = self._fill(_HEADER.size)
        length, _, mark, self._number = _HEADER.unpack(header)
        if mark != _MARK:
            raise EOFError
        return self._fill(length)

    def _fill(self, length: int) -> memoryview:
        if length > len(self._buffer):
            self._buffer = bytearray(2 * length)
        view = memoryview(self._buffer)[:length]
        at = 0
        while at < length:
            count = self._connection.recv_into(view[at:])
            if count == 0:
                raise EOFError
            at += count
        return view

    def _send(self, kind: int, payload: bytes) -> None:
        self._connection.sendall(_HEADER.pack(len(payload), kind, _MARK, self._number) + payload)


def _serve(listener: socket.socket, file: _File) -> None:
    """A process for each connection."""
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            try:
                _Run(connection, file).play()
                sys.stdout.flush()
            finally:
                os._exit(0)
        connection.close()


def _guard(path: str) -> None:
    """Returns in a child, which runs what users wrote; this process waits for the end of its standard input, and ends their whole group."""
    with contextlib.suppress(PermissionError):
        # A leader of a session has a group of its own.
        os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    if os.fork() == 0:
        os.dup2(nothing, 0)
        return
    # The parent sees the end of our output where the child ends.
    os.dup2(nothing, 1)
    while os.read(0, 4096):
        pass
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    with contextlib.suppress(OSError):
        os.rmdir(os.path.dirname(path))
    os.killpg(0, signal.SIGKILL)


def main(arguments: Sequence[str]) -> int:
    named, path = arguments
    _guard(path)
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        file = _File(named)
    except _Refused as refused:
        print(json.dumps({"refused": str(refused)}), file=answer, flush=True)
        return 2
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen(64)
        print(json.dumps({"listening": path, **file.about()}), file=answer, flush=True)
        _serve(listener, file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
