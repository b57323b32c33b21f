"""PPO of TorchRL learns which bid wins, and is compared with fifo.

    mvn -Pwheel package
    pip install experiments/target/trainyard_gym-0.1.0-py3-none-any.whl gymnasium torchrl
    python torchrl_ppo.py
"""

from __future__ import annotations

import time

import recipe
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import SyncDataCollector
from torchrl.envs import GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

FRAMES = 1024
"""Decisions of a batch."""
EPOCHS = 4
MINIBATCH = 256
LEARNING_RATE = 3e-4
HIDDEN = 64
SEED = 1


def network(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, outputs))


class Logits(nn.Module):
    """Scores of the actions, and the mask as a distribution takes it."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.network = network(inputs, actions)

    def forward(self, observations: torch.Tensor, mask: torch.Tensor) -> "tuple[torch.Tensor, torch.Tensor]":
        legal = mask > 0
        # At an end nothing is legal, and nothing is drawn.
        return self.network(observations), legal | ~legal.any(-1, keepdim=True)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    began = time.monotonic()
    plain = recipe.world()
    inputs = plain.observation_space["observations"].shape[0]
    env = GymWrapper(plain, categorical_action_encoding=True)
    env.set_seed(SEED)
    logits = TensorDictModule(Logits(inputs, int(plain.action_space.n)), ["observations", "action_mask"], ["logits", "legal"])
    actor = ProbabilisticActor(
        logits, in_keys={"logits": "logits", "mask": "legal"}, distribution_class=MaskedCategorical, return_log_prob=True
    )
    critic = ValueOperator(network(inputs, 1), in_keys=["observations"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01)
    optimiser = torch.optim.Adam(loss.parameters(), LEARNING_RATE)
    for batch in SyncDataCollector(env, actor, frames_per_batch=FRAMES, total_frames=recipe.DECISIONS):
        for _ in range(EPOCHS):
            with torch.no_grad():
                advantage(batch)
            for rows in torch.randperm(FRAMES).split(MINIBATCH):
                losses = loss(batch[rows])
                optimiser.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()

    def choose(observation: recipe.Observation) -> int:
        with torch.no_grad():
            scored = logits(TensorDict({name: torch.as_tensor(value)[None] for name, value in observation.items()}, [1]))
        return int(scored["logits"].masked_fill(~scored["legal"], -torch.inf).argmax())

    recipe.compare(choose, began)


if __name__ == "__main__":
    main()
