"""The auctions by Gymnasium's interfaces."""

from __future__ import annotations

import copy
import os
import pickle
import unittest
import warnings
from typing import Any, List, Tuple

import gymnasium
import numpy as np
import trainyard
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from gyms import SMALL, Server, digest, legal, new_hash, resident_megabytes


def play_alone(env: Any, seed: int) -> Tuple[str, str]:
    """Hashes of all that a player saw in the first episode of a seed, and of its event log."""
    random = np.random.default_rng(seed)
    seen = new_hash()
    observation, _ = env.reset(seed=seed)
    over = False
    while not over:
        digest(seen, observation)
        observation, reward, terminated, truncated, info = env.step(legal(random, env.action_masks()))
        digest(seen, {}, reward, terminated, truncated, info["elapsed_hours"])
        over = terminated or truncated
    return seen.hexdigest(), env.outcome()["event_log_sha256"]


def play_together(env: Any, seeds: List[int]) -> List[Tuple[str, str]]:
    """The same of several environments at once."""
    randoms = [np.random.default_rng(seed) for seed in seeds]
    seen = [new_hash() for _ in seeds]
    results: List[Any] = [None] * len(seeds)
    observations, _ = env.reset(seed=seeds)
    while None in results:
        masks = env.action_masks()
        for i, hashed in enumerate(seen):
            if results[i] is None:
                digest(hashed, {name: array[i] for name, array in observations.items()})
        actions = [legal(random, mask) for random, mask in zip(randoms, masks)]
        observations, rewards, terminated, truncated, infos = env.step(np.asarray(actions))
        for i, hashed in enumerate(seen):
            if results[i] is None:
                digest(hashed, {}, rewards[i], terminated[i], truncated[i], infos["elapsed_hours"][i])
                if terminated[i] or truncated[i]:
                    results[i] = hashed.hexdigest(), env.outcome(i)["event_log_sha256"]
    return results


class AuctionsTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("auction/small", SMALL)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def test_registered_environments_pass_gymnasiums_checker_with_its_check_of_pictures(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for form in ({}, {"graph": True}, {"flat": True}):
                env = gymnasium.make("Trainyard/Small-v1", **self.server.settings, **form)
                self.assertEqual(env.spec.id, "Trainyard/Small-v1")
                check_env(env.unwrapped)
                env.close()

    def test_every_world_that_ships_has_an_id_with_a_version(self) -> None:
        ids = trainyard.ids()
        self.assertEqual(ids["Trainyard/TwoGenerations-v1"], "auction/two-generations")
        self.assertGreater(len(ids), 15)
        for name in ids:
            self.assertIn(name, gymnasium.registry)

    def test_vectors_are_made_by_id_and_declare_how_they_reset(self) -> None:
        envs = gymnasium.make_vec("Trainyard/Small-v1", num_envs=3, flat=True, **self.server.settings)
        observations, _ = envs.reset(seed=1)
        self.assertEqual(observations.shape, envs.observation_space.shape)
        self.assertTrue(envs.observation_space.contains(observations))
        self.assertEqual(envs.metadata["autoreset_mode"], AutoresetMode.SAME_STEP)
        envs.step(np.zeros(3, int))
        envs.close()

    def test_a_copy_is_where_the_original_is_and_goes_on_alike(self) -> None:
        env = self.server.env()
        random = np.random.default_rng(2)
        env.reset(seed=5)
        for _ in range(20):
            env.step(legal(random, env.action_masks()))
        for again in (copy.deepcopy, lambda original: pickle.loads(pickle.dumps(original))):
            copied = again(env)
            self.assertEqual(copied.action_masks().tobytes(), env.action_masks().tobytes())
            action = legal(random, env.action_masks())
            for mine, its in zip(env.step(action)[:4], copied.step(action)[:4]):
                if isinstance(mine, dict):
                    self.assertEqual(mine["columns"].tobytes(), its["columns"].tobytes())
                else:
                    self.assertEqual(mine, its)
            copied.close()
        env.close()

    def test_a_flat_observation_has_the_numbers_of_the_other(self) -> None:
        flat, whole = self.server.env(flat=True), self.server.env()
        numbers, _ = flat.reset(seed=3)
        observation, _ = whole.reset(seed=3)
        rows = numbers.reshape(len(observation["mask"]), -1)
        columns = len(whole.columns)
        np.testing.assert_array_equal(rows[:, :columns], observation["columns"])
        np.testing.assert_array_equal(rows[:, columns:-1].argmax(axis=1), observation["kind"])
        np.testing.assert_array_equal(rows[:, -1], observation["mask"])
        flat.close()
        whole.close()

    def test_an_auction_is_seen_as_text_and_as_a_picture_that_changes(self) -> None:
        env = self.server.env(render_mode="ansi")
        env.reset(seed=1)
        self.assertRegex(env.render(), r"after 0.00 h: \d+ legal bids \(.*\d+ start")
        env.close()
        env = self.server.env(render_mode="rgb_array")
        observation, _ = env.reset(seed=1)
        self.assertEqual(set(observation), {"columns", "kind", "mask"})
        before = env.render()
        self.assertGreaterEqual(before.shape[1], 640)
        env.step(int(np.flatnonzero(env.action_masks())[-1]))
        self.assertEqual(before.shape, env.render().shape)
        self.assertTrue((before != env.render()).any())
        env.close()

    def test_actions_that_are_no_numbers_of_bids_are_refused_in_one_line(self) -> None:
        env = self.server.env()
        env.reset(seed=1)
        for action in (0.5, np.float32(1), None, [1, 2], True, [[1], [1, 2]], -1, env.action_space.n, 2**31 - 1):
            with self.assertRaisesRegex(trainyard.InputError, "^action: .* is not valid: expected a whole number from 0 to"):
                env.step(action)
        envs = self.server.vector_env(2)
        envs.reset(seed=1)
        for actions in ([0.5, 1.0], [1], 3, [0, -1], [envs.single_action_space.n, 1]):
            with self.assertRaisesRegex(trainyard.InputError, "expected 2 whole numbers from 0 to"):
                envs.step(actions)
        env.close()
        envs.close()

    def test_episodes_are_equal_in_two_processes_alone_and_among_eight(self) -> None:
        seeds = [11, 12, 13]
        second = Server("auction/small", SMALL)
        found = []
        for server in (self.server, second):
            alone = server.env()
            found.append([play_alone(alone, seed) for seed in seeds])
            alone.close()
            together = server.vector_env(8)
            found.append(play_together(together, [*seeds, 14, 15, 16, 17, 18])[:3])
            together.close()
        second.close()
        self.assertEqual(len(set(found[0])), 3, "episodes of different seeds differ")
        for other in found[1:]:
            self.assertEqual(found[0], other)

    def test_legal_actions_are_taken_and_illegal_ones_do_nothing(self) -> None:
        clean = self.server.env()
        _, undisturbed = play_alone(clean, 5)
        clean.close()
        env = self.server.env(illegal_penalty=2.5)
        random, others = np.random.default_rng(5), np.random.default_rng(6)
        observation, info = env.reset(seed=5)
        over = False
        illegal = 0
        while not over:
            mask = observation["mask"]
            for action in others.choice(np.flatnonzero(mask == 0), 3):
                again, reward, terminated, truncated, info = env.step(action)
                illegal += 1
                self.assertTrue(info["illegal"])
                self.assertEqual((reward, terminated, truncated, info["elapsed_hours"]), (-2.5, False, False, 0))
                for name, array in observation.items():
                    np.testing.assert_array_equal(array, again[name])
            observation, reward, terminated, truncated, info = env.step(legal(random, env.action_masks()))
            self.assertFalse(info["illegal"])
            over = terminated or truncated
        self.assertGreater(illegal, 100)
        self.assertEqual(env.outcome()["event_log_sha256"], undisturbed)
        env.close()

    def test_an_episode_in_which_every_action_is_illegal_is_truncated(self) -> None:
        env = self.server.env(horizon_hours=1.0)
        observation, _ = env.reset(seed=1)
        self.assertEqual(observation["mask"][0], 0, "no job runs, so that waiting is illegal")
        steps = 0
        truncated = False
        while not truncated and steps < 2000:
            observation, reward, terminated, truncated, info = env.step(0)
            steps += 1
            self.assertEqual((reward, terminated, info["illegal"]), (-1, False, True))
        self.assertEqual(steps, 1000)
        self.assertFalse(observation["mask"].any())
        with self.assertRaisesRegex(trainyard.InputError, "reset it first"):
            env.step(0)
        _, info = env.reset()
        for _ in range(999):
            env.step(0)
        _, _, _, truncated, _ = env.step(int(env.action_masks().argmax()))
        _, _, _, again, _ = env.step(env.action_space.n - 1)
        self.assertFalse(truncated or again, "a legal action between them lets time pass")
        env.close()
        envs = self.server.vector_env(2)
        _, infos = envs.reset(seed=1)
        first = infos["episode_number"].copy()
        legal_actions = 0
        for _ in range(1000):
            legal_actions = int(envs.action_masks()[1].argmax())
            _, _, terminated, truncations, infos = envs.step([0, legal_actions])
        self.assertTrue(truncations[0])
        self.assertEqual(infos["episode_number"][0], first[0] + 1)
        envs.close()

    def test_a_config_is_a_file_a_name_or_an_id_and_a_misspelt_one_is_refused_with_the_nearest(self) -> None:
        named = trainyard._launcher.config_file("auction/small")
        self.assertEqual(trainyard._launcher.config_file("Trainyard/Small-v1"), named)
        for wrong, near in [("auction/smal", "auction/small"), ("Trainyard/Smal-v1", "Trainyard/Small-v1"), ("quickstrat", "quickstart")]:
            with self.assertRaisesRegex(trainyard.InputError, rf"^{wrong}: no such file \(did you mean '{near}'\?\)$"):
                trainyard.env(wrong)

    def test_a_text_in_the_place_of_several_is_refused(self) -> None:
        for make in (trainyard.env, trainyard.parallel_env, trainyard.evaluate):
            with self.assertRaisesRegex(trainyard.InputError, r"^overrides: 'cluster=medium' is not valid: expected a list of strings, such as \["):
                make("auction/small", overrides="cluster=medium")
        with self.assertRaisesRegex(trainyard.InputError, "^options: '--json' is not valid"):
            trainyard.simulate(options="--json")

    def test_rewards_of_an_undiscounted_episode_add_up_to_its_waiting_and_lost_time(self) -> None:
        env = self.server.env(overrides=[])
        random = np.random.default_rng(1)
        _, info = env.reset(options={"split": "test", "episode": 1})
        total = info["first_reward"]
        hours = 0.0
        over = False
        while not over:
            _, reward, terminated, truncated, info = env.step(legal(random, env.action_masks()))
            total += reward
            hours += info["elapsed_hours"]
            over = terminated or truncated
        jobs = env.outcome()["jobs"]
        queued = sum(job["first_start_nanos"] - job["submit_nanos"] for job in jobs) / 3600e9
        spent = sum(job["end_nanos"] - job["submit_nanos"] for job in jobs) / 3600e9
        self.assertLess(total, -queued + 1e-6)
        self.assertGreater(total, -spent - 1e-6)
        self.assertAlmostEqual(info["mean_jct_seconds"], spent * 3600 / len(jobs), places=3)
        env.close()

    def test_a_discount_counts_time_inside_a_step(self) -> None:
        env = self.server.env(discount_hours=2.0)
        random = np.random.default_rng(1)
        env.reset(seed=1)
        passed = 0
        for _ in range(60):
            _, reward, terminated, _, info = env.step(legal(random, env.action_masks()))
            self.assertAlmostEqual(info["discount"], np.exp(-info["elapsed_hours"] / 2), places=12)
            passed += info["elapsed_hours"] > 0
            if terminated:
                break
        self.assertGreater(passed, 5)
        env.close()

    def test_environments_reset_themselves_in_the_step_that_ends_an_episode(self) -> None:
        env = self.server.vector_env(4)
        self.assertEqual(env.metadata["autoreset_mode"], AutoresetMode.SAME_STEP)
        random = np.random.default_rng(3)
        observations, infos = env.reset(seed=2)
        first = infos["episode_number"].copy()
        ends = np.zeros(4, int)
        for _ in range(600):
            self.assertTrue(all(env.action_masks().any(axis=1)))
            actions = [legal(random, mask) for mask in env.action_masks()]
            observations, _, terminated, truncated, infos = env.step(np.asarray(actions))
            self.assertTrue(env.observation_space.contains(observations))
            ends += terminated
            np.testing.assert_array_equal(infos["episode_number"], first + ends)
            for i in np.flatnonzero(terminated):
                self.assertGreater(infos["final_info"]["mean_jct_seconds"][i], 0)
                self.assertFalse(infos["final_obs"][i]["mask"].any())
                self.assertTrue(env.single_observation_space.contains(infos["final_obs"][i]))
        self.assertGreater(ends.sum(), 4)
        env.close()

    def test_the_graph_has_rows_for_servers_racks_and_core_and_servers_for_bids(self) -> None:
        env = self.server.env(graph=True)
        observation, _ = env.reset(seed=4)
        servers, racks = env.client.welcome["servers"], env.client.welcome["racks"]
        self.assertEqual(observation["nodes"].shape, (servers + racks + 1, len(env.client.welcome["node_columns"])))
        self.assertEqual(observation["rack_of"].max(), racks - 1)
        used = observation["bid_of"] >= 0
        starts = np.flatnonzero((observation["kind"] == env.kinds.index("START")) & (observation["mask"] == 1))
        self.assertGreater(len(starts), 0)
        self.assertTrue(set(starts) <= set(observation["bid_of"][used]))
        self.assertTrue((observation["server_of"][used] < servers).all())
        env.close()

    def test_fewer_bids_can_be_asked_for(self) -> None:
        env = self.server.env(max_bids=3)
        random = np.random.default_rng(1)
        observation, _ = env.reset(seed=1)
        for _ in range(50):
            self.assertEqual(observation["mask"].shape, (3,))
            observation, _, terminated, _, info = env.step(legal(random, env.action_masks()))
            self.assertFalse(info["illegal"])
            if terminated:
                break
        env.close()

    def test_bad_settings_are_one_clear_error(self) -> None:
        for settings, expected in [
            ({"stirde": 2}, "did you mean 'stride'"),
            ({"max_bids": 1}, "2 to"),
            ({"discount_hours": -1}, "discount_hours"),
            ({"auction": {"jobs": 0}}, "jobs"),
            ({"auction": {"order": "Soon"}}, "order"),
        ]:
            with self.assertRaisesRegex(trainyard.InputError, expected):
                self.server.env(**settings)
        env = self.server.env()
        with self.assertRaisesRegex(trainyard.InputError, "reset it first"):
            env.step(0)
        with self.assertRaisesRegex(trainyard.InputError, "2 test episodes"):
            env.reset(options={"split": "test", "episode": 2})
        with self.assertRaisesRegex(trainyard.InputError, "split"):
            env.reset(options={"split": "tset"})
        env.reset(seed=1)
        self.assertTrue(env.action_masks().any(), "the connection still works")
        env.close()

    def test_thirty_thousand_steps_take_no_more_memory(self) -> None:
        env = self.server.vector_env(50)
        random = np.random.default_rng(1)
        env.reset(seed=1)
        at_half = (0.0, 0.0)
        for step in range(600):
            if step == 300:
                at_half = resident_megabytes(self.server.pid), resident_megabytes(os.getpid())
            mask = env.action_masks()
            _, _, _, _, infos = env.step(np.argmax(random.random(mask.shape) * mask, axis=1))
            self.assertFalse(infos["illegal"].any())
        self.assertLess(resident_megabytes(self.server.pid) - at_half[0], 64)
        self.assertLess(resident_megabytes(os.getpid()) - at_half[1], 16)
        env.close()


if __name__ == "__main__":
    unittest.main()
