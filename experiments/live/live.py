#!/usr/bin/env python3
"""Runs one trace on a real Slurm under several schedulers, and in the simulator, and compares them.

    experiments/live/live.py --out runs/live [--jobs 200] [--minutes 4] [--at-once 5] [--schedulers fifo,easy,slurm,patient,learned]

`slurm` is Slurm alone; all others drive it. Writes OUT/live.json, OUT/live.md and OUT/NAME/jobs.csv.
What OUT has recorded is not run again. Needs root."""

import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from itertools import combinations
from pathlib import Path

from lab import Lab, install
from jobs import generated

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EVERY = 0.5


def rules(folder):
    """What the simulator holds to be true and the driver believes: nobody slows anybody down, and nobody is preempted."""
    file = folder / "rules.yaml"
    file.write_text((ROOT / "experiments" / "physics" / "undisturbed.yaml").read_text() + "preemption: {type: Forbidden}\n")
    return file


class Driver:
    """`trainyard drive slurm` on a lab; it goes on in its folder when it is started again."""

    def __init__(self, lab, name, folder, trainyard, *more):
        self.lab, self.folder = lab, folder
        level = "placement" if name in ("patient", "learned") else "priority"
        self.command = [*trainyard, "drive", "slurm", "--scheduler", name, "--partition", "gpu", "--held", "--level", level,
                        "--cluster", str(HERE / "cluster.yaml"), "--physics", str(rules(folder.parent)), "--out", str(folder), "--every", str(EVERY),
                        "--budget-ms", "5000", *more]
        self.log = folder.with_suffix(".log")

    def start(self):
        before = self.log.read_text().count("driving slurm") if self.log.exists() else 0
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, env=self.lab.env, stdout=log, stderr=log, start_new_session=True)
        self.lab.until(120, "the driver", lambda: self.log.read_text().count("driving slurm") > before
                       or self.process.poll() is not None)
        return self

    def end(self, how=signal.SIGINT):
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
        lab.until(1800, "the end of all jobs", lambda: not lab.run("squeue", "-h").strip())
        time.sleep(1)
        if driver is not None:
            driver.end()
        history = lab.history()
    rows = []
    for number, job in numbers.items():
        at = {kind: times[-1] - begin for kind, times in history[number].items()}
        rows.append(dict(job=job["job"], number=number, gpus=job["gpus"], asked_s=job["duration_s"], begin=begin, **at))
    return rows


def latencies(rows, folder):
    """Means in seconds: launch and completion; from what could be seen to a decision; from a decision to a start."""
    launch = statistics.mean(row["end"] - row["start"] - row["asked_s"] for row in rows)
    told = {e["job"]: e["at"] / 1000 for e in entries(folder / "drive") if e["do"].startswith("start")}
    events = sorted([row["submit"] for row in rows] + [row["end"] for row in rows])
    look, carry = [], []
    for row in rows:
        decided = told[row["number"]] - row["begin"] if row["number"] in told else row["start"]
        before = [at for at in events if at <= decided]
        look.append(decided - before[-1] if before else 0)
        carry.append(max(0.0, row["start"] - decided))
    return dict(launch_s=launch, look_s=statistics.mean(look), carry_s=statistics.mean(carry),
                carry_p95_s=sorted(carry)[int(0.95 * len(carry))])


def simulated(name, trace, rows, late, folder, trainyard):
    """The same jobs in the simulator: as long as they ran, plus the latency with which they were started."""
    extra = late["look_s"] + late["carry_s"]
    ran = {row["job"]: row for row in rows}
    file = folder / "trace.csv"
    with open(file, "w", newline="") as out:
        columns = ["job", "submit_s", "gpus", "duration_s", "user", "group", "one_server"]
        writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for job in trace:
            row = ran[job["job"]]
            one = job["one_server"] if name not in ("patient", "learned") else 0  # they know no such jobs, here as there
            writer.writerow(dict(job, one_server=one, submit_s=round(row["submit"], 3), duration_s=round(row["end"] - row["start"] + extra, 3)))
    subprocess.run([*trainyard, "simulate", "--trace", str(file), "--cluster", str(HERE / "cluster.yaml"),
                    *(["--checkpoint", "learned"] if name == "learned" else ["--scheduler", name]), "--as-logged",
                    "--physics", str(rules(folder)), "--out", str(folder / "simulated")],
                   check=True, stdout=subprocess.DEVNULL)
    return {row["job"]: {k: float(row[k]) for k in ("submit", "first_start", "end")}
            for row in csv.DictReader(open(folder / "simulated" / "jobs.csv"))}


def compared(name, rows, sim, late, folder):
    first = min(row["submit"] for row in rows)
    origin = min(row["submit"] for row in sim.values())
    with open(folder / "jobs.csv", "w") as out:
        print("job,gpus,asked_s,real_submit,real_start,real_end,simulated_start,simulated_end", file=out)
        for row in rows:
            one = sim[row["job"]]
            print(",".join([row["job"], str(row["gpus"]), str(row["asked_s"])] + [f"{x:.3f}" for x in (
                row["submit"] - first, row["start"] - first, row["end"] - first,
                one["first_start"] - origin, one["end"] - origin)]), file=out)
    jct = statistics.mean(row["end"] - row["submit"] for row in rows)
    jct_sim = statistics.mean(one["end"] - one["submit"] for one in sim.values())
    pairs = swapped = 0
    for a, b in combinations(rows, 2):
        d, e = a["start"] - b["start"], sim[a["job"]]["first_start"] - sim[b["job"]]["first_start"]
        if abs(d) > 1 and abs(e) > 1:
            pairs += 1
            swapped += (d < 0) != (e < 0)
    by_job = sorted(abs((row["end"] - row["submit"]) - (sim[row["job"]]["end"] - sim[row["job"]]["submit"])) for row in rows)
    return dict(scheduler=name, jobs=len(rows), jct_real_s=jct, jct_simulated_s=jct_sim, difference=jct_sim / jct - 1,
                jct_by_job_median_s=statistics.median(by_job), pairs_in_other_order=swapped / max(1, pairs),
                makespan_real_s=max(r["end"] for r in rows) - first, **late)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--seed", type=int, default=60)
    parser.add_argument("--at-once", type=int, default=5)
    parser.add_argument("--port", type=int, default=28000)
    parser.add_argument("--schedulers", default="fifo,easy,slurm,patient,learned")
    parser.add_argument("--trainyard", default=str(ROOT / "trainyard"))
    args = parser.parse_args()
    install()
    out = Path(args.out).resolve()
    trace = generated(args.seed, args.jobs, args.minutes)
    trainyard, names = args.trainyard.split(), args.schedulers.split(",")
    subprocess.run([*trainyard, "--version"], check=True, stdout=subprocess.DEVNULL)  # built once, before anything is timed
    recorded, failures = {}, []

    def one(i, name):
        try:
            kept = out / name / "recorded.json"
            if not kept.exists():
                (out / name).mkdir(parents=True)
                kept.write_text(json.dumps(real(name, trace, out / name, args.port + 100 * i, trainyard)))
            recorded[name] = json.loads(kept.read_text())
        except Exception as e:  # the other schedulers go on
            failures.append(f"{name}: {e}")

    for from_ in range(0, len(names), args.at_once):
        threads = [threading.Thread(target=one, args=(i, name))
                   for i, name in list(enumerate(names))[from_ : from_ + args.at_once]]
        for thread in threads:
            thread.start()
            time.sleep(3)
        for thread in threads:
            thread.join()
    results = []
    for name in names:
        if name in recorded:
            rows, folder = recorded[name], out / name
            late = latencies(rows, folder)
            results.append(compared(name, rows, simulated(name, trace, rows, late, folder, trainyard), late, folder))
    (out / "live.json").write_text(json.dumps(results, indent=1) + "\n")
    lines = ["| scheduler | mean JCT, real | simulated | difference | by job, median | pairs in other order | launch | look | carry out | makespan |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    lines += ["| `{scheduler}` | {jct_real_s:.1f} s | {jct_simulated_s:.1f} s | {difference:+.1%} | {jct_by_job_median_s:.1f} s |"
              " {pairs_in_other_order:.1%} | {launch_s:.2f} s | {look_s:.2f} s | {carry_s:.2f} s | {makespan_real_s:.0f} s |".format(**r)
              for r in results]
    (out / "live.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    for failure in failures:
        print("failed:", failure, file=sys.stderr)
    ok = not failures and all(abs(r["difference"]) <= 0.05 for r in results if r["scheduler"] in ("fifo", "easy"))
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
