"""Options of reset and settings of make, what follows the end of an episode, and what a refusal looks like."""

from __future__ import annotations

import signal
import subprocess
import sys
import unittest
import warnings
from typing import Any, Callable, List

import gymnasium
import numpy as np
import trainyard
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from trainyard.vector_envs import AuctionVectorEnv

from gyms import SMALL, Server

MODES = list(AutoresetMode)


def interrupt(call: Callable[[], Any], seconds: float) -> None:
    """Calls again and again until an interrupt comes, which is caught as in a notebook."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        while True:
            call()
    except KeyboardInterrupt:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class ResetsTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("auction/small", [*SMALL, "episodes.jobs=12"])

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def environments(self) -> List[Any]:
        return [self.server.env(), self.server.vector_env(2), self.server.parallel_env()]

    @staticmethod
    def number(info: Any) -> List[int]:
        return np.ravel(info.get("domain_0", info)["episode_number"]).tolist()

    def test_options_that_nobody_knows_are_refused_and_change_nothing(self) -> None:
        for env in self.environments():
            _, info = env.reset(seed=3)
            first = self.number(info)
            for options, expected in [
                ({"splitt": "test", "episode": 3}, r"^options: unknown key 'splitt' \(did you mean 'split'\?\): expected one of split, "),
                ({"epsiode": 3}, r"unknown key 'epsiode' \(did you mean 'episode'\?\)"),
                ({3: 3}, "unknown key '3': expected one of "),
                ("test", "options: 'test' is not valid: expected a dict"),
                ({"split": "tset"}, "split: 'tset' is not valid: expected one of train, validation, test"),
                ({"split": ["test"]}, "split: "),
                ({"split": "test", "episode": "1"}, "episode: '1' is not valid: expected a whole number"),
                ({"episode": 1.0}, "episode: 1.0 is not valid"),
                ({"split": "test"}, "episode: none is given: expected the number of a test episode, such as 0"),
                ({"episode": True}, "episode: True is not valid"),
                ({"episode": -1}, "episode: -1 is not valid"),
                ({"episode": 1 << 63}, "episode: 9223372036854775808 is not valid"),
                ({"episode": [1, 2, 3]}, r"episode: \[1, 2, 3\] is not valid"),
                ({"split": "test", "episode": 2}, "2 test episodes"),
            ]:
                with self.subTest(env=type(env).__name__, options=options):
                    with self.assertRaisesRegex(trainyard.InputError, expected) as refused:
                        env.reset(seed=7, options=options)
                    self.assertNotIn("\n", str(refused.exception))
                    self.assertTrue(refused.exception.__suppress_context__ or refused.exception.__context__ is None)
            _, info = env.reset()
            self.assertEqual(self.number(info), [number + 1 for number in first], "a refused seed was taken all the same")
            env.close()

    def test_after_a_call_that_was_interrupted_a_reset_alone_follows_and_begins_as_ever(self) -> None:
        for env in self.environments():
            env.reset(seed=3)
            first = self.play_some(env)
            refused = 0
            for trial in range(24):
                interrupt(lambda: (env.reset(seed=3), self.play_some(env)), 0.0005 + 0.0007 * trial)
                try:
                    env.step(self.first_legal(env))
                except trainyard.InputError as error:
                    self.assertRegex(str(error), "^the last call was interrupted, or its answer not received: call reset\\(\\)$|reset it first")
                    refused += "interrupted" in str(error)
                    if trial % 2 == 0 and hasattr(env, "num_envs"):
                        with self.assertRaisesRegex(trainyard.InputError, "interrupted.* of all environments$"):
                            env.reset(options={"reset_mask": np.array([True, False])})
                _, info = env.reset(seed=3)
                self.assertEqual(self.number(info)[0], 3_000_000)
                self.assertEqual(self.play_some(env), first)
            self.assertGreater(refused, 3, type(env))
            env.close()

    def test_an_interrupt_of_the_whole_group_as_of_a_terminal_does_not_end_the_server(self) -> None:
        program = (
            "import os, signal, trainyard\n"
            # A test that runs in the background inherits an ignored signal.
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            f"env = trainyard.env('auction/small', overrides={SMALL!r})\n"
            "try:\n    os.killpg(0, signal.SIGINT)\n    signal.pause()\nexcept KeyboardInterrupt:\n    pass\n"
            "env.reset(seed=1)\nfor _ in range(20):\n    env.step(int(env.action_masks().argmax()))\nprint('played')"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, start_new_session=True)
        self.assertEqual((ran.stdout, ran.returncode), ("played\n", 0), ran.stderr)

    def test_halves_of_a_step_in_a_wrong_order_are_refused(self) -> None:
        envs = self.server.vector_env(2)
        envs.reset(seed=1)
        with self.assertRaisesRegex(trainyard.InputError, "nothing was sent"):
            envs.receive()
        envs.send(envs.action_masks().argmax(axis=1))
        with self.assertRaisesRegex(trainyard.InputError, "its answer not received"):
            envs.send(envs.action_masks().argmax(axis=1))
        envs.receive()
        envs.send(envs.action_masks().argmax(axis=1))
        _, infos = envs.reset(seed=1)
        np.testing.assert_array_equal(infos["episode_number"], [1_000_000, 2_000_000])
        envs.close()

    @staticmethod
    def first_legal(env: Any) -> Any:
        masks = env.action_masks()
        if isinstance(masks, dict):
            return {agent: {"bid": 0, "price": 1} for agent in masks}
        actions = masks.argmax(axis=-1)
        return int(actions) if actions.ndim == 0 else actions

    def play_some(self, env: Any) -> List[Any]:
        """The rewards of a few steps."""
        rewards = []
        for _ in range(6):
            _, reward, _, _, _ = env.step(self.first_legal(env))
            rewards.append(reward if isinstance(reward, dict) else np.asarray(reward).tolist())
        return rewards

    def test_a_second_reset_with_options_is_of_these_and_the_next_without_goes_on_with_training(self) -> None:
        for env in self.environments():
            with self.subTest(env=type(env).__name__):
                _, info = env.reset(seed=3)
                first = self.number(info)
                for episode in (1, 0):
                    _, info = env.reset(options={"split": "test", "episode": episode})
                    self.assertEqual(set(self.number(info)), {episode})
                _, info = env.reset(options=None)
                self.assertEqual(self.number(info), [number + 1 for number in first])
                env.close()

    def test_resets_without_a_seed_play_one_episode_after_the_other(self) -> None:
        for env in self.environments():
            with self.subTest(env=type(env).__name__):
                env.reset(seed=5)
                played = [self.number(env.reset()[1]) for _ in range(3)]
                steps = np.diff(played, axis=0)
                self.assertTrue((steps == len(played[0])).all() or (steps == 1).all(), played)
                env.close()

    def test_environments_of_a_vector_play_episodes_of_their_own_for_one_seed(self) -> None:
        env = self.server.vector_env(4)
        first = self.number(env.reset(seed=1)[1])
        self.assertEqual(len(set(first)), 4, first)
        self.assertEqual(self.number(env.reset(seed=1)[1]), first)
        alone = self.server.env()
        self.assertEqual(self.number(alone.reset(seed=1)[1]), first[:1])
        env.close()
        alone.close()

    def test_training_goes_on_after_tests_that_reset_themselves(self) -> None:
        for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
            envs = self.server.vector_env(2, autoreset_mode=mode)
            _, infos = envs.reset(seed=3)
            first = infos["episode_number"].copy()
            envs.reset(options={"split": "test", "episode": [0, 1]})
            ends = 0
            while ends < 3:
                _, _, terminated, _, _ = envs.step(envs.action_masks().argmax(axis=1))
                ends += np.count_nonzero(terminated)
            _, infos = envs.reset()
            np.testing.assert_array_equal(infos["episode_number"], first + 1)
            envs.close()

    def test_settings_that_nobody_knows_are_refused_with_the_nearest(self) -> None:
        small = "Trainyard/Small-v1"
        for make, expected in [
            (lambda **wrong: trainyard.env("auction/small", **wrong), "max_pairs"),
            (lambda **wrong: trainyard.vector_env("auction/small", 2, **wrong), "max_pairs"),
            (lambda **wrong: gymnasium.make(small, **wrong), "max_pairs"),
            (lambda **wrong: gymnasium.make_vec(small, num_envs=2, **wrong), "max_pairs"),
            (lambda **wrong: trainyard.parallel_env("auction/small", **wrong), "max_bids"),
        ]:
            with self.assertRaisesRegex(trainyard.InputError, rf"^settings: unknown key 'max_pair' \(did you mean '{expected}'\?\): expected one of "):
                make(max_pair=2)
            for key in ("environments", "ground", "autoreset", "autoreset_step"):
                with self.assertRaisesRegex(trainyard.InputError, f"^settings: unknown key '{key}'"):
                    make(**{key: 1})
        for key, meant in [("rendr_mode", "render_mode"), ("overides", "overrides"), ("Flat", "flat"), ("reserv", "server")]:
            with self.assertRaisesRegex(trainyard.InputError, rf"unknown key '{key}' \(did you mean '{meant}'\?\)"):
                trainyard.env("auction/small", **{key: 1})

    def test_numbers_of_another_kind_are_refused_in_one_line(self) -> None:
        for env in self.environments():
            for seed in (-1, 1.5, "1", True, *([[0, -1], [0, 1.5]] if hasattr(env, "num_envs") else [])):
                with self.subTest(env=type(env).__name__, seed=seed), self.assertRaisesRegex(trainyard.InputError, "^seed: .* is not valid: expected"):
                    env.reset(seed=seed)
            env.reset(seed=np.int64(1))
            env.close()
        for n in (0, "2", 1.5, None):
            with self.assertRaisesRegex(trainyard.InputError, "^n: .* is not valid: expected a whole number of at least 1$"):
                trainyard.vector_env("auction/small", n)
        with self.assertRaisesRegex(trainyard.InputError, "^max_own_bids: 0 is not valid: expected a whole number of at least 1$"):
            trainyard.parallel_env("auction/small", max_own_bids=0)
        with self.assertRaisesRegex(trainyard.InputError, "^max_pairs: '9' is not valid"):
            trainyard.env("auction/small", max_pairs="9")

    def test_a_refusal_is_one_exception_of_one_line_and_nothing_follows_it(self) -> None:
        begin = "import sys, trainyard, gymnasium\nsystem = sys.argv[1]\n"
        for program, expected in [
            ("envs = trainyard.vector_env('auction/small', 2, server=system, stirde=2)", "did you mean 'stride'"),
            ("envs = trainyard.vector_env('auction/small', 2, server=system, max_bids=1)", "2 to"),
            ("envs = gymnasium.make_vec('Trainyard/Small-v1', num_envs=2, server=system, autoreset_mode='LATER')", "NEXT_STEP, SAME_STEP, DISABLED"),
            ("env = trainyard.env('auction/small', server=system, auction={'order': {1}})", "settings: "),
            ("env = trainyard.env('auction/small', server='tcp:127.0.0.1:1')", "no gym listens"),
            ("env = trainyard.env('auction/small', server=system)\nenv.reset(options={'epsiode': 1})", "did you mean 'episode'"),
            ("sys.modules['pettingzoo'] = None\nenv = trainyard.parallel_env('auction/small', server=system)", "pip install pettingzoo"),
        ]:
            with self.subTest(program=program):
                address = self.server.settings["server"]
                ran = subprocess.run([sys.executable, "-c", begin + program, address], capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 1, ran.stderr)
                self.assertEqual(ran.stderr.count("Traceback"), 1, ran.stderr)
                self.assertNotIn("Exception ignored", ran.stderr)
                last = ran.stderr.strip().splitlines()[-1]
                self.assertRegex(last, "^trainyard.errors.[A-Za-z]+: ")
                self.assertIn(expected, last)

    def test_a_vector_whose_settings_were_refused_is_closed_without_an_error(self) -> None:
        # Some versions of Gymnasium close what they delete.
        AuctionVectorEnv.__new__(AuctionVectorEnv).close()

    def test_each_autoreset_mode_is_declared_and_does_what_gymnasiums_own_vectors_do(self) -> None:
        for mode in MODES:
            with self.subTest(mode=mode):
                ours = self.server.vector_env(3, autoreset_mode=mode)
                alone = [lambda: self.server.env()] * 3
                theirs = SyncVectorEnv(alone, autoreset_mode=mode)
                self.assertEqual(ours.metadata["autoreset_mode"], mode)
                self.compare(ours, theirs, mode)
                ours.close()
                theirs.close()
        self.assertEqual(AuctionVectorEnv.metadata["autoreset_mode"], AutoresetMode.SAME_STEP)

    def compare(self, ours: Any, theirs: Any, mode: AutoresetMode) -> None:
        random = np.random.default_rng(4)
        observations, infos = ours.reset(seed=2)
        expected, told = theirs.reset(seed=2)
        ends = np.zeros(3, int)
        for _ in range(150):
            self.assert_alike(observations, expected)
            self.assert_told(infos, told, ("episode_number", "first_reward", "mean_jct_seconds", "illegal", "elapsed_hours", "discount"))
            actions = np.asarray([random.choice(np.flatnonzero(row)) if row.any() else 0 for row in ours.action_masks()])
            observations, rewards, terminated, truncated, infos = ours.step(actions)
            expected, paid, terminations, truncations, told = theirs.step(actions)
            np.testing.assert_allclose(rewards, paid)
            np.testing.assert_array_equal(terminated, terminations)
            np.testing.assert_array_equal(truncated, truncations)
            done = terminated | truncated
            ends += done
            if mode == AutoresetMode.SAME_STEP and done.any():
                np.testing.assert_array_equal(infos["_final_obs"], done)
                self.assertEqual([row is not None for row in infos["final_obs"]], done.tolist())
            if mode == AutoresetMode.DISABLED and done.any():
                with self.assertRaisesRegex(trainyard.InputError, "reset it first"):
                    ours.step(actions)
                self.assert_alike(observations, expected)
                observations, infos = ours.reset(options={"reset_mask": done})
                expected, told = theirs.reset(options={"reset_mask": done.copy()})
                np.testing.assert_array_equal(infos["_episode_number"], done)
        self.assertTrue((ends >= 2).all(), "each environment begins by itself a second time")

    def assert_alike(self, observations: Any, expected: Any) -> None:
        for name in ("columns", "kind", "mask"):
            np.testing.assert_array_equal(observations[name], expected[name])

    def assert_told(self, infos: Any, told: Any, names: Any) -> None:
        for name in names:
            # What is told of the step itself is told by Gymnasium of the reset in it.
            if name in told and "final_info" not in told:
                which = told[f"_{name}"]
                np.testing.assert_array_equal(infos[f"_{name}"], which, name)
                np.testing.assert_allclose(infos[name][which], told[name][which], err_msg=name)

    def test_a_mode_is_named_as_gymnasium_does_and_another_is_refused(self) -> None:
        for mode in MODES:
            for named in (mode, mode.name, mode.value):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    envs = gymnasium.make_vec("Trainyard/Small-v1", num_envs=2, autoreset_mode=named, **self.server.settings)
                self.assertEqual(envs.metadata["autoreset_mode"], mode)
                envs.close()
        for wrong in ("LATER", None, 1, True):
            with self.assertRaisesRegex(trainyard.InputError, "^autoreset_mode: .* is not valid: expected one of NEXT_STEP, SAME_STEP, DISABLED$"):
                self.server.vector_env(2, autoreset_mode=wrong)

    def test_a_mask_resets_the_second_environment_alone(self) -> None:
        envs = self.server.vector_env(3, flat=True)
        before, infos = envs.reset(seed=1)
        first = infos["episode_number"].copy()
        for _ in range(2):
            observations, infos = envs.reset(seed=[8, 9, 10], options={"reset_mask": np.array([False, True, False])})
            np.testing.assert_array_equal(observations[[0, 2]], before[[0, 2]])
            self.assertTrue((observations[1] != before[1]).any())
            self.assertEqual(infos["episode_number"][1], 9_000_000)
            np.testing.assert_array_equal(infos["_episode_number"], [False, True, False])
            np.testing.assert_array_equal(envs.action_masks().any(axis=1), [True] * 3)
        _, infos = envs.reset()
        np.testing.assert_array_equal(infos["episode_number"], [first[0] + 1, 9_000_001, first[2] + 1])
        for mask in ([True, True, True], np.array([True]), np.zeros(3, bool), np.ones(3)):
            with self.assertRaisesRegex(trainyard.InputError, "reset_mask: .* expected an array of 3 bools"):
                envs.reset(options={"reset_mask": mask})
        with self.assertRaisesRegex(trainyard.InputError, "seed: .* expected one number, or 3"):
            envs.reset(seed=[1, 2])
        envs.close()


if __name__ == "__main__":
    unittest.main()
