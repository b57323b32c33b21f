"""The auctions of a config by Gymnasium's interface, several environments stepped together."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._client import ILLEGAL, TERMINATED, TRUNCATED
from ._spaces import (
    EPISODES_OF_A_SEED,
    AuctionNames,
    Observation,
    bids_space,
    connect,
    first_episode,
    flat_space,
    flattened,
    refuse_flat_graph,
    whole,
)
from .errors import InputError

_ENDS = np.array([[TERMINATED], [TRUNCATED]], np.int32)
_TOLD = ("action_mask", "episode_number", "discount", "elapsed_hours", "illegal")


def make_vector(config: str, num_envs: int = 1, **settings: Any) -> "AuctionVectorEnv":
    """What ``gymnasium.make_vec`` calls."""
    return AuctionVectorEnv(config, num_envs, **settings)


class AuctionVectorEnv(AuctionNames, VectorEnv):
    """``n`` environments like ``AuctionEnv`` in one server, stepped together; the settings are the same.

    An episode that ends is followed by the next one in the same step (``AutoresetMode.SAME_STEP``): the observation is the first of the new
    episode, and ``infos["final_obs"]`` and ``infos["final_info"]`` are the last of the old one, with ``mean_jct_seconds``.

    :param stride: the number of the next episode less that of the last
    """

    metadata: Dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        config: str,
        n: int,
        *,
        graph: bool = False,
        flat: bool = False,
        max_pairs: Optional[int] = None,
        render_mode: Optional[str] = None,
        **settings: Any,
    ) -> None:
        if n < 1:
            raise InputError(f"n: '{n}' is not valid: expected at least 1 environment")
        if render_mode is not None:
            raise InputError(f"render_mode: '{render_mode}' is not valid: expected None; single environments are rendered")
        refuse_flat_graph(graph, flat)
        self.render_mode = None
        self._is_flat = flat
        self.client, self._auctions = connect(config, n, True, graph, max_pairs, settings)
        self.num_envs = n
        self.single_observation_space = flat_space(self._auctions) if flat else bids_space(self._auctions)
        self.single_action_space = spaces.Discrete(self._auctions.max_bids)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._mask = np.zeros((n, self._auctions.max_bids), np.int8)
        self._next_episodes = np.arange(n, dtype=np.int64) * EPISODES_OF_A_SEED
        self._every = np.ones(n, bool)
        self._told = {f"_{name}": self._every for name in _TOLD}
        self._none: Observation = {
            name: np.zeros(shape, dtype) - (name in ("bid_of", "server_of"))
            for name, (shape, dtype, _, _) in self._auctions.shapes().items()
        }
        self._none["mask"] = np.zeros(self._auctions.max_bids, np.int8)

    def reset(
        self,
        *,
        seed: "Optional[int | Sequence[Optional[int]]]" = None,
        options: Optional[Dict[str, Any]] = None,
    ) -> Tuple[Observation, Dict[str, Any]]:
        """Begins episodes: those of ``options["episode"]`` (a number for each environment) of ``options["split"]``, else the first of
        each environment's seed (seed + i, when one number is given), else the next ones."""
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seed = [int(seed) + i for i in range(self.num_envs)]
        for i, own in enumerate(seed or []):
            if own is not None:
                self._next_episodes[i] = first_episode(own)
        options = options or {}
        episodes = np.broadcast_to(np.asarray(options.get("episode", self._next_episodes), np.int64), (self.num_envs,))
        split = options.get("split", "train")
        arrays = self.client.reset(range(self.num_envs), split, episodes)
        if split == "train":
            self._next_episodes = arrays["episodes"] + 1
        observations, infos = self._answer(arrays)
        infos["first_reward"] = arrays["first_rewards"]
        infos["_first_reward"] = self._every
        return observations, infos

    def step(self, actions: Any) -> Tuple[Observation, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        self.send(actions)
        return self.receive()

    def send(self, actions: Any) -> None:
        """The first half of ``step``: the server steps while this process does something else."""
        self.client.send_step(whole(actions, self.num_envs, self._auctions.max_bids))

    def receive(self) -> Tuple[Observation, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """The second half of ``step``."""
        arrays = self.client.receive_step()
        observations, infos = self._answer(arrays)
        terminated, truncated = (arrays["flags"] & _ENDS) != 0
        done = terminated | truncated
        if np.count_nonzero(done):
            self._next_episodes = arrays["episodes"] + 1
            self._add_ends(arrays, done, infos)
        return observations, arrays["rewards"], terminated, truncated, infos

    def _answer(self, arrays: np.ndarray) -> Tuple[Any, Dict[str, Any]]:
        observations: Any = self._auctions.pad(arrays)
        self._mask = observations["mask"]
        if self._is_flat:
            observations = flattened(observations, len(self.kinds))
        infos: Dict[str, Any] = {
            "action_mask": self._mask,
            "episode_number": arrays["episodes"],
            "discount": arrays["discounts"],
            "elapsed_hours": arrays["elapsed_hours"],
            "illegal": (arrays["flags"] & ILLEGAL) != 0,
            **self._told,
        }
        return observations, infos

    def _add_ends(self, arrays: np.ndarray, done: np.ndarray, infos: Dict[str, Any]) -> None:
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(done):
            blank: Any = {name: array.copy() for name, array in self._none.items()}
            final[i] = np.zeros(self.single_observation_space.shape, np.float32) if self._is_flat else blank
        infos["final_obs"] = final
        infos["final_info"] = {
            "mean_jct_seconds": arrays["mean_jct_seconds"],
            "_mean_jct_seconds": done,
            "first_reward": arrays["first_rewards"],
            "_first_reward": done,
        }
        infos["_final_obs"] = infos["_final_info"] = done

    def action_masks(self) -> np.ndarray:
        """The legal actions of the last observations, an environment a row."""
        return self._mask.astype(bool)

    def outcome(self, environment: int = 0) -> Dict[str, Any]:
        """The jobs of the last episode that an environment finished, and the hash of its event log."""
        return self.client.outcome(environment)

    def close_extras(self, **kwargs: Any) -> None:
        self.client.close()
