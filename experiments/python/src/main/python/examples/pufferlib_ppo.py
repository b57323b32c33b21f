"""PuffeRL of PufferLib learns which bid wins, through PufferLib's emulation of environments, and is compared with fifo.

    mvn -Pwheel package
    pip install experiments/target/trainyard_gym-0.1.0-py3-none-any.whl gymnasium pufferlib-core
    python pufferlib_ppo.py
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from typing import Any, Dict, Optional, Tuple

import numpy as np
import pufferlib
import pufferlib.emulation
import pufferlib.pytorch
import pufferlib.vector
import recipe
import torch
from gymnasium.wrappers import TransformReward
from pufferlib.pufferl import PuffeRL
from torch import nn

ENVIRONMENTS = 4
REWARD_SCALE = 0.1
"""PuffeRL cuts rewards at -1 and 1."""
HIDDEN = 64
SETTINGS: Dict[str, Any] = {
    "total_timesteps": recipe.DECISIONS, "batch_size": 1024, "bptt_horizon": 64, "minibatch_size": 256, "max_minibatch_size": 256,
    "update_epochs": 4, "learning_rate": 3e-4, "anneal_lr": False, "optimizer": "adam", "adam_beta1": 0.9, "adam_beta2": 0.999,
    "adam_eps": 1e-8, "gamma": 1.0, "gae_lambda": 0.95, "clip_coef": 0.2, "vf_clip_coef": 10.0, "vf_coef": 0.5, "ent_coef": 0.01,
    "max_grad_norm": 0.5, "prio_alpha": 0.0, "prio_beta0": 1.0, "vtrace_rho_clip": 1.0, "vtrace_c_clip": 1.0, "seed": 1,
    "torch_deterministic": True, "device": "cpu", "cpu_offload": False, "use_rnn": False, "compile": False, "precision": "float32",
    "checkpoint_interval": 1_000_000, "env": recipe.WORLD,
}  # fmt: skip


def emulated(buf: Any = None, seed: int = 0) -> pufferlib.emulation.GymnasiumPufferEnv:
    world = TransformReward(recipe.world(), lambda reward: REWARD_SCALE * reward)
    return pufferlib.emulation.GymnasiumPufferEnv(env=world, buf=buf, seed=seed)


class Policy(nn.Module):
    """Scores of the legal actions and a value, from the bytes into which the emulation has packed an observation."""

    def __init__(self, env: Any) -> None:
        super().__init__()
        self.parts = pufferlib.pytorch.nativize_dtype(env.emulated)
        inputs = env.env.observation_space["observations"].shape[0]
        layer = pufferlib.pytorch.layer_init
        self.body = nn.Sequential(layer(nn.Linear(inputs, HIDDEN)), nn.Tanh(), layer(nn.Linear(HIDDEN, HIDDEN)), nn.Tanh())
        self.scores = layer(nn.Linear(HIDDEN, env.single_action_space.n), std=0.01)
        self.value = layer(nn.Linear(HIDDEN, 1), std=1)

    def forward(self, packed: torch.Tensor, state: Optional[Dict[str, Any]] = None) -> Tuple[torch.Tensor, torch.Tensor]:
        parts = pufferlib.pytorch.nativize_tensor(packed, self.parts)
        hidden = self.body(parts["observations"])
        # At an end nothing is legal, and what is chosen there is not played.
        return self.scores(hidden).masked_fill(parts["action_mask"] == 0, -1e9), self.value(hidden)

    forward_eval = forward


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    began = time.monotonic()
    envs = pufferlib.vector.make(emulated, num_envs=ENVIRONMENTS, backend=pufferlib.vector.Serial)
    policy = Policy(envs.driver_env)
    # The trainer draws a dashboard and keeps checkpoints, which nobody asked for here.
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        trainer = PuffeRL({**SETTINGS, "data_dir": folder}, envs, policy)
        while trainer.global_step < recipe.DECISIONS:
            trainer.evaluate()
            trainer.train()
        trainer.close()
    packed = np.zeros((1, *envs.single_observation_space.shape), envs.single_observation_space.dtype)
    parts = packed.view(envs.driver_env.obs_dtype)

    def choose(observation: recipe.Observation) -> int:
        pufferlib.emulation.emulate(parts, observation)
        with torch.no_grad():
            return int(policy(torch.from_numpy(packed))[0].argmax())

    recipe.compare(choose, began)


if __name__ == "__main__":
    main()
