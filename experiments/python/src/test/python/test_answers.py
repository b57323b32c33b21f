"""What answers of a server become: observations, infos and tables, worked out by hand, without a server."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict

import numpy as np
from trainyard import InputError, _tables
from trainyard._auctions import AuctionArrays, step_info, step_infos
from trainyard._settings import SPLITS, each_episode, one_episode, read_options, reset_mask
from trainyard._spaces import bids_space, first_episode, flat_space, flattened, whole
from trainyard.vector_envs import _spread

WELCOME: Dict[str, Any] = {
    "max_bids": 3, "columns": ["a", "b"], "kinds": ["wait", "start"], "nodes": 2, "node_columns": ["n"], "rack_of": [0, 0, 1],
}  # fmt: skip


def answer(environments: int) -> Dict[str, Any]:
    """Of the first environment two jobs have ended, of the second none, of the third one."""
    n = slice(environments)
    return {
        "episodes": np.array([7, 8, 9])[n], "waiting": np.array([1, 2, 3])[n], "running": np.array([4, 5, 6])[n],
        "elapsed_hours": np.array([0.5, 1.0, 2.0])[n], "discounts": np.array([0.9, 0.8, 0.7])[n], "ended_counts": np.array([2, 0, 1])[n],
        "ended_jct_seconds": np.array([10.0, 20.0, 30.0])[: 2 if environments == 1 else 3],
        "ended_wait_seconds": np.array([1.0, 2.0, 3.0])[: 2 if environments == 1 else 3],
    }  # fmt: skip


class AnswersTest(unittest.TestCase):
    def test_an_info_has_each_value_in_its_unit(self) -> None:
        expected = {
            "episode_number": 7, "waiting": 1, "running": 4, "elapsed_hours": 0.5, "elapsed_seconds": 1800.0, "discount": 0.9,
            "ended_jct_seconds": (10.0, 20.0), "ended_wait_seconds": (1.0, 2.0),
        }  # fmt: skip
        self.assertEqual(step_info(answer(1)), expected)
        self.assertEqual({name: value[0] for name, value in step_infos(answer(3)).items()}, expected)

    def test_ends_of_each_environment_are_its_own(self) -> None:
        infos = step_infos(answer(3))
        self.assertEqual(infos["ended_jct_seconds"].tolist(), [(10.0, 20.0), (), (30.0,)])
        self.assertEqual(infos["ended_wait_seconds"].tolist(), [(1.0, 2.0), (), (3.0,)])
        self.assertEqual(infos["elapsed_seconds"].tolist(), [1800.0, 3600.0, 7200.0])
        self.assertEqual(infos["discount"].tolist(), [0.9, 0.8, 0.7])

    def test_bids_are_padded_behind_the_last_and_pairs_by_minus_one(self) -> None:
        arrays: Any = {
            "bid_counts": np.array([2, 1]), "columns": np.array([[1, 2], [3, 4], [5, 6]], np.float32), "kinds": np.array([0, 1, 1]),
            "mask": np.array([0, 1, 1], np.int8), "pair_counts": np.array([1, 2]), "nodes": np.zeros((2, 2, 1)),
            "bid_of": np.array([1, 0, 0]), "server_of": np.array([2, 0, 1]),
        }  # fmt: skip
        padded = AuctionArrays(WELCOME, 2).pad(arrays)
        self.assertEqual(padded["columns"].tolist(), [[[1, 2], [3, 4], [0, 0]], [[5, 6], [0, 0], [0, 0]]])
        self.assertEqual(padded["kind"].tolist(), [[0, 1, 0], [1, 0, 0]])
        self.assertEqual(padded["mask"].tolist(), [[0, 1, 0], [1, 0, 0]])
        self.assertEqual(padded["bid_of"].tolist(), [[1, -1], [0, 0]])
        self.assertEqual(padded["server_of"].tolist(), [[2, -1], [0, 1]])
        self.assertEqual(padded["rack_of"].tolist(), [[0, 0, 1]] * 2)
        with self.assertRaisesRegex(InputError, "^max_pairs: 1 is too low: an auction has 2 servers of bids$"):
            AuctionArrays(WELCOME, 1).pad(arrays)
        flat = flattened(padded, 2)
        self.assertEqual(flat.shape, (2, 3 * 5))
        self.assertEqual(flat[0].tolist(), [1, 2, 1, 0, 0, 3, 4, 0, 1, 1, 0, 0, 1, 0, 0])

    def test_arrays_have_shapes_types_and_limits(self) -> None:
        infinite = float("inf")
        auctions = AuctionArrays(WELCOME, 4)
        bids: Dict[str, Any] = {"columns": ((3, 2), np.float32, -infinite, infinite), "kind": ((3,), np.int64, 0, 1)}
        tree: Dict[str, Any] = {
            "nodes": ((2, 1), np.float32, -infinite, infinite), "rack_of": ((3,), np.int64, 0, 1),
            "bid_of": ((4,), np.int64, -1, 2), "server_of": ((4,), np.int64, -1, 2),
        }  # fmt: skip
        self.assertEqual(auctions.shapes(), {**bids, **tree})
        self.assertEqual(AuctionArrays({**WELCOME, "node_columns": []}, 0).shapes(), bids)
        self.assertEqual(bids_space(auctions)["mask"].n, 3)
        self.assertEqual(flat_space(auctions).shape, (3 * 5,))
        self.assertEqual(SPLITS, {"train": 0, "validation": 1, "test": 2})

    def test_actions_are_whole_numbers_below_the_bids(self) -> None:
        self.assertEqual(whole([2, 0], 2, 3).tolist(), [2, 0])
        for wrong, count in [(3, 1), (-1, 1), (0.0, 1), ([1], 2), ([1, 3], 2), ([[1], [1, 2]], 2)]:
            with self.subTest(wrong=wrong), self.assertRaisesRegex(InputError, "from 0 to 2, each the number of a bid"):
                whole(wrong, count, 3)

    def test_a_seed_begins_at_its_millionth_episode(self) -> None:
        self.assertEqual([first_episode(seed) for seed in (0, 1, 7)], [0, 1_000_000, 7_000_000])
        self.assertEqual(first_episode((1 << 40) + 3), 3_000_000)

    def test_options_name_the_split_the_episode_and_the_environments(self) -> None:
        self.assertEqual(one_episode(None, 5), ("train", 5))
        self.assertEqual(one_episode({}, 5), ("train", 5))
        self.assertEqual(one_episode({"episode": 0}, 5), ("train", 0))
        self.assertEqual(one_episode({"split": "test", "episode": np.int32(3)}, 5), ("test", 3))
        split, numbers, rest = read_options({"split": "validation", "episode": [4, 2], "reset_mask": 1}, "reset_mask")
        self.assertEqual((split, rest), ("validation", {"reset_mask": 1}))
        self.assertEqual(each_episode(np.array([4, 2]), 2).tolist(), [4, 2])
        self.assertEqual(each_episode(np.array(4), 2).tolist(), [4, 4])
        with self.assertRaisesRegex(InputError, "expected the number of a test episode, such as 0"):
            one_episode({"split": "test"}, 5)
        with self.assertRaisesRegex(InputError, "expected one number, or 3"):
            each_episode(np.array([4, 2]), 3)
        self.assertEqual(reset_mask(None, 3), [0, 1, 2])
        self.assertEqual(reset_mask(np.array([True, False, True]), 3), [0, 2])
        self.assertEqual(numbers.tolist() if numbers is not None else None, [4, 2])

    def test_values_of_some_environments_stand_at_their_places(self) -> None:
        self.assertEqual(_spread([2, 0], np.array([5, 6]), 3).tolist(), [6, 0, 5])
        ended = np.empty(1, object)
        ended[0] = (1.0, 2.0)
        self.assertEqual(_spread([1], ended, 3).tolist(), [(), (1.0, 2.0), ()])

    def test_files_of_a_run_are_rows_with_numbers(self) -> None:
        with TemporaryDirectory() as named:
            folder = Path(named)
            (folder / "summary.json").write_text('{"schedulers": [{"name": "1", "jct_s": {"mean": 2.5, "all": [1]}, "more": [1]}]}', "utf-8")
            (folder / "jobs.csv").write_text(
                "scheduler,episode,job,submit,end,model\nfifo,0,007,1,4,m\nfifo,0,8,2,3.5,m\nfifo,1,9,0,5,m\nsjf,0,7,1,3,m\n", "utf-8"
            )
            pandas, _tables.pandas = _tables.pandas, None
            try:
                results = _tables._results(folder)
            finally:
                _tables.pandas = pandas
        self.assertEqual(results.schedulers, [{"name": "1", "jct_s_mean": 2.5}])
        self.assertEqual(results.jobs[0], {"scheduler": "fifo", "episode": 0, "job": "007", "submit": 1, "end": 4, "model": "m"})
        self.assertEqual(results.jobs[1]["end"], 3.5)
        self.assertEqual(results.mean_jct_seconds, {"fifo": {0: 2.25, 1: 5.0}, "sjf": {0: 2.0}})


if __name__ == "__main__":
    unittest.main()
