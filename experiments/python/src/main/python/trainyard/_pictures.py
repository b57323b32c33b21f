"""An auction as text, and the cluster with its auction as a picture."""

from __future__ import annotations

from typing import Dict

import numpy as np

from ._auctions import AuctionArrays

_CELL = 18
_BAR = 3
_WIDTH = 640
_EMPTY = np.array([236, 239, 241])
_FULL = np.array([0, 94, 162])
_LEGAL = np.array([230, 120, 0])
_CLOSED = np.array([200, 200, 200])
_BIDS_IN_TEXT = 8


def text(auctions: AuctionArrays, seen: Dict[str, np.ndarray], hours: float) -> str:
    """The time, how many bids of each kind are legal, and the first of them."""
    legal = np.flatnonzero(seen["mask"])
    kinds = [auctions.kinds[kind] for kind in seen["kind"][legal]]
    counts = ", ".join(f"{kinds.count(kind)} {kind.lower()}" for kind in auctions.kinds if kind in kinds)
    lines = [f"after {hours:.2f} h: {len(legal)} legal bids ({counts})", f"{'bid':>4} {'kind':<10} {'gpus':>7} {'waited':>7} {'servers':>7}"]
    shown = [auctions.columns.index(name) for name in ("GPUS", "WAITED", "SERVERS")]
    for bid, kind in list(zip(legal, kinds))[:_BIDS_IN_TEXT]:
        values = " ".join(f"{seen['columns'][bid, column]:7.3f}" for column in shown)
        lines.append(f"{bid:>4} {kind.lower():<10} {values}")
    return "\n".join(lines)


def picture(auctions: AuctionArrays, seen: Dict[str, np.ndarray], hours: float) -> np.ndarray:
    """A row of cells a rack, a cell a server, filled by what its jobs hold; below, a bar a bid, coloured where it is legal.

    Magnified by a whole number until it is wide enough to be read on a screen.
    """
    held = 1 - np.clip(seen["nodes"][:, auctions.node_columns.index("FREE")], 0, 1)
    racks = [np.flatnonzero(auctions.rack_of == rack) for rack in range(int(auctions.rack_of.max()) + 1)]
    width = max(max(len(rack) for rack in racks) * _CELL, auctions.max_bids * _BAR)
    image = np.full((len(racks) * _CELL + _CELL, width, 3), 255, np.uint8)
    for y, rack in enumerate(racks):
        for x, server in enumerate(rack):
            cell = image[y * _CELL + 1 : (y + 1) * _CELL - 1, x * _CELL + 1 : (x + 1) * _CELL - 1]
            cell[:] = _EMPTY
            cell[len(cell) - int(round(held[server] * len(cell))) :] = _FULL
    bars = image[-_CELL + 2 :]
    for bid, legal in enumerate(seen["mask"]):
        bars[:, bid * _BAR : (bid + 1) * _BAR - 1] = _LEGAL if legal else _CLOSED
    times = -(-_WIDTH // width)
    return image.repeat(times, 0).repeat(times, 1)
