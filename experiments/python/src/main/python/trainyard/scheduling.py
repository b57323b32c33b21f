"""Schedulers in Python: ``@trainyard.scheduler``, and what such a scheduler sees of a cluster.

``trainyard simulate --scheduler python:FILE`` plays one: a process a run, and a message over a socket an instant.
"""

from __future__ import annotations

import json
import struct
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

FREE = -1
"""What ``Cluster.owner`` says of a GPU that no job holds."""

_INSTANT = struct.Struct("<qiiiiii")
_TOUCHED = struct.Struct("<iiiiddd")
_ANSWER = struct.Struct("<iiq")
_DECISION = struct.Struct("<iii")
_WAITING, _RUNNING, _DONE = 1, 2, 3
_FITS = {"best": 0, "first": 1}
_ON_GPUS, _PREEMPT = 2, 3
_NEVER = (1 << 63) - 1
_LIVE = 5

MARKED: Dict[str, Tuple[Any, bool]] = {}
"""What ``scheduler`` has marked, by name, and whether it preempts."""


def scheduler(what: Any = None, *, preempts: bool = False) -> Any:
    """Marks a scheduler: a function of a ``Cluster``, or a class that is made with one and has ``decide(cluster)``.

    It is called at each instant at which something may be decided, and decides by ``cluster.start`` and ``cluster.preempt``.

    :param preempts: whether it takes GPUs away from running jobs; one that does not may not
    """
    if what is None:
        return lambda marked: scheduler(marked, preempts=preempts)
    MARKED[what.__name__] = (what, preempts)
    return what


class Server(NamedTuple):
    """A server; its GPUs have the numbers from ``first_gpu`` on."""

    id: int
    rack: int
    gpu_type: str
    first_gpu: int
    gpus: int


class Job:
    """A job as schedulers know it: neither its true run time nor that of others to come.

    ``account``, ``qos``, ``partition`` and ``time_limit_seconds`` are None where its log does not say them.
    ``predicted_seconds`` is the run time that was predicted at submission; ``progress_seconds`` is the work done so far, in
    seconds at the ideal rate, and ``run_seconds`` the time on GPUs.
    """

    __slots__ = (
        "id", "name", "user", "group", "virtual_cluster", "account", "qos", "partition", "time_limit_seconds", "model", "gpus", "submit_seconds", "predicted_seconds",
        "queued_since_seconds", "preemptions", "state", "_kept", "_cluster",
    )  # fmt: skip

    id: int
    name: str
    user: Optional[str]
    group: Optional[str]
    virtual_cluster: Optional[str]
    account: Optional[str]
    qos: Optional[str]
    partition: Optional[str]
    time_limit_seconds: Optional[float]
    model: str
    gpus: int
    submit_seconds: float
    predicted_seconds: float
    queued_since_seconds: float
    preemptions: int
    state: int

    def __init__(self, cluster: "Cluster", said: Dict[str, Any]) -> None:
        self._cluster = cluster
        for name, value in said.items():
            setattr(self, name, value)
        self.state = 0
        self.preemptions = 0
        self.queued_since_seconds = self.submit_seconds
        self._kept = (0.0, 0.0, 0.0, 1.0, 0.0)

    def __repr__(self) -> str:
        return f"<job {self.name}: {self.gpus} GPUs>"

    @property
    def is_waiting(self) -> bool:
        return self.state == _WAITING

    @property
    def is_running(self) -> bool:
        return self.state == _RUNNING

    @property
    def progress_seconds(self) -> float:
        return self._cluster._live(self, 0)

    @property
    def run_seconds(self) -> float:
        return self._cluster._live(self, 1)

    @property
    def rate(self) -> float:
        """Iterations per second; 0 for a job that does not run."""
        return self._cluster._live(self, 2)

    @property
    def slowdown(self) -> float:
        """Its rate alone on the same GPUs divided by that now, at least 1."""
        return self._cluster._live(self, 3)

    @property
    def may_be_preempted(self) -> bool:
        return self.is_running and self._cluster._live(self, 4) > 0

    @property
    def remaining_seconds(self) -> float:
        """What is left of the predicted run time; at least a hundredth of it."""
        return max(self.predicted_seconds - self.progress_seconds, 0.01 * self.predicted_seconds)


class Cluster:
    """The cluster and its jobs at an instant, and the decisions on them."""

    def __init__(self, said: Dict[str, Any]) -> None:
        self.seed: int = said["seed"]
        self.preempts = False
        self.servers: List[Server] = []
        first = 0
        for number, (gpus, rack, kind) in enumerate(said["servers"]):
            self.servers.append(Server(number, rack, kind, first, gpus))
            first += gpus
        self.gpus = first
        self.now_nanos = 0
        self.free = first
        """GPUs that no job holds, after the decisions so far."""
        self._owner = [FREE] * first
        self._jobs: Dict[int, Job] = {}
        self._waiting: Dict[int, Job] = {}
        self._running: Dict[int, Job] = {}
        self._values: Sequence[float] = ()
        self._ids: Sequence[int] = ()
        self._rows: Optional[Dict[int, int]] = None
        self._decisions: List[bytes] = []
        self._wake = _NEVER
        self._is_stale = False
        self._ask: Optional[Callable[[], None]] = None

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return self.now_nanos / 1e9

    @property
    def waiting(self) -> Tuple[Job, ...]:
        """The waiting jobs, in the order in which they entered the queue."""
        return tuple(self._waiting.values())

    @property
    def running(self) -> Tuple[Job, ...]:
        """The running jobs, in the order of their last starts."""
        return tuple(self._running.values())

    @property
    def owner(self) -> Sequence[int]:
        """By GPU, the id of the job that holds it, ``FREE``, or a number below for one that is out of order."""
        self._settle()
        return self._owner

    def free_gpus(self, server: Server) -> List[int]:
        """The numbers of the free GPUs of a server."""
        owner = self.owner
        return [gpu for gpu in range(server.first_gpu, server.first_gpu + server.gpus) if owner[gpu] == FREE]

    def gpus_of(self, job: Job) -> List[int]:
        """The numbers of the GPUs that a job holds."""
        return [gpu for gpu, owner in enumerate(self.owner) if owner == job.id]

    def start(self, job: Job, gpus: Optional[Sequence[int]] = None, *, fit: str = "best") -> bool:
        """Starts a waiting job, on these GPUs or where they fit; whether there were enough.

        :param fit: ``best``, which keeps a job together and leaves wide gaps for others, or ``first``, the first servers with room
        """
        if not job.is_waiting:
            raise ValueError(f"job {job.name} does not wait")
        if gpus is None:
            if fit not in _FITS:
                raise ValueError(f"fit: '{fit}' is not valid: expected best or first")
            if job.gpus > self.free:
                return False
            self._decisions.append(_DECISION.pack(_FITS[fit], job.id, 0))
            self._is_stale = True
        else:
            chosen = [int(gpu) for gpu in gpus]
            owner = self.owner
            taken = [gpu for gpu in chosen if not 0 <= gpu < self.gpus or owner[gpu] != FREE]
            if taken or len(set(chosen)) != job.gpus or len(chosen) != job.gpus:
                raise ValueError(f"job {job.name} cannot start on GPUs {chosen}: expected {job.gpus} that are free")
            self._decisions.append(_DECISION.pack(_ON_GPUS, job.id, len(chosen)) + struct.pack(f"<{len(chosen)}i", *chosen))
            for gpu in chosen:
                self._owner[gpu] = job.id
        self.free -= job.gpus
        del self._waiting[job.id]
        self._running[job.id] = job
        job.state = _RUNNING
        return True

    def preempt(self, job: Job) -> None:
        """Takes a running job off its GPUs; it waits again and keeps its progress, less what the world's restarts cost."""
        if not self.preempts:
            raise ValueError("cluster.preempt is for a scheduler that says so: @trainyard.scheduler(preempts=True)")
        if not job.may_be_preempted:
            raise ValueError(f"job {job.name} cannot be preempted now: ask job.may_be_preempted before")
        self._decisions.append(_DECISION.pack(_PREEMPT, job.id, 0))
        self._is_stale = True
        self.free += job.gpus
        del self._running[job.id]
        self._waiting[job.id] = job
        job.state = _WAITING

    def wake_at(self, seconds: float) -> None:
        """Asks to be called again at this time at the latest; otherwise it is the next event."""
        if seconds <= self.now:
            raise ValueError(f"wake_at: {seconds} is not valid: expected a time after now, {self.now}")
        self._wake = min(self._wake, int(seconds * 1e9))

    def _settle(self) -> None:
        """Lets the decisions so far be carried out, where it matters on which GPUs."""
        if self._is_stale and self._ask is not None:
            self._ask()

    def _live(self, job: Job, value: int) -> float:
        if job.state != _RUNNING:
            return job._kept[value]
        if self._rows is None:
            self._rows = {number: row for row, number in enumerate(self._ids)}
        row = self._rows.get(job.id)
        return job._kept[value] if row is None else self._values[row * _LIVE + value]

    def _take(self, payload: memoryview) -> None:
        """Takes the news of an instant."""
        self.now_nanos, is_anew, touched, servers, running, text, free = _INSTANT.unpack_from(payload)
        at = _INSTANT.size
        if is_anew:
            self._waiting.clear()
            self._running.clear()
        if text:
            for said in json.loads(bytes(payload[at : at + text])):
                self._jobs[said["id"]] = Job(self, said)
        at += (text + 7) & ~7
        for number, state, preemptions, _, since, progress, run in _TOUCHED.iter_unpack(payload[at : at + touched * _TOUCHED.size]):
            self._touch(number, state, preemptions, since, progress, run)
        at += touched * _TOUCHED.size
        self._values = payload[at : at + running * _LIVE * 8].cast("d")
        at += running * _LIVE * 8
        self._ids = payload[at : at + running * 4].cast("i")
        self._rows = None
        owners = payload[at + running * 4 :].cast("i")
        at = 0
        for _ in range(servers):
            server = self.servers[owners[at]]
            self._owner[server.first_gpu : server.first_gpu + server.gpus] = owners[at + 1 : at + 1 + server.gpus].tolist()
            at += 1 + server.gpus
        self.free = free
        self._is_stale = False

    def _touch(self, number: int, state: int, preemptions: int, since: float, progress: float, run: float) -> None:
        job = self._jobs.get(number)
        if job is None:  # Done by an earlier event of the same message.
            return
        self._waiting.pop(number, None)
        self._running.pop(number, None)
        job.state, job.preemptions, job.queued_since_seconds = state, preemptions, since
        job._kept = (progress, run, 0.0, 1.0, 0.0)
        if state == _WAITING:
            self._waiting[number] = job
        elif state == _RUNNING:
            self._running[number] = job
        elif state == _DONE:
            del self._jobs[number]

    def _answer(self, is_last: bool) -> bytes:
        """The decisions since the last answer."""
        answer = _ANSWER.pack(len(self._decisions), int(is_last), self._wake) + b"".join(self._decisions)
        self._decisions.clear()
        if is_last:
            self._wake = _NEVER
        return answer
