"""Auctions of several environments as arrays of one shape."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from .errors import InputError


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
        self._places = np.arange(self.max_bids)
        self._pair_places = np.arange(max_pairs)

    def pad(self, arrays: Dict[str, np.ndarray]) -> Dict[str, np.ndarray]:
        """Observations, an environment a row."""
        counts = arrays["bid_counts"]
        batch = len(counts)
        is_bid = self._places < counts[:, None]
        columns = np.zeros((batch, self.max_bids, len(self.columns)), np.float32)
        kind = np.zeros((batch, self.max_bids), np.int64)
        mask = np.zeros((batch, self.max_bids), np.int8)
        columns[is_bid] = arrays["columns"]
        kind[is_bid] = arrays["kinds"]
        mask[is_bid] = arrays["mask"]
        observations: Dict[str, np.ndarray] = {"columns": columns, "kind": kind, "mask": mask}
        if self.has_graph:
            self._pad_graph(arrays, observations)
        return observations

    def _pad_graph(self, arrays: Dict[str, np.ndarray], observations: Dict[str, np.ndarray]) -> None:
        counts = arrays["pair_counts"]
        batch = len(counts)
        if counts.max(initial=0) > self.max_pairs:
            raise InputError(f"max_pairs: {self.max_pairs} is too low: an auction has {counts.max()} servers of bids")
        is_pair = self._pair_places < counts[:, None]
        bid_of = np.full((batch, self.max_pairs), -1, np.int64)
        server_of = np.full((batch, self.max_pairs), -1, np.int64)
        bid_of[is_pair] = arrays["bid_of"]
        server_of[is_pair] = arrays["server_of"]
        observations["nodes"] = arrays["nodes"]
        observations["rack_of"] = np.broadcast_to(self.rack_of, (batch, len(self.rack_of))).copy()
        observations["bid_of"] = bid_of
        observations["server_of"] = server_of

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
