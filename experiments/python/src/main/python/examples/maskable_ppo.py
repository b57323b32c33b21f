"""MaskablePPO of sb3-contrib learns which bid wins, and is compared with fifo.

    mvn -Pwheel package
    pip install experiments/target/trainyard_gym-0.1.0-py3-none-any.whl gymnasium sb3-contrib
    python maskable_ppo.py
"""

from __future__ import annotations

import time

import recipe
import torch
from sb3_contrib import MaskablePPO

SETTINGS = {"n_steps": 1024, "batch_size": 256, "n_epochs": 4, "gamma": 1.0, "learning_rate": 3e-4, "seed": 1}


def main() -> None:
    torch.set_num_threads(1)
    began = time.monotonic()
    env = recipe.world()
    model = MaskablePPO("MultiInputPolicy", env, **SETTINGS)
    model.learn(recipe.DECISIONS)
    env.close()

    def choose(observation: recipe.Observation) -> int:
        return model.predict(observation, action_masks=observation["action_mask"] > 0, deterministic=True)[0]

    recipe.compare(choose, began)


if __name__ == "__main__":
    main()
