"""A trace of small training jobs, compressed to minutes: sizes, run times and users from one seed."""

import math
import random


def generated(seed, jobs, minutes, load=1.05, gpus=32):
    """Jobs in the order of submission, dictionaries with the columns of a trace and a limit in whole minutes."""
    rng = random.Random(seed)
    groups = {f"g{i}": rng.uniform(0.4, 1.8) for i in range(6)}  # what a group runs is alike, so history predicts it
    rows = []
    for _ in range(jobs):
        group = rng.choice(sorted(groups))
        size = rng.choices([1, 2, 4, 8, 16], [50, 18, 16, 11, 5])[0]
        rows.append((group, size, groups[group] * math.exp(rng.gauss(0, 0.7))))
    window = 60 * minutes
    scale = load * gpus * window / sum(size * raw for _, size, raw in rows)
    runs = [min(90, max(5, raw * scale)) for _, _, raw in rows]
    scale = load * gpus * window / sum(size * run for (_, size, _), run in zip(rows, runs))
    times = sorted(rng.uniform(0, window) for _ in rows)
    trace = []
    for i, ((group, size, _), run, at) in enumerate(zip(rows, runs, times)):
        seconds = round(max(5, run * scale), 1)
        limit = math.ceil(seconds * rng.uniform(1.3, 4) / 60)
        trace.append(
            dict(job=f"j{i}", submit_s=round(at, 3), gpus=size, duration_s=seconds, user="root", group=group,
                 one_server=int(size <= 4), limit_min=max(limit, math.ceil((seconds + 8) / 60)))
        )
    return trace
