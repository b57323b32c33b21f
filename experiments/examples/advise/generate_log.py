"""A Slurm accounting log with a known past: strict FIFO on servers of 8 GPUs, as sacct -P prints it.

Usage: generate_log.py [--jobs 800] [--servers 8] [--load 0.9] [--seed 1] > log.txt

Jobs come at random, ask for 1 to 32 GPUs and last an hour at the median. A job starts when all jobs before it have
started and enough GPUs are free: up to 8 on the fullest server that has them, more on whole servers.
"""
import argparse
import datetime
import heapq
import math
import random

GPUS_PER_SERVER = 8
# GPUs asked, and how often.
SIZES = {1: 60, 2: 10, 4: 8, 8: 16, 16: 5, 32: 1}
COLUMNS = "JobID|State|User|JobName|Partition|Submit|Start|End|AllocTRES|ReqTRES"


def duration(rng):
    """Seconds: log-normal, from half a minute to two days."""
    return min(172800, max(30, int(rng.lognormvariate(math.log(3600), 1.5))))


def draw(rng, count, gpus, load):
    """Jobs as (submission, GPUs, duration, user); they ask for this share of the cluster's GPU time."""
    sizes = [size for size, often in SIZES.items() for _ in range(often)]
    mean_duration = sum(duration(rng) for _ in range(5000)) / 5000
    gap = sum(sizes) / len(sizes) * mean_duration / (gpus * load)
    jobs, now = [], 0.0
    for _ in range(count):
        now += rng.expovariate(1 / gap)
        jobs.append((int(now), rng.choice(sizes), duration(rng), "user%d" % rng.randrange(20)))
    return jobs


def fit(free, gpus):
    """What a job gets of each server, or None when it has to wait."""
    if gpus <= GPUS_PER_SERVER:
        enough = [server for server, left in enumerate(free) if left >= gpus]
        return [(min(enough, key=lambda server: free[server]), gpus)] if enough else None
    empty = [server for server, left in enumerate(free) if left == GPUS_PER_SERVER]
    needed = gpus // GPUS_PER_SERVER
    return [(server, GPUS_PER_SERVER) for server in empty[:needed]] if len(empty) >= needed else None


def fifo(jobs, servers):
    """The starts of the jobs, in their order."""
    free, running, starts, now = [GPUS_PER_SERVER] * servers, [], [], 0

    def end_next():
        end, held = heapq.heappop(running)
        for server, gpus in held:
            free[server] += gpus
        return end

    for submit, gpus, lasts, _ in jobs:
        now = max(now, submit)
        while running and running[0][0] <= now:
            end_next()
        held = fit(free, gpus)
        while held is None:
            now = max(now, end_next())
            held = fit(free, gpus)
        for server, taken in held:
            free[server] -= taken
        heapq.heappush(running, (now + lasts, held))
        starts.append(now)
    return starts


def instant(seconds):
    return (datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=seconds)).isoformat()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=800)
    parser.add_argument("--servers", type=int, default=8)
    parser.add_argument("--load", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    widest = max(SIZES) // GPUS_PER_SERVER
    if args.servers < widest:
        parser.error("--servers (%d) must be at least %d, for jobs of %d GPUs" % (args.servers, widest, max(SIZES)))
    jobs = draw(random.Random(args.seed), args.jobs, args.servers * GPUS_PER_SERVER, args.load)
    print(COLUMNS)
    for number, ((submit, gpus, lasts, user), start) in enumerate(zip(jobs, fifo(jobs, args.servers)), 1):
        times = "%s|%s|%s" % (instant(submit), instant(start), instant(start + lasts))
        tres = "billing=%d,cpu=%d,gres/gpu=%d,mem=1G,node=%d" % (gpus, 8 * gpus, gpus, (gpus + 7) // 8)
        print("%d|COMPLETED|%s|train%d|gpu|%s|%s|%s" % (number, user, number % 40, times, tres, tres))
        print("%d.batch|COMPLETED||batch||%s|cpu=8|" % (number, times))


if __name__ == "__main__":
    main()
