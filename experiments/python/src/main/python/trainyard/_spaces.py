"""What environments of one player share: their spaces, the connection, and how actions are read."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from gymnasium import spaces

from ._auctions import AuctionArrays
from ._client import GymClient
from ._settings import require_whole
from .errors import InputError

EPISODES_OF_A_SEED = 1_000_000
"""Seed s begins at training episode s times this number; the following episodes have the following numbers."""

Observation = Dict[str, np.ndarray]


def bids_space(auctions: AuctionArrays) -> spaces.Dict:
    boxes: Dict[str, spaces.Space] = {
        name: spaces.Box(low, high, shape, dtype) for name, (shape, dtype, low, high) in auctions.shapes().items()
    }
    boxes["mask"] = spaces.MultiBinary(auctions.max_bids)
    return spaces.Dict(boxes)


def connect(
    config: str,
    environments: int,
    autoreset: bool,
    graph: bool,
    max_pairs: Optional[int],
    settings: Dict[str, Any],
) -> Tuple[GymClient, AuctionArrays]:
    if max_pairs is not None:
        require_whole("max_pairs", max_pairs, 1)
    client = GymClient(config, ground="auction", environments=environments, autoreset=autoreset, graph=graph, **settings)
    most = int(client.welcome["max_bids"])
    pairs = max_pairs if max_pairs is not None else most * min(int(client.welcome["servers"]), 16)
    return client, AuctionArrays(client.welcome, pairs if graph else 0)


def whole(action: Any, count: int, most: int, place: str = "action") -> np.ndarray:
    """Actions as integers below ``most``; anything else, such as the output of a network for a Box, is refused."""
    try:
        actions = np.asarray(action)
    except ValueError:
        actions = np.empty(0)
    if actions.dtype.kind not in "iu" or actions.size != count or actions.min() < 0 or actions.max() >= most:
        expected = "a whole number" if count == 1 else f"{count} whole numbers"
        raise InputError(f"{place}: {action!r} is not valid: expected {expected} from 0 to {most - 1}, each the number of a bid") from None
    return actions.reshape(count)


def refuse_flat_graph(graph: bool, flat: bool) -> None:
    if graph and flat:
        raise InputError("flat: True is not valid with graph=True: a flat observation has the bids alone")


def flat_space(auctions: AuctionArrays) -> spaces.Box:
    width = len(auctions.columns) + len(auctions.kinds) + 1
    return spaces.Box(-np.inf, np.inf, (auctions.max_bids * width,), np.float32)


def flattened(observations: Dict[str, np.ndarray], kinds: int) -> np.ndarray:
    """For every bid its columns, its kind as one of ``kinds`` ones, and whether it is legal; an environment a row."""
    kind = np.eye(kinds, dtype=np.float32)[observations["kind"]]
    mask = observations["mask"][..., None].astype(np.float32)
    rows = np.concatenate([observations["columns"], kind, mask], axis=-1)
    return rows.reshape(len(rows), -1)


def first_episode(seed: int) -> int:
    require_whole("seed", seed, 0)
    return (seed % (1 << 40)) * EPISODES_OF_A_SEED


class AuctionNames:
    """What the columns of a bid and the kinds of bids are called."""

    _auctions: AuctionArrays

    @property
    def columns(self) -> List[str]:
        """The names of the columns of a bid."""
        return self._auctions.columns

    @property
    def kinds(self) -> List[str]:
        """The names of the kinds of bids, by number."""
        return self._auctions.kinds
