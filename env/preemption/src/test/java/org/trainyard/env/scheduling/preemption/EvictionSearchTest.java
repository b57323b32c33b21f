package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Checked against every server and every set of victims, in states of a small cluster that random play leads to. */
class EvictionSearchTest {
    private static final Topology TOPOLOGY = Topologies.small();

    /** A search on the whole cluster, with its parts. */
    private static final class Parts {
        private final SimView view;
        private final VictimRemainingTimes times;
        private final EvictionCostBound bound;
        private final GrowingPlan growing;
        private final WholeGpuVictims victims;
        private final EvictionSearch search;

        private Parts(SimView view, Rank remaining) {
            this.view = view;
            int servers = TOPOLOGY.servers();
            times = new VictimRemainingTimes(view, 0, servers, remaining, PreemptionCharge.NONE);
            bound = new EvictionCostBound(view, 0, servers, remaining, times);
            growing = new GrowingPlan(view, 0, servers);
            victims = new WholeGpuVictims(view, times, bound, growing);
            search = new EvictionSearch(TOPOLOGY, 0, servers, false, growing, victims);
            times.update();
            bound.update();
        }

        /**
         * The least cost of clearing a server, over all sets of its jobs and all places to which they could migrate.
         */
        private double leastCost(int server, int missing, double seconds, int from, boolean[] isTarget) {
            ServerJobs jobs = times.on(server);
            if (missing <= 0 || from == jobs.count) {
                return missing <= 0 ? 0 : Double.POSITIVE_INFINITY;
            }
            int left = missing - jobs.gpus[from];
            double least = leastCost(server, missing, seconds, from + 1, isTarget);
            if (jobs.seconds[from] > seconds) {
                double rest = leastCost(server, left, seconds, from + 1, isTarget);
                least = Math.min(least, seconds / jobs.seconds[from] + rest);
            }
            Placement placement = view.placement(view.cluster().jobOn(server, from));
            for (int target = 0; target < TOPOLOGY.servers() && placement.serverCount() == 1; target++) {
                boolean hasRoom = view.cluster().freeOn(target) >= jobs.gpus[from];
                if (target != server && !isTarget[target] && hasRoom) {
                    isTarget[target] = true;
                    double rest = leastCost(server, left, seconds, from + 1, isTarget);
                    least = Math.min(least, 60 / Math.max(60, jobs.seconds[from]) + rest);
                    isTarget[target] = false;
                }
            }
            return least;
        }

        /** The plan by a search through all servers for each that is cleared; null when there is none. */
        private @Nullable String slowPlan(int gpus) {
            growing.resume(new PreemptionPlan());
            for (int left = gpus; left > 0; ) {
                int workers = Math.min(left, TOPOLOGY.widestServer());
                double least = Double.POSITIVE_INFINITY;
                int cheapest = SimView.NONE;
                for (int server = 0; server < TOPOLOGY.servers(); server++) {
                    double cost = growing.isCleared(server) ? least : victims.choose(server, workers);
                    if (cost < least) {
                        least = cost;
                        cheapest = server;
                    }
                }
                if (cheapest == SimView.NONE) {
                    growing.resume(new PreemptionPlan());
                    return null;
                }
                PreemptionPlan best = new PreemptionPlan();
                victims.choose(cheapest, workers);
                victims.addTo(best);
                growing.add(cheapest, best, least);
                left -= Math.min(left, TOPOLOGY.gpusOn(cheapest));
            }
            String plan = growing.plan().size() == 0 ? null : text(growing.plan());
            growing.resume(new PreemptionPlan());
            return plan;
        }
    }

    private static String text(PreemptionPlan plan) {
        StringBuilder text = new StringBuilder();
        for (int v = 0; v < plan.size(); v++) {
            text.append(plan.victim(v)).append(" to ").append(plan.target(v)).append("; ");
        }
        return text.append(plan.cost()).toString();
    }

    /** Calls for waiting jobs in many states, each by estimates without rhyme or reason. */
    private static void play(Check check) {
        for (long seed = 1; seed <= 6; seed++) {
            RandomPlay.play(seed, TOPOLOGY, view -> {
                for (int salt = 1; salt <= 3; salt++) {
                    long factor = 7919L * salt;
                    Rank remaining = (v, job) -> 20 + factor * (job + 1) % 997;
                    Parts parts = new Parts(view, remaining);
                    for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                        double seconds = remaining.of(view, job);
                        parts.victims.begin(seconds);
                        check.check(parts, view.job(job).gpus(), seconds);
                    }
                }
            });
        }
    }

    private interface Check {
        void check(Parts parts, int gpus, double seconds);
    }

    @Test
    void no_victims_on_a_server_cost_less_than_its_bounds_and_those_chosen_cost_no_less_than_the_best() {
        int[] found = new int[3];
        play((parts, gpus, seconds) -> {
            int workers = Math.min(gpus, TOPOLOGY.widestServer());
            int cheapest = checkServers(parts, workers, seconds, found);
            if (cheapest != SimView.NONE) {
                // Once more with a plan that clears a server and takes targets.
                PreemptionPlan part = new PreemptionPlan();
                double cost = parts.victims.choose(cheapest, workers);
                parts.victims.addTo(part);
                parts.growing.add(cheapest, part, cost);
                checkServers(parts, workers, seconds, found);
                parts.growing.resume(new PreemptionPlan());
            }
        });
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isBetween(found[0] / 2, found[0]);
        assertThat(found[2]).isPositive();
    }

    /**
     * Checks the servers that the plan does not clear; returns one whose victims cost least. Counts those with victims,
     * those where the best are chosen, and those that are drained, whose close bound is the least cost.
     */
    private static int checkServers(Parts parts, int workers, double seconds, int[] found) {
        double[] bounds = new double[TOPOLOGY.servers()];
        parts.victims.bound(workers, 0, bounds.length, bounds);
        double lowest = Double.POSITIVE_INFINITY;
        int cheapest = SimView.NONE;
        for (int server = 0; server < bounds.length; server++) {
            if (parts.growing.isCleared(server)) {
                continue;
            }
            int missing = parts.growing.missingOn(server, workers);
            boolean[] isTarget = new boolean[bounds.length];
            for (int target = 0; target < isTarget.length; target++) {
                isTarget[target] = parts.growing.isTaken(target);
            }
            double least = parts.leastCost(server, missing, seconds, 0, isTarget);
            double chosen = parts.victims.choose(server, workers);
            double close = parts.victims.closeBound(server, workers);
            assertThat(bounds[server]).isLessThanOrEqualTo(least);
            assertThat(close).isLessThanOrEqualTo(least);
            assertThat(chosen * (1 + 1e-12)).isGreaterThanOrEqualTo(least);
            ServerJobs jobs = parts.times.on(server);
            if (missing > 0
                    && missing == jobs.held()
                    && IntStream.range(0, jobs.count).noneMatch(jobs::spans)) {
                assertThat(close * (1 + 1e-11)).isGreaterThanOrEqualTo(least);
                found[2] += least < Double.POSITIVE_INFINITY ? 1 : 0;
            }
            found[0] += missing > 0 && least < Double.POSITIVE_INFINITY ? 1 : 0;
            found[1] += missing > 0 && Math.abs(chosen - least) <= 1e-12 * least ? 1 : 0;
            if (missing > 0 && chosen < lowest) {
                lowest = chosen;
                cheapest = server;
            }
        }
        return cheapest;
    }

    @Test
    void a_drained_server_loses_all_jobs_with_gpus_and_only_those_migrate_that_find_targets() {
        ServerJobs jobs = new ServerJobs();
        jobs.begin(4);
        jobs.gpus = new int[] {2, 2, 4, 0};
        jobs.gpusInAll = new int[] {2, 2, 8, 0};
        jobs.seconds = new double[] {400, 200, 800, 50};
        jobs.restart = new double[] {0.125, 0.25, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        double preempted = 100.0 / 400 + 100.0 / 200;
        double gang = 100.0 / 800 / 2;
        assertThat(jobs.held()).isEqualTo(8);
        assertThat(jobs.drainCost(100, new int[9])).isEqualTo(preempted + gang);
        // The second saves more than the first.
        assertThat(jobs.drainCost(100, new int[] {0, 1, 1, 0, 0, 0, 0, 0, 0})).isEqualTo(0.25 + 0.25 + gang);
        assertThat(jobs.drainCost(100, new int[] {0, 2, 2, 0, 0, 0, 0, 0, 0})).isEqualTo(0.125 + 0.25 + gang);
        assertThat(jobs.drainCost(100, new int[] {0, 2, 1, 0, 0, 0, 0, 0, 0})).isEqualTo(0.25 + 0.25 + gang);
        assertThat(jobs.drainCost(300, new int[9])).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void servers_are_cleared_as_by_a_search_through_all_of_them() {
        int[] found = new int[3];
        play((parts, gpus, seconds) -> {
            String slow = parts.slowPlan(gpus);
            PreemptionPlan plan = new PreemptionPlan();
            boolean isFound = parts.search.find(gpus, Double.POSITIVE_INFINITY, plan);
            assertThat(isFound ? text(plan) : null).isEqualTo(slow);
            found[isFound ? gpus > TOPOLOGY.widestServer() ? 2 : 1 : 0]++;
        });
        assertThat(found).doesNotContain(0);
    }
}
