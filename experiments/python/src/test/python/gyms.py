"""What the tests share: small worlds, and one server for many connections."""

from __future__ import annotations

import hashlib
import os
import time
from typing import Any, Callable, Dict, List

import numpy as np
import trainyard
from trainyard._server import ServerProcess

SMALL = ["episodes.jobs=40", "episodes.validation=2", "episodes.test=2", "workload.generator.max_gpus=16"]


class Server:
    """A server process that outlives its connections."""

    def __init__(self, config: str, overrides: List[str]) -> None:
        self.config = config
        self.own = ServerProcess(config, overrides, 120)
        self.settings: Dict[str, Any] = {"server": self.own.address}

    @property
    def pid(self) -> int:
        return self.own.process.pid

    def env(self, **settings: Any) -> Any:
        return trainyard.env(self.config, **self.settings, **settings)

    def vector_env(self, n: int, **settings: Any) -> Any:
        return trainyard.vector_env(self.config, n, **self.settings, **settings)

    def parallel_env(self, **settings: Any) -> Any:
        return trainyard.parallel_env(self.config, **self.settings, **settings)

    def close(self) -> None:
        self.own.close()


def digest(hashed: Any, observation: Dict[str, np.ndarray], *numbers: Any) -> None:
    """Adds an observation and numbers to a hash."""
    for name in sorted(observation):
        hashed.update(np.ascontiguousarray(observation[name]).tobytes())
    hashed.update(np.asarray(numbers, np.float64).tobytes())


def legal(random: np.random.Generator, mask: np.ndarray) -> int:
    """A legal action, each with equal probability."""
    return int(random.choice(np.flatnonzero(mask)))


def await_true(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition comes true within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def resident_megabytes(pid: int) -> float:
    """Memory of a process."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def new_hash() -> Any:
    return hashlib.sha256()
