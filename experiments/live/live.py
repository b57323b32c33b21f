#!/usr/bin/env python3
"""Runs one trace on a real Slurm under several schedulers, and in the simulator, and compares them.

    experiments/live/live.py --out runs/live [--jobs 200] [--minutes 3.5] [--at-once 3] [--schedulers fifo:2,easy:2,patient,slurm:2,learned:2]

`slurm` is Slurm alone; all others drive it; the number after a name is how often it runs. Writes OUT/live.json and OUT/live.md.
What OUT has recorded is not run again. Needs root."""

import argparse
import csv
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

from lab import Lab, install
from jobs import generated

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
UNDISTURBED = ROOT / "experiments" / "physics" / "undisturbed.yaml"
EVERY = 0.5
DRAWS = 5


def rules(folder):
    """What the simulator holds to be true and the driver believes: nobody slows anybody down, and nobody is preempted."""
    file = folder / "rules.yaml"
    file.write_text(UNDISTURBED.read_text() + "preemption: {type: Forbidden}\n")
    return file


class Driver:
    """`trainyard drive slurm` on a lab; it goes on in its folder when it is started again."""

    def __init__(self, lab, name, folder, trainyard, *more, level=None, environment=(), cluster=HERE / "cluster.yaml"):
        self.lab, self.folder, self.environment = lab, folder, dict(environment)
        level = level or ("placement" if name in ("patient", "learned") else "priority")
        self.command = [*trainyard, "drive", "slurm", "--scheduler", name, "--partition", "gpu", "--held", "--level", level,
                        *(["--cluster", str(cluster)] if cluster else []), "--physics", str(UNDISTURBED if level == "preemption" else rules(folder.parent)), "--out", str(folder), "--every", str(EVERY),
                        "--budget-ms", "5000", *more]
        self.log = folder.with_suffix(".log")

    def start(self):
        before = self.log.read_text().count("driving slurm") if self.log.exists() else 0
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, env={**self.lab.env, **self.environment}, stdout=log, stderr=log, start_new_session=True)
        try:
            self.lab.until(300, "the driver", lambda: self.log.read_text().count("driving slurm") > before or self.has_ended())
        except RuntimeError:
            self.end(signal.SIGKILL)
            raise
        return self

    def has_ended(self):
        return self.process.poll() is not None

    def said(self):
        """Its last line."""
        return self.log.read_text().strip().split("\n")[-1]

    def end(self, how=signal.SIGTERM):
        """The process alone gets the signal, and its children with it when it is killed."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, how) if how == signal.SIGKILL else os.kill(self.process.pid, how)
        self.process.wait(60)


def entries(folder):
    """What a driver wrote before it did it: a checksum and JSON on each line."""
    file = folder / "drive.log"
    return [json.loads(line.split(" ", 1)[1]) for line in open(file)] if file.exists() else []


def real(name, trace, folder, port, trainyard):
    """The trace on a Slurm of its own."""
    with Lab(folder / "lab", port) as lab:
        driver = None if name == "slurm" else Driver(lab, name, folder / "drive", trainyard).start()
        numbers, begin = {}, time.time() + 1
        for job in trace:
            time.sleep(max(0, begin + job["submit_s"] - time.time()))
            numbers[lab.submit(job, *([] if driver is None else ["--hold"]))] = job
        lab.until(1800, "the end of all jobs", lambda: (driver and driver.has_ended()) or not lab.run("squeue", "-h").strip())
        time.sleep(1)
        if driver is not None:
            if driver.has_ended():
                raise RuntimeError("the driver ended: " + driver.said())
            driver.end()
        history = lab.history()
    rows = []
    for number, job in numbers.items():
        at = {kind: times[-1] - begin for kind, times in history[number].items()}
        rows.append(dict(job=job["job"], number=number, gpus=job["gpus"], asked_s=job["duration_s"], begin=begin, **at))
    return rows


def latencies(rows, folder):
    """Of one run, seconds: by how much longer than its sleep a job holds its GPUs, and of each job the time from what could be seen to a
    decision and from the decision to its start."""
    told = {e["job"]: e["at"] / 1000 for e in entries(folder / "drive") if e["do"].startswith("start")}
    events = sorted([row["submit"] for row in rows] + [row["end"] for row in rows])
    look, carry = [], []
    for row in rows:
        decided = told[row["number"]] - row["begin"] if row["number"] in told else row["start"]
        before = [at for at in events if at <= decided]
        look.append(decided - before[-1] if before else 0)
        carry.append(max(0.0, row["start"] - decided))
    return statistics.mean(row["end"] - row["start"] - row["asked_s"] for row in rows), look, carry


def simulated(name, trace, rows, late, folder, trainyard):
    """The same jobs in the simulator, `DRAWS` times, each job as long as it ran and one of the measured latencies longer; the schedulers
    of a list of dictionaries by job. Schedulers are new ones at each instant, as on the live cluster, where something else happens
    before almost every answer is carried out."""
    ran = {row["job"]: row for row in rows}
    extra = [a + b for a, b in zip(late[1], late[2])]
    runs = []
    for draw in range(DRAWS):
        rng, file, out = random.Random(draw), folder / f"trace-{draw}.csv", folder / f"simulated-{draw}"
        with open(file, "w", newline="") as text:
            columns = ["job", "submit_s", "gpus", "duration_s", "user", "group", "one_server", "limit_s"]
            writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            for job in trace:
                row = ran[job["job"]]
                one = job["one_server"] if name not in ("patient", "learned") else 0  # they know no such jobs, here as there
                writer.writerow(dict(job, one_server=one, submit_s=round(row["submit"], 3),
                                     duration_s=round(row["end"] - row["start"] + rng.choice(extra), 3),
                                     limit_s=60 * job["limit_min"] if name == "slurm" else ""))
        scheduler = {"learned": ["--checkpoint", "learned"], "slurm": ["--scheduler", f"slurm:{folder}/lab/slurm.conf"]}
        subprocess.run([*trainyard, "simulate", "--trace", str(file), "--cluster", str(HERE / "cluster.yaml"),
                        *scheduler.get(name, ["--scheduler", f"controller:{name}"]), "--as-logged",
                        "--physics", str(rules(folder)), "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        runs.append({row["job"]: {k: float(row[k]) for k in ("submit", "first_start", "end")}
                     for row in csv.DictReader(open(out / "jobs.csv"))})
        shutil.rmtree(out)
    return runs


def compared(rows, draws, late):
    """One run beside its simulations: means over the jobs, and over the draws."""
    jct = statistics.mean(row["end"] - row["submit"] for row in rows)
    jct_sim = statistics.mean(one["end"] - one["submit"] for sim in draws for one in sim.values())
    pairs = swapped = 0
    for sim in draws:
        for a, b in combinations(rows, 2):
            d, e = a["start"] - b["start"], sim[a["job"]]["first_start"] - sim[b["job"]]["first_start"]
            if abs(d) > 1 and abs(e) > 1:
                pairs += 1
                swapped += (d < 0) != (e < 0)
    by_job = [abs((row["end"] - row["submit"]) - (sim[row["job"]]["end"] - sim[row["job"]]["submit"])) for sim in draws for row in rows]
    return dict(jct_real_s=jct, jct_simulated_s=jct_sim, difference=jct_sim / jct - 1,
                jct_by_job_median_s=statistics.median(by_job), pairs_in_other_order=swapped / max(1, pairs),
                launch_s=late[0], look_s=statistics.mean(late[1]), carry_s=statistics.mean(late[2]))


# Of Student's t, two-sided 95 %, by degrees of freedom.
T = {1: 12.71, 2: 4.303, 3: 3.182, 4: 2.776}


def interval(values):
    """The mean, and half of its 95 % interval; none of one value."""
    half = T.get(len(values) - 1, 2) * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else None
    return statistics.mean(values), half


def shown(values, form):
    mean, half = interval(values)
    return form.format(mean) + ("" if half is None else " ± " + form.replace("+", "").format(half))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=3.5)
    parser.add_argument("--seed", type=int, default=60)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--port", type=int, default=28000)
    parser.add_argument("--schedulers", default="fifo:2,easy:2,patient,slurm:2,learned:2")
    parser.add_argument("--trainyard", default=str(ROOT / "trainyard"))
    args = parser.parse_args()
    install()
    out = Path(args.out).resolve()
    trace = generated(args.seed, args.jobs, args.minutes)
    trainyard, runs = args.trainyard.split(), []
    for word in args.schedulers.split(","):
        name, _, times = word.partition(":")
        runs += [(name, i + 1) for i in range(int(times or 1))]
    runs.sort(key=lambda run: run[1])  # side by side are different schedulers
    began = time.time()
    subprocess.run([*trainyard, "--version"], check=True, stdout=subprocess.DEVNULL)  # built once, before anything is timed
    recorded, failures = {}, []

    def one(i, name, number):
        folder = out / f"{name}-{number}"
        try:
            kept = folder / "recorded.json"
            if not kept.exists():
                folder.mkdir(parents=True)
                kept.write_text(json.dumps(real(name, trace, folder, args.port + 100 * i, trainyard)))
            recorded[name, number] = json.loads(kept.read_text())
        except Exception as e:  # the others go on
            failures.append(f"{name}: {e}")

    with ThreadPoolExecutor(args.at_once) as pool:
        for i, run in enumerate(runs):
            pool.submit(one, i, *run)
            time.sleep(3)
    lived, by_name = time.time(), {}

    def beside(run):
        folder = out / "{}-{}".format(*run)
        late = latencies(recorded[run], folder)
        return run[0], compared(recorded[run], simulated(run[0], trace, recorded[run], late, folder, trainyard), late)

    with ThreadPoolExecutor(2) as pool:
        for name, result in pool.map(beside, sorted(recorded)):
            by_name.setdefault(name, []).append(result)
    (out / "live.json").write_text(json.dumps(by_name, indent=1) + "\n")
    lines = ["| scheduler | runs | mean JCT, real | simulated | difference | JCT by job, median difference | pairs started in the other order | launch | look | carry out |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name, results in by_name.items():
        column = {key: [one[key] for one in results] for key in results[0]}
        mean = {key: statistics.mean(values) for key, values in column.items()}
        lines.append(f"| `{name}` | {len(results)} | {shown(column['jct_real_s'], '{:.1f}')} s | {shown(column['jct_simulated_s'], '{:.1f}')} s |"
                     f" {shown([100 * x for x in column['difference']], '{:+.1f}')} % | {mean['jct_by_job_median_s']:.1f} s |"
                     f" {mean['pairs_in_other_order']:.1%} | {mean['launch_s']:.2f} s | {mean['look_s']:.2f} s | {mean['carry_s']:.2f} s |")
    (out / "live.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    for failure in failures:
        print("failed:", failure, file=sys.stderr)
    real_s, simulated_s = ({name: statistics.mean(one[key] for one in results) for name, results in by_name.items()}
                           for key in ("jct_real_s", "jct_simulated_s"))
    within = {name: abs(simulated_s[name] / real_s[name] - 1) <= 0.05 for name in ("fifo", "easy") if name in real_s}
    print("within 5 %:", ", ".join(f"{name} {'yes' if yes else 'no'}" for name, yes in within.items()))
    if {"learned", "slurm"} <= real_s.keys():
        print("shipped policy below slurm:", "yes" if real_s["learned"] < real_s["slurm"] else "no")
    print(f"{(lived - began) / 60:.0f} min for {len(recorded)} runs, {(time.time() - lived) / 60:.0f} min for their simulations")
    sys.exit(0 if all(within.values()) and not failures else 1)


if __name__ == "__main__":
    main()
