"""The auctions of a config by Gymnasium's interfaces: one environment, or several stepped together."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._auctions import AuctionArrays
from ._client import ILLEGAL, OVER, TERMINATED, TRUNCATED, GymClient
from ._pictures import picture, text
from .errors import InputError

EPISODES_OF_A_SEED = 1_000_000
"""Seed s begins at training episode s times this number; the following episodes have the following numbers."""

BIDS = ("columns", "kind", "mask")
"""The parts of an observation that every environment has."""

Observation = Dict[str, np.ndarray]


def _single_space(auctions: AuctionArrays) -> spaces.Dict:
    boxes: Dict[str, spaces.Space] = {
        name: spaces.Box(low, high, shape, dtype) for name, (shape, dtype, low, high) in auctions.shapes().items()
    }
    boxes["mask"] = spaces.MultiBinary(auctions.max_bids)
    return spaces.Dict(boxes)


def _client(
    config: str,
    environments: int,
    autoreset: bool,
    graph: bool,
    max_pairs: Optional[int],
    settings: Dict[str, Any],
) -> Tuple[GymClient, AuctionArrays]:
    client = GymClient(config, ground="auction", environments=environments, autoreset=autoreset, graph=graph, **settings)
    most = int(client.welcome["max_bids"])
    pairs = max_pairs if max_pairs is not None else most * min(int(client.welcome["servers"]), 16)
    return client, AuctionArrays(client.welcome, pairs if graph else 0)


def _whole(action: Any, shape: Tuple[int, ...], most: int) -> np.ndarray:
    """Actions as integers; anything else, such as the output of a network for a Box, is refused."""
    actions = np.asarray(action)
    if actions.dtype.kind not in "iu" or actions.size != int(np.prod(shape, dtype=int)):
        expected = "a whole number" if shape == (1,) else f"{shape[0]} whole numbers"
        raise InputError(f"action: {action!r} is not valid: expected {expected} from 0 to {most - 1}, each the number of a bid")
    return actions.reshape(shape)


def _refuse_flat_graph(graph: bool, flat: bool) -> None:
    if graph and flat:
        raise InputError("flat: True is not valid with graph=True: a flat observation has the bids alone")


def _flat_space(auctions: AuctionArrays) -> spaces.Box:
    width = len(auctions.columns) + len(auctions.kinds) + 1
    return spaces.Box(-np.inf, np.inf, (auctions.max_bids * width,), np.float32)


def _flat(observations: Dict[str, np.ndarray], kinds: int) -> np.ndarray:
    """For every bid its columns, its kind as one of ``kinds`` ones, and whether it is legal; an environment a row."""
    kind = np.eye(kinds, dtype=np.float32)[observations["kind"]]
    mask = observations["mask"][..., None].astype(np.float32)
    rows = np.concatenate([observations["columns"], kind, mask], axis=-1)
    return rows.reshape(len(rows), -1)


def _episode_of(seed: int) -> int:
    return (seed % (1 << 40)) * EPISODES_OF_A_SEED


class AuctionEnv(gymnasium.Env):
    """One decision is one auction: the action is the number of the bid that wins.

    An observation holds the bids, padded to ``max_bids``: ``columns`` (a row of features each), ``kind`` and ``mask`` (1 for a
    legal bid; bid 0 is to wait); with ``graph`` also the data centre as a tree: ``nodes``, ``rack_of``, and the servers of bids,
    ``bid_of`` and ``server_of``, padded by -1. The reward is minus the cost of the time that passed. An illegal action does
    nothing, costs ``illegal_penalty`` and sets ``info["illegal"]``. A pickled or deep copy is of the same config and episode and
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
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"render_mode: '{render_mode}' is not valid: expected ansi, rgb_array or None")
        _refuse_flat_graph(graph, flat)
        self.render_mode = render_mode
        self._made = config, {"graph": graph, "flat": flat, "max_pairs": max_pairs, "render_mode": render_mode, **settings}
        self._is_flat = flat
        self._shows_graph = graph
        self.client, self._auctions = _client(config, 1, False, graph or render_mode == "rgb_array", max_pairs, settings)
        bids = _single_space(self._auctions)
        if not graph:
            bids = spaces.Dict({name: bids[name] for name in BIDS})
        self.observation_space: spaces.Space = _flat_space(self._auctions) if flat else bids
        self.action_space = spaces.Discrete(self._auctions.max_bids)
        self._next_episode = 0
        self._played: Optional[Tuple[str, int, List[int]]] = None
        self._hours = 0.0
        self._seen: Observation = {}
        self._mask = np.zeros(self._auctions.max_bids, np.int8)

    @property
    def columns(self) -> List[str]:
        """The names of the columns of a bid."""
        return self._auctions.columns

    @property
    def kinds(self) -> List[str]:
        """The names of the kinds of bids, by number."""
        return self._auctions.kinds

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        """Begins an episode: that of ``options["episode"]`` of ``options["split"]`` (train, validation or test), else the first
        of the seed, else the one after the last."""
        super().reset(seed=seed)
        if seed is not None:
            self._next_episode = _episode_of(seed)
        options = options or {}
        episode = int(options.get("episode", self._next_episode))
        split = options.get("split", "train")
        arrays = self.client.reset([0], split, [episode])
        self._played = split, episode, []
        self._hours = 0.0
        if split == "train":
            self._next_episode = int(arrays["episodes"][0]) + 1
        observation, info, _ = self._answer(arrays)
        info["first_reward"] = float(arrays["first_rewards"][0])
        return observation, info

    def step(self, action: Any) -> Tuple[Observation, float, bool, bool, Dict[str, Any]]:
        actions = _whole(action, (1,), self._auctions.max_bids)
        arrays = self.client.step(actions)
        if self._played is not None:
            self._played[2].append(int(actions[0]))
        observation, info, flags = self._answer(arrays)
        self._hours += info["elapsed_hours"]
        return observation, float(arrays["rewards"][0]), bool(flags & TERMINATED), bool(flags & TRUNCATED), info

    def _answer(self, arrays: Dict[str, np.ndarray]) -> Tuple[Any, Dict[str, Any], int]:
        padded = self._auctions.pad(arrays)
        self._seen = {name: array[0] for name, array in padded.items()}
        self._mask = self._seen["mask"]
        observation: Any = self._seen if self._shows_graph else {name: self._seen[name] for name in BIDS}
        if self._is_flat:
            observation = _flat(padded, len(self.kinds))[0]
        flags = int(arrays["flags"][0])
        info: Dict[str, Any] = {
            "action_mask": self._mask,
            "episode_number": int(arrays["episodes"][0]),
            "discount": float(arrays["discounts"][0]),
            "elapsed_hours": float(arrays["elapsed_hours"][0]),
            "illegal": bool(flags & ILLEGAL),
        }
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


def make_vector(config: str, num_envs: int = 1, **settings: Any) -> "AuctionVectorEnv":
    """What ``gymnasium.make_vec`` calls."""
    return AuctionVectorEnv(config, num_envs, **settings)


class AuctionVectorEnv(VectorEnv):
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
        _refuse_flat_graph(graph, flat)
        self.render_mode = None
        self._is_flat = flat
        self.client, self._auctions = _client(config, n, True, graph, max_pairs, settings)
        self.num_envs = n
        self.single_observation_space = _flat_space(self._auctions) if flat else _single_space(self._auctions)
        self.single_action_space = spaces.Discrete(self._auctions.max_bids)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._mask = np.zeros((n, self._auctions.max_bids), np.int8)
        self._next_episodes = np.arange(n, dtype=np.int64) * EPISODES_OF_A_SEED
        self._every = np.ones(n, bool)
        self._none: Observation = {
            name: np.zeros(shape, dtype) - (name in ("bid_of", "server_of"))
            for name, (shape, dtype, _, _) in self._auctions.shapes().items()
        }
        self._none["mask"] = np.zeros(self._auctions.max_bids, np.int8)

    @property
    def columns(self) -> List[str]:
        """The names of the columns of a bid."""
        return self._auctions.columns

    @property
    def kinds(self) -> List[str]:
        """The names of the kinds of bids, by number."""
        return self._auctions.kinds

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
                self._next_episodes[i] = _episode_of(own)
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
        self.client.send_step(_whole(actions, (self.num_envs,), self._auctions.max_bids))

    def receive(self) -> Tuple[Observation, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """The second half of ``step``."""
        arrays = self.client.receive_step()
        observations, infos = self._answer(arrays)
        flags = arrays["flags"]
        terminated = (flags & TERMINATED) != 0
        truncated = (flags & TRUNCATED) != 0
        done = terminated | truncated
        if done.any():
            self._next_episodes = arrays["episodes"] + 1
            self._add_ends(arrays, done, infos)
        return observations, arrays["rewards"], terminated, truncated, infos

    def _answer(self, arrays: Dict[str, np.ndarray]) -> Tuple[Any, Dict[str, Any]]:
        observations: Any = self._auctions.pad(arrays)
        self._mask = observations["mask"]
        if self._is_flat:
            observations = _flat(observations, len(self.kinds))
        infos: Dict[str, Any] = {
            "action_mask": self._mask,
            "episode_number": arrays["episodes"],
            "discount": arrays["discounts"],
            "elapsed_hours": arrays["elapsed_hours"],
            "illegal": (arrays["flags"] & ILLEGAL) != 0,
        }
        for name in list(infos):
            infos[f"_{name}"] = self._every
        return observations, infos

    def _add_ends(self, arrays: Dict[str, np.ndarray], done: np.ndarray, infos: Dict[str, Any]) -> None:
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
