"""Evaluates an exported policy by onnxruntime on the test episodes of its training, beside sjf, decision for decision as Java does.

    ./trainyard export checkpoints/default --out my-export
    python experiments/python/src/main/python/examples/evaluate_onnx.py my-export

Every decision is the network of policy.onnx on an auction of the gym. ``trainyard evaluate`` then plays the same policy in Java: the
end of every job must be equal, to the nanosecond. Needs onnxruntime, gymnasium and numpy.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime
import trainyard


class OnnxPolicy:
    """Chooses bids by policy.onnx."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / "policy.onnx"), options, providers=["CPUExecutionProvider"])
        self.inputs = [given.name for given in self.session.get_inputs()]

    @property
    def needs_graph(self) -> bool:
        return "nodes" in self.inputs

    def best(self, observation, i: int) -> int:
        """The best bid of one environment; padding is left out."""
        bids = int(np.flatnonzero(observation["mask"][i])[-1]) + 1
        auction = {name: observation[name][i, :bids] for name in ("columns", "kind", "mask")}
        auction["mask"] = auction["mask"].astype(bool)
        if self.needs_graph:
            pairs = observation["bid_of"][i] >= 0
            auction.update({name: observation[name][i] for name in ("nodes", "rack_of")})
            auction.update({name: observation[name][i, pairs] for name in ("bid_of", "server_of")})
        return int(self.session.run(["best"], {name: auction[name] for name in self.inputs})[0])


def play(policy: OnnxPolicy, config: str, overrides):
    """The outcomes of all test episodes, which are played side by side, and the number of decisions."""
    probe = trainyard.env(config, overrides=overrides)
    count = probe.client.welcome["episodes"]["test"]
    probe.close()
    env = trainyard.vector_env(config, count, graph=policy.needs_graph, overrides=overrides)
    observation, _ = env.reset(options={"split": "test", "episode": np.arange(count)})
    outcomes = [None] * count
    decisions = 0
    while None in outcomes:
        # An environment whose episode is over plays another one, which does not count.
        playing = [outcome is None for outcome in outcomes]
        actions = [policy.best(observation, i) if playing[i] else observation["mask"][i].argmax() for i in range(count)]
        decisions += sum(playing)
        observation, _, terminated, _, _ = env.step(np.asarray(actions))
        for i in np.flatnonzero(terminated):
            outcomes[i] = outcomes[i] or env.outcome(i)
    env.close()
    return outcomes, decisions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", type=Path, help="folder of an export")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a value of its config")
    given = parser.parse_args()
    checkpoint = given.export / "checkpoint"
    began = time.perf_counter()
    outcomes, decisions = play(OnnxPolicy(given.export), str(checkpoint / "config.yaml"), given.set)
    took = time.perf_counter() - began
    print(f"{decisions:,} decisions by onnxruntime in {len(outcomes)} test episodes, {decisions / took:,.0f} a second")

    java = trainyard.evaluate(checkpoint, schedulers="sjf", overrides=given.set)
    rows = java.jobs if isinstance(java.jobs, list) else java.jobs.to_dict("records")
    ends = {(row["episode"], row["job"]): round(row["end"] * 1e9) for row in rows if row["scheduler"] == "learned"}
    different = [
        (episode, job["job"])
        for episode, outcome in enumerate(outcomes)
        for job in outcome["jobs"]
        if ends[episode, job["job"]] != job["end_nanos"]
    ]
    mean = np.mean([outcome["mean_jct_seconds"] for outcome in outcomes]) / 3600
    print(f"mean JCT by onnxruntime {mean:.4f} h")
    for row in java.summary["schedulers"]:
        print(f"mean JCT of {row['name']} by evaluate {row['jct_s']['mean'] / 3600:.4f} h")
    print(f"{len(ends) - len(different):,} of {len(ends):,} jobs end at the same nanosecond as in Java")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
