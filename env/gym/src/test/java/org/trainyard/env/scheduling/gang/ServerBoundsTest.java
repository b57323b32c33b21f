package org.trainyard.env.scheduling.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/**
 * Asked in states that random play leads to, for some of the waiting jobs, so that several changes come together for a
 * kind of gang.
 */
class ServerBoundsTest {
    private static final Topology PLAIN = Objects.requireNonNull(Topologies.parse("2x3x4"));

    /** Servers with GPUs in sets that differ. */
    private static final Topology INTERIORS = interiors("dgx1v", "pairs", "pcie3");

    private static Topology interiors(String... names) {
        Topology.Builder builder = new Topology.Builder("interiors", Fabric.DEFAULT);
        for (String name : names) {
            builder.rack(List.of(ServerSpec.ofV100(8).with(Interiors.named(name))));
        }
        return builder.build();
    }

    private static InterferenceCost costs(Topology topology) {
        return new InterferenceCost(topology, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
    }

    private static ServerBounds bounds(Topology topology) {
        return new ServerBounds(topology, costs(topology), new SetChoice(topology, GpuRule.BOTH));
    }

    /** Compares for a waiting job and a server. */
    private interface Check {
        void of(SimView view, int job, int server, ServerBounds.Kind kind);
    }

    private static double bound(SimView view, int job, int server, ServerBounds.Kind kind) {
        return kind.of(view, job, server, 1 / ResidualTimeFloor.seconds(view, job));
    }

    private static void everywhere(Topology topology, Check check) {
        for (long seed = 1; seed <= 6; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/bounds");
            ServerBounds kept = bounds(topology);
            RandomPlay.play(seed, topology, view -> {
                for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                    int workers = view.job(job).gpus();
                    if (workers <= topology.widestServer() && random.nextInt(3) == 0) {
                        ServerBounds.Kind kind = kept.of(view, job, workers);
                        for (int server = 0; server < topology.servers(); server++) {
                            check.of(view, job, server, kind);
                        }
                    }
                }
            });
        }
    }

    @Test
    void what_is_kept_is_no_more_than_what_is_predicted_anew_and_equal_once_it_is_refined() {
        int[] neighbours = new int[2];
        int[] looser = {0};
        everywhere(PLAIN, (view, job, server, kind) -> {
            int workers = view.job(job).gpus();
            ServerBounds anew = bounds(PLAIN);
            double fresh = bound(view, job, server, anew.of(view, job, workers));
            double kept = bound(view, job, server, kind);
            assertThat(kept).isLessThanOrEqualTo(fresh * (1 + 1e-12));
            looser[0] += kept < fresh ? 1 : 0;
            // Some stay as they are, to be asked for later.
            if ((job + server) % 3 == 0 || view.cluster().jobsOn(server) == 0) {
                kind.refine(view, job, server);
                assertThat(bound(view, job, server, kind)).isEqualTo(fresh);
                boolean hasRoom = view.cluster().freeOn(server) >= workers;
                neighbours[view.cluster().jobsOn(server) > 0 ? 1 : 0] += hasRoom ? 1 : 0;
            }
        });
        assertThat(neighbours[0]).isGreaterThan(100);
        assertThat(neighbours[1]).isGreaterThan(50);
        assertThat(looser[0]).isGreaterThan(50);
    }

    @Test
    void no_gang_costs_less_than_the_bound_and_there_is_none_exactly_without_room() {
        int[] exact = new int[2];
        everywhere(PLAIN, (view, job, server, kind) -> {
            double kept = bound(view, job, server, kind);
            int workers = view.job(job).gpus();
            int left = view.cluster().freeOn(server) - workers;
            if (left < 0) {
                assertThat(kept).isInfinite();
                return;
            }
            InterferenceCost costs = costs(PLAIN);
            costs.predict(view, job, server, workers, false);
            double cost = costs.own() - 1 + costs.harm() + PricedSet.LEFTOVER * (double) left / PLAIN.gpusOn(server);
            assertThat(kept).isLessThanOrEqualTo(cost);
            exact[kept >= cost * (1 - 1e-9) ? 1 : 0]++;
        });
        assertThat(exact[0]).isGreaterThan(100);
        assertThat(exact[1]).isGreaterThan(100);
    }

    @Test
    void inside_servers_no_set_of_gpus_costs_less_than_the_bound_and_where_nobody_is_one_costs_as_much() {
        SetChoice choice = new SetChoice(INTERIORS, GpuRule.BOTH);
        int[] exact = new int[3];
        everywhere(INTERIORS, (view, job, server, kind) -> {
            int workers = view.job(job).gpus();
            int left = view.cluster().freeOn(server) - workers;
            if (left < 0) {
                return;
            }
            InterferenceCost costs = costs(INTERIORS);
            costs.predict(view, job, server, workers, false);
            double rest = costs.own() - 1 + costs.harm() + PricedSet.LEFTOVER * (double) left / 8;
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (int i = 0; i < choice.most(); i++) {
                long set = choice.set(view, view.job(job), server, workers, i);
                double cost = rest + choice.cost(view, view.job(job), server, set, workers);
                least = Math.min(least, cost);
                most = Math.max(most, cost);
            }
            double kept = bound(view, job, server, kind);
            assertThat(kept).isLessThanOrEqualTo(least * (1 + 1e-12));
            if (costs.harm() == 0) {
                assertThat(kept).isCloseTo(least, within(1e-12));
                exact[0]++;
            }
            exact[1] += least < most ? 1 : 0;
            exact[2] += least > rest ? 1 : 0;
        });
        assertThat(exact[0]).as("without harm").isGreaterThan(100);
        assertThat(exact[1]).as("with two costs").isGreaterThan(50);
        assertThat(exact[2]).as("beyond the costs outside").isGreaterThan(500);
    }
}
