"""The auctions of a config by Gymnasium's interface, several environments stepped together."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._auctions import step_infos
from ._client import ILLEGAL, OVER, TERMINATED, TRUNCATED, GymClient
from ._settings import each_episode, read_options, refuse_unknown_settings, require_whole, reset_mask
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
_TOLD = (
    "action_mask", "episode_number", "illegal", "waiting", "running", "elapsed_hours", "elapsed_seconds", "ended_jct_seconds", "ended_wait_seconds",
    "discount",
)  # fmt: skip


def make_vector(config: str, num_envs: int = 1, **settings: Any) -> "AuctionVectorEnv":
    """What ``gymnasium.make_vec`` calls."""
    return AuctionVectorEnv(config, num_envs, **settings)


class AuctionVectorEnv(AuctionNames, VectorEnv):
    """``n`` environments like ``AuctionEnv`` in one server, stepped together; the settings are the same.

    What follows an episode that ends is ``metadata["autoreset_mode"]``:

    * ``SAME_STEP``: the next one, in the same step. The observation is the first of the new episode, and ``infos["final_obs"]`` and
      ``infos["final_info"]`` are the last of the old one, with ``mean_jct_seconds``.
    * ``NEXT_STEP``: the next one, in the next step, whose action is ignored and whose reward is 0.
    * ``DISABLED``: a reset by ``options["reset_mask"]``; a step before it is refused.

    :param autoreset_mode: one of Gymnasium's modes, or its name
    :param stride: the number of the next episode less that of the last
    """

    metadata: Dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
    client: GymClient

    def __init__(
        self,
        config: str,
        n: int,
        *,
        graph: bool = False,
        flat: bool = False,
        max_pairs: Optional[int] = None,
        render_mode: Optional[str] = None,
        autoreset_mode: "AutoresetMode | str" = AutoresetMode.SAME_STEP,
        **settings: Any,
    ) -> None:
        refuse_unknown_settings(AuctionVectorEnv, settings)
        mode = _mode(autoreset_mode)
        require_whole("n", n, 1)
        if render_mode is not None:
            raise InputError(f"render_mode: '{render_mode}' is not valid: expected None; single environments are rendered")
        refuse_flat_graph(graph, flat)
        self.render_mode = None
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._mode = mode
        self._is_flat = flat
        asked = {**settings, "autoreset_step": "next" if mode == AutoresetMode.NEXT_STEP else "same"}
        self.client, self._auctions = connect(config, n, mode != AutoresetMode.DISABLED, graph, max_pairs, asked)
        self.num_envs = n
        self.single_observation_space = flat_space(self._auctions) if flat else bids_space(self._auctions)
        self.single_action_space = spaces.Discrete(self._auctions.max_bids)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._mask = np.zeros((n, self._auctions.max_bids), np.int8)
        self._next_episodes = np.arange(n, dtype=np.int64) * EPISODES_OF_A_SEED
        self._trains = np.ones(n, bool)
        self._begins = np.zeros(n, bool)
        self._last: Observation = {}
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
        each environment's seed (seed + i, when one number is given), else the next ones. With ``options["reset_mask"]``, an array of
        bools, those of the other environments go on."""
        split, numbers, rest = read_options(options, "reset_mask")
        which = reset_mask(rest.get("reset_mask"), self.num_envs)
        if isinstance(seed, (int, np.integer)):
            require_whole("seed", seed, 0)
            super().reset(seed=int(seed))
            seed = [int(seed) + i for i in range(self.num_envs)]
        if seed is not None and (not isinstance(seed, (Sequence, np.ndarray)) or len(seed) != self.num_envs):
            raise InputError(f"seed: {seed!r} is not valid: expected one number, or {self.num_envs}")
        following = self._next_episodes.copy()
        for i, own in enumerate([] if seed is None else seed):
            if own is not None and i in which:
                following[i] = first_episode(own)
        episodes = following if numbers is None else each_episode(numbers, self.num_envs)
        arrays = self.client.reset(which, split, episodes[which])
        self._next_episodes = following
        self._trains[which] = split == "train"
        self._begins[which] = self._begins_next(arrays)
        if split == "train":
            self._next_episodes[which] = arrays["episodes"] + 1
        observations, infos = self._answer(arrays) if len(which) == self.num_envs else self._answer_of(which, arrays)
        infos["first_reward"] = _spread(which, arrays["first_rewards"], self.num_envs)
        infos["_first_reward"] = infos["_episode_number"]
        self.client.end_call()
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
        if self._mode == AutoresetMode.SAME_STEP:
            if np.count_nonzero(done):
                self._number_on(arrays, done)
                self._add_ends(arrays, done, infos)
        else:
            self._add_ends_without_reset(arrays, done, infos)
        self.client.end_call()
        return observations, arrays["rewards"], terminated, truncated, infos

    def _number_on(self, arrays: np.ndarray, begun: np.ndarray) -> None:
        """Lets the next reset go on behind the training episodes that have begun by themselves."""
        own = begun & self._trains
        self._next_episodes[own] = arrays["episodes"][own] + 1

    def _add_ends_without_reset(self, arrays: np.ndarray, done: np.ndarray, infos: Dict[str, Any]) -> None:
        if np.count_nonzero(self._begins):
            self._number_on(arrays, self._begins)
            infos["first_reward"] = arrays["first_rewards"]
            infos["_first_reward"] = self._begins
        if np.count_nonzero(done):
            infos["mean_jct_seconds"] = arrays["mean_jct_seconds"]
            infos["_mean_jct_seconds"] = done
        self._begins = self._begins_next(arrays)

    def _begins_next(self, arrays: np.ndarray) -> np.ndarray:
        """Whether the next step begins an episode, whatever its action."""
        return ((arrays["flags"] & OVER) != 0) & (self._mode == AutoresetMode.NEXT_STEP)

    def _answer_of(self, which: List[int], arrays: np.ndarray) -> Tuple[Any, Dict[str, Any]]:
        """The observations of all, of which only some are new, and what is known of these."""
        told = np.zeros(self.num_envs, bool)
        told[which] = True
        before = self._last or {name: np.repeat(array[None], self.num_envs, 0) for name, array in self._none.items()}
        padded = self._auctions.pad(arrays)
        merged = {name: array.copy() for name, array in before.items()}
        for name, array in padded.items():
            merged[name][which] = array
        infos = {name: _spread(which, array, self.num_envs) for name, array in self._infos(arrays).items()}
        return self._seen(merged), {**infos, "action_mask": self._mask, **dict.fromkeys(self._told, told)}

    def _seen(self, padded: Observation) -> Any:
        self._last = padded
        self._mask = padded["mask"]
        return flattened(padded, len(self.kinds)) if self._is_flat else padded

    def _answer(self, arrays: np.ndarray) -> Tuple[Any, Dict[str, Any]]:
        observations = self._seen(self._auctions.pad(arrays))
        return observations, {**self._infos(arrays), "action_mask": self._mask, **self._told}

    def _infos(self, arrays: np.ndarray) -> Dict[str, Any]:
        infos: Dict[str, Any] = step_infos(arrays)
        infos["illegal"] = (arrays["flags"] & ILLEGAL) != 0
        return infos

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
        # Gymnasium closes what it deletes, also an environment whose settings were refused.
        if hasattr(self, "client"):
            self.client.close()


def _mode(given: Any) -> AutoresetMode:
    for mode in AutoresetMode:
        if given in (mode, mode.name, mode.value):
            return mode
    raise InputError(f"autoreset_mode: '{given}' is not valid: expected one of {', '.join(mode.name for mode in AutoresetMode)}")


def _spread(which: List[int], values: np.ndarray, count: int) -> np.ndarray:
    """The values of some environments among zeros, or empty tuples, for the others."""
    if len(which) == count:
        return values
    spread = np.zeros((count, *values.shape[1:]), values.dtype)
    if values.dtype == object:
        spread.fill(())
    spread[which] = values
    return spread
