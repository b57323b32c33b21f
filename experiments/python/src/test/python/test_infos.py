"""What infos say of a step, from which a reward may be made."""

from __future__ import annotations

import typing
import unittest
from typing import Any, Dict, List, Tuple

import numpy as np
import trainyard
from gymnasium.vector import AutoresetMode

from gyms import SMALL, Server

ENDED = ("ended_jct_seconds", "ended_wait_seconds")


def last_bid(mask: np.ndarray) -> Any:
    """The last legal bid, which starts a job where one can start."""
    return mask.shape[-1] - 1 - mask[..., ::-1].argmax(axis=-1)


class InfosTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("auction/small", [*SMALL, "episodes.jobs=30"])

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def play(self, env: Any, episode: int) -> List[Dict[str, Any]]:
        """The infos of a test episode, the first of its reset."""
        _, info = env.reset(options={"split": "test", "episode": episode})
        infos = [info]
        over = False
        while not over:
            _, _, over, _, info = env.step(last_bid(env.action_masks()))
            infos.append(info)
        return infos

    def test_the_jobs_of_a_step_are_those_that_wait_run_and_end_in_it(self) -> None:
        env = self.server.env()
        for episode in (1, 0):
            infos = self.play(env, episode)
            jobs = sorted(env.outcome()["jobs"], key=lambda job: job["end_nanos"])
            jcts = [job["end_nanos"] - job["submit_nanos"] for job in jobs]
            told = [jct for info in infos for jct in info["ended_jct_seconds"]]
            self.assertEqual(sorted(told), sorted(jct / 1e9 for jct in jcts))
            waits = [wait for info in infos for wait in info["ended_wait_seconds"]]
            self.assertEqual(len(waits), len(jobs))
            self.assertTrue(all(0 <= wait <= jct for wait, jct in zip(waits, told)))
            undisturbed = [(job["first_start_nanos"] - job["submit_nanos"]) / 1e9 for job in jobs if job["preemptions"] == 0]
            for wait in undisturbed:
                self.assertLess(min(abs(wait - other) for other in waits), 1e-6)
            # From the end backwards, for the time before the first choice is of no step.
            now = max(job["end_nanos"] for job in jobs) / 1e9
            for info in reversed(infos):
                present = sum(job["submit_nanos"] / 1e9 <= now + 1e-3 < job["end_nanos"] / 1e9 for job in jobs)
                self.assertEqual(info["waiting"] + info["running"], present)
                self.assertAlmostEqual(info["elapsed_seconds"], 3600 * info["elapsed_hours"])
                now -= info["elapsed_seconds"]
            self.assertGreater(max(info["waiting"] for info in infos), 0)
            self.assertGreater(max(info["running"] for info in infos), 1)
            self.assertGreater(sum(len(info["ended_jct_seconds"]) > 0 for info in infos), 5)
        env.close()

    def test_an_illegal_action_ends_no_job_again(self) -> None:
        env = self.server.env()
        env.reset(seed=1)
        info: Dict[str, Any] = {"ended_jct_seconds": ()}
        while not info["ended_jct_seconds"]:
            _, _, _, _, info = env.step(last_bid(env.action_masks()))
        _, _, _, _, again = env.step(int(env.action_masks().argmin()))
        self.assertEqual((again["ended_jct_seconds"], again["elapsed_seconds"]), ((), 0))
        self.assertEqual((again["waiting"], again["running"]), (info["waiting"], info["running"]))
        env.close()

    def test_each_environment_of_a_vector_tells_what_it_tells_alone(self) -> None:
        env = self.server.env()
        alone = [self.play(env, episode) for episode in (0, 1)]
        env.close()
        for mode in AutoresetMode:
            envs = self.server.vector_env(2, autoreset_mode=mode)
            _, infos = envs.reset(options={"split": "test", "episode": [0, 1]})
            seen: List[List[Tuple[Any, ...]]] = [[], []]
            over = np.zeros(2, bool)
            while not over.all():
                for i in range(2):
                    if not over[i]:
                        seen[i].append(self.told(infos, i))
                _, _, ended, _, infos = envs.step(last_bid(envs.action_masks()))
                for i in np.flatnonzero(ended & ~over):
                    seen[i].append(self.told(infos, i))
                over |= ended
                if mode == AutoresetMode.DISABLED and ended.any() and not over.all():
                    _, infos_of_some = envs.reset(options={"split": "test", "episode": 0, "reset_mask": ended})
                    for name in ENDED:
                        self.assertEqual([type(value) for value in infos_of_some[name]], [tuple, tuple])
            for i in range(2):
                self.assertEqual(seen[i], [self.told({name: [value] for name, value in info.items()}, 0) for info in alone[i]])
            envs.close()

    @staticmethod
    def told(infos: Any, i: int) -> Tuple[Any, ...]:
        return tuple(infos[name][i] for name in ("waiting", "running", "elapsed_seconds", *ENDED))

    def test_no_job_is_lost_where_episodes_follow_by_themselves(self) -> None:
        for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
            envs = self.server.vector_env(3, autoreset_mode=mode)
            _, infos = envs.reset(seed=4)
            jcts: List[List[float]] = [[], [], []]
            ends = np.zeros(3, int)
            while (ends < 3).any():
                for i in range(3):
                    jcts[i] += infos["ended_jct_seconds"][i]
                _, _, ended, _, infos = envs.step(last_bid(envs.action_masks()))
                means = infos["final_info" if mode == AutoresetMode.SAME_STEP else "mean_jct_seconds"] if ended.any() else None
                for i in np.flatnonzero(ended):
                    jcts[i] += infos["ended_jct_seconds"][i]
                    infos["ended_jct_seconds"][i] = ()
                    mean = means["mean_jct_seconds"][i] if mode == AutoresetMode.SAME_STEP else means[i]
                    self.assertEqual(len(jcts[i]), 30)
                    self.assertAlmostEqual(float(np.mean(jcts[i])), mean, places=4)
                    jcts[i] = []
                ends += ended
            envs.close()

    def test_agents_that_offer_are_told_the_same(self) -> None:
        env = self.server.parallel_env()
        _, infos = env.reset(options={"split": "test", "episode": 1})
        ended = list(infos["domain_0"]["ended_jct_seconds"])
        while env.agents:
            offers = {agent: {"bid": 0, "price": 1} for agent, mask in env.action_masks().items() if mask.any()}
            _, _, _, _, infos = env.step(offers)
            self.assertEqual(len({self.told({k: [v] for k, v in info.items()}, 0) for info in infos.values()}), 1)
            ended += infos["domain_0"]["ended_jct_seconds"]
        self.assertEqual((infos["domain_0"]["waiting"], infos["domain_0"]["running"]), (0, 0))
        jobs = env.outcome()["jobs"]
        self.assertEqual(sorted(ended), sorted((job["end_nanos"] - job["submit_nanos"]) / 1e9 for job in jobs))
        env.close()

    def test_every_key_of_an_info_has_a_type(self) -> None:
        types = typing.get_type_hints(trainyard.StepInfo)
        env, parallel = self.server.env(), self.server.parallel_env()
        infos = self.play(env, 0)
        _, of_agents = parallel.reset(seed=1)
        for info in (infos[0], infos[-1], of_agents["domain_0"]):
            for name, value in info.items():
                if name != "action_mask":
                    expected = typing.get_origin(types[name]) or types[name]
                    self.assertIs(type(value), expected, name)
        env.close()
        parallel.close()


if __name__ == "__main__":
    unittest.main()
