"""The agents of a config that observe rows, by PettingZoo's interface."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ._client import OVER, TERMINATED, TRUNCATED, GymClient
from .gymnasium_envs import _episode_of

OUTCOMES = ("done", "illegal", "conflict")
_INFINITE = float("inf")


class RowsParallelEnv(ParallelEnv):
    """All agents act at once, each the owner of a domain of servers.

    An observation is a row of floats and a mask of legal actions: ``{"observation": Box, "action_mask": MultiBinary}``; with ``sections``
    the row is a Dict of boxes by section. An agent without a choice has one legal action, 0. An illegal action does nothing, costs a
    penalty and shows in ``infos[agent]["outcome"]``.

    :param config: an experiment whose environment has rows, such as ``ppo``
    :param sections: whether observations are divided into sections
    :param overrides: ``KEY=VALUE`` over values of the config
    :param server, token, time_limit, start_limit: see ``GymClient``
    """

    metadata: Dict[str, Any] = {"name": "trainyard_rows_v0", "render_modes": [], "is_parallelizable": True}

    def __init__(self, config: str, *, sections: bool = False, render_mode: Optional[str] = None, **settings: Any) -> None:
        self.render_mode = render_mode
        self.client = GymClient(config, ground="rows", **settings)
        welcome = self.client.welcome
        self.possible_agents = [f"domain_{i}" for i in range(self.client.agents)]
        self.agents: List[str] = []
        self._actions = int(welcome["actions"])
        self._mask_at = int(welcome["mask_at"])
        self._sections = [(s["name"], int(s["at"]), tuple(s["shape"])) for s in welcome["sections"]] if sections else []
        row: spaces.Space = spaces.Box(-_INFINITE, _INFINITE, (self._mask_at,), np.float32)
        if sections:
            row = spaces.Dict(
                {name: spaces.Box(-_INFINITE, _INFINITE, shape, np.float32) for name, _, shape in self._sections}
            )
        space = spaces.Dict({"observation": row, "action_mask": spaces.MultiBinary(self._actions)})
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces: Dict[str, spaces.Discrete] = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self._next_episode = 0

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(
        self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, Any], Dict[str, Dict[str, Any]]]:
        """Begins an episode: see ``AuctionEnv.reset``."""
        if seed is not None:
            self._next_episode = _episode_of(seed)
        options = options or {}
        split = options.get("split", "train")
        arrays = self.client.reset([0], split, [int(options.get("episode", self._next_episode))])
        if split == "train":
            self._next_episode = int(arrays["episodes"][0]) + 1
        self.agents = [] if arrays["flags"][0] & OVER else list(self.possible_agents)
        observations, infos = self._observe(arrays)
        return observations, infos

    def step(
        self, actions: Dict[str, int]
    ) -> Tuple[Dict[str, Any], Dict[str, float], Dict[str, bool], Dict[str, bool], Dict[str, Dict[str, Any]]]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        arrays = self.client.step(np.asarray([[int(actions.get(agent, 0)) for agent in self.possible_agents]]))
        flags = int(arrays["flags"][0])
        observations, infos = self._observe(arrays)
        rewards = np.reshape(arrays["rewards"], -1)
        by_agent = {agent: float(rewards[i]) for i, agent in enumerate(self.possible_agents)}
        terminated = dict.fromkeys(self.possible_agents, bool(flags & TERMINATED))
        truncated = dict.fromkeys(self.possible_agents, bool(flags & TRUNCATED))
        if flags & OVER:
            self.agents = []
        return observations, by_agent, terminated, truncated, infos

    def _observe(self, arrays: Dict[str, np.ndarray]) -> Tuple[Dict[str, Any], Dict[str, Dict[str, Any]]]:
        rows = arrays["rows"][0]
        masks = rows[:, self._mask_at :].astype(np.int8)
        observations: Dict[str, Any] = {}
        infos: Dict[str, Dict[str, Any]] = {}
        for i, agent in enumerate(self.possible_agents):
            row: Any = rows[i, : self._mask_at]
            if self._sections:
                row = {name: row[at : at + int(np.prod(shape))].reshape(shape) for name, at, shape in self._sections}
            observations[agent] = {"observation": row, "action_mask": masks[i]}
            infos[agent] = {
                "action_mask": masks[i],
                "active": bool(arrays["active"][0, i]),
                "outcome": OUTCOMES[arrays["outcomes"][0, i]],
                "elapsed_hours": float(arrays["elapsed_hours"][0]),
                "episode_number": int(arrays["episodes"][0]),
            }
            if arrays["flags"][0] & OVER:
                infos[agent]["mean_jct_seconds"] = float(arrays["mean_jct_seconds"][0])
        self._masks = dict(zip(self.possible_agents, masks))
        return observations, infos

    def action_masks(self) -> Dict[str, np.ndarray]:
        """The legal actions of the last observations, by agent."""
        return {agent: mask.astype(bool) for agent, mask in self._masks.items()}

    def outcome(self) -> Dict[str, Any]:
        """The jobs of the last finished episode, and the hash of its event log."""
        return self.client.outcome()

    def render(self) -> None:
        return None

    def close(self) -> None:
        self.client.close()
