"""What the recipes share: a world whose observations a network reads, and the comparison with fifo."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, List

import gymnasium
import numpy as np
import trainyard
from gymnasium import spaces

WORLD = "Trainyard/Small-v1"
DECISIONS = 4096
"""Decisions of a training."""
EPISODES = 2
"""Test episodes of the comparison."""

Observation = Dict[str, np.ndarray]


class Masked(gymnasium.ObservationWrapper):
    """The flat observation, of which a column beyond ten says as much as ten, and beside it which actions are legal."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        actions = int(env.action_space.n)
        self.observation_space = spaces.Dict(
            {
                "observations": spaces.Box(-10, 10, env.observation_space.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.float32),
            }
        )

    def observation(self, observation: np.ndarray) -> Observation:
        return {"observations": np.clip(observation, -10, 10), "action_mask": self.action_masks().astype(np.float32)}

    def action_masks(self) -> np.ndarray:
        return self.env.unwrapped.action_masks()


def world(discount_hours: float = 1.0) -> Masked:
    """The world of the recipes; a cost one hour from now counts 1/e of one now."""
    return Masked(gymnasium.make(WORLD, flat=True, discount_hours=discount_hours))


def compare(choose: Callable[[Observation], Any], began: float) -> None:
    """Prints the mean job completion time of a policy on test episodes, and that of fifo."""
    env = world()
    found: List[float] = []
    for episode in range(EPISODES):
        observation, info = env.reset(options={"split": "test", "episode": episode})
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(int(choose(observation)))
            over = terminated or truncated
        found.append(info["mean_jct_seconds"] / 3600)
    env.close()
    took = time.monotonic() - began
    results = trainyard.evaluate(trainyard.ids()[WORLD], schedulers="fifo", overrides=[f"episodes.test={EPISODES}"])
    fifo = float(results.summary["schedulers"][0]["jct_s"]["mean"]) / 3600
    print(f"{DECISIONS} decisions and {EPISODES} test episodes in {took:.0f} s: learned {np.mean(found):.2f} h, fifo {fifo:.2f} h")
