"""The agents on rows by PettingZoo's interface."""

from __future__ import annotations

import contextlib
import io
import unittest
import warnings

import numpy as np
import trainyard
from pettingzoo.test import parallel_api_test, parallel_seed_test

from gyms import ROWS, SMALL, Server, digest, legal, new_hash


class RowsTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("ppo", ROWS)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def test_the_environment_passes_pettingzoos_tests(self) -> None:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            env = self.server.parallel_env()
            parallel_api_test(env, num_cycles=500)
            env.close()
            parallel_seed_test(lambda: self.server.parallel_env(), num_cycles=100)

    def test_episodes_are_equal_in_pieces_and_whole(self) -> None:
        hashes = []
        for sections in (False, True):
            env = self.server.parallel_env(sections=sections)
            random = np.random.default_rng(1)
            seen = new_hash()
            observations, infos = env.reset(seed=3)
            steps = 0
            while env.agents:
                for agent in env.agents:
                    row = observations[agent]["observation"]
                    whole = np.concatenate([part.ravel() for part in row.values()]) if sections else row
                    digest(seen, {"row": whole, "mask": observations[agent]["action_mask"]})
                    self.assertTrue(env.observation_space(agent).contains(observations[agent]))
                actions = {agent: legal(random, env.action_masks()[agent]) for agent in env.agents}
                observations, rewards, _, _, infos = env.step(actions)
                self.assertNotIn("illegal", [info["outcome"] for info in infos.values()])
                digest(seen, {}, *rewards.values())
                steps += 1
            self.assertGreater(steps, 25)
            hashes.append((seen.hexdigest(), env.outcome()["event_log_sha256"]))
            env.close()
        self.assertEqual(*hashes)

    def test_an_illegal_action_costs_a_penalty_and_is_marked(self) -> None:
        env = self.server.parallel_env()
        env.reset(seed=1)
        agent = env.agents[0]
        illegal = int(np.flatnonzero(~env.action_masks()[agent])[-1])
        _, rewards, _, _, infos = env.step({agent: illegal})
        self.assertEqual(infos[agent]["outcome"], "illegal")
        self.assertLessEqual(rewards[agent], -1)
        env.close()

    def test_a_config_without_rows_is_refused(self) -> None:
        with self.assertRaisesRegex(trainyard.InputError, "environment.window"):
            trainyard.parallel_env("quickstart", overrides=SMALL)


if __name__ == "__main__":
    unittest.main()
