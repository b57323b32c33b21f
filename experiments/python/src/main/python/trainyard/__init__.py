"""Environments for GPU-cluster schedulers, and Trainyard's command line, from Python.

``env``, ``vector_env`` and ``parallel_env`` make environments by Gymnasium's and PettingZoo's interfaces; ``simulate`` and
``evaluate`` run the command line and return tables; ``scheduler`` marks a scheduler for it. The simulator is a Java process that is
started on demand. Where Gymnasium is installed, ``gymnasium.make("Trainyard/TwoGenerations-v1")`` makes any world that
ships, after ``import trainyard`` or as ``"trainyard:Trainyard/TwoGenerations-v1"``; ``ids`` lists them.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from . import _worlds
from ._infos import StepInfo
from ._tables import evaluate, simulate
from .errors import InputError, MissingPackage, ProtocolError, ServerDied, TimeLimitExceeded, TrainyardError
from .scheduling import scheduler

if TYPE_CHECKING:
    from .gymnasium_envs import AuctionEnv
    from .pettingzoo_envs import AuctionParallelEnv
    from .vector_envs import AuctionVectorEnv

ids = _worlds.ids
if find_spec("gymnasium") is not None:
    _worlds.register()

__version__ = "0.1.0"

__all__ = [
    "InputError",
    "MissingPackage",
    "ProtocolError",
    "ServerDied",
    "StepInfo",
    "TimeLimitExceeded",
    "TrainyardError",
    "env",
    "evaluate",
    "ids",
    "parallel_env",
    "scheduler",
    "simulate",
    "vector_env",
]


def _needs(package: str, function: str) -> None:
    try:
        __import__(package)
    except ImportError:
        raise MissingPackage(f"trainyard.{function} needs {package}: run 'pip install {package}'") from None


def env(config: str, **settings: Any) -> "AuctionEnv":
    """A Gymnasium environment on the auctions of a config; see ``AuctionEnv`` for the settings."""
    _needs("gymnasium", "env")
    from .gymnasium_envs import AuctionEnv

    return AuctionEnv(config, **settings)


def vector_env(config: str, n: int, **settings: Any) -> "AuctionVectorEnv":
    """``n`` such environments in one process, stepped together; see ``AuctionVectorEnv`` for the settings."""
    _needs("gymnasium", "vector_env")
    from .vector_envs import AuctionVectorEnv

    return AuctionVectorEnv(config, n, **settings)


def parallel_env(config: str, **settings: Any) -> "AuctionParallelEnv":
    """A PettingZoo environment with an agent per domain, each of which offers bids at prices; see ``AuctionParallelEnv`` for the settings."""
    _needs("gymnasium", "parallel_env")
    _needs("pettingzoo", "parallel_env")
    from .pettingzoo_envs import AuctionParallelEnv

    return AuctionParallelEnv(config, **settings)
