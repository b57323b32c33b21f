"""The command line's results as tables."""

from __future__ import annotations

import csv
import json
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from . import _launcher
from .errors import refuse_text

try:
    import pandas
except ImportError:
    pandas = None  # type: ignore[assignment]

Table = Any
"""A pandas DataFrame, or a list of dicts where pandas is not installed."""


class Results(NamedTuple):
    """What a run found.

    ``schedulers`` has a row for each scheduler, ``jobs`` one for each scheduler, episode and job, ``summary`` is summary.json.
    """

    schedulers: Table
    jobs: Table
    summary: Dict[str, Any]

    @property
    def mean_jct_seconds(self) -> Dict[str, Dict[int, float]]:
        """By scheduler and episode, the mean JCT, as the last ``info`` of an episode has it. O(jobs)."""
        rows = self.jobs if isinstance(self.jobs, list) else self.jobs.to_dict("records")
        jcts: Dict[str, Dict[int, List[float]]] = {}
        for row in rows:
            jcts.setdefault(row["scheduler"], {}).setdefault(row["episode"], []).append(row["end"] - row["submit"])
        return {name: {episode: sum(own) / len(own) for episode, own in episodes.items()} for name, episodes in jcts.items()}


def _table(rows: List[Dict[str, Any]]) -> Table:
    return rows if pandas is None else pandas.DataFrame(rows)


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _plain(scheduler: Dict[str, Any]) -> Dict[str, Any]:
    """Numbers and names alone; those of an inner object have its name in front, such as ``jct_s_mean``."""
    row: Dict[str, Any] = {}
    for key, value in scheduler.items():
        if isinstance(value, dict):
            row.update({f"{key}_{inner}": v for inner, v in value.items() if not isinstance(v, (dict, list))})
        elif not isinstance(value, list):
            row[key] = value
    return row


def _results(folder: Path) -> Results:
    summary = json.loads((folder / "summary.json").read_text("utf-8"))
    with open(folder / "jobs.csv", encoding="utf-8", newline="") as file:
        jobs = [
            {key: value if key in ("scheduler", "job") else _number(value) for key, value in row.items()}
            for row in csv.DictReader(file)
        ]
    return Results(_table([_plain(row) for row in summary["schedulers"]]), _table(jobs), summary)


def _run(arguments: List[str], out: Optional[Union[str, Path]], time_limit: Optional[float]) -> Results:
    if out is not None:
        _launcher.run([*arguments, "--out", str(out)], time_limit)
        return _results(Path(out))
    with tempfile.TemporaryDirectory(prefix="trainyard") as folder:
        target = Path(folder, "results")
        _launcher.run([*arguments, "--out", str(target)], time_limit)
        return _results(target)


def _names(names: Union[str, Sequence[str]]) -> str:
    return names if isinstance(names, str) else ",".join(names)


def simulate(
    *,
    trace: str = "generated",
    cluster: str = "small",
    scheduler: Union[str, Sequence[str]] = "fifo",
    seed: int = 1,
    jobs: Optional[int] = None,
    options: Sequence[str] = (),
    out: Optional[Union[str, Path]] = None,
    time_limit: Optional[float] = None,
) -> Results:
    """Runs schedulers on a trace: ``trainyard simulate``.

    :param jobs: of a generated trace
    :param options: further arguments of the command, such as ``["--runtime", "oracle"]``
    :param out: folder that keeps the files
    :param time_limit: seconds
    """
    arguments = ["simulate", "--trace", str(trace), "--cluster", str(cluster), "--scheduler", _names(scheduler)]
    arguments += ["--seed", str(seed)]
    refuse_text("options", options)
    if jobs is not None:
        arguments += ["--jobs", str(jobs)]
    return _run([*arguments, *options], out, time_limit)


def evaluate(
    config_or_checkpoint: Union[str, Path],
    *,
    config: Optional[Union[str, Path]] = None,
    schedulers: Union[str, Sequence[str]] = (),
    overrides: Sequence[str] = (),
    options: Sequence[str] = (),
    out: Optional[Union[str, Path]] = None,
    time_limit: Optional[float] = None,
) -> Results:
    """Compares schedulers and a trained policy on test episodes: ``trainyard evaluate``.

    :param config_or_checkpoint: an experiment (a file, a shipped name or its id), or the folder of a checkpoint
    :param config: an experiment other than that of the checkpoint's training
    :param schedulers: instead of those of the experiment
    :param overrides: ``KEY=VALUE`` over values of the experiment
    """
    refuse_text("overrides", overrides)
    refuse_text("options", options)
    given = Path(_launcher.config_file(str(config_or_checkpoint)))
    arguments = ["evaluate"]
    if given.is_dir():
        arguments += ["--checkpoint", str(given)]
        if config is not None:
            arguments.append(_launcher.config_file(str(config)))
    else:
        arguments.append(str(given))
    if schedulers:
        arguments += ["--schedulers", _names(schedulers)]
    for override in overrides:
        arguments += ["--set", override]
    return _run([*arguments, *options], out, time_limit)
