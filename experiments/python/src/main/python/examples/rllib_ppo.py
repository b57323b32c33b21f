"""PPO of RLlib learns which bid wins, and is compared with fifo.

    mvn -Pwheel package
    pip install experiments/target/trainyard_gym-0.1.0-py3-none-any.whl "ray[rllib]" torch
    python rllib_ppo.py
"""

from __future__ import annotations

import time

import ray
import recipe
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

BATCH = 1024
"""Decisions of an update."""
SEED = 1


def settings() -> PPOConfig:
    return (
        PPOConfig()
        .environment("trainyard", disable_env_checking=True)
        .env_runners(num_env_runners=0, rollout_fragment_length=BATCH, batch_mode="truncate_episodes")
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=BATCH, minibatch_size=256, num_epochs=4, gamma=1.0, lr=3e-4, entropy_coeff=0.01)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64, 64]}))
        .debugging(seed=SEED, log_level="ERROR")
    )


def main() -> None:
    torch.set_num_threads(1)
    began = time.monotonic()
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, local_mode=False)
    register_env("trainyard", lambda config: recipe.world())
    algorithm = settings().build_algo()
    for _ in range(recipe.DECISIONS // BATCH):
        algorithm.train()
    module = algorithm.get_module()

    def choose(observation: recipe.Observation) -> int:
        batch = {name: torch.as_tensor(value)[None] for name, value in observation.items()}
        with torch.no_grad():
            scores = module.forward_inference({"obs": batch})["action_dist_inputs"]
        return int(scores.argmax())

    recipe.compare(choose, began)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
