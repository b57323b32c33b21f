"""The command line's results as tables."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
import unittest
from typing import Any, Dict

import numpy as np
import trainyard
from trainyard import _tables

from gyms import SMALL


class TablesTest(unittest.TestCase):
    def test_simulate_returns_a_row_for_each_scheduler_and_job(self) -> None:
        results = trainyard.simulate(cluster="small", scheduler=["fifo", "sjf"], jobs=60)
        self.assertEqual(len(results.schedulers), 2)
        self.assertEqual(len(results.jobs), 120)

    def test_libraries_of_commands_send_nothing_about_their_use(self) -> None:
        variables = trainyard._launcher.variables()
        self.assertEqual((variables["OPT_OUT_TRACKING"], variables["ORT_DISABLE_TELEMETRY"]), ("true", "1"))

    def test_evaluate_returns_plain_rows_without_pandas(self) -> None:
        pandas, _tables.pandas = _tables.pandas, None
        try:
            results = trainyard.evaluate("auction/small", schedulers="fifo", overrides=SMALL)
        finally:
            _tables.pandas = pandas
        self.assertEqual([row["name"] for row in results.schedulers], ["fifo"])
        self.assertEqual(len(results.jobs), 2 * 40)
        mean = sum(row["end"] - row["submit"] for row in results.jobs) / len(results.jobs)
        self.assertAlmostEqual(mean, results.schedulers[0]["jct_s_mean"], places=3)
        by_episode = results.mean_jct_seconds["fifo"]
        self.assertEqual(list(by_episode), [0, 1])
        self.assertAlmostEqual(sum(by_episode.values()) / 2, mean, places=3)

    def test_the_first_program_of_the_guide_beats_fifo_on_the_same_episodes(self) -> None:
        home = trainyard._launcher.home()
        assert home is not None
        guide = (home / "experiments/docs/guides/python.md").read_text("utf-8")
        program = guide.split("```python\n")[1].split("```")[0].replace('"auction/small"', f'"auction/small", overrides={SMALL}')
        said = io.StringIO()
        names: Dict[str, Any] = {}
        with contextlib.redirect_stdout(said):
            exec(program, names)
        played = [[float(number) for number in line.split()] for line in said.getvalue().splitlines()]
        self.assertEqual(len(played), 2)
        for own, of_fifo in played:
            self.assertLess(own, of_fifo)
        env, random, at_random = names["env"], np.random.default_rng(1), []
        for episode in range(2):
            observation, info = env.reset(options={"split": "test", "episode": episode})
            while "mean_jct_seconds" not in info:
                observation, _, _, _, info = env.step(random.choice(np.flatnonzero(observation["mask"])))
            at_random.append(info["mean_jct_seconds"] / 3600)
        env.close()
        self.assertLess(sum(own for own, _ in played), sum(at_random))

    def test_an_id_needs_no_import_of_the_package(self) -> None:
        with open(trainyard._launcher.home() / "README.md", encoding="utf-8") as readme:
            made = re.findall(r'`(gymnasium.make\(.*?\))`', readme.read())
        self.assertEqual(len(made), 1)
        program = f"import gymnasium\nenv = {made[0]}\nprint(len(env.unwrapped.columns))\nenv.close()"
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertGreater(int(ran.stdout), 50)

    def test_a_wrong_scheduler_is_one_clear_line(self) -> None:
        with self.assertRaisesRegex(trainyard.InputError, "did you mean 'fifo'"):
            trainyard.simulate(scheduler="fifoo")


if __name__ == "__main__":
    unittest.main()
