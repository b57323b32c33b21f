"""The auctions of a config by Gymnasium's interface, one environment."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import gymnasium
import numpy as np
from gymnasium import spaces

from ._auctions import step_info
from ._client import ILLEGAL, OVER, TERMINATED, TRUNCATED
from ._infos import StepInfo
from ._pictures import picture, text
from ._spaces import AuctionNames, Observation, bids_space, connect, first_episode, flat_space, flattened, refuse_flat_graph, whole
from ._settings import one_episode, refuse_unknown_settings
from .errors import InputError

BIDS = ("columns", "kind", "mask")
"""The parts of an observation that every environment has."""


class AuctionEnv(AuctionNames, gymnasium.Env):
    """One decision is one auction: the action is the number of the bid that wins.

    An observation holds the bids, padded to ``max_bids``: ``columns`` (a row of features each), ``kind`` and ``mask`` (1 for a
    legal bid; bid 0 is to wait, which is illegal while no job runs); with ``graph`` also the data centre as a tree: ``nodes``, ``rack_of``, and the servers of bids,
    ``bid_of`` and ``server_of``, padded by -1. The reward is minus the cost of the time that passed. An illegal action does
    nothing, costs ``illegal_penalty`` and sets ``info["illegal"]``; a thousand of them in a row truncate the episode. A pickled or deep copy is of the same config and episode and
    has made the same actions.

    :param config: an experiment, a YAML file or the name of a shipped one
    :param graph: whether observations have the data centre
    :param flat: whether an observation is one Box: for every bid its columns, its kind as ones and zeros, and its legality
    :param render_mode: ``ansi``, ``rgb_array`` or None
    :param max_bids: bids that are offered at most (default: as many as an auction can have)
    :param max_pairs: room for servers of bids
    :param discount_hours: simulated hours after which a cost counts 1/e inside a step; ``info["discount"]`` is what a reward now
        counts, beside one at the last decision (default: no discount)
    :param illegal_penalty: for an illegal action
    :param auction: over the config's learner: ``order``, ``jobs``, ``sets``, ``moves``, ``patience``
    :param overrides: ``KEY=VALUE`` over values of the config
    :param server, token, time_limit, start_limit: see ``GymClient``
    """

    metadata: Dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 8}

    def __init__(
        self,
        config: str,
        *,
        graph: bool = False,
        flat: bool = False,
        max_pairs: Optional[int] = None,
        render_mode: Optional[str] = None,
        **settings: Any,
    ) -> None:
        refuse_unknown_settings(AuctionEnv, settings)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"render_mode: '{render_mode}' is not valid: expected ansi, rgb_array or None")
        refuse_flat_graph(graph, flat)
        self.render_mode = render_mode
        self._made = config, {"graph": graph, "flat": flat, "max_pairs": max_pairs, "render_mode": render_mode, **settings}
        self._is_flat = flat
        self._shows_graph = graph
        self.client, self._auctions = connect(config, 1, False, graph or render_mode == "rgb_array", max_pairs, settings)
        bids = bids_space(self._auctions)
        if not graph:
            bids = spaces.Dict({name: bids[name] for name in BIDS})
        self.observation_space: spaces.Space = flat_space(self._auctions) if flat else bids
        self.action_space = spaces.Discrete(self._auctions.max_bids)
        self._next_episode = 0
        self._played: Optional[Tuple[str, int, List[int]]] = None
        self._hours = 0.0
        self._seen: Observation = {}
        self._mask = np.zeros(self._auctions.max_bids, np.int8)

    def reset(  # type: ignore[override]
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Any, StepInfo]:
        """Begins an episode: that of ``options["episode"]`` of ``options["split"]`` (train, validation or test), else the first
        of the seed, else the one after the last."""
        following = self._next_episode if seed is None else first_episode(seed)
        super().reset(seed=None if seed is None else int(seed))
        split, episode = one_episode(options, following)
        arrays = self.client.reset([0], split, [episode])
        self._next_episode = following
        self._played = split, episode, []
        self._hours = 0.0
        if split == "train":
            self._next_episode = int(arrays["episodes"][0]) + 1
        observation, info, _ = self._answer(arrays)
        info["first_reward"] = float(arrays["first_rewards"][0])
        self.client.end_call()
        return observation, info

    def step(self, action: Any) -> Tuple[Observation, float, bool, bool, StepInfo]:  # type: ignore[override]
        actions = whole(action, 1, self._auctions.max_bids)
        arrays = self.client.step(actions)
        if self._played is not None:
            self._played[2].append(int(actions[0]))
        observation, info, flags = self._answer(arrays)
        self._hours += info["elapsed_hours"]
        self.client.end_call()
        return observation, float(arrays["rewards"][0]), bool(flags & TERMINATED), bool(flags & TRUNCATED), info

    def _answer(self, arrays: np.ndarray) -> Tuple[Any, StepInfo, int]:
        padded = self._auctions.pad(arrays)
        self._seen = {name: array[0] for name, array in padded.items()}
        self._mask = self._seen["mask"]
        observation: Any = self._seen if self._shows_graph else {name: self._seen[name] for name in BIDS}
        if self._is_flat:
            observation = flattened(padded, len(self.kinds))[0]
        flags = int(arrays["flags"][0])
        info = step_info(arrays)
        info["action_mask"] = self._mask
        info["illegal"] = bool(flags & ILLEGAL)
        if flags & OVER:
            info["mean_jct_seconds"] = float(arrays["mean_jct_seconds"][0])
        return observation, info, flags

    def render(self) -> Any:
        """The auction as lines of text, or the cluster and the auction as a picture, by ``render_mode``."""
        if self.render_mode is None or not self._seen:
            return None
        draw = picture if self.render_mode == "rgb_array" else text
        return draw(self._auctions, self._seen, self._hours)

    def __reduce__(self) -> Any:
        return _again, (type(self), self._made, self._played, self._next_episode, self.spec)

    def action_masks(self) -> np.ndarray:
        """The legal actions of the last observation, as MaskablePPO asks for them."""
        return self._mask.astype(bool)

    def outcome(self) -> Dict[str, Any]:
        """The jobs of the last finished episode, and the hash of its event log."""
        return self.client.outcome()

    def close(self) -> None:
        self.client.close()


def _again(
    kind: Any, made: Tuple[str, Dict[str, Any]], played: Optional[Tuple[str, int, List[int]]], following: int, spec: Any
) -> AuctionEnv:
    """An environment like one that was copied: of the same config, in the same episode, after the same actions."""
    env: AuctionEnv = kind(made[0], **made[1])
    env.spec = spec
    if played is not None:
        split, episode, actions = played
        env.reset(options={"split": split, "episode": episode})
        for action in actions:
            env.step(action)
    env._next_episode = following
    return env
