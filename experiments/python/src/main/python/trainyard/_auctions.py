"""Auctions of several environments as arrays of one shape."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from ._infos import StepInfo
from .errors import InputError

_ENDED = ("ended_jct_seconds", "ended_wait_seconds")


def _places(counts: np.ndarray, most: int) -> "np.ndarray | slice":
    """Where packed elements stand when every environment has room for ``most``."""
    return slice(counts[0]) if len(counts) == 1 else np.flatnonzero(np.arange(most) < counts[:, None])


def _spread(packed: np.ndarray, places: "np.ndarray | slice", into: np.ndarray) -> np.ndarray:
    batch, most = into.shape[:2]
    into.reshape(batch * most, *into.shape[2:])[places] = packed
    return into


class AuctionArrays:
    """Pads the packed auctions of an answer to the same number of bids, and of pairs of bid and server."""

    def __init__(self, welcome: Dict[str, Any], max_pairs: int) -> None:
        self.max_bids = int(welcome["max_bids"])
        self.columns: List[str] = list(welcome["columns"])
        self.kinds: List[str] = list(welcome["kinds"])
        self.max_pairs = max_pairs
        self.nodes = int(welcome["nodes"])
        self.node_columns: List[str] = list(welcome.get("node_columns", []))
        self.has_graph = bool(self.node_columns)
        self.rack_of = np.asarray(welcome.get("rack_of", []), np.int64)

    def pad(self, arrays: np.ndarray) -> Dict[str, np.ndarray]:
        """Observations, an environment a row."""
        counts = arrays["bid_counts"]
        batch = len(counts)
        places = _places(counts, self.max_bids)
        observations: Dict[str, np.ndarray] = {
            "columns": _spread(arrays["columns"], places, np.zeros((batch, self.max_bids, len(self.columns)), np.float32)),
            "kind": _spread(arrays["kinds"], places, np.zeros((batch, self.max_bids), np.int64)),
            "mask": _spread(arrays["mask"], places, np.zeros((batch, self.max_bids), np.int8)),
        }
        if self.has_graph:
            self._pad_graph(arrays, observations)
        return observations

    def _pad_graph(self, arrays: np.ndarray, observations: Dict[str, np.ndarray]) -> None:
        counts = arrays["pair_counts"]
        batch = len(counts)
        if counts.max(initial=0) > self.max_pairs:
            raise InputError(f"max_pairs: {self.max_pairs} is too low: an auction has {counts.max()} servers of bids")
        observations["nodes"] = arrays["nodes"]
        observations["rack_of"] = np.broadcast_to(self.rack_of, (batch, len(self.rack_of))).copy()
        places = _places(counts, self.max_pairs)
        for name in ("bid_of", "server_of"):
            observations[name] = _spread(arrays[name], places, np.full((batch, self.max_pairs), -1, np.int64))

    def shapes(self) -> Dict[str, Tuple[Tuple[int, ...], type, float, float]]:
        """Shape, type and limits of every array of one environment."""
        infinite = float("inf")
        shapes: Dict[str, Tuple[Tuple[int, ...], type, float, float]] = {
            "columns": ((self.max_bids, len(self.columns)), np.float32, -infinite, infinite),
            "kind": ((self.max_bids,), np.int64, 0, len(self.kinds) - 1),
        }
        if self.has_graph:
            servers = len(self.rack_of)
            shapes["nodes"] = ((self.nodes, len(self.node_columns)), np.float32, -infinite, infinite)
            shapes["rack_of"] = ((servers,), np.int64, 0, int(self.rack_of.max()))
            shapes["bid_of"] = ((self.max_pairs,), np.int64, -1, self.max_bids - 1)
            shapes["server_of"] = ((self.max_pairs,), np.int64, -1, servers - 1)
        return shapes


def step_info(arrays: np.ndarray) -> StepInfo:
    """What the answer of a single environment says of its step."""
    hours = float(arrays["elapsed_hours"][0])
    return {
        "episode_number": int(arrays["episodes"][0]),
        "waiting": int(arrays["waiting"][0]),
        "running": int(arrays["running"][0]),
        "elapsed_hours": hours,
        "elapsed_seconds": 3600 * hours,
        # Tuples, for Gymnasium's own vectors take no arrays of different lengths.
        "ended_jct_seconds": tuple(arrays["ended_jct_seconds"].tolist()),
        "ended_wait_seconds": tuple(arrays["ended_wait_seconds"].tolist()),
        "discount": float(arrays["discounts"][0]),
    }


def step_infos(arrays: np.ndarray) -> Dict[str, np.ndarray]:
    """What the answer of several environments says of their steps."""
    infos = {
        "episode_number": arrays["episodes"],
        "waiting": arrays["waiting"],
        "running": arrays["running"],
        "elapsed_hours": arrays["elapsed_hours"],
        "elapsed_seconds": 3600 * arrays["elapsed_hours"],
        "discount": arrays["discounts"],
    }
    counts = arrays["ended_counts"]
    ends = np.cumsum(counts)
    for name in _ENDED:
        infos[name] = each = np.empty(len(counts), object)
        each.fill(())
        for i in np.flatnonzero(counts):
            each[i] = tuple(arrays[name][ends[i] - counts[i] : ends[i]].tolist())
    return infos
