"""The simulator of Pollux (A. Qiao et al., OSDI 2021; branch osdi21-artifact of github.com/petuum/adaptdl) on its published workloads."""
import json
import os

from .command import TRAINYARD, fail, least, present, require_modules
from .peer import Peer

# Its search imports pymoo 0.4, which Tiresias and Optimus do not use: empty classes stand for it.
RUNNER = """
import importlib.abc, importlib.machinery, runpy, sys, types

class Empty(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda *given, **named: None})

class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] == "pymoo" else None

    def create_module(self, spec):
        return Empty(spec.name)

    def exec_module(self, module):
        pass

sys.meta_path.insert(0, Finder())
sys.path.insert(0, ".")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Pollux(Peer):
    """Runs simulator.py on a workload of 160 jobs, 16 servers of 4 GPUs; its Python needs pandas < 2 and numpy < 1.24, scipy and autograd.

    Ours is the replay of the record book, in the physics of the artifact, not the simulator of the command simulate.
    """

    PRESETS = {"tiresias": "tiresias", "optimus": "optimus"}
    # Where every placement of a workload was measured, as in workload 3, no job differs.
    WITHIN = 0.03
    DIFFERS = " (step times between measured placements are interpolated by other triangles)"

    def __init__(self, options, folder):
        super().__init__(options, folder)
        self.workload = present("--trace", options.trace)

    @staticmethod
    def require(options):
        present("CHECKOUT/simulator/tiresias.py", os.path.join(options.checkout, "simulator", "tiresias.py"))
        require_modules(options.python, "pandas", "numpy", "scipy", "autograd")
        if options.data is None:
            fail("pollux needs --data, the folder whose pollux/ holds the measurements of the artifact")
        options.data = present("--data", options.data)

    def theirs(self, policy):
        log = os.path.join(self.folder, policy + ".json")
        command = [self.options.python, "-c", RUNNER, "simulator.py", self.workload, "--policy", policy, "--min-nodes", "16", "--num-gpus", "4"]
        _, seconds = least([command + ["--output", log]], self.options.runs, os.path.join(self.options.checkout, "simulator"), 20)
        with open(log) as file:
            last = json.loads(file.readlines()[-1])
        return {job["name"]: [job["completion_time"] - job["submission_time"]] for job in last["submitted_jobs"]}, seconds

    def ours(self, policy):
        command = [TRAINYARD, "records", "pollux", "--replay", self.PRESETS[policy], "--workload", self.workload]
        printed, seconds = least([command + ["--data", self.options.data, "--json"]], self.options.runs)
        return {job["job"]: [job["jct_s"]] for job in json.loads(printed)["jobs"]}, seconds, None
