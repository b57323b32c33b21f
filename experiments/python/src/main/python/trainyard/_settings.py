"""What is given to environments by name: settings when they are made, and options of ``reset``. What nobody knows is refused."""

from __future__ import annotations

import difflib
import inspect
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from .errors import InputError, did_you_mean

SPLITS = {"train": 0, "validation": 1, "test": 2}

_OPTIONS = ("episode", "split")
_CONNECTION = ("overrides", "server", "token", "time_limit", "start_limit")
_WISHES = ("auction", "discount_hours", "horizon_hours", "illegal_penalty", "max_bids", "stride")
_FEW = 5


def refuse_unknown(place: str, given: Iterable[Any], known: Sequence[str]) -> None:
    """One error for the first unknown key, with the nearest known one."""
    for key in given:
        if key in known:
            continue
        word = str(key)
        near = sorted(known, key=lambda name: -difflib.SequenceMatcher(None, word.lower(), name).ratio())
        meant = did_you_mean(word.lower(), near[:1])
        more = f" and {len(near) - _FEW} more" if len(near) > _FEW else ""
        raise InputError(f"{place}: unknown key '{word}'{meant}: expected one of {', '.join(near[:_FEW])}{more}")


def require_whole(place: str, given: Any, least: int) -> None:
    """Refuses what is no whole number of at least ``least``."""
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < least:
        raise InputError(f"{place}: {given!r} is not valid: expected a whole number of at least {least}")


def refuse_unknown_settings(environment: type, settings: Dict[str, Any], *further: str) -> None:
    """Refuses settings that neither the environment's constructor nor the server takes, before a server is started."""
    parameters = inspect.signature(environment).parameters.values()
    own = [parameter.name for parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    refuse_unknown("settings", settings, [*own, *_WISHES, *further, *_CONNECTION])


def read_options(options: Optional[Dict[str, Any]], *further: str) -> Tuple[str, Optional[np.ndarray], Dict[str, Any]]:
    """The split, the numbers of episodes when they are given, and the options by the ``further`` keys."""
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise InputError(f"options: {options!r} is not valid: expected a dict with {' and '.join(_OPTIONS)}")
    refuse_unknown("options", options, [*_OPTIONS, *further])
    split = options.get("split", "train")
    if split not in list(SPLITS):
        raise InputError(f"options, split: '{split}' is not valid: expected one of {', '.join(SPLITS)}")
    episode = options.get("episode")
    if episode is None and split != "train":
        raise InputError(f"options, episode: none is given: expected the number of a {split} episode, such as 0")
    rest = {key: options[key] for key in further if key in options}
    return split, None if episode is None else _whole_numbers(episode), rest


def _whole_numbers(episode: Any) -> np.ndarray:
    try:
        numbers = np.asarray(episode)
    except ValueError:
        numbers = np.empty(0)
    if numbers.dtype.kind not in "iu" or numbers.min(initial=0) < 0 or numbers.max(initial=0) >= 1 << 63:
        raise InputError(f"options, episode: {episode!r} is not valid: expected a whole number of at least 0")
    return numbers.astype(np.int64)


def one_episode(options: Optional[Dict[str, Any]], following: int) -> Tuple[str, int]:
    """The split and the episode that one environment is to play: the following one where the options name none."""
    split, episode, _ = read_options(options)
    if episode is None:
        return split, following
    if episode.shape != ():
        raise InputError(f"options, episode: {episode.tolist()} is not valid: expected one number")
    return split, int(episode)


def each_episode(episode: np.ndarray, count: int) -> np.ndarray:
    """The numbers of episodes of several environments: one for each, or the same for all."""
    if episode.shape not in ((), (1,), (count,)):
        raise InputError(f"options, episode: {episode.tolist()} is not valid: expected one number, or {count}")
    return np.broadcast_to(episode, (count,))


def reset_mask(mask: Any, count: int) -> List[int]:
    """The environments that are to be reset, of Gymnasium's ``reset_mask``; all without one."""
    if mask is None:
        return list(range(count))
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (count,) or not mask.any():
        raise InputError(f"options, reset_mask: {mask!r} is not valid: expected an array of {count} bools, at least one of them True")
    return [int(i) for i in np.flatnonzero(mask)]
