"""The agents of a config, who offer bids at prices, by PettingZoo's interface."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ._auctions import step_info
from ._client import OVER, TERMINATED, TRUNCATED, GymClient
from ._infos import StepInfo
from ._settings import one_episode, refuse_unknown, refuse_unknown_settings, require_whole
from ._spaces import first_episode, whole
from .errors import InputError

_INFINITE = float("inf")
_PASS = -1
_OFFER = '{"bid": whole number, "price": number}'


def _price(given: Any, place: str) -> float:
    try:
        price = np.asarray(given)
    except ValueError:
        price = np.empty(0)
    if price.dtype.kind not in "iuf" or price.size != 1 or np.isnan(price).any():
        raise InputError(f"{place}: {given!r} is not valid: expected a number") from None
    return float(price.reshape(()))


class AuctionParallelEnv(ParallelEnv):
    """All agents offer at once, each one of the bids that begin on its own servers, at a price; the highest price wins, and of equal prices
    the lower bid. When none exceeds ``reserve`` nobody acts until something happens, where waiting is legal.

    An observation of an agent holds its own bids, padded to ``max_own_bids``: ``columns`` (a row of features each), ``kind`` and ``mask`` (1 for a
    bid, 0 behind the last). With ``graph`` also the data centre as this agent sees it: ``servers``, the rows of its own servers, padded to the widest
    domain, ``racks``, the rows of all racks, and ``core``.

    An action is ``{"bid": place among the own bids, "price": number}``. A trainer that knows no prices sends 0 for pass and 1 for bid. An agent that is
    left out of the actions offers nothing; so does one without bids, whatever it sends. An offer of a bid behind the last counts as none, costs
    ``illegal_penalty`` and sets ``infos[agent]["illegal"]``. Where no job runs, waiting is illegal: without an offer above ``reserve`` the highest
    below it is carried out, else the first bid, and nobody has ``won``.

    The reward of an agent is minus the cost of the jobs that run on its servers, and its equal part of what waiting jobs cost.

    :param config: an experiment, a YAML file or the name of a shipped one
    :param graph: whether observations have the data centre
    :param max_own_bids: room for the bids of an agent; of more the first are offered (default: as many as an auction can have)
    :param reserve: the price that offers must exceed where waiting is legal
    :param horizon_hours: simulated hours after which an episode is truncated (default: its end)
    :param discount_hours, illegal_penalty, auction, max_bids: see ``AuctionEnv``
    :param overrides: ``KEY=VALUE`` over values of the config
    :param server, token, time_limit, start_limit: see ``GymClient``
    """

    metadata: Dict[str, Any] = {"name": "trainyard_auction_v0", "render_modes": [], "is_parallelizable": True}

    def __init__(
        self,
        config: str,
        *,
        graph: bool = False,
        max_own_bids: Optional[int] = None,
        render_mode: Optional[str] = None,
        **settings: Any,
    ) -> None:
        refuse_unknown_settings(AuctionParallelEnv, settings, "reserve")
        if max_own_bids is not None:
            require_whole("max_own_bids", max_own_bids, 1)
        self.render_mode = render_mode
        self.client = GymClient(config, ground="offers", graph=graph, **settings)
        self._reserve = float(settings.get("reserve") or 0)
        welcome = self.client.welcome
        self.columns: List[str] = list(welcome["columns"])
        self.kinds: List[str] = list(welcome["kinds"])
        self.possible_agents = [f"domain_{i}" for i in range(self.client.agents)]
        self.agents: List[str] = []
        most = int(welcome["max_bids"]) - 1
        self.max_own_bids = most if max_own_bids is None else min(most, max_own_bids)
        self._servers = int(welcome["servers"])
        self._first = [*welcome["first_servers"], self._servers]
        self._node_columns: List[str] = list(welcome.get("node_columns", []))
        self._widest = max(self._first[i + 1] - self._first[i] for i in range(len(self.possible_agents)))
        # One object for each agent: PettingZoo seeds them apart.
        self.observation_spaces = {agent: self._observation_space(int(welcome["racks"])) for agent in self.possible_agents}
        self.action_spaces = {agent: self._action_space() for agent in self.possible_agents}
        self._masks = {agent: np.zeros(self.max_own_bids, np.int8) for agent in self.possible_agents}
        self._next_episode = 0

    def _observation_space(self, racks: int) -> spaces.Dict:
        own = self.max_own_bids
        parts: Dict[str, spaces.Space] = {
            "columns": spaces.Box(-_INFINITE, _INFINITE, (own, len(self.columns)), np.float32),
            "kind": spaces.Box(0, len(self.kinds) - 1, (own,), np.int64),
            "mask": spaces.MultiBinary(own),
        }
        if self._node_columns:
            for name, rows in (("servers", self._widest), ("racks", racks), ("core", 1)):
                parts[name] = spaces.Box(-_INFINITE, _INFINITE, (rows, len(self._node_columns)), np.float32)
        return spaces.Dict(parts)

    def _action_space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "bid": spaces.Discrete(self.max_own_bids),
                "price": spaces.Box(-_INFINITE, _INFINITE, (), np.float32),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(
        self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, Any], Dict[str, StepInfo]]:
        """Begins an episode: see ``AuctionEnv.reset``. The option ``options``, which PettingZoo's own test sends, does nothing."""
        if isinstance(options, dict):
            options = {key: value for key, value in options.items() if key != "options"}
        following = self._next_episode if seed is None else first_episode(seed)
        split, episode = one_episode(options, following)
        arrays = self.client.reset([0], split, [episode])
        self._next_episode = following
        if split == "train":
            self._next_episode = int(arrays["episodes"][0]) + 1
        self.agents = [] if arrays["flags"][0] & OVER else list(self.possible_agents)
        observations, infos = self._observe(arrays, None)
        first = np.reshape(arrays["first_rewards"], -1)
        for i, agent in enumerate(self.possible_agents):
            infos[agent]["first_reward"] = float(first[i])
        self.client.end_call()
        return observations, infos

    def step(
        self, actions: Dict[str, Dict[str, Any]]
    ) -> Tuple[Dict[str, Any], Dict[str, float], Dict[str, bool], Dict[str, bool], Dict[str, StepInfo]]:
        offers = self._offers(actions)
        arrays = self.client.step(offers)
        flags = int(arrays["flags"][0])
        observations, infos = self._observe(arrays, offers)
        rewards = np.reshape(arrays["rewards"], -1)
        by_agent = {agent: float(rewards[i]) for i, agent in enumerate(self.possible_agents)}
        terminated = dict.fromkeys(self.possible_agents, bool(flags & TERMINATED))
        truncated = dict.fromkeys(self.possible_agents, bool(flags & TRUNCATED))
        if flags & OVER:
            self.agents = []
        self.client.end_call()
        return observations, by_agent, terminated, truncated, infos

    def _offers(self, actions: Any) -> np.ndarray:
        """The offers of all agents as the protocol has them, a row of bid and price each; what is no offer is refused."""
        if not isinstance(actions, Mapping):
            raise InputError(f"actions: {actions!r} is not valid: expected a dict of {_OFFER} by agent")
        refuse_unknown("actions", actions, self.possible_agents)
        offers = np.zeros((len(self.possible_agents), 2), np.int32)
        offers[:, 0] = _PASS
        for i, agent in enumerate(self.possible_agents):
            action = actions.get(agent)
            if action is None:
                continue
            place = f"actions, {agent}"
            if not isinstance(action, Mapping) or action.keys() != {"bid", "price"}:
                raise InputError(f"{place}: {action!r} is not valid: expected {_OFFER}")
            offers[i, 0] = whole(action["bid"], 1, self.max_own_bids, f"{place}, bid")[0]
            offers.view(np.float32)[i, 1] = _price(action["price"], f"{place}, price")
        return offers

    def _is_above_reserve(self, offer: np.ndarray) -> bool:
        return offer[0] != _PASS and float(offer.view(np.float32)[1]) > self._reserve

    def _observe(self, arrays: np.ndarray, offers: Optional[np.ndarray]) -> Tuple[Dict[str, Any], Dict[str, StepInfo]]:
        observations: Dict[str, Any] = {}
        infos: Dict[str, StepInfo] = {}
        is_illegal = np.reshape(arrays["illegal"], -1)
        winner = int(arrays["winners"][0])
        # Where waiting is illegal, a bid is carried out that nobody has paid for.
        if winner >= 0 and (offers is None or is_illegal[winner] or not self._is_above_reserve(offers[winner])):
            winner = _PASS
        for i, agent in enumerate(self.possible_agents):
            own = np.flatnonzero(arrays["owners"] == i)[: self.max_own_bids]
            observations[agent] = self._observation(i, own, arrays)
            self._masks[agent] = observations[agent]["mask"]
            infos[agent] = info = step_info(arrays)
            # As the spaces' sample takes it.
            info["action_mask"] = {"bid": self._masks[agent], "price": None}
            info["won"] = winner == i
            info["illegal"] = bool(is_illegal[i])
            if arrays["flags"][0] & OVER:
                infos[agent]["mean_jct_seconds"] = float(arrays["mean_jct_seconds"][0])
        return observations, infos

    def _observation(self, i: int, own: np.ndarray, arrays: np.ndarray) -> Dict[str, np.ndarray]:
        columns = np.zeros((self.max_own_bids, len(self.columns)), np.float32)
        kind = np.zeros(self.max_own_bids, np.int64)
        mask = np.zeros(self.max_own_bids, np.int8)
        columns[: len(own)] = arrays["columns"][own]
        kind[: len(own)] = arrays["kinds"][own]
        mask[: len(own)] = arrays["mask"][own]
        observation = {"columns": columns, "kind": kind, "mask": mask}
        if self._node_columns:
            nodes = arrays["nodes"][0]
            servers = np.zeros((self._widest, len(self._node_columns)), np.float32)
            servers[: self._first[i + 1] - self._first[i]] = nodes[self._first[i] : self._first[i + 1]]
            observation["servers"] = servers
            observation["racks"] = nodes[self._servers : -1].copy()
            observation["core"] = nodes[-1:].copy()
        return observation

    def action_masks(self) -> Dict[str, np.ndarray]:
        """The own bids of the last observations, by agent."""
        return {agent: mask.astype(bool) for agent, mask in self._masks.items()}

    def outcome(self) -> Dict[str, Any]:
        """The jobs of the last finished episode, and the hash of its event log."""
        return self.client.outcome()

    def render(self) -> None:
        return None

    def close(self) -> None:
        self.client.close()
