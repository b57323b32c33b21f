"""Runs a trace on a published simulator and on Trainyard, checks that the answers are equal job by job, and compares processor times.

Usage:
  compare.py tiresias CHECKOUT --trace trace1.csv.gz --policy fifo,shortest [--nodes 8]
  compare.py helios CHECKOUT --trace philly_pass.csv.gz --clusters philly_vc_nodes.csv --policy fifo,sjf,srtf [--days 7]

CHECKOUT is a working copy of the simulator as its authors published it: github.com/SymbioticLab/Tiresias or
github.com/S-Lab-System-Group/HeliosArtifact. --python names a Python with what they import, numpy for Tiresias and pandas for Helios.
Tiresias reads a trace of its own or one of Muri, whose milliseconds become seconds. Helios reads the first days from 2017-10-01 on of
../shared/data/philly/philly_pass.csv.gz on the virtual clusters of its own experiment, nodes of 8 GPUs.

A time is the least of --runs runs, user and system time of all processes of a command from its start to its end. Trainyard is timed twice: printing
the figures of the run, with the SHA-256 of its event log, and writing all its result files, from which the answers are read; the event
logs of both must be equal. Exit code 1 when an answer differs.
"""
import argparse
import csv
import datetime
import gzip
import json
import os
import pickle
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))

TIRESIAS_PRESETS = {"fifo": "fifo", "fjf": "fjf", "sjf": "sjf", "shortest": "srtf", "shortest-gpu": "srsf", "dlas-gpu": "dlas"}

# Tiresias was written for Python 2, of which its event loop needs only the largest integer; dlas-gpu also divides integers as there.
TIRESIAS = """
import runpy, sys
sys.maxint = getattr(sys, "maxint", sys.maxsize)
sys.path.insert(0, ".")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

# The steps of its simulator.py for one policy, one virtual cluster after another and without its estimator, which reads a file that is not published.
HELIOS = """
import logging, sys
sys.path.insert(0, ".")
import cluster, pandas, utils
folder, policy = sys.argv[1:]
jobs, start = utils.trace_philly_process(folder, ("2017-10-01 00:00:00", "2017-11-30 23:59:00"))
trace = utils.trace_parser(jobs)
for virtual_cluster in cluster.Cluster(pandas.read_pickle(folder + "/vc_dict_homo.pkl"), 8, 96).vc_list:
    utils.simulate_vc(trace, virtual_cluster, "consolidate", folder, policy, logging.getLogger(), start)
"""


def rows(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return list(csv.DictReader(file))


def write(path, header, lines):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(lines)


def run(command, folder=None):
    """What a command prints, and its processor seconds."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT, env={**os.environ, "TZ": "UTC"})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    if process.returncode:
        sys.exit("%s: exit code %d\n%s" % (command[0], process.returncode, text[-2000:]))
    return text, usage.ru_utime + usage.ru_stime


def least(command, runs, folder=None, longest=60):
    """What the last run printed, and the least processor seconds; a long run is not repeated."""
    seconds = []
    while len(seconds) < runs and not (seconds and seconds[0] > longest):
        text, taken = run(command, folder)
        seconds.append(taken)
    return text, min(seconds)


class Tiresias:
    """Tiresias' simulator, which counts GPUs on nodes of eight."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.trace, self.spec = os.path.join(folder, "jobs.csv"), os.path.join(folder, "cluster.csv")
        jobs = rows(options.trace)
        unit = 1000 if "iteration_time" in jobs[0] else 1
        times = ("submit_time", "duration", "interval")
        header = ["job_id", "num_gpu", "submit_time", "iterations", "model_name", "duration", "interval"]
        write(self.trace, header, ([int(job[c]) // unit if c in times else job[c] for c in header] for job in jobs))
        write(self.spec, ["num_switch", "num_node_p_switch", "num_gpu_p_node", "num_cpu_p_node", "mem_p_node"], [[1, options.nodes, 8, 92, 520]])
        self.cluster = "%dx8" % options.nodes

    def preset(self, policy):
        return "tiresias-" + TIRESIAS_PRESETS[policy]

    def theirs(self, policy):
        log = os.path.join(self.folder, policy)
        command = [self.options.python, "-c", TIRESIAS, "run_sim.py", "--cluster_spec=" + self.spec, "--trace_file=" + self.trace]
        command += ["--scheme=count", "--schedule=" + policy, "--log_path=" + log]
        _, seconds = least(command, self.options.runs, os.path.join(self.options.checkout, "simulator"))
        answers = {row["job_id"]: [int(row[c]) for c in ("start_time", "end_time", "preempt")] for row in rows(log + "/job.csv")}
        return answers, seconds


class Helios:
    """Helios' simulator on the virtual clusters of Philly, each alone on nodes of its own."""

    BEGIN = datetime.datetime(2017, 10, 1)

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.trace, self.cluster = os.path.join(folder, "jobs.csv"), os.path.join(folder, "clusters.csv")
        nodes = {list(row.values())[0]: int(list(row.values())[1]) for row in rows(options.clusters)}
        end = self.BEGIN + datetime.timedelta(days=options.days)
        jobs = []
        for row in rows(options.trace):
            submit = datetime.datetime.fromisoformat(row["timestamp"])
            if row["cluster"] in nodes and self.BEGIN <= submit < end:
                jobs.append((submit, int(float(row["duration"])), int(row["num_gpus"]), row["cluster"]))
        jobs.sort(key=lambda job: job[0])
        first = jobs[0][0]
        write(
            self.trace,
            ["job", "submit_s", "gpus", "duration_s", "virtual_cluster"],
            ([i, int((s - first).total_seconds()), g, d, v] for i, (s, d, g, v) in enumerate(jobs)),
        )
        write(
            os.path.join(folder, "cluster_log.csv"),
            ["user", "vc", "jobname", "gpu_num", "state", "submit_time", "duration"],
            (["", v, i, g, "Pass", s, d] for i, (s, d, g, v) in enumerate(jobs)),
        )
        named = {name: count for name, count in nodes.items() if any(job[3] == name for job in jobs)}
        with open(os.path.join(folder, "vc_dict_homo.pkl"), "wb") as file:
            pickle.dump(named, file)
        write(self.cluster, ["virtual_cluster", "cluster"], ([name, "%dx8" % count] for name, count in named.items()))
        self.virtual_clusters = list(named)

    def preset(self, policy):
        return "helios-" + policy

    def theirs(self, policy):
        folder = os.path.join(self.options.checkout, "framework", "QSSF Service")
        _, seconds = least([self.options.python, "-c", HELIOS, self.folder, policy], self.options.runs, folder)
        answers = {}
        for name in self.virtual_clusters:
            for row in rows(os.path.join(self.folder, name, "%s_consolidate_%s_log.csv" % (policy, name))):
                answers[row["jobname"]] = [int(float(row[c])) for c in ("start_time", "end_time", "ckpt_times")]
        return answers, seconds


def ours(simulator, policy, runs):
    """Answers and processor seconds of Trainyard, printing figures and writing all files."""
    folder = os.path.join(simulator.folder, "trainyard-" + policy)
    command = [os.path.join(ROOT, "trainyard"), "simulate", "--trace", simulator.trace, "--cluster", simulator.cluster]
    command += ["--scheduler", simulator.preset(policy)]
    printed, figures = least(command + ["--json"], runs)
    _, files = least(command + ["--out", folder, "--replace"], runs)
    with open(os.path.join(folder, "summary.json")) as file:
        hashes = [[s["event_log_sha256"] for s in summary["schedulers"]] for summary in (json.loads(printed), json.load(file))]
    if hashes[0] != hashes[1]:
        sys.exit("the two runs of Trainyard have different event logs")
    columns = ("first_start", "end", "preemptions")
    return {row["job"]: [int(float(row[c])) for c in columns] for row in rows(os.path.join(folder, "jobs.csv"))}, figures, files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulator", choices=["tiresias", "helios"])
    parser.add_argument("checkout")
    parser.add_argument("--trace", required=True)
    parser.add_argument("--policy", required=True)
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--clusters")
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    options.checkout = os.path.abspath(options.checkout)
    if options.simulator == "helios" and options.clusters is None:
        parser.error("helios needs --clusters")
    run([os.path.join(ROOT, "trainyard"), "--version"])  # so that no timed run builds
    differs = False
    print("| policy | jobs | answers | theirs, s | ours, s | ratio | ours with files, s | ratio |\n|---|--:|---|--:|--:|--:|--:|--:|")
    for policy in options.policy.split(","):
        with tempfile.TemporaryDirectory() as folder:
            simulator = {"tiresias": Tiresias, "helios": Helios}[options.simulator](options, folder)
            known, theirs = simulator.theirs(policy)
            found, figures, files = ours(simulator, policy, options.runs)
        wrong = [job for job in known.keys() | found.keys() if known.get(job) != found.get(job)]
        differs = differs or bool(wrong)
        said = "equal" if not wrong else "%d differ, such as that of job %s" % (len(wrong), min(wrong))
        print(
            "| %s | %s | %s | %.2f | %.2f | %.1f | %.2f | %.1f |"
            % (policy, format(len(known), ","), said, theirs, figures, theirs / figures, files, theirs / files),
            flush=True,
        )
    sys.exit(differs)


if __name__ == "__main__":
    main()
