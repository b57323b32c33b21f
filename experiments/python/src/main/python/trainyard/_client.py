"""The protocol of ``trainyard gym``, and a client of it; experiments/docs/reference/gym-protocol.md describes the protocol."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import time
import weakref
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from ._server import ServerProcess
from ._settings import SPLITS
from .errors import InputError, ProtocolError, ServerDied, TimeLimitExceeded, TrainyardError, refuse_text

PROTOCOL = 1
TERMINATED, TRUNCATED, ILLEGAL, OVER = 1, 2, 4, 8

_HELLO, _WELCOME, _RESET, _STEP, _ARRAYS, _OUTCOME, _JSON, _ERROR = 1, 2, 3, 4, 5, 6, 7, 255
_MARK = 0x5954
_HEADER = struct.Struct("<IHHQ")
_DIMENSIONS = ("batch", "bids", "pairs", "ended")
_MOST_LAYOUTS = 4096
_AT_REST, _SENT, _AMID = range(3)
_INTERRUPTED = "the last call was interrupted, or its answer not received: call reset()"
_TYPES = {"float64": "<f8", "int64": "<i8", "float32": "<f4", "int32": "<i4", "uint8": "|u1"}


def _connect(address: str, limit: float) -> socket.socket:
    kind, _, place = address.partition(":")
    if kind == "unix":
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(limit)
        try:
            connection.connect(place)
        except OSError as failed:
            connection.close()
            raise ServerDied(f"no gym listens at {address}: {failed}") from None
        return connection
    if kind != "tcp":
        raise InputError(f"server: '{address}' is not valid: expected unix:PATH or tcp:HOST:PORT")
    host, _, port = place.rpartition(":")
    try:
        connection = socket.create_connection((host.strip("[]"), int(port)), limit)
    except (OSError, ValueError) as failed:
        raise ServerDied(f"no gym listens at {address}: {failed}") from None
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _close(connections: List[socket.socket], process: Optional[ServerProcess], owner: int) -> None:
    for connection in connections:
        connection.close()
    # A fork has a copy of the connection; the server and its files stay those of the process that started it.
    if process is not None and os.getpid() == owner:
        process.close()


class GymClient:
    """Some environments of one config, in a process of their own or on a server that runs already.

    :param config: the experiment, a YAML file or the name of a shipped one
    :param ground: ``auction`` or ``offers``
    :param environments: how many
    :param overrides: ``KEY=VALUE`` over values of the config
    :param server: address of a running ``trainyard gym``; then config and overrides are that server's
    :param token: that of the server, if it has one
    :param time_limit: seconds after which a call raises ``TimeLimitExceeded``
    :param start_limit: seconds within which the server starts, on first use with its build
    :param wishes: further keys of the handshake

    A call lasts until the environment has taken over its answer and says so by ``end_call``: where ``KeyboardInterrupt`` or another exception leaves
    it before, only a reset may follow.
    """

    def __init__(
        self,
        config: str,
        *,
        ground: str = "auction",
        environments: int = 1,
        overrides: Sequence[str] = (),
        server: Optional[str] = None,
        token: Optional[str] = None,
        time_limit: float = 120,
        start_limit: float = 600,
        **wishes: Any,
    ) -> None:
        self._limit = time_limit
        self._owner = os.getpid()
        self._number = 0
        self._room = 1 << 12
        self._layouts: Dict[bytes, np.dtype] = {}
        self._why_closed: Optional[TrainyardError] = None
        self._stage = _AT_REST
        hello = {"protocol": PROTOCOL, "ground": ground, "environments": environments, "ended_jobs": True, "token": token, **wishes}
        try:
            self._hello = json.dumps({key: value for key, value in hello.items() if value is not None}).encode()
        except TypeError as wrong:
            raise InputError(f"settings: {wrong}") from None
        self.environments = environments
        refuse_text("overrides", overrides)
        self._process = ServerProcess(str(config), overrides, start_limit) if server is None else None
        self._address = server or self._process.address  # type: ignore[union-attr]
        self._connections: List[socket.socket] = []
        self._finalizer = weakref.finalize(self, _close, self._connections, self._process, self._owner)
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def _greet(self) -> None:
        """Makes a connection in place of the last one, of which an answer or a part of one may be left."""
        self._stage = _AMID
        while self._connections:
            self._connections.pop().close()
        self._connections.append(_connect(self._address, self._limit))
        self._socket = self._connections[0]
        self._write(_HELLO, self._hello)
        self.welcome: Dict[str, Any] = json.loads(self._receive(_WELCOME).tobytes())
        if self.welcome.get("protocol") != PROTOCOL:
            raise ProtocolError(f"the server speaks version {self.welcome.get('protocol')}, not {PROTOCOL}")
        self.agents = int(self.welcome["agents"])
        self._arrays_of_answers: List[Tuple[str, str, int, List[int]]] = [
            (array["name"], _TYPES[array["dtype"]], _DIMENSIONS.index(array["shape"][0]), array["shape"][1:]) for array in self.welcome["arrays"]
        ]
        self.end_call()

    @property
    def server_pid(self) -> Optional[int]:
        """The id of our own server's process."""
        return None if self._process is None else self._process.process.pid

    def reset(self, which: Iterable[int], split: str, episodes: Iterable[int]) -> np.ndarray:
        """Begins episodes in some environments; the arrays are those of these environments, in this order, each a field of the answer.

        After a call that was interrupted it begins with a new connection, whose environments have no episodes yet.
        """
        which = list(which)
        if self._stage != _AT_REST and self._why_closed is None:
            self._require_owner()
            if len(which) < self.environments:
                raise InputError(f"reset: {_INTERRUPTED} of all environments")
            self._greet()
        parts = [struct.pack("<iiq", i, SPLITS[split], int(episode)) for i, episode in zip(which, episodes)]
        return self._arrays(self._call(_RESET, struct.pack("<i", len(parts)) + b"".join(parts), _ARRAYS))

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Steps all environments."""
        self.send_step(actions)
        return self.receive_step()

    def send_step(self, actions: np.ndarray) -> None:
        """Sends the actions of a step, whose arrays ``receive_step`` returns."""
        self._send(_STEP, actions.astype("<i4").tobytes())

    def receive_step(self) -> np.ndarray:
        """The arrays of the step that was sent."""
        return self._arrays(self._receive(_ARRAYS))

    def outcome(self, environment: int = 0) -> Dict[str, Any]:
        """The jobs of the last episode that an environment finished, and the hash of its event log."""
        result: Dict[str, Any] = json.loads(self._call(_OUTCOME, struct.pack("<i", environment), _JSON).tobytes())
        self.end_call()
        return result

    def _arrays(self, payload: np.ndarray) -> np.ndarray:
        key = payload[:16].tobytes()
        layout = self._layouts.get(key)
        if layout is None:
            if len(self._layouts) == _MOST_LAYOUTS:
                self._layouts.clear()
            layout = self._layouts[key] = self._layout(struct.unpack("<iiii", key))
        return np.ndarray((), layout, payload)

    def _layout(self, sizes: Sequence[int]) -> np.dtype:
        """An answer as a record, whose fields are its arrays, for these sizes of the dimensions."""
        formats: List[np.dtype] = []
        offsets: List[int] = []
        at = 16
        for _, dtype, dimension, rest in self._arrays_of_answers:
            formats.append(np.dtype((dtype, (sizes[dimension], *rest))))
            offsets.append(at)
            at = (at + formats[-1].itemsize + 7) & ~7
        return np.dtype({"names": [name for name, *_ in self._arrays_of_answers], "formats": formats, "offsets": offsets})

    def _call(self, kind: int, payload: bytes, expected: int) -> np.ndarray:
        self._send(kind, payload)
        return self._receive(expected)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise InputError(
            "an environment belongs to a running server and cannot be pickled or copied: make another one of the same config and "
            "begin the same episode with reset(seed=...), make several with trainyard.vector_env(config, n), and give worker "
            "processes a function that makes their own"
        )

    def _require_owner(self) -> None:
        if os.getpid() != self._owner:
            raise InputError(
                f"this environment belongs to process {self._owner}, of which this one is a fork: make an environment in each "
                "process, after the fork, or start processes with multiprocessing's method 'spawn'"
            )

    def _send(self, kind: int, payload: bytes) -> None:
        self._require_owner()
        if self._why_closed is not None:
            raise type(self._why_closed)(str(self._why_closed))
        if self._stage != _AT_REST:
            raise InputError(_INTERRUPTED)
        self._write(kind, payload)

    def end_call(self) -> None:
        """Lets the next call follow."""
        self._stage = _AT_REST

    def _write(self, kind: int, payload: bytes) -> None:
        self._stage = _AMID
        self._number += 1
        self._deadline = time.monotonic() + self._limit
        try:
            self._socket.sendall(_HEADER.pack(len(payload), kind, _MARK, self._number) + payload)
        except OSError as failed:
            raise self._broken(failed) from None
        self._stage = _SENT

    def _receive(self, expected: int) -> np.ndarray:
        self._require_owner()
        if self._stage != _SENT:
            raise InputError("receive: nothing was sent: call send() first" if self._stage == _AT_REST else _INTERRUPTED)
        self._stage = _AMID
        try:
            # One read brings the whole answer where it is no longer than those before. It stays, for the arrays are views of it.
            answer = np.empty(self._room, np.uint8)
            filled = self._fill(answer, 0, _HEADER.size)
            length, kind, mark, number = _HEADER.unpack_from(answer)
            end = _HEADER.size + length
            if mark != _MARK or number != self._number or filled > end:
                raise self._fail(ProtocolError("the server's answer is no frame of this protocol"))
            if end > self._room:
                self._room = end + end // 4
                answer = np.concatenate([answer[:filled], np.empty(end - filled, np.uint8)])
            self._fill(answer, filled, end)
            payload = answer[_HEADER.size : end]
        except OSError as failed:
            if isinstance(failed, TrainyardError):
                raise
            raise self._broken(failed) from None
        if kind == _ERROR:
            said = json.loads(payload.tobytes())
            if said["kind"] == "input":
                self.end_call()
                raise InputError(said["message"])
            raise self._fail(ServerDied(f"the server failed: {said['message']}"))
        if kind != expected:
            raise self._fail(ProtocolError(f"the server answered with type {kind}, not {expected}"))
        return payload

    def _fill(self, answer: np.ndarray, filled: int, least: int) -> int:
        while filled < least:
            count = self._socket.recv_into(answer[filled:].data)
            if count == 0:
                raise ConnectionResetError("the connection was closed")
            filled += count
            if filled < least and time.monotonic() > self._deadline:
                raise TimeoutError
        return filled

    def _broken(self, why: OSError) -> TrainyardError:
        if isinstance(why, (TimeoutError, socket.timeout)):
            return self._fail(TimeLimitExceeded(f"a call took longer than {self._limit:g} s; the environment is closed"))
        if self._process is None:
            return self._fail(ServerDied(f"the connection to the gym has ended: {why}"))
        try:
            code: Any = self._process.process.wait(2)
        except subprocess.TimeoutExpired:
            code = None
        ending = "its connection was closed" if code is None else f"it ended with code {code}"
        words = self._process.last_words("")
        return self._fail(ServerDied(f"the gym's server has died: {ending}" + (f"; it said: {words}" if words else "")))

    def _fail(self, why: TrainyardError) -> TrainyardError:
        if self._process is not None:
            self._process.kill()
        self.close(why)
        return why

    def close(self, why: Optional[TrainyardError] = None) -> None:
        """Ends the connection and our own server. Later calls raise an error."""
        if self._why_closed is None:
            self._why_closed = why or TrainyardError("the environment is closed")
        self._finalizer()
