"""Decisions per second of other gyms beside Trainyard's by one random policy on this machine, in one run.

Usage: gyms.py [--python-of choochoo=PYTHON] [--python-of pufferlib=PYTHON] [--python PYTHON] [--seconds 6]

Of PyPI: gpu-choochoo 0.1.0, 200 jobs on eight servers of eight GPUs; pufferlib 1.0.1, the last that installs without a download of
graphics, whose environment Squared is in NumPy. Trainyard is `python -m trainyard.bench`, whose Python needs numpy and
gymnasium. A time is processor time of all processes; each environment warms up for half of the seconds first. A gym without its Python is left out.
"""
import argparse
import os
import subprocess
import sys

from peers.command import ROOT, fail, program

# Each makes `step`, a function of nothing that returns the decisions of one step.
# Its scenarios of difficulty cannot be made in 0.1.0, so jobs and servers are made here, with its own environment.
CHOOCHOO = """
import random
from gpu_choochoo import GPUSchedulerEnv
draw = random.Random(1)
nodes = [dict(node_id="n%d" % i, gpu_type="A100", total_gpus=8, total_vram_gb=640) for i in range(8)]
jobs = [dict(job_id="j%d" % i, arrival_time=60.0 * i, gpus_required=draw.choice((1, 1, 2, 4, 8)), duration_sec=draw.uniform(300, 7200),
             vram_required_gb=40) for i in range(200)]
env = GPUSchedulerEnv(nodes, jobs)
env.reset(seed=1)
env.action_space.seed(1)
def step():
    _, _, ended, cut, _ = env.step(env.action_space.sample())
    if ended or cut:
        env.reset()
    return 1
"""
SQUARED = """
import pufferlib.vector
from pufferlib.environments.ocean import env_creator
env = pufferlib.vector.make(env_creator("squared"), num_envs=64, backend=pufferlib.vector.Serial)
env.reset()
def step():
    env.step(env.action_space.sample())
    return 64
"""
LOOP = """
import sys, time
seconds = float(sys.argv[1])
for is_measured, span in ((False, seconds / 2), (True, seconds)):
    began, processor, decisions = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - began < span:
        for _ in range(20):
            decisions += step()
taken = time.process_time() - processor
print("%.0f %.2f" % (decisions / taken, 1e6 * taken / decisions))
"""
GYMS = {
    "choochoo": [("GPU ChooChoo, one environment", "a job of the ten oldest, or none", CHOOCHOO)],
    "pufferlib": [("PufferLib Squared, 64 environments", "a move on a board of 7 x 7", SQUARED)],
}


def measured(python, code, seconds):
    """Decisions per processor second, and microseconds of one."""
    run = subprocess.run([python, "-c", code + LOOP, str(seconds)], capture_output=True, text=True, check=False)
    if run.returncode:
        fail("%s: %s" % (python, run.stderr.strip().splitlines()[-1]))
    rate, micros = run.stdout.split()[-2:]
    return float(rate), float(micros)


def ours(python, seconds):
    """What trainyard.bench prints for 64 environments and for one, by the first policy."""
    path = os.path.join(ROOT, "env", "src", "main", "python")
    for batch in (64, 1):
        command = [python, "-m", "trainyard.bench", "--batch", str(batch), "--warm-up", str(seconds), "--seconds", str(seconds)]
        run = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
        if run.returncode:
            fail("%s: %s" % (python, (run.stderr.strip().splitlines() or ["no word"])[-1]))
        yield batch, run.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--python-of", action="append", default=[], metavar="GYM=PYTHON")
    parser.add_argument("--seconds", type=float, default=6)
    options = parser.parse_args()
    print("| gym | a decision | decisions per processor second | us |\n|---|---|--:|--:|")
    for given in options.python_of:
        name, _, python = given.partition("=")
        if name not in GYMS:
            fail("--python-of (%s): expected one of %s, = and a Python" % (given, ", ".join(GYMS)))
        python = program("--python-of", python)
        for row, decision, code in GYMS[name]:
            rate, micros = measured(python, code, options.seconds)
            print("| %s | %s | %s | %.2f |" % (row, decision, format(int(rate), ","), micros), flush=True)
    for batch, said in ours(program("--python", options.python), options.seconds):
        print("Trainyard, batch %d: %s" % (batch, said), flush=True)


if __name__ == "__main__":
    main()
