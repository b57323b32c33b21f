"""What the ``info`` of a reset or a step says."""

from __future__ import annotations

from typing import Any, Tuple, TypedDict


class StepInfo(TypedDict, total=False):
    """What happened in a step, for rewards of one's own among others; a vector's ``infos`` have an array of each.

    All but ``action_mask``, ``episode_number`` and the keys of ends are of the step: where the next episode begins in it, of the one that has ended.
    """

    action_mask: Any
    """The legal actions of the observation."""
    episode_number: int
    """That of the observation."""
    illegal: bool
    """Whether the action did nothing."""
    waiting: int
    """Jobs that wait at the end of the step."""
    running: int
    """Jobs that run at the end of the step."""
    elapsed_hours: float
    """Simulated time that has passed."""
    elapsed_seconds: float
    """The same in seconds."""
    ended_jct_seconds: Tuple[float, ...]
    """Of each job that has ended, in this order, the time from its submission to its end; after a reset, of those before the first choice."""
    ended_wait_seconds: Tuple[float, ...]
    """Of the same jobs, their time without GPUs from when they were allowed to start."""
    discount: float
    """What a reward now counts, beside one at the last decision."""
    first_reward: float
    """After a reset: the reward of the time before the first choice."""
    mean_jct_seconds: float
    """At an end: of all jobs of the episode."""
    won: bool
    """Of ``parallel_env``: whether the agent's offer was the highest, above ``reserve``."""
