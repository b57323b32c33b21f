"""``python -m trainyard.bench``: decisions per second by a random policy, through the socket."""

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
    parser.add_argument("--config", default="quickstart")
    parser.add_argument("--batch", type=int, default=64, help="environments stepped together")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm-up", type=float, default=5, help="seconds before, while Java compiles")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a value of the config")
    given = parser.parse_args()
    env = vector_env(given.config, given.batch, overrides=given.set)
    random = np.random.default_rng(1)
    env.reset(seed=1)
    for seconds, is_measured in ((given.warm_up, False), (given.seconds, True)):
        steps = 0
        illegal = 0
        began = time.perf_counter()
        processor = time.process_time()
        server = server_seconds(env.client.server_pid)
        while time.perf_counter() - began < seconds:
            _, _, _, _, infos = env.step(random_actions(random, env.action_masks()))
            illegal += int(infos["illegal"].sum())
            steps += 1
        took = time.perf_counter() - began
        if is_measured:
            own = (time.process_time() - processor) / steps * 1e3
            java = (server_seconds(env.client.server_pid) - server) / steps * 1e3
            print(
                f"{steps * given.batch / took:,.0f} decisions/s at batch {given.batch} on {env.client.welcome['cluster']}"
                f" ({took / steps * 1e3:.2f} ms a step; processor time {java:.2f} ms in Java, {own:.2f} ms in Python; {illegal} illegal)"
            )
    env.close()


if __name__ == "__main__":
    main()
