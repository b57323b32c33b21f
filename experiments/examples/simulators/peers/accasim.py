"""AccaSim (C. Galleguillos et al., 2017; PyPI accasim), a simulator of batch systems, FIFO with first fit on nodes of eight cores."""
import datetime
import json
import os
import re

from .command import least, require_modules
from .jobs import read, write_ours
from .peer import Peer

# It imports from collections what Python 3.10 moved to collections.abc.
RUNNER = """
import collections, collections.abc, sys
collections.Mapping = collections.abc.Mapping
from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import FirstInFirstOut
from accasim.base.simulator_class import Simulator
jobs, nodes, folder = sys.argv[1:]
plain = dict(RESULTS_FOLDER_PATH=folder, statistics_output=False, show_statistics=False)
Simulator(jobs, nodes, FirstInFirstOut(FirstFit()), **plain).start_simulation()
"""

# One line a job: its number, nodes and two times, each as a date from 1970 on.
LINE = re.compile(r"^(\d+);.*__([0-9: -]+);([0-9: -]+);\d+;")


def seconds_of(date):
    return int((datetime.datetime.fromisoformat(date) - datetime.datetime(1970, 1, 1)).total_seconds())


class AccaSim(Peer):
    """Runs AccaSim on the jobs as SWF, a GPU as a core."""

    PRESETS = {"fifo": "tiresias-fifo"}
    COLUMNS = ("first_start", "end")

    def __init__(self, options, folder):
        super().__init__(options, folder)
        self.jobs = read(options.trace, 8 * options.nodes)
        write_ours(self.trace, self.jobs)
        self.cluster = "%dx8" % options.nodes
        self.nodes, self.swf = os.path.join(folder, "nodes.json"), os.path.join(folder, "jobs.swf")
        with open(self.nodes, "w") as file:
            json.dump({"groups": {"g0": {"core": 8}}, "resources": {"g0": options.nodes}}, file)
        with open(self.swf, "w") as file:
            for number, (_, submit, gpus, seconds) in enumerate(self.jobs, 1):
                file.write("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 -1 -1\n" % (number, submit, seconds, gpus, gpus, seconds))

    @staticmethod
    def require(options):
        require_modules(options.python, "accasim")

    def theirs(self, policy):
        folder = os.path.join(self.folder, "accasim")
        os.makedirs(folder, exist_ok=True)
        _, seconds = least([[self.options.python, "-c", RUNNER, self.swf, self.nodes, folder]], self.options.runs)
        answers = {}
        with open(os.path.join(folder, "sched-jobs.swf")) as file:
            for number, start, end in (LINE.match(line).groups() for line in file):
                answers[self.jobs[int(number) - 1][0]] = [seconds_of(start), seconds_of(end)]
        return answers, seconds
