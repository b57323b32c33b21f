"""Jobs of a trace, and the tables that simulators read them from."""
import csv
import gzip
import math
import random

from .command import fail, present


def rows(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return list(csv.DictReader(file))


def write(path, header, lines):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(lines)


def gangs(count, gpus):
    """Jobs of 4 to 256 GPUs at a load of 0.9, log-normal, as on the page of large clusters; the same for the same numbers."""
    draw = random.Random(1)
    sizes = [4 * size for size in [1] * 50 + [2] * 15 + [4] * 14 + [8] * 14 + [16] * 4 + [32] * 2 + [64]]
    drawn = [(draw.choice(sizes), int(min(40000, max(20, draw.lognormvariate(math.log(3600), 1.2))))) for _ in range(count)]
    span = sum(size * seconds for size, seconds in drawn) / gpus / 0.9
    times = sorted(int(draw.random() * span) for _ in drawn)
    return [(str(i), times[i] - times[0], size, seconds) for i, (size, seconds) in enumerate(drawn)]


def read(trace, gpus):
    """(name, submission in s, GPUs, duration in s) of every job of a trace of Tiresias or Muri, whose milliseconds become seconds."""
    if trace.startswith("gangs:"):
        count = trace.partition(":")[2]
        if not count.isdigit() or int(count) == 0:
            fail("--trace (%s): expected gangs:N with a number of jobs" % trace)
        return gangs(int(count), gpus)
    table = rows(present("--trace", trace))
    wanted = ("job_id", "submit_time", "num_gpu", "duration")
    if not table or not set(wanted) <= table[0].keys():
        fail("--trace (%s): expected the columns %s" % (trace, ", ".join(wanted)))
    unit = 1000 if "iteration_time" in table[0] else 1
    return [(r["job_id"], int(r["submit_time"]) // unit, int(r["num_gpu"]), int(r["duration"]) // unit) for r in table]


def write_ours(path, jobs):
    """The jobs as a trace of Trainyard."""
    write(path, ["job", "submit_s", "gpus", "duration_s"], jobs)
