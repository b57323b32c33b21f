"""Runs a workload on another simulator and on Trainyard, checks that the answers are equal job by job, and compares processor times.

Usage:
  compare.py tiresias CHECKOUT --trace trace1.csv.gz --policy fifo,shortest [--nodes 8]
  compare.py helios CHECKOUT --trace philly_pass.csv.gz --clusters philly_vc_nodes.csv --policy fifo,sjf,srtf [--days 7]
  compare.py accasim - --trace trace1.csv.gz --policy fifo [--nodes 8]
  compare.py cloudsim JARS --trace trace1.csv.gz --policy fjf [--nodes 8]
  compare.py pollux CHECKOUT --trace CHECKOUT/simulator/workloads/workload-6.csv --policy tiresias,optimus --data ../shared/data

CHECKOUT is a working copy of the simulator as its authors published it: github.com/SymbioticLab/Tiresias,
github.com/S-Lab-System-Group/HeliosArtifact, or branch osdi21-artifact of github.com/petuum/adaptdl. AccaSim comes from PyPI (accasim).
JARS is a folder with CloudSim Plus 8.5.5 of Maven Central and what it depends on. --python names a Python with what they import: numpy for
Tiresias, pandas for Helios, accasim for AccaSim, pandas 1.5, numpy 1.23, scipy and autograd for Pollux.
Tiresias, AccaSim and CloudSim Plus read a trace of Tiresias or of Muri, whose milliseconds become seconds, on --nodes of 8 GPUs, or
gangs:N, N gangs of 4 to 256 GPUs. Helios reads the first days from 2017-10-01 on of ../shared/data/philly/philly_pass.csv.gz on the virtual clusters
of its own experiment.

A time is the least of --runs runs, user and system time of all processes of a command from its start to its end. Trainyard is timed twice: printing
the figures of the run, with the SHA-256 of its event log, and writing all its result files, from which the answers are read; the event
logs of both must be equal. Exit code 1 when an answer differs, 2 when something is missing.
"""
import argparse
import os
import sys
import tempfile

from peers.accasim import AccaSim
from peers.cloudsim import CloudSim
from peers.command import TRAINYARD, fail, present, program, run
from peers.helios import Helios
from peers.pollux import Pollux
from peers.tiresias import Tiresias

PEERS = {"tiresias": Tiresias, "helios": Helios, "accasim": AccaSim, "cloudsim": CloudSim, "pollux": Pollux}


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulator", choices=list(PEERS))
    parser.add_argument("checkout", help="working copy or folder of jars; - for AccaSim, which is a module of its Python")
    parser.add_argument("--trace", required=True)
    parser.add_argument("--policy", required=True)
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--clusters")
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--data")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args(words)
    peer = PEERS[options.simulator]
    for name in ("nodes", "days", "runs"):
        if getattr(options, name) < 1:
            fail("--%s (%d): expected 1 or more" % (name, getattr(options, name)))
    for policy in options.policy.split(","):
        if policy not in peer.PRESETS:
            fail("--policy (%s): expected one of %s for %s" % (policy, ", ".join(peer.PRESETS), options.simulator))
    # Simulators run in folders of their own, so every path is absolute.
    options.checkout = present("CHECKOUT", options.checkout) if options.checkout != "-" else ""
    if not options.trace.startswith("gangs:"):
        options.trace = present("--trace", options.trace)
    options.python = program("--python", options.python)
    peer.require(options)
    return options


def main():
    options = arguments(sys.argv[1:])
    run([TRAINYARD, "--version"])  # so that no timed run builds
    differs = False
    print("| policy | jobs | answers | theirs, s | ours, s | ratio | ours with files, s | ratio |\n|---|--:|---|--:|--:|--:|--:|--:|")
    for policy in options.policy.split(","):
        with tempfile.TemporaryDirectory() as folder:
            peer = PEERS[options.simulator](options, folder)
            known, theirs = peer.theirs(policy)
            found, figures, files = peer.ours(policy)
        said, is_equal = peer.answers(known, found)
        differs = differs or not is_equal
        with_files = "%.2f | %.1f" % (files, theirs / files) if files else " | "
        print(
            "| %s | %s | %s | %.2f | %.2f | %.1f | %s |"
            % (policy, format(len(known), ","), said, theirs, figures, theirs / figures, with_files),
            flush=True,
        )
    sys.exit(differs)


if __name__ == "__main__":
    main()
