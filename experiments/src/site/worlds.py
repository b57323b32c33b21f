"""Draws the pictures of experiments/docs/reference/worlds.md: each world that Python can make, after some random decisions.

Needs numpy, gymnasium and Pillow. usage: PYTHONPATH=experiments/python/src/main/python python3 experiments/src/site/worlds.py [ID ...]
"""

import sys
from pathlib import Path

import gymnasium
import numpy as np
import trainyard
from PIL import Image

PICTURES = Path(__file__).resolve().parents[2] / "docs/images/worlds"
DECISIONS = 200
SCALE = 2


def picture(name):
    env = gymnasium.make(name, render_mode="rgb_array", disable_env_checker=True)
    random = np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    for _ in range(DECISIONS):
        observation, _, terminated, truncated, info = env.step(random.choice(np.flatnonzero(info["action_mask"])))
        if terminated or truncated:
            observation, info = env.reset()
    image = Image.fromarray(env.render())
    env.close()
    return image.resize((image.width * SCALE, image.height * SCALE), Image.NEAREST).quantize(8)


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for world, config in trainyard.ids().items():
        if world in sys.argv[1:] or len(sys.argv) == 1:
            file = PICTURES / f"{config.split('/')[-1]}.png"
            picture(world).save(file, optimize=True)
            print(f"{file}: {file.stat().st_size:,} bytes")
