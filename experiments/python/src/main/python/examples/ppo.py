"""Proximal policy optimisation of bids, from random weights, through ``trainyard.vector_env``.

    python experiments/python/src/main/python/examples/ppo.py --updates 60

It trains on the quickstart's world, then plays its test episodes and compares mean job completion times (JCT) with schedulers
of the catalogue. Needs torch, gymnasium and numpy.
"""

import argparse
import time

import numpy as np
import torch
import trainyard
from torch import nn

DISCOUNT_HOURS = 10.0  # a cost so far ahead counts 1/e
GAE = 0.98
CLIP = 0.2
ENTROPY = 0.003
COST_SCALE = 100.0  # job-hours; values are of the order of one
EPOCHS, MINIBATCH = 3, 1024


class Policy(nn.Module):
    """A score for each bid by its own row, and a value by what all bids share: the columns of the bid to wait."""

    def __init__(self, columns: int, kinds: int, hidden: int = 64) -> None:
        super().__init__()
        self.kinds = kinds
        self.score = nn.Sequential(
            nn.Linear(columns + kinds, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1)
        )
        self.value = nn.Sequential(nn.Linear(columns, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        with torch.no_grad():
            self.score[-1].weight.mul_(0.1)

    def forward(self, columns: torch.Tensor, kind: torch.Tensor, mask: torch.Tensor):
        """Log-probabilities of all bids and values; only legal bids are computed."""
        legal = mask.bool()
        rows = torch.cat([columns[legal], nn.functional.one_hot(kind[legal], self.kinds).float()], dim=1)
        scores = torch.full(mask.shape, -1e9)
        scores[legal] = self.score(rows).squeeze(1)
        return torch.log_softmax(scores, dim=1), self.value(columns[:, 0]).squeeze(1)


def tensors(observation, most=None):
    return [torch.as_tensor(observation[name][:, :most]) for name in ("columns", "kind", "mask")]


class Rollout:
    """Decisions of all environments, a row for each step."""

    def __init__(self, env, policy, observation, steps: int) -> None:
        self.steps = []
        with torch.no_grad():
            for _ in range(steps):
                # Bids behind the last one of any environment are padding.
                most = int(observation["mask"].any(axis=0).nonzero()[0][-1]) + 1
                inputs = tensors(observation, most)
                logp, value = policy(*inputs)
                action = torch.multinomial(logp.exp(), 1).squeeze(1)
                observation, reward, terminated, truncated, info = env.step(action.numpy())
                chosen = logp.gather(1, action[:, None]).squeeze(1)
                done = terminated | truncated
                self.steps.append((inputs, action, chosen, value.numpy(), reward / COST_SCALE, info["discount"] * ~done))
            self.observation = observation
            last = policy(*tensors(observation))[1].numpy()
        advantage = np.zeros(env.num_envs)
        self.advantages, self.returns = [], []
        for _, _, _, value, reward, discount in reversed(self.steps):
            advantage = reward + discount * last - value + discount * GAE * advantage
            last = value
            self.advantages.insert(0, advantage)
            self.returns.insert(0, advantage + value)

    def batch(self):
        """All decisions as tensors, padded to the same number of bids."""
        most = max(step[0][2].shape[1] for step in self.steps)
        inputs = [
            torch.cat([nn.functional.pad(step[0][i], (0, 0) * (step[0][i].dim() - 2) + (0, most - step[0][i].shape[1])) for step in self.steps])
            for i in range(3)
        ]
        advantage = torch.as_tensor(np.concatenate(self.advantages), dtype=torch.float32)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        returns = torch.as_tensor(np.concatenate(self.returns), dtype=torch.float32)
        actions, old = (torch.cat([step[i] for step in self.steps]) for i in (1, 2))
        return inputs, actions, old, advantage, returns


def improve(policy, optimiser, rollout: Rollout) -> None:
    inputs, actions, old, advantage, returns = rollout.batch()
    for _ in range(EPOCHS):
        for part in torch.randperm(len(actions)).split(MINIBATCH):
            logp, value = policy(*(array[part] for array in inputs))
            ratio = (logp.gather(1, actions[part, None]).squeeze(1) - old[part]).exp()
            gain = torch.minimum(ratio * advantage[part], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[part]).mean()
            entropy = -(logp.exp() * logp).sum(1).mean()
            loss = -gain - ENTROPY * entropy + 0.5 * nn.functional.mse_loss(value, returns[part])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()


def mean_jct(config: str, split: str, choose, overrides) -> float:
    """Mean JCT over all episodes of a split, hours; they are played side by side."""
    probe = trainyard.env(config, overrides=overrides)
    count = probe.client.welcome["episodes"][split]
    probe.close()
    env = trainyard.vector_env(config, count, overrides=overrides)
    observation, _ = env.reset(options={"split": split, "episode": np.arange(count)})
    seconds = np.full(count, np.nan)
    while np.isnan(seconds).any():
        observation, _, terminated, _, info = env.step(choose(observation))
        for i in np.flatnonzero(terminated & np.isnan(seconds)):
            seconds[i] = info["final_info"]["mean_jct_seconds"][i]
    env.close()
    return float(seconds.mean()) / 3600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="auction/small")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--steps", type=int, default=128)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    env = trainyard.vector_env(given.config, given.envs, discount_hours=DISCOUNT_HOURS, overrides=given.set)
    policy = Policy(len(env.columns), len(env.kinds))
    optimiser = torch.optim.Adam(policy.parameters(), lr=2e-3)
    random = np.random.default_rng(given.seed)

    def best(observation):
        with torch.no_grad():
            return policy(*tensors(observation))[0].argmax(1).numpy()

    def at_random(observation):
        return np.argmax(random.random(observation["mask"].shape) * observation["mask"], axis=1)

    observation, _ = env.reset(seed=given.seed)
    began = time.perf_counter()
    for update in range(given.updates):
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * (1 - 0.9 * update / given.updates)
        rollout = Rollout(env, policy, observation, given.steps)
        observation = rollout.observation
        improve(policy, optimiser, rollout)
        if update % 10 == 9:
            cost = -np.mean([step[4] for step in rollout.steps]) * COST_SCALE
            print(f"update {update + 1}: cost of a decision {cost:.3f} job-hours, {time.perf_counter() - began:.0f} s", flush=True)
    env.close()
    print(f"validation: bids at random {mean_jct(given.config, 'validation', at_random, given.set):.2f} h")
    print(f"validation: learned {mean_jct(given.config, 'validation', best, given.set):.2f} h")
    others = trainyard.evaluate(given.config, schedulers="random,fifo,sjf", overrides=given.set)
    for row in others.summary["schedulers"]:
        print(f"test: {row['name']} {row['jct_s']['mean'] / 3600:.2f} h")
    print(f"test: learned {mean_jct(given.config, 'test', best, given.set):.2f} h")


if __name__ == "__main__":
    main()
