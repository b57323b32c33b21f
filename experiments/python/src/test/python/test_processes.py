"""How processes begin and end."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import trainyard
from trainyard import _launcher

from gyms import SMALL, await_true, is_running

PLAYER = """
import sys, time, trainyard
env = trainyard.env("auction/small", overrides=sys.argv[1:])
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
        env = trainyard.env("auction/small", overrides=SMALL)
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
        env = trainyard.env("auction/small", overrides=SMALL)
        env.reset(seed=1)
        pid = env.client.server_pid
        env.client._socket.settimeout(1e-9)
        with self.assertRaises(trainyard.TimeLimitExceeded):
            env.step(1)
        self.assertTrue(await_true(lambda: not is_running(pid), 10))
        with self.assertRaises(trainyard.TimeLimitExceeded):
            env.step(1)

    def test_a_closed_environment_leaves_no_server(self) -> None:
        env = trainyard.env("auction/small", overrides=SMALL)
        pid = env.client.server_pid
        env.close()
        self.assertFalse(is_running(pid))
        with self.assertRaisesRegex(trainyard.TrainyardError, "closed"):
            env.reset()

    def test_a_fork_cannot_use_the_environment_of_its_parent(self) -> None:
        env = trainyard.env("auction/small", overrides=SMALL)
        first, _ = env.reset(seed=1)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            said = "nothing"
            for use in (lambda: env.step(0), lambda: env.reset(seed=2), lambda: env.outcome()):
                try:
                    use()
                    said = "it went through"
                    break
                except trainyard.InputError as refused:
                    said = str(refused)
            env.close()
            os.write(writer, said.encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as answer:
            self.assertRegex(answer.read(), f"belongs to process {os.getpid()}, of which this one is a fork: make an environment")
        os.waitpid(child, 0)
        self.assertTrue(is_running(env.client.server_pid))
        self.assertTrue(os.path.exists(env.client._process.folder))
        env.step(0)
        again, _ = env.reset(seed=1)
        self.assertEqual(first["columns"].tobytes(), again["columns"].tobytes())
        env.close()

    def test_a_connection_is_neither_pickled_nor_copied_and_the_error_says_how_to_make_several(self) -> None:
        env = trainyard.vector_env("auction/small", 2, overrides=SMALL)
        for copied in (pickle.dumps, copy.copy, copy.deepcopy):
            with self.assertRaisesRegex(trainyard.InputError, "make another one of the same config.*vector_env"):
                copied(env.client if copied is copy.copy else env)
        env.reset(seed=1)
        env.close()

    def test_a_port_is_reached_with_its_token_alone_and_ends_with_its_standard_input(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".token") as file:
            file.write("secret")
            file.flush()
            arguments = ["gym", _launcher.config_file("auction/small"), "--port", "0", "--token-file", file.name, "--attached"]
            for override in SMALL:
                arguments += ["--set", override]
            server = subprocess.Popen(_launcher.command(arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            assert server.stdin is not None and server.stdout is not None
            address = json.loads(server.stdout.readline())["listening"]
            with self.assertRaisesRegex(trainyard.InputError, "token"):
                trainyard.env("auction/small", server=address)
            env = trainyard.env("auction/small", server=address, token="secret")
            env.reset(seed=1)
            server.stdin.close()
            self.assertEqual(server.wait(10), 0)
            with self.assertRaisesRegex(trainyard.ServerDied, "connection to the gym has ended"):
                for _ in range(3):
                    env.step(1)
            server.stdout.close()

    def test_a_start_that_takes_long_says_what_it_waits_for(self) -> None:
        said = io.StringIO()
        with unittest.mock.patch("trainyard._server._PATIENCE", 0), contextlib.redirect_stderr(said):
            trainyard.env("auction/small", overrides=SMALL).close()
        self.assertEqual(said.getvalue(), "trainyard: waiting for the simulator: Java starts\n")

    def test_a_wrong_config_is_one_clear_line(self) -> None:
        with self.assertRaisesRegex(trainyard.InputError, "^trainyard: nowhere.yaml: no such file$"):
            trainyard.env("nowhere.yaml")
        with self.assertRaisesRegex(trainyard.InputError, "cluster"):
            trainyard.env("auction/small", overrides=["cluster=nowhere"])


if __name__ == "__main__":
    unittest.main()
