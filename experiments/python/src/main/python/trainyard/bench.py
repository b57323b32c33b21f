"""``python -m trainyard.bench``: decisions per second by a random or a greedy policy, through the socket."""

from __future__ import annotations

import argparse
import os
import time
from typing import Optional

import numpy as np

from . import vector_env


def random_actions(random: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    """A legal action for every row of a mask, each with equal probability."""
    return np.argmax(random.random(mask.shape, np.float32) * mask, axis=1)


def greedy_actions(kind: np.ndarray, mask: np.ndarray, start: int) -> np.ndarray:
    """The first bid of the kind ``start`` in every row, else the first that is legal."""
    return np.argmax(np.where(kind == start, 2, 1) * mask, axis=1)


def server_seconds(pid: Optional[int]) -> float:
    """Processor time of a process so far; NaN where the system does not say."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m trainyard.bench", description=__doc__)
    parser.add_argument("--config", default="auction/small")
    parser.add_argument("--batch", type=int, default=64, help="environments stepped together")
    parser.add_argument("--policy", choices=("random", "greedy"), default="random", help="greedy starts the first job that can start")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm-up", type=float, default=5, help="seconds before, while Java compiles")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a value of the config")
    given = parser.parse_args()
    env = vector_env(given.config, given.batch, overrides=given.set)
    random = np.random.default_rng(1)
    start = env.kinds.index("START")
    seen, _ = env.reset(seed=1)
    for seconds, is_measured in ((given.warm_up, False), (given.seconds, True)):
        steps = 0
        illegal = 0
        began = time.perf_counter()
        processor = time.process_time()
        server = server_seconds(env.client.server_pid)
        while time.perf_counter() - began < seconds:
            mask = env.action_masks()
            actions = random_actions(random, mask) if given.policy == "random" else greedy_actions(seen["kind"], mask, start)
            seen, _, _, _, infos = env.step(actions)
            illegal += int(infos["illegal"].sum())
            steps += 1
        took = time.perf_counter() - began
        if is_measured:
            decisions = steps * given.batch
            own = (time.process_time() - processor) / decisions * 1e6
            java = (server_seconds(env.client.server_pid) - server) / decisions * 1e6
            print(
                f"{decisions / took:,.0f} decisions/s at batch {given.batch} on {env.client.welcome['cluster']}, {given.policy}"
                f" ({took / steps * 1e3:.2f} ms a step; processor time of a decision {java:.1f} us in Java, {own:.1f} us in Python; {illegal} illegal)"
            )
    env.close()


if __name__ == "__main__":
    main()
