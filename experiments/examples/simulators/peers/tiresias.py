"""Tiresias' simulator (J. Gu et al., NSDI 2019), which counts GPUs on nodes of eight."""
import os

from .command import least, present, require_modules
from .jobs import read, rows, write, write_ours
from .peer import Peer

# Written for Python 2, of which its event loop needs only the largest integer; dlas-gpu also divides integers as there.
RUNNER = """
import runpy, sys
sys.maxint = getattr(sys, "maxint", sys.maxsize)
sys.path.insert(0, ".")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Tiresias(Peer):
    """Runs run_sim.py of github.com/SymbioticLab/Tiresias on a trace of its own or of Muri; its Python needs numpy."""

    PRESETS = {
        "fifo": "tiresias-fifo",
        "fjf": "tiresias-fjf",
        "sjf": "tiresias-sjf",
        "shortest": "tiresias-srtf",
        "shortest-gpu": "tiresias-srsf",
        "dlas-gpu": "tiresias-dlas",
    }

    def __init__(self, options, folder):
        super().__init__(options, folder)
        jobs = read(options.trace, 8 * options.nodes)
        write_ours(self.trace, jobs)
        self.spec, self.log = os.path.join(folder, "cluster.csv"), os.path.join(folder, "theirs.csv")
        header = ["job_id", "num_gpu", "submit_time", "iterations", "model_name", "duration", "interval"]
        write(self.log, header, ([name, gpus, submit, seconds, "vgg16", seconds, 0] for name, submit, gpus, seconds in jobs))
        write(self.spec, ["num_switch", "num_node_p_switch", "num_gpu_p_node", "num_cpu_p_node", "mem_p_node"], [[1, options.nodes, 8, 92, 520]])
        self.cluster = "%dx8" % options.nodes

    @staticmethod
    def require(options):
        present("CHECKOUT/simulator/run_sim.py", os.path.join(options.checkout, "simulator", "run_sim.py"))
        require_modules(options.python, "numpy")

    def theirs(self, policy):
        log = os.path.join(self.folder, policy)
        command = [self.options.python, "-c", RUNNER, "run_sim.py", "--cluster_spec=" + self.spec, "--trace_file=" + self.log]
        command += ["--scheme=count", "--schedule=" + policy, "--log_path=" + log]
        _, seconds = least([command], self.options.runs, os.path.join(self.options.checkout, "simulator"))
        answers = {row["job_id"]: [int(row[c]) for c in ("start_time", "end_time", "preempt")] for row in rows(log + "/job.csv")}
        return answers, seconds
