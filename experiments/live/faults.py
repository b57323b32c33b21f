#!/usr/bin/env python3
"""What may go wrong while a driver drives, done on purpose: every job must run exactly once, or once more for each node that it lost.

    experiments/live/faults.py --out runs/faults [--only kills|troubles|clock|preemption]

`kills`: 200 jobs, and the driver is killed with -9 at ten random moments and started again. `troubles`: slurmctld restarts, a node is
drained and one is lost in mid-job, 50 jobs are cancelled at once, and the disk of the write-ahead file is full. `clock`: the driver's clock
is set an hour ahead and then an hour back. `preemption`: a scheduler that preempts may requeue. Needs root."""

import argparse
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from jobs import generated
from lab import Lab, install
from live import ROOT, Driver, entries


def submitted(lab, trace, folder, begin, numbers):
    """Submits held, each job writing a line as it starts and one as it ends."""
    for job in trace:
        time.sleep(max(0, begin + job["submit_s"] - time.time()))
        note = f">> {folder}/ran.txt"
        script = (f"echo start $SLURM_JOB_ID ${{SLURM_RESTART_COUNT:-0}} {note}; sleep {job['duration_s']};"
                  f" echo end $SLURM_JOB_ID ${{SLURM_RESTART_COUNT:-0}} {note}")
        numbers[lab.submit(job, "--hold", script=script)] = job["job"]


def ran(folder, what):
    lines = [line.split() for line in open(folder / "ran.txt")]
    counts = {}
    for word, number, _ in lines:
        if word == what:
            counts[number] = counts.get(number, 0) + 1
    return counts


def kills(lab, folder, trainyard, seed, count=200):
    trace = generated(seed, count, 3)
    driver = Driver(lab, "easy", folder / "drive", trainyard).start()
    numbers, begin = {}, time.time() + 1
    feeding = threading.Thread(target=submitted, args=(lab, trace, folder, begin, numbers))
    feeding.start()
    rng = random.Random(seed)
    for at in sorted(rng.uniform(5, 200) for _ in range(10)):
        time.sleep(max(0, begin + at - time.time()))
        driver.end(signal.SIGKILL)
        driver.start()
    feeding.join()
    lab.until(1200, "the end of all jobs", lambda: not lab.run("squeue", "-h").strip())
    driver.end()
    starts, ends = ran(folder, "start"), ran(folder, "end")
    once = sum(starts.get(number) == 1 and ends.get(number) == 1 for number in numbers)
    print(f"kills: 10 kills, 10 resumes, {len(numbers)} jobs submitted, {once} ran exactly once")
    return once == len(numbers) == count


def troubles(lab, folder, trainyard, seed):
    trace = generated(seed, 120, 2)
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=True)
    try:
        driver = Driver(lab, "easy", disk / "drive", trainyard)
        driver.log = folder / "drive.log"
        driver.start()
        numbers, begin = {}, time.time() + 1
        feeding = threading.Thread(target=submitted, args=(lab, trace, folder, begin, numbers))
        feeding.start()
        time.sleep(25)
        lab.end("slurmctld", kill=True)
        time.sleep(4)
        lab.controller()
        lab.run("scontrol", "update", "nodename=n08", "state=drain", "reason=test")
        time.sleep(15)
        lost = [number for number in lab.run("squeue", "-h", "-w", "n02", "-t", "R", "-o", "%A").split()]
        lab.run("scontrol", "update", "nodename=n02", "state=down", "reason=lost")
        time.sleep(15)
        for node in ("n02", "n08"):  # a lost node that answers comes back by itself
            lab.run("scontrol", "update", f"nodename={node}", "state=resume", check=False)
        (disk / "filler").write_bytes(b"")
        subprocess.run(f"cat /dev/zero > {disk}/filler", shell=True, stderr=subprocess.DEVNULL)
        lab.until(60, "an end with a full disk", lambda: driver.process.poll() is not None)
        said = driver.log.read_text().strip().split("\n")[-1]
        print(f"troubles: full disk: exit code {driver.process.returncode}: {said}")
        (disk / "filler").unlink()
        driver.start()
        feeding.join()
        batch = [lab.submit(dict(job=f"c{i}", group="g0", gpus=1, duration_s=5, limit_min=1), "--hold") for i in range(50)]
        time.sleep(2)
        lab.run("scancel", *batch)
        lab.until(1200, "the end of all jobs", lambda: not lab.run("squeue", "-h").strip())
        driver.end()
    finally:
        subprocess.run(["umount", "-l", str(disk)])
    starts, ends = ran(folder, "start"), ran(folder, "end")
    whole = [number for number in numbers if ends.get(number) == 1]
    twice = [number for number in numbers if starts.get(number, 0) > 1 and number not in lost]
    print(f"troubles: {len(numbers)} jobs, {len(whole)} ended exactly once, {len(lost)} were on the lost node,"
          f" {len(twice)} others started twice; 50 cancelled at once")
    return len(whole) == len(numbers) and not twice


def driven(lab, folder, driver, seed, count, minutes, meanwhile):
    """Jobs under a driver, while something else happens; their numbers, starts and ends."""
    driver.start()
    numbers, begin = {}, time.time() + 1
    feeding = threading.Thread(target=submitted, args=(lab, generated(seed, count, minutes), folder, begin, numbers))
    feeding.start()
    meanwhile()
    feeding.join()
    lab.until(1200, "the end of all jobs", lambda: not lab.run("squeue", "-h").strip())
    driver.end()
    return numbers, ran(folder, "start"), ran(folder, "end")


def clock(lab, folder, trainyard, seed):
    ahead = folder / "ahead"
    ahead.write_text("+0\n")
    environment = dict(LD_PRELOAD=str(next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), FAKETIME_TIMESTAMP_FILE=str(ahead),
                       FAKETIME_NO_CACHE="1", DONT_FAKE_MONOTONIC="1")
    # Slurm's commands keep the true time, or they would be refused.
    driver = Driver(lab, "easy", folder / "drive", trainyard, "--through", "env -u LD_PRELOAD", environment=environment)

    def steps():
        for hours in ("+1h", "-1h", "+0"):
            time.sleep(20)
            ahead.write_text(hours + "\n")

    numbers, starts, ends = driven(lab, folder, driver, seed, 60, 1.3, steps)
    once = sum(starts.get(number) == 1 and ends.get(number) == 1 for number in numbers)
    print(f"clock: set an hour ahead, two back, one ahead; {len(numbers)} jobs, {once} ran exactly once")
    return once == len(numbers) == 60


def preemption(lab, folder, trainyard, seed):
    driver = Driver(lab, "srtf", folder / "drive", trainyard, level="preemption")
    numbers, starts, ends = driven(lab, folder, driver, seed, 60, 1.3, lambda: None)
    told = [entry["job"] for entry in entries(folder / "drive") if entry["do"] == "requeue"]
    # One that has just been requeued or has ended refuses the requeue, which was written down before.
    right = [number for number in numbers if ends.get(number) == 1 and starts[number] <= 1 + told.count(number)]
    print(f"preemption: {len(numbers)} jobs, {len(told)} requeues asked for, {sum(starts.values()) - len(starts)} restarts,"
          f" {len(right)} ended once and started no more often than told")
    return bool(told) and len(right) == len(numbers) == 60


SCENARIOS = dict(kills=kills, troubles=troubles, clock=clock, preemption=preemption)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--port", type=int, default=29000)
    parser.add_argument("--only", choices=list(SCENARIOS))
    parser.add_argument("--trainyard", default=str(ROOT / "trainyard"))
    args = parser.parse_args()
    install()
    out, good = Path(args.out).resolve(), True
    for name in [args.only] if args.only else SCENARIOS:
        folder = out / name
        folder.mkdir(parents=True)
        with Lab(folder / "lab", args.port) as lab:
            good &= SCENARIOS[name](lab, folder, args.trainyard.split(), args.seed)
        args.port += 100
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
