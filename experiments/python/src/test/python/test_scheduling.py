"""What a scheduler in Python sees and answers, by the messages of one instant, without a simulator."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Dict, List, Tuple

from trainyard.scheduling import FREE, MARKED, Cluster, scheduler

from gyms import await_true, is_running

SECOND = 1_000_000_000
NEVER = (1 << 63) - 1


def said(number: int, gpus: int) -> Dict[str, Any]:
    names = ["user", "group", "virtual_cluster", "account", "qos", "partition", "time_limit_seconds"]
    return {
        **dict.fromkeys(names),
        **{"id": number, "name": f"j{number}", "gpus": gpus, "model": "m", "submit_seconds": 1.0, "predicted_seconds": 100.0},
    }


def instant(now: int, jobs: List[Dict[str, Any]], states: List[Tuple[int, int]], running: List[int], owners: List[int], free: int) -> memoryview:
    """The message of an instant: new jobs, changed states, live values of running jobs, and the owners of server 0's GPUs."""
    text = json.dumps(jobs).encode()
    message = struct.pack("<qiiiiii", now * SECOND, 0, len(states), 1, len(running), len(text), free)
    message += text.ljust((len(text) + 7) & ~7)
    for number, state in states:
        message += struct.pack("<iiiiddd", number, state, 0, 0, 1.0, 0.0, 0.0)
    for number in running:
        message += struct.pack("<ddddd", 10.0 + number, 12.0 + number, 2.0, 1.25, 1.0)
    message += struct.pack(f"<{len(running)}i", *running)
    return memoryview(message + struct.pack(f"<{1 + len(owners)}i", 0, *owners))


class SchedulingTest(unittest.TestCase):
    def setUp(self) -> None:
        self.cluster = Cluster({"seed": 1, "servers": [(4, 0, "V100")]})
        self.cluster.preempts = True
        jobs = [said(0, 4), said(1, 3), said(2, 1)]
        self.cluster._take(instant(5, jobs, [(0, 2), (1, 1), (2, 1)], [0], [0, 0, 0, 0], 0))

    def answer(self) -> Tuple[int, int, List[Tuple[int, int]]]:
        """How often and when the next call is asked for, and the decisions as kinds and jobs."""
        packed = self.cluster._answer(True)
        count, _, wake = struct.unpack_from("<iiq", packed)
        return count, wake, [struct.unpack_from("<ii", packed, 16 + 12 * i) for i in range(count)]

    def test_an_instant_is_seen_as_it_was_said(self) -> None:
        job = self.cluster.running[0]
        self.assertEqual((self.cluster.now, self.cluster.free, [j.id for j in self.cluster.waiting]), (5.0, 0, [1, 2]))
        self.assertEqual((job.progress_seconds, job.run_seconds, job.rate, job.slowdown), (10.0, 12.0, 2.0, 1.25))
        self.assertEqual(job.remaining_seconds, 90.0)
        self.assertEqual(self.cluster.gpus_of(job), [0, 1, 2, 3])
        self.assertEqual(self.cluster.free_gpus(self.cluster.servers[0]), [])

    def test_the_earliest_of_two_wake_ups_counts_in_either_order_and_only_once(self) -> None:
        for first, second in [(20, 10), (10, 20)]:
            self.cluster.wake_at(first)
            self.cluster.wake_at(second)
            self.assertEqual(self.answer()[1], 10 * SECOND)
        self.assertEqual(self.answer()[1], NEVER)
        with self.assertRaisesRegex(ValueError, "expected a time after now, 5"):
            self.cluster.wake_at(5)

    def test_gpus_of_a_preempted_job_are_free_in_the_same_turn(self) -> None:
        running = self.cluster.running[0]
        small, one = self.cluster.waiting
        self.assertFalse(self.cluster.start(small))
        self.cluster.preempt(running)
        self.assertEqual(self.cluster.free, 4)
        self.assertTrue(self.cluster.start(small))
        self.assertEqual(self.cluster.free, 1)
        self.assertTrue(self.cluster.start(one, fit="first"))
        self.assertFalse(self.cluster.start(running))
        self.assertEqual([job.id for job in self.cluster.waiting], [0])
        self.assertEqual(self.answer(), (3, NEVER, [(3, 0), (0, 1), (1, 2)]))
        self.assertEqual(self.answer()[0], 0)

    def test_a_second_instant_changes_what_it_says_and_nothing_else(self) -> None:
        self.cluster._take(instant(9, [said(3, 2)], [(0, 3), (3, 1), (1, 2)], [1], [FREE, 1, 1, 1], 1))
        self.assertEqual([job.id for job in self.cluster.running], [1])
        self.assertEqual([job.id for job in self.cluster.waiting], [2, 3])
        self.assertEqual(self.cluster.free_gpus(self.cluster.servers[0]), [0])
        self.assertEqual(self.cluster.running[0].progress_seconds, 11.0)
        with self.assertRaisesRegex(ValueError, "cannot start on GPUs"):
            self.cluster.start(self.cluster.waiting[0], [1])
        self.assertTrue(self.cluster.start(self.cluster.waiting[0], [0]))
        self.assertEqual(self.cluster.free, 0)

    def test_numbers_of_jobs_and_gpus_are_checked_before_they_are_sent(self) -> None:
        running, (small, one) = self.cluster.running[0], self.cluster.waiting
        with self.assertRaisesRegex(ValueError, "job j0 does not wait"):
            self.cluster.start(running)
        with self.assertRaisesRegex(ValueError, "job j1 cannot be preempted now"):
            self.cluster.preempt(small)
        with self.assertRaisesRegex(ValueError, "fit: 'worst' is not valid"):
            self.cluster.start(one, fit="worst")
        self.cluster._take(instant(6, [], [(0, 1)], [], [FREE] * 4, 4))
        for gpus in ([0], [0, 1, 2, 3], [0, 0, 1], [1, 2, 4], [-1, 0, 1]):
            with self.subTest(gpus=gpus), self.assertRaisesRegex(ValueError, "cannot start on GPUs"):
                self.cluster.start(small, gpus)
        self.assertTrue(self.cluster.start(small, [3, 1, 0]))
        self.assertEqual((self.cluster.gpus_of(small), self.cluster.free), ([0, 1, 3], 1))
        self.assertEqual([job.id for job in self.cluster.running], [1])
        packed = self.cluster._answer(False)
        self.assertEqual(struct.unpack_from("<iiiiii", packed, 16), (2, 1, 3, 3, 1, 0))
        self.assertEqual(struct.unpack_from("<ii", packed), (1, 0))
        self.cluster.preempts = False
        with self.assertRaisesRegex(ValueError, "preempts=True"):
            self.cluster.preempt(small)

    def test_a_wake_up_outlives_an_answer_amid_a_turn(self) -> None:
        self.cluster.wake_at(10)
        self.cluster._answer(False)
        self.assertEqual(self.answer()[1], 10 * SECOND)
        self.assertEqual(self.answer()[1], NEVER)

    def test_what_a_job_keeps_between_its_runs_is_what_it_was_last_said_to_have(self) -> None:
        touched = struct.pack("<iiiiddd", 0, 1, 3, 0, 7.0, 40.0, 50.0)
        text = b"[]".ljust(8)
        self.cluster._take(memoryview(struct.pack("<qiiiiii", 8 * SECOND, 0, 1, 0, 0, 2, 4) + text + touched))
        job = self.cluster.waiting[-1]
        self.assertEqual((job.id, job.preemptions, job.queued_since_seconds), (0, 3, 7.0))
        self.assertEqual((job.progress_seconds, job.run_seconds, job.rate, job.slowdown), (40.0, 50.0, 0.0, 1.0))
        self.assertEqual((job.remaining_seconds, job.may_be_preempted), (60.0, False))
        job._kept = (99.5, 0.0, 0.0, 1.0, 0.0)
        self.assertEqual(job.remaining_seconds, 1.0)

    def test_servers_and_their_gpus_are_numbered_through(self) -> None:
        cluster = Cluster({"seed": 9, "servers": [(4, 0, "V100"), (8, 1, "A100"), (2, 1, "A100")]})
        self.assertEqual([tuple(server) for server in cluster.servers], [(0, 0, "V100", 0, 4), (1, 1, "A100", 4, 8), (2, 1, "A100", 12, 2)])
        self.assertEqual((cluster.gpus, cluster.free, cluster.seed), (14, 14, 9))
        self.assertEqual(cluster.free_gpus(cluster.servers[2]), [12, 13])
        owners = struct.pack("<iii", 2, 5, FREE) + struct.pack("<iiiii", 0, FREE, -2, 5, 5)
        cluster._take(memoryview(struct.pack("<qiiiiii", 0, 0, 0, 2, 0, 0, 1) + owners))
        self.assertEqual(cluster.free_gpus(cluster.servers[2]), [13])
        self.assertEqual(cluster.free_gpus(cluster.servers[0]), [0])
        self.assertEqual(cluster.owner[1], -2)
        self.assertEqual(len(cluster.free_gpus(cluster.servers[1])), 8)

    def test_a_message_that_begins_anew_forgets_the_queue(self) -> None:
        message = bytearray(instant(6, [], [(2, 1)], [], [FREE] * 4, 4))
        struct.pack_into("<i", message, 8, 1)
        self.cluster._take(memoryview(message))
        self.assertEqual(([job.id for job in self.cluster.waiting], self.cluster.running), ([2], ()))

    def test_owners_are_asked_for_once_after_decisions_that_leave_the_gpus_open(self) -> None:
        asked: List[int] = []

        def settle() -> None:
            asked.append(self.answer()[0])
            self.cluster._take(instant(5, [], [], [], [2, FREE, FREE, FREE], 3))

        self.cluster._ask = settle
        self.cluster._take(instant(5, [], [(0, 3)], [], [FREE] * 4, 4))
        self.assertEqual(self.cluster.gpus_of(self.cluster.waiting[1]), [])
        self.assertEqual(asked, [])
        one = self.cluster.waiting[1]
        self.assertTrue(self.cluster.start(one))
        self.assertEqual((self.cluster.gpus_of(one), self.cluster.gpus_of(one), asked), ([0], [0], [1]))

    def test_a_start_that_does_not_fit_is_no_decision_and_a_job_that_has_ended_is_forgotten(self) -> None:
        small, one = self.cluster.waiting
        self.assertIs(self.cluster.start(one), False)
        self.assertEqual(self.answer(), (0, NEVER, []))
        self.cluster._take(instant(6, [], [(0, 3)], [], [FREE] * 4, 4))
        self.cluster._take(instant(7, [], [(0, 1)], [], [FREE] * 4, 4))
        self.assertEqual(self.cluster.waiting, (small, one))
        self.assertTrue(self.cluster.start(one, fit="first"))
        self.assertEqual(struct.unpack_from("<iii", self.cluster._answer(True), 16), (1, 2, 0))

    def test_a_job_that_may_not_be_preempted_says_so(self) -> None:
        message = bytearray(instant(6, [], [], [0], [0] * 4, 0))
        # The last of its five live values.
        struct.pack_into("<d", message, struct.calcsize("<qiiiiii") + 8 + 32, 0.0)
        self.cluster._take(memoryview(message))
        self.assertFalse(self.cluster.running[0].may_be_preempted)
        self.cluster._take(instant(6, [], [], [0], [0] * 4, 0))
        self.assertTrue(self.cluster.running[0].may_be_preempted)

    def test_a_mark_is_by_name_with_its_power(self) -> None:
        MARKED.clear()

        @scheduler
        def mild(cluster: Cluster) -> None:
            """Decides nothing."""

        @scheduler(preempts=True)
        def strong(cluster: Cluster) -> None:
            """Decides nothing."""

        self.assertEqual(MARKED, {"mild": (mild, False), "strong": (strong, True)})
        self.assertTrue(callable(mild) and callable(strong))

    def test_a_scheduler_without_end_is_ended_with_the_command_line(self) -> None:
        for program in ("@trainyard.scheduler\ndef endless(cluster):\n    tell()\n    while True: pass\n", "tell()\nwhile True: pass\n"):
            with tempfile.TemporaryDirectory() as own, self.subTest(program=program):
                file, told, folder = (os.path.join(own, name) for name in ("mine.py", "told", "folder"))
                os.mkdir(folder)
                with open(file, "w", encoding="utf-8") as out:
                    out.write(f"import os, trainyard\ndef tell():\n    open({told!r}, 'w').write(f'{{os.getpid()}} ')\n{program}")
                path = os.path.join(folder, "runs.sock")
                arguments = [sys.executable, "-m", "trainyard._scheduler_runs", file, path]
                process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                assert process.stdin is not None and process.stdout is not None
                connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                if "scheduler" in program:
                    self.assertIn(b"listening", process.stdout.readline())
                    connection.connect(path)
                    hello = json.dumps({"seed": 1, "servers": [(4, 0, "V100")]}).encode()
                    for number, payload in enumerate((hello, instant(5, [], [], [], [FREE] * 4, 4)), 1):
                        connection.sendall(struct.pack("<IHHQ", len(payload), 8, 0x5954, number) + payload)
                self.assertTrue(await_true(lambda: os.path.exists(told) and os.path.getsize(told) > 0, 60))
                with open(told, encoding="utf-8") as found:
                    endless = int(found.read())
                process.stdin.close()
                process.wait(10)
                gone = await_true(lambda: not is_running(endless), 10)
                if not gone:
                    os.kill(endless, signal.SIGKILL)
                self.assertTrue(gone)
                self.assertFalse(os.path.exists(folder))
                process.stdout.close()
                connection.close()


if __name__ == "__main__":
    unittest.main()
