"""Agents that offer bids at prices, by PettingZoo's interface."""

from __future__ import annotations

import contextlib
import io
import unittest
import warnings
from typing import Any, Dict, List

import gymnasium
import numpy as np
import trainyard
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from gyms import SMALL, Server, digest, new_hash


def random_offers(random: np.random.Generator, masks: Dict[str, np.ndarray], agents: List[str]) -> Dict[str, Dict[str, Any]]:
    """A bid of every agent that has one, at a price around the reserve."""
    offers: Dict[str, Dict[str, Any]] = {}
    for agent in agents:
        own = np.flatnonzero(masks[agent])
        if len(own) > 0:
            offers[agent] = {"bid": int(random.choice(own)), "price": random.uniform(-0.2, 1)}
    return offers


class OffersTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("auction/small", SMALL)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def test_a_world_of_its_own_passes_gymnasiums_and_pettingzoos_tests(self) -> None:
        server = Server("auction/small", [])
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            env = server.parallel_env(graph=True)
            parallel_api_test(env, num_cycles=200)
            env.close()
            parallel_seed_test(lambda: server.parallel_env(), num_cycles=100)
            alone = gymnasium.make("Trainyard/Small-v1", **server.settings)
            check_env(alone.unwrapped)
            alone.close()
        server.close()

    def test_episodes_pass_pettingzoos_tests_to_their_end(self) -> None:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("error", category=UserWarning)
            env = self.server.parallel_env()
            parallel_api_test(env, num_cycles=2000)
            env.close()

    def test_the_highest_price_wins_and_agents_pay_all_costs_between_them(self) -> None:
        env = self.server.parallel_env()
        alone = self.server.env()
        random = np.random.default_rng(1)
        observations, infos = env.reset(seed=3)
        seen, alone_info = alone.reset(seed=3)
        self.assertAlmostEqual(sum(info["first_reward"] for info in infos.values()), alone_info["first_reward"], places=9)
        won = waited = 0
        while env.agents:
            masks = env.action_masks()
            for agent in env.agents:
                self.assertTrue(env.observation_space(agent).contains(observations[agent]))
            offers = random_offers(random, masks, env.agents)
            for offer in offers.values():
                price = np.asarray(offer["price"], np.float32)
                self.assertTrue(env.action_space("domain_0").contains({**offer, "price": price}))
            # The same bid by its columns, in the auction that one player sees.
            best = max(offers, key=lambda agent: offers[agent]["price"])
            action = 0
            if offers[best]["price"] > 0 or not seen["mask"][0]:
                row = observations[best]["columns"][offers[best]["bid"]]
                kind = observations[best]["kind"][offers[best]["bid"]]
                equal = (seen["columns"] == row).all(axis=1) & (seen["kind"] == kind) & (seen["mask"] == 1)
                action = int(np.flatnonzero(equal)[0])
            observations, rewards, terminated, truncated, infos = env.step(offers)
            winners = [agent for agent in infos if infos[agent]["won"]]
            self.assertEqual(winners, [best] if offers[best]["price"] > 0 else [])
            won += len(winners)
            waited += action == 0
            seen, reward, over, _, _ = alone.step(action)
            self.assertAlmostEqual(sum(rewards.values()), reward, places=9)
            self.assertEqual(over, not env.agents)
            self.assertEqual(set(terminated.values()), {over})
        self.assertGreater(won, 20)
        self.assertGreater(waited, 5)
        self.assertEqual(env.outcome()["event_log_sha256"], alone.outcome()["event_log_sha256"])
        env.close()
        alone.close()

    def test_episodes_are_equal_for_equal_seeds(self) -> None:
        hashes = []
        for _ in range(2):
            env = self.server.parallel_env(graph=True)
            random = np.random.default_rng(1)
            seen = new_hash()
            observations, _ = env.reset(seed=3)
            while env.agents:
                for observation in observations.values():
                    digest(seen, observation)
                observations, rewards, _, _, _ = env.step(random_offers(random, env.action_masks(), env.agents))
                digest(seen, {}, *rewards.values())
            hashes.append((seen.hexdigest(), env.outcome()["event_log_sha256"]))
            env.close()
        self.assertEqual(*hashes)

    def test_a_trainer_that_knows_no_prices_passes_at_0_and_bids_at_1(self) -> None:
        env = self.server.parallel_env()
        env.reset(seed=1)
        passes = bids = 0
        while env.agents and passes + bids < 60:
            masks = env.action_masks()
            price = (passes + bids) % 2
            offers = {agent: {"bid": 0, "price": price} for agent in env.agents if masks[agent].any()}
            _, _, _, _, infos = env.step(offers)
            has_won = any(info["won"] for info in infos.values())
            if price == 1:
                self.assertTrue(has_won)
                bids += 1
            else:
                # On an idle cluster waiting is not legal, and somebody must act.
                self.assertFalse(has_won)
                passes += 1
        self.assertGreater(passes, 10)
        env.reset(seed=1)
        for nothing in ({}, {env.agents[0]: {"bid": env.max_own_bids - 1, "price": 9}}):
            _, _, _, _, infos = env.step(nothing)
            info = infos["domain_0"]
            self.assertGreater(info["running"] + len(info["ended_jct_seconds"]), 0, "the first bid is carried out")
            self.assertFalse(any(info["won"] for info in infos.values()), "nobody has offered it")
            env.reset(seed=1)
        env.close()

    def test_an_illegal_offer_counts_as_none_and_costs_a_penalty(self) -> None:
        env = self.server.parallel_env(illegal_penalty=7)
        env.reset(seed=1)
        masks = env.action_masks()
        bidder = next(agent for agent in env.agents if masks[agent].any())
        _, rewards, _, _, infos = env.step({bidder: {"bid": env.max_own_bids - 1, "price": 9}})
        self.assertTrue(infos[bidder]["illegal"])
        self.assertLessEqual(rewards[bidder], -7)
        self.assertEqual(sum(info["illegal"] for info in infos.values()), 1)
        env.reset(seed=1)
        env.step({})
        idle = next((agent for agent in env.agents if not env.action_masks()[agent].any()), None)
        if idle is not None:
            _, _, _, _, infos = env.step({idle: {"bid": 3, "price": 1}})
            self.assertFalse(infos[idle]["illegal"], "an agent without bids may send anything")
        env.close()

    def test_an_agent_sees_its_own_servers_and_all_racks(self) -> None:
        env = self.server.parallel_env(graph=True)
        whole = self.server.env(graph=True)
        observations, _ = env.reset(seed=4)
        observation, _ = whole.reset(seed=4)
        nodes, servers = observation["nodes"], env.client.welcome["servers"]
        first = env.client.welcome["first_servers"]
        for i, agent in enumerate(env.agents):
            own = nodes[first[i] : first[i + 1] if i + 1 < len(first) else servers]
            np.testing.assert_array_equal(observations[agent]["servers"][: len(own)], own)
            self.assertFalse(observations[agent]["servers"][len(own) :].any())
            np.testing.assert_array_equal(observations[agent]["racks"], nodes[servers:-1])
            np.testing.assert_array_equal(observations[agent]["core"], nodes[-1:])
        env.close()
        whole.close()

    def test_an_episode_is_truncated_at_its_horizon(self) -> None:
        env = self.server.parallel_env(horizon_hours=5.0)
        random = np.random.default_rng(1)
        _, infos = env.reset(seed=1)
        hours = 0.0
        truncated: Dict[str, bool] = {}
        while env.agents:
            _, _, terminated, truncated, infos = env.step(random_offers(random, env.action_masks(), env.agents))
            hours += infos["domain_0"]["elapsed_hours"]
        self.assertTrue(all(truncated.values()))
        self.assertFalse(any(terminated.values()))
        self.assertLessEqual(hours, 5)
        env.close()

    def test_an_agent_that_is_left_out_offers_nothing_even_below_a_price_of_0(self) -> None:
        env = self.server.parallel_env(reserve=-1.0)
        env.reset(seed=1)
        others = 0
        for _ in range(30):
            masks = env.action_masks()
            bidders = [agent for agent in env.agents if masks[agent].any()]
            bidder, silent = bidders[-1], set(env.agents) - {bidders[-1]}
            _, _, _, _, infos = env.step({bidder: {"bid": 0, "price": -0.5}})
            self.assertFalse(any(infos[agent]["won"] for agent in silent if agent in infos))
            others += len(bidders) > 1
        self.assertGreater(others, 5)
        env.close()

    def test_the_reserve_is_what_offers_must_exceed(self) -> None:
        env = self.server.parallel_env(reserve=5.0)
        observations, _ = env.reset(seed=1)
        running = env.columns.index("RUNNING")
        waits = 0
        for _ in range(20):
            masks = env.action_masks()
            bidders = [agent for agent in env.agents if masks[agent].any()]
            may_wait = observations[bidders[0]]["columns"][0, running] > 0
            observations, _, _, _, infos = env.step({agent: {"bid": 0, "price": 5} for agent in bidders})
            self.assertFalse(any(info["won"] for info in infos.values()))
            if not may_wait:
                self.assertGreater(infos[bidders[0]]["running"] + len(infos[bidders[0]]["ended_jct_seconds"]), 0)
            waits += may_wait
        self.assertGreater(waits, 5)
        env.close()

    def test_what_is_no_offer_is_refused_in_one_line_that_says_where_and_changes_nothing(self) -> None:
        env = self.server.parallel_env()
        with self.assertRaisesRegex(trainyard.InputError, "reset it first"):
            env.step({})
        env.reset(seed=1)
        offer = r"\{\"bid\": whole number, \"price\": number\}"
        most = env.max_own_bids
        for actions, expected in [
            ([1], rf"^actions: \[1\] is not valid: expected a dict of {offer} by agent$"),
            ({"agent_0": {"bid": 0, "price": 1}}, "^actions: unknown key 'agent_0'.*: expected one of domain_"),
            ({"domain_0": 1}, f"^actions, domain_0: 1 is not valid: expected {offer}$"),
            ({"domain_1": {"bid": 0}}, f"^actions, domain_1: .* is not valid: expected {offer}$"),
            ({"domain_0": {"bid": 0, "price": 1, "more": 2}}, f"^actions, domain_0: .* expected {offer}$"),
            ({"domain_0": {"bid": most, "price": 1}}, f"^actions, domain_0, bid: {most} is not valid: expected a whole number from 0 to {most - 1}"),
            ({"domain_0": {"bid": -1, "price": 1}}, "^actions, domain_0, bid: -1 is not valid"),
            ({"domain_0": {"bid": 0.5, "price": 1}}, "^actions, domain_0, bid: 0.5 is not valid"),
            ({"domain_0": {"bid": 0, "price": float("nan")}}, "^actions, domain_0, price: nan is not valid: expected a number$"),
            ({"domain_0": {"bid": 0, "price": "1"}}, "^actions, domain_0, price: '1' is not valid"),
            ({"domain_0": {"bid": 0, "price": [1, 2]}}, "^actions, domain_0, price: "),
        ]:
            with self.subTest(actions=actions), self.assertRaisesRegex(trainyard.InputError, expected):
                env.step(actions)
        with self.assertRaisesRegex(trainyard.InputError, "^options: unknown key 'foo': expected one of episode, split$"):
            env.reset(options={"foo": 1})
        _, _, _, _, infos = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        self.assertEqual(infos["domain_0"]["episode_number"], 1_000_000)
        env.close()

    def test_wrong_settings_are_one_clear_line(self) -> None:
        with self.assertRaisesRegex(trainyard.InputError, "did you mean 'reserve'"):
            self.server.parallel_env(reserv=1)
        with self.assertRaisesRegex(trainyard.InputError, "horizon_hours"):
            self.server.parallel_env(horizon_hours=0)


if __name__ == "__main__":
    unittest.main()
