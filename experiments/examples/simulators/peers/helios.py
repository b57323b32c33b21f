"""Helios' simulator (Q. Hu et al., SC 2021) on the virtual clusters of Philly, each alone on nodes of its own."""
import datetime
import os
import pickle

from .command import fail, least, present, require_modules
from .jobs import rows, write
from .peer import Peer

# The steps of its simulator.py for one policy, one virtual cluster after another and without its estimator, which reads a file that is not published.
RUNNER = """
import logging, sys
sys.path.insert(0, ".")
import cluster, pandas, utils
folder, policy = sys.argv[1:]
jobs, start = utils.trace_philly_process(folder, ("2017-10-01 00:00:00", "2017-11-30 23:59:00"))
trace = utils.trace_parser(jobs)
for virtual_cluster in cluster.Cluster(pandas.read_pickle(folder + "/vc_dict_homo.pkl"), 8, 96).vc_list:
    utils.simulate_vc(trace, virtual_cluster, "consolidate", folder, policy, logging.getLogger(), start)
"""


class Helios(Peer):
    """Runs the simulator of github.com/S-Lab-System-Group/HeliosArtifact; its Python needs pandas."""

    PRESETS = {policy: "helios-" + policy for policy in ("fifo", "sjf", "srtf")}
    BEGIN = datetime.datetime(2017, 10, 1)

    def __init__(self, options, folder):
        super().__init__(options, folder)
        self.cluster = os.path.join(folder, "clusters.csv")
        nodes = {list(row.values())[0]: int(list(row.values())[1]) for row in rows(options.clusters)}
        end = self.BEGIN + datetime.timedelta(days=options.days)
        jobs = []
        for row in rows(present("--trace", options.trace)):
            submit = datetime.datetime.fromisoformat(row["timestamp"])
            if row["cluster"] in nodes and self.BEGIN <= submit < end:
                jobs.append((submit, int(float(row["duration"])), int(row["num_gpus"]), row["cluster"]))
        if not jobs:
            fail("--trace (%s): no job of the virtual clusters from %s on" % (options.trace, self.BEGIN.date()))
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

    @staticmethod
    def require(options):
        if options.clusters is None:
            fail("helios needs --clusters")
        options.clusters = present("--clusters", options.clusters)
        present("CHECKOUT/framework/QSSF Service/utils.py", os.path.join(options.checkout, "framework", "QSSF Service", "utils.py"))
        require_modules(options.python, "pandas")

    def theirs(self, policy):
        folder = os.path.join(self.options.checkout, "framework", "QSSF Service")
        _, seconds = least([[self.options.python, "-c", RUNNER, self.folder, policy]], self.options.runs, folder)
        answers = {}
        for name in self.virtual_clusters:
            for row in rows(os.path.join(self.folder, name, "%s_consolidate_%s_log.csv" % (policy, name))):
                answers[row["jobname"]] = [int(float(row[c])) for c in ("start_time", "end_time", "ckpt_times")]
        return answers, seconds
