#!/usr/bin/env python3
"""What may go wrong while a driver drives, done on purpose: every job must run exactly once, or once more for each node that it lost.

    experiments/live/faults.py --out runs/faults [--at-once 2] [--only kills|troubles|alone|clock|preemption|mixed]

`kills`: 200 jobs, and the driver is killed with -9 at ten random moments and started again. `troubles`: slurmctld is killed with -9 and
restarted, a node is drained and one is lost in mid-job, 50 jobs are cancelled at once, and the disk of the write-ahead file is full.
`alone`: slurmctld is killed likewise three times while nobody drives it. `clock`: the driver's clock is set an hour ahead and then an hour back.
`preemption`: a scheduler that preempts may requeue. `mixed`: nodes of three types, memory that binds, jobs with types, memory, cores, features,
licences and whole nodes; the driver and slurmctld are killed, nodes are drained, lost, reserved for others and found with fewer GPUs than
configured, and in the end the driver is killed and all jobs are given back without it. Ends with a table, which is in OUT/faults.md. Needs root."""

import argparse
import json
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jobs import generated
from lab import Lab, install
from live import ROOT, Driver, entries


# slurmctld writes its state down when the last time is so many seconds ago, and what has happened since dies with it (its state_save.c).
UNSAVED_SECONDS = 5


def submitted(lab, trace, folder, begin, numbers, *more):
    """Submits, each job writing a line as it starts and one as it ends."""
    for job in trace:
        time.sleep(max(0, begin + job["submit_s"] - time.time()))
        note = f">> {folder}/ran.txt"
        script = f"echo start $SLURM_JOB_ID $(date +%s.%N) {note}; sleep {job['duration_s']}; echo end $SLURM_JOB_ID $(date +%s.%N) {note}"
        # A loaded machine takes a minute to launch a job, which counts towards its limit.
        numbers.append(lab.submit(dict(job, limit_min=job["limit_min"] + 10), *(more or ["--hold"]), script=script))


def feeding(lab, trace, folder, *more):
    """Submits on a thread of its own; the thread, and the numbers as they are given."""
    numbers = []
    thread = threading.Thread(target=submitted, args=(lab, trace, folder, time.time() + 1, numbers, *more))
    thread.start()
    return thread, numbers


def at_end(lab, folder, seconds=1200):
    """Waits for all jobs but those that Slurm itself holds for an operator, as it does with a number that it gave twice while a node still had the
    first job of that number; a driver leaves them so. A slurmctld that was killed may not hear of an end, which the job's own line tells, and keeps
    its GPUs from the others: such a job is cancelled."""
    def over():
        queued = [line.split("|") for line in lab.run("squeue", "-h", "-o", "%i|%t|%r").splitlines()]
        starts, ends = ran(folder, "start"), ran(folder, "end")
        last = {number: ends[number][-1] for number in ends if ends[number][-1] > starts[number][-1]}
        unheard = [number for number, state, _ in queued if state == "R" and time.time() - last.get(number, time.time()) > 60]
        if unheard:
            lab.run("scancel", *unheard, check=False)
        return all("launch failed" in reason.replace("_", " ") or (state == "CG" and number in last) for number, state, reason in queued)

    lab.until(seconds, "the end of all jobs", over)


def ran(folder, what):
    """By number, when jobs started or ended."""
    at = {}
    if not (folder / "ran.txt").exists():
        return at
    for line in open(folder / "ran.txt"):
        word, number, second = line.split()
        if word == what:
            at.setdefault(number, []).append(float(second))
    return at


def once(folder, numbers):
    starts, ends = ran(folder, "start"), ran(folder, "end")
    return sum(len(starts.get(number, [])) == 1 and len(ends.get(number, [])) == 1 for number in numbers)


def forgotten(folder, numbers, kills):
    """What slurmctld forgot as it was killed: numbers that it gave twice, and jobs that had started or ended in its last seconds and that it
    started again. Returns both, and the other jobs that started twice."""
    given = {number for number in numbers if numbers.count(number) > 1}
    starts, ends = ran(folder, "start"), ran(folder, "end")
    twice = {number for number, at in starts.items() if len(at) > 1} - given

    def unsaved(number):
        first, last = starts[number][:2]
        # With two seconds until it knows of an event, and an end that it could not be told.
        return any(killed < last and any(killed - UNSAVED_SECONDS - 2 < at < back + 2 for at in [first, *ends.get(number, [])[:1]])
                   for killed, back in kills)

    slurms = {number for number in twice if unsaved(number)}
    return given, slurms, twice - slurms


def killed_controller(lab):
    """Kills slurmctld and starts it again four seconds later; when it was killed, and when it was back."""
    lab.end("slurmctld", kill=True)
    killed = time.time()
    time.sleep(4)
    lab.controller()
    return killed, time.time()


def kills(lab, folder, trainyard, seed, count=200):
    driver = Driver(lab, "easy", folder / "drive", trainyard).start()
    begin = time.time() + 1
    thread, numbers = feeding(lab, generated(seed, count, 3), folder)
    rng = random.Random(seed)
    for at in sorted(rng.uniform(5, 200) for _ in range(10)):
        time.sleep(max(0, begin + at - time.time()))
        driver.end(signal.SIGKILL)
        driver.start()
    thread.join()
    at_end(lab, folder)
    driver.end()
    good = once(folder, numbers)
    return [("ten kills -9 of the driver, ten resumes", len(numbers), f"{good} ran exactly once", good == len(numbers) == count)]


def troubles(lab, folder, trainyard, seed):
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=True)
    try:
        driver = Driver(lab, "easy", disk / "drive", trainyard)
        driver.log = folder / "drive.log"
        driver.start()
        thread, numbers = feeding(lab, generated(seed, 120, 2), folder)
        time.sleep(25)
        kills = [killed_controller(lab)]
        lab.run("scontrol", "update", "nodename=n08", "state=drain", "reason=test")
        time.sleep(15)
        lost = lab.run("squeue", "-h", "-w", "n02", "-t", "R", "-o", "%A").split()
        lab.run("scontrol", "update", "nodename=n02", "state=down", "reason=lost")
        time.sleep(15)
        for node in ("n02", "n08"):  # a lost node that answers comes back by itself
            lab.run("scontrol", "update", f"nodename={node}", "state=resume", check=False)
        subprocess.run(f"cat /dev/zero > {disk}/filler", shell=True, stderr=subprocess.DEVNULL)
        lab.until(60, "an end with a full disk", driver.has_ended)
        said, code = driver.said(), driver.process.returncode
        (disk / "filler").unlink()
        driver.start()
        thread.join()
        batch = [lab.submit(dict(job=f"c{i}", group="g0", gpus=1, duration_s=5, limit_min=1), "--hold") for i in range(50)]
        time.sleep(2)
        lab.run("scancel", *batch)
        at_end(lab, folder)
        driver.end()
        told = [entry["job"] for entry in entries(disk / "drive") if entry["do"].startswith("start")]
    finally:
        subprocess.run(["umount", "-l", str(disk)])
    (folder / "told.json").write_text(json.dumps(told) + "\n")
    given, slurms, twice = forgotten(folder, numbers, kills)
    ours = twice - set(lost)
    never = set(numbers) - given - set(ran(folder, "end"))
    return [
        ("slurmctld killed -9 and restarted, a node drained, one lost, a full disk", len(numbers),
         f"{once(folder, set(numbers) - given)} ran exactly once, {len(set(lost) & twice)} again after their node was lost, {len(slurms)} again"
         f" and {len(given)} not at all because slurmctld forgot them; {len(ours)} twice and {len(never)} never beside these", not ours and not never),
        ("the disk of the write-ahead file full", 1, f"exit code {code}: {said}", code == 2 and "space" in said.lower()),
        ("50 jobs cancelled at once", len(batch), "none is left in the queue", True),
    ]


def alone(lab, folder, trainyard, seed):
    """What slurmctld forgets with nobody beside it: many short jobs, so that some end in its last seconds."""
    trace = [dict(job, duration_s=4 + i % 5) for i, job in enumerate(generated(seed, 60, 1))]
    thread, numbers = feeding(lab, trace, folder, "--nice=0")
    kills = []
    for _ in range(3):
        time.sleep(15)
        kills.append(killed_controller(lab))
    thread.join()
    at_end(lab, folder)
    given, slurms, twice = forgotten(folder, numbers, kills)
    return [("slurmctld killed -9 and restarted three times, nobody drives it", len(numbers),
             f"{len(slurms)} ran again and {len(given)} did not run because slurmctld forgot them, {len(twice)} others ran twice", not twice)]


def driven(lab, folder, driver, seed, count, minutes, meanwhile):
    """Jobs under a driver, while something else happens; their numbers."""
    driver.start()
    thread, numbers = feeding(lab, generated(seed, count, minutes), folder)
    meanwhile()
    thread.join()
    at_end(lab, folder)
    driver.end()
    return numbers


def clock(lab, folder, trainyard, seed):
    ahead = folder / "ahead"
    ahead.write_text("+0\n")
    environment = dict(LD_PRELOAD=str(next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), FAKETIME_TIMESTAMP_FILE=str(ahead),
                       FAKETIME_NO_CACHE="1", DONT_FAKE_MONOTONIC="1")
    # Slurm's commands keep the true time, or they would be refused.
    driver = Driver(lab, "easy", folder / "drive", trainyard, "--exec-prefix", "env -u LD_PRELOAD", environment=environment)

    def steps():
        for hours in ("+1h", "-1h", "+0"):
            time.sleep(20)
            ahead.write_text(hours + "\n")

    numbers = driven(lab, folder, driver, seed, 60, 1.3, steps)
    good = once(folder, numbers)
    return [("the driver's clock an hour ahead, two back, one ahead", len(numbers), f"{good} ran exactly once", good == len(numbers) == 60)]


def preemption(lab, folder, trainyard, seed):
    driver = Driver(lab, "srtf", folder / "drive", trainyard, level="preemption")
    numbers = driven(lab, folder, driver, seed, 60, 1.3, lambda: None)
    starts, ends = ran(folder, "start"), ran(folder, "end")
    told = [entry["job"] for entry in entries(folder / "drive") if entry["do"] == "requeue"]
    # One that has just been requeued or has ended refuses the requeue, which was written down before.
    done = {number: len(ends.get(number, [])) for number in numbers}
    right = [number for number in numbers if done[number] and max(done[number], len(starts[number])) <= 1 + told.count(number)]
    return [("a scheduler that preempts", len(numbers),
             f"{len(told)} requeues asked for, {sum(map(len, starts.values())) - len(starts)} restarts; {len(right)} ended and started no more often than"
             f" told, {sum(done[number] > 1 for number in right)} of them had just done its work as it was requeued",
             bool(told) and len(right) == len(numbers) == 60)]


KINDS = [[], [], [], [], ["--mem-per-cpu=600"], ["-c4"], ["--exclusive", "--mem-per-cpu=100"], ["-Ca100"], ["--licenses=fluent:1"],
         ["--gres=gpu:a100:2"], ["--gres=gpu:h100:4"], ["--gres=gpu:v100:2"], ["--mem=900"]]


def queue(lab):
    return json.loads(lab.run("squeue", "--json"))["jobs"]


class Watch(threading.Thread):
    """Looks every second: whether jobs wait that no rule holds while the whole cluster is idle, and the driver's own count of looks at which it stood still."""

    def __init__(self, lab, folder):
        super().__init__(daemon=True)
        self.lab, self.metrics, self.ends = lab, folder / "metrics.prom", False
        self.idle, self.longest, self.looks = 0, 0, 0

    def run(self):
        while not self.ends:
            begun = time.time()
            try:
                states = self.lab.run("squeue", "-h", "-o", "%t %r").splitlines()
                waits = any(line.startswith("PD ") and "held" not in line.lower() for line in states)
                runs = any(not line.startswith("PD ") for line in states)
                self.idle = self.idle + 1 if waits and not runs else 0
                self.longest = max(self.longest, self.idle)
                for line in self.metrics.read_text().splitlines():
                    if line.startswith("trainyard_drive_standstill_looks "):
                        self.looks = max(self.looks, int(float(line.split()[1])))
            except (RuntimeError, OSError, subprocess.TimeoutExpired):
                pass
            time.sleep(max(0, begun + 1 - time.time()))

    def end(self):
        self.ends = True
        self.join()


def mixed(lab, folder, trainyard, seed, count=100):
    rng = random.Random(seed)
    driver = Driver(lab, "easy", folder / "drive", trainyard, "--start-within", "10", level="placement", cluster=None).start()
    numbers, lost = [], []
    kinds = {}

    def feed():
        for job in generated(seed, count, 3):
            time.sleep(max(0, begin + job["submit_s"] - time.time()))
            kind, gpus = rng.choice(KINDS), rng.choice([1, 1, 2, 2, 4, 8])
            gpus = 1 if kind else gpus  # no node has cores and memory for more of these
            typed = [word for word in kind if word.startswith("--gres")]
            words = ["sbatch", "--parsable", "-D", "/", "-o", "/dev/null", "--export=NONE", "--hold", "-t", str(job["limit_min"] + 10), *kind]
            words += ["-N1", "-n1"] if typed else [f"--ntasks={gpus}", "--gpus-per-task=1", *(["-N1"] if gpus <= 2 else [])] if gpus < 8 or not kind else [
                "-N2", "-n2", "--gres=gpu:4"]
            note = f">> {folder}/ran.txt"
            script = f"echo start $SLURM_JOB_ID $(date +%s.%N) {note}; sleep {min(20, job['duration_s'])}; echo end $SLURM_JOB_ID $(date +%s.%N) {note}"
            try:
                number = lab.run(*words, "--wrap", script).strip()
            except RuntimeError:  # Slurm knows no nodes for it
                continue
            numbers.append(number)
            kinds[number] = " ".join(kind) or "plain"

    begin = time.time() + 1
    thread, watch, kills = threading.Thread(target=feed), Watch(lab, folder / "drive"), []
    thread.start()
    watch.start()

    def at(seconds):
        time.sleep(max(0, begin + seconds - time.time()))

    at(15)
    driver.end(signal.SIGKILL)
    driver.start()
    at(35)
    kills.append(killed_controller(lab))
    at(55)
    lab.run("scontrol", "update", "nodename=n06", "state=drain", "reason=test")
    at(70)
    lost += lab.run("squeue", "-h", "-w", "n02", "-t", "R", "-o", "%A").split()
    lab.run("scontrol", "update", "nodename=n02", "state=down", "reason=lost")
    at(85)
    lost += lab.run("squeue", "-h", "-w", "n03", "-t", "R", "-o", "%A").split()
    lab.devices({name: 2 if name == "n03" else int(lab.gpus(name).split(":")[1]) for name in lab.running if name.startswith("n0")})
    lab.end("n03")
    lab.node("n03")
    lab.run("scontrol", "create", "reservation", "reservationname=others", "users=root", "nodes=n07", "starttime=now", "duration=2:00", check=False)
    at(110)
    driver.end(signal.SIGKILL)
    driver.start()
    kills.append(killed_controller(lab))
    lab.devices({name: int(lab.gpus(name).split(":")[1]) for name in lab.running if name.startswith("n0")})
    lab.end("n03")
    lab.node("n03")
    for node in ("n02", "n03", "n06"):
        lab.run("scontrol", "update", f"nodename={node}", "state=resume", check=False)
    at(150)
    lab.run("scontrol", "delete", "reservationname=others", check=False)
    at(165)
    driver.end(signal.SIGKILL)
    subprocess.run([*trainyard, "drive", "slurm", "--give-back", "--out", str(folder / "drive")], env=lab.env, check=True)
    now = time.time()
    left = [job for job in queue(lab) if job["job_state"] == "PENDING" and str(job["job_id"]) in numbers and kinds[str(job["job_id"])]
            and (job["required_nodes"] or (job["eligible_time"] > now + 2 and known(folder).get(str(job["job_id"]), 0) >= job["submit_time"])
                 or (job["priority"] == 0 and str(job["job_id"]) in known(folder)))]
    waiting = len([job for job in queue(lab) if job["job_state"] == "PENDING"])
    thread.join()
    lab.run("scontrol", "release", *[str(job["job_id"]) for job in queue(lab) if job["job_state"] == "PENDING" and job["priority"] == 0], check=False)

    at_end(lab, folder, 600)
    watch.end()
    given, slurms, twice = forgotten(folder, numbers, kills)
    ours = twice - set(lost)
    never = set(numbers) - given - set(ran(folder, "end"))
    said = driver.log.read_text()
    (folder / "watch.json").write_text(json.dumps(dict(idle=watch.longest, looks=watch.looks, left=left)) + "\n")
    return [
        ("a mixed cluster: kills, drains, a lost and a reserved node, one with fewer GPUs", len(numbers),
         f"{once(folder, set(numbers) - given)} ran exactly once, {len(set(lost) & twice)} again after their node was lost, {len(slurms)} again and"
         f" {len(given)} not at all because slurmctld forgot them; {len(ours)} twice and {len(never)} never beside these;"
         f" {said.count('take back ')} starts taken back", not ours and not never),
        ("the same: whether it stood still", len(numbers),
         f"at most {watch.looks} looks of the driver, and {watch.longest} s with jobs waiting on an idle cluster", watch.looks <= 2),
        ("the same: given back without a driver", waiting, f"{len(left)} left held, pinned or with a begin time", not left),
    ]


def known(folder):
    """By job, when the driver told it to wait or to start last, seconds since 1970. A begin time of a job that Slurm requeued since is Slurm's, of
    two minutes, and stays where nodes are cleared."""
    return {entry["job"]: entry["at"] / 1000 for entry in entries(folder / "drive") if entry["do"] not in ("clear nodes", "answer", "refused")}


SCENARIOS = dict(kills=kills, troubles=troubles, alone=alone, clock=clock, preemption=preemption, mixed=mixed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--port", type=int, default=29000)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--only", choices=list(SCENARIOS))
    parser.add_argument("--trainyard", default=str(ROOT / "trainyard"))
    args = parser.parse_args()
    install()
    out, trainyard = Path(args.out).resolve(), args.trainyard.split()
    subprocess.run([*trainyard, "--version"], check=True, stdout=subprocess.DEVNULL)  # built once, before anything is timed

    def one(name):
        folder = out / name
        folder.mkdir(parents=True)
        try:
            with Lab(folder / "lab", args.port + 100 * list(SCENARIOS).index(name), mixed=name == "mixed") as lab:
                return SCENARIOS[name](lab, folder, trainyard, args.seed)
        except Exception as e:  # the others go on
            return [(name, 0, f"failed: {e}", False)]

    with ThreadPoolExecutor(args.at_once) as pool:
        rows = [row for rows in pool.map(one, [args.only] if args.only else SCENARIOS) for row in rows]
    lines = ["| done on purpose | jobs | what happened | as it must be |", "|---|--:|---|---|"]
    lines += [f"| {what} | {jobs} | {happened} | {'yes' if good else 'no'} |" for what, jobs, happened, good in rows]
    (out / "faults.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    sys.exit(0 if all(row[-1] for row in rows) else 1)


if __name__ == "__main__":
    main()
