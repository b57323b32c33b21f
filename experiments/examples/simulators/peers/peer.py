"""What all simulators have in common."""
import json
import os
import sys

from . import command, jobs


class Peer:
    """One simulator on one workload. Its answers and ours are numbers by job, by default of these columns of jobs.csv."""

    PRESETS = {}
    COLUMNS = ("first_start", "end", "preemptions")
    # By which share mean JCTs may differ; where it is not 0, DIFFERS says why answers of jobs do.
    WITHIN = 0
    DIFFERS = ""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.trace, self.cluster = os.path.join(folder, "jobs.csv"), None

    @staticmethod
    def require(options):
        """Fails when what it runs is not there."""

    def theirs(self, policy):
        """Its answers by job, and its processor seconds."""
        raise NotImplementedError

    def ours(self, policy):
        """Our answers by job, and processor seconds printing figures and writing all files, or None where there are no files."""
        folder = os.path.join(self.folder, "trainyard-" + policy)
        simulate = [command.TRAINYARD, "simulate", "--trace", self.trace, "--cluster", self.cluster]
        simulate += ["--scheduler", self.PRESETS[policy]]
        printed, figures = command.least([simulate + ["--json"]], self.options.runs)
        _, files = command.least([simulate + ["--out", folder, "--replace"]], self.options.runs)
        with open(os.path.join(folder, "summary.json")) as file:
            hashes = [[s["event_log_sha256"] for s in summary["schedulers"]] for summary in (json.loads(printed), json.load(file))]
        if hashes[0] != hashes[1]:
            sys.exit("the two runs of Trainyard have different event logs")
        table = jobs.rows(os.path.join(folder, "jobs.csv"))
        return {row["job"]: self.answer(row) for row in table}, figures, files

    def answer(self, row):
        """Our answer for a row of jobs.csv."""
        return [int(float(row[column])) for column in self.COLUMNS]

    def answers(self, known, found):
        """Whether they agree, in words, and whether they are as equal as they should be."""
        every = known.keys() | found.keys()
        wrong = [job for job in every if known.get(job) != found.get(job)]
        if not wrong:
            return "equal", True
        said = "%d differ, such as that of job %s" % (len(wrong), min(wrong))
        if not self.WITHIN or known.keys() != found.keys():
            return said, False
        worst = max(abs(a - b) for job in every for a, b in zip(known[job], found[job]))
        means = [sum(answer[-1] for answer in answers.values()) / len(answers) for answers in (known, found)]
        said += " by up to %g s; mean JCT %.2f and %.2f s%s" % (worst, *means, self.DIFFERS)
        return said, abs(means[0] - means[1]) <= self.WITHIN * means[1]
