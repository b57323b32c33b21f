"""MaskablePPO of sb3-contrib learns which bid wins, on one registered world, and is compared with fifo.

    pip install trainyard gymnasium sb3-contrib
    python maskable_ppo.py --steps 20000
"""

from __future__ import annotations

import argparse
import time
from typing import List

import gymnasium
import numpy as np
import torch
import trainyard
from gymnasium import spaces
from sb3_contrib import MaskablePPO

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--world", default="Trainyard/Quickstart-v1")
parser.add_argument("--steps", type=int, default=20_000)
parser.add_argument("--episodes", type=int, default=4, help="test episodes of the comparison")
parser.add_argument("--seed", type=int, default=1)


class Legible(gymnasium.ObservationWrapper):
    """Bounded observations: columns beyond ten say as much as ten."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        self.observation_space = spaces.Box(-10, 10, env.observation_space.shape, np.float32)

    def observation(self, observation: np.ndarray) -> np.ndarray:
        return np.clip(observation, -10, 10)

    def action_masks(self) -> np.ndarray:
        return self.env.unwrapped.action_masks()


def mean_jct(env: gymnasium.Env, model: MaskablePPO, episodes: int) -> float:
    """Mean job completion time in hours of test episodes."""
    found: List[float] = []
    for episode in range(episodes):
        observation, info = env.reset(options={"split": "test", "episode": episode})
        over = False
        while not over:
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, _, terminated, truncated, info = env.step(int(action))
            over = terminated or truncated
        found.append(info["mean_jct_seconds"] / 3600)
    return float(np.mean(found))


def fifo(world: str, episodes: int) -> float:
    """The same of fifo, on the same episodes, by the command line."""
    results = trainyard.evaluate(trainyard.ids()[world], schedulers="fifo", overrides=[f"episodes.test={episodes}"])
    return float(results.summary["schedulers"][0]["jct"]["mean"]) / 3600


def main() -> None:
    options = parser.parse_args()
    torch.set_num_threads(1)
    began = time.monotonic()
    env = Legible(gymnasium.make(options.world, flat=True, discount_hours=1.0))
    model = MaskablePPO("MlpPolicy", env, n_steps=2048, batch_size=256, gamma=1.0, learning_rate=3e-4, seed=options.seed)
    model.learn(options.steps)
    learned = mean_jct(env, model, options.episodes)
    env.close()
    print(f"trained for {time.monotonic() - began:.0f} s")
    print(f"mean JCT on {options.episodes} test episodes: learned {learned:.2f} h, fifo {fifo(options.world, options.episodes):.2f} h")


if __name__ == "__main__":
    main()
