"""How processes begin and end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest

import trainyard

from gyms import SMALL, await_true, is_running

PLAYER = """
import sys, time, trainyard
env = trainyard.env("quickstart", overrides=sys.argv[1:])
env.reset(seed=1)
print(env.client.server_pid, env.client._process.folder, flush=True)
time.sleep(600)
"""


class ProcessesTest(unittest.TestCase):
    def test_a_killed_player_leaves_no_server(self) -> None:
        player = subprocess.Popen([sys.executable, "-c", PLAYER, *SMALL], stdout=subprocess.PIPE, text=True)
        assert player.stdout is not None
        pid, folder = player.stdout.readline().split()
        self.assertTrue(is_running(int(pid)))
        player.send_signal(signal.SIGKILL)
        player.wait()
        player.stdout.close()
        self.assertTrue(await_true(lambda: not is_running(int(pid)), 10))
        self.assertFalse(os.path.exists(os.path.join(folder, "gym.sock")))

    def test_a_killed_server_is_one_clear_error_and_leaves_nothing(self) -> None:
        env = trainyard.env("quickstart", overrides=SMALL)
        env.reset(seed=1)
        pid, folder = env.client.server_pid, env.client._process.folder
        os.kill(pid, signal.SIGKILL)
        with self.assertRaisesRegex(trainyard.ServerDied, "ended with code -9"):
            for _ in range(3):
                env.step(1)
        with self.assertRaisesRegex(trainyard.ServerDied, "ended with code -9"):
            env.reset(seed=1)
        self.assertFalse(is_running(pid))
        self.assertFalse(os.path.exists(folder))
        env.close()

    def test_a_call_that_takes_too_long_ends_the_environment(self) -> None:
        env = trainyard.env("quickstart", overrides=SMALL)
        env.reset(seed=1)
        pid = env.client.server_pid
        env.client._limit = 1e-9
        with self.assertRaises(trainyard.TimeLimitExceeded):
            env.step(1)
        self.assertTrue(await_true(lambda: not is_running(pid), 10))
        with self.assertRaises(trainyard.TimeLimitExceeded):
            env.step(1)

    def test_a_closed_environment_leaves_no_server(self) -> None:
        env = trainyard.env("quickstart", overrides=SMALL)
        pid = env.client.server_pid
        env.close()
        self.assertFalse(is_running(pid))
        with self.assertRaisesRegex(trainyard.TrainyardError, "closed"):
            env.reset()

    def test_a_wrong_config_is_one_clear_line(self) -> None:
        with self.assertRaisesRegex(trainyard.InputError, "^trainyard: nowhere.yaml: no such file$"):
            trainyard.env("nowhere.yaml")
        with self.assertRaisesRegex(trainyard.InputError, "cluster"):
            trainyard.env("quickstart", overrides=["cluster=nowhere"])


if __name__ == "__main__":
    unittest.main()
