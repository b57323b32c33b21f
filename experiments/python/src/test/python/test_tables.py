"""The command line's results as tables."""

from __future__ import annotations

import unittest

import trainyard
from trainyard import _tables

from gyms import SMALL


class TablesTest(unittest.TestCase):
    def test_simulate_returns_a_row_for_each_scheduler_and_job(self) -> None:
        results = trainyard.simulate(cluster="small", scheduler=["fifo", "sjf"], jobs=60)
        self.assertEqual(len(results.schedulers), 2)
        self.assertEqual(len(results.jobs), 120)

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

    def test_a_wrong_scheduler_is_one_clear_line(self) -> None:
        with self.assertRaisesRegex(trainyard.InputError, "did you mean 'fifo'"):
            trainyard.simulate(scheduler="fifoo")


if __name__ == "__main__":
    unittest.main()
