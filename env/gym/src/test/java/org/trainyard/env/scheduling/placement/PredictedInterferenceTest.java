package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Predictions against the belief asked directly, on servers of two speeds. */
class PredictedInterferenceTest {
    private static final ServerSpec SLOW = new ServerSpec(GpuType.V100, 2, 4, false);
    private static final ServerSpec FAST = new ServerSpec(GpuType.A100, 2, 4, true);
    private static final Topology TOPOLOGY = new Topology.Builder("mixed", Fabric.DEFAULT)
            .rack(List.of(SLOW, FAST))
            .rack(List.of(FAST, SLOW))
            .build();
    private static final InterferenceModel BELIEF = AnalyticInterference.DEFAULT;

    private static double own(SimView view, int job, int server, int workers, boolean spans) {
        Colocation row = new Colocation();
        row.reset(4, workers, spans);
        row.addAllOn(server, SimView.NONE, view);
        double speed = new GpuSpeeds(TOPOLOGY).of(server, view.job(job).model());
        return 1 / speed * (row.count() == 0 ? 1 : BELIEF.slowdown(view.job(job).model(), row));
    }

    private static double extra(SimView view, int neighbour, int job, int server, int workers, boolean spans) {
        Placement place = view.placement(neighbour);
        Colocation row = new Colocation();
        row.reset(4, place.gpusOn(place.indexOf(server)), place.serverCount() > 1);
        row.addAllOn(server, neighbour, view);
        double before = BELIEF.slowdown(view.job(neighbour).model(), row);
        row.add(view.job(job).model(), workers, spans, true);
        return BELIEF.slowdown(view.job(neighbour).model(), row) - before;
    }

    private static double harm(SimView view, int job, int server, int workers, boolean spans) {
        double sum = 0;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int neighbour = view.cluster().jobOn(server, n);
            double stays = ResidualTimeFloor.seconds(view, neighbour) / ResidualTimeFloor.seconds(view, job);
            sum += Math.max(0, extra(view, neighbour, job, server, workers, spans)) * Math.min(1, stays);
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_slowdown_is_that_by_all_neighbours_and_speed_and_the_harm_that_to_each_while_it_stays(long seed) {
        InterferenceCost costs = new InterferenceCost(TOPOLOGY, BELIEF, ResidualTimeFloor::seconds);
        int[] seen = new int[2];
        RandomPlay.play(seed, TOPOLOGY, view -> {
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                for (int server = 0; server < TOPOLOGY.servers(); server++) {
                    int workers = 1 + (job + server) % 3;
                    boolean spans = job % 2 == 0;
                    costs.predict(view, job, server, workers, spans);
                    assertThat(costs.own()).isEqualTo(own(view, job, server, workers, spans));
                    assertThat(costs.harm()).isCloseTo(harm(view, job, server, workers, spans), within(1e-12));
                    for (int n = 0; n < view.cluster().jobsOn(server); n++) {
                        int neighbour = view.cluster().jobOn(server, n);
                        assertThat(costs.mostHarm(n))
                                .isEqualTo(Math.max(0, extra(view, neighbour, job, server, workers, spans)));
                    }
                    seen[costs.harm() > 0 ? 1 : 0]++;
                }
            }
        });
        assertThat(seen[0]).isGreaterThan(50);
        assertThat(seen[1]).isGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void a_placement_costs_its_slowest_server_and_the_harm_on_all(long seed) {
        InterferenceCost costs = new InterferenceCost(TOPOLOGY, BELIEF, ResidualTimeFloor::seconds);
        int[] spanning = new int[1];
        RandomPlay.play(seed, TOPOLOGY, view -> {
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                for (Placement place : List.of(
                        Placement.of(TOPOLOGY, 0, 4, 5), Placement.of(TOPOLOGY, 8, 9), Placement.of(TOPOLOGY, 3, 15))) {
                    double slowest = 0;
                    double harmed = 0;
                    boolean spans = place.serverCount() > 1;
                    for (int i = 0; i < place.serverCount(); i++) {
                        slowest = Math.max(slowest, own(view, job, place.server(i), place.gpusOn(i), spans) - 1);
                        harmed += harm(view, job, place.server(i), place.gpusOn(i), spans);
                    }
                    assertThat(costs.of(view, view.job(job), place)).isCloseTo(slowest + harmed, within(1e-12));
                    spanning[0] += spans && harmed > 0 ? 1 : 0;
                }
            }
        });
        assertThat(spanning[0]).isGreaterThan(20);
    }

    /** Nine jobs that need no GPU beside one that holds two: more jobs than predictions have places. */
    @Test
    void servers_with_more_jobs_than_gpus_are_predicted_alike() {
        Topology topology = Topology.uniform(
                "crowded", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4).withHost(64_000, 64_000), 1);
        TimedJobs jobs = TimedJobs.list().job(2, 0, 100);
        for (int job = 0; job < 9; job++) {
            jobs.job(new Demand(0, 0, 0, 1000, 100, 0, false, List.of()), 0, 50 + 10 * job);
        }
        Simulator simulator = jobs.job(1, 0, 80).simulator(topology);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(topology, 0, 1)));
        for (int job = 1; job < 10; job++) {
            simulator.apply(new Decision.Start(job, Placement.onServer(topology, 0)));
        }
        SimView view = simulator.view();
        InterferenceModel byCount = (victim, place) -> 1 + place.count() / 16.0;
        InterferenceCost costs = new InterferenceCost(topology, byCount, (any, job) -> 100);

        for (int again = 0; again < 2; again++) {
            costs.predict(view, 10, 0, 1, false);
            assertThat(costs.own()).isEqualTo(1 + 10 / 16.0);
            assertThat(costs.harm()).isEqualTo(10 / 16.0);
            assertThat(costs.mostHarm(9)).isEqualTo(1 / 16.0);
            costs.predict(view, 10, 1, 1, false);
            assertThat(costs.own()).isEqualTo(1);
            assertThat(costs.harm()).isZero();
            assertThat(costs.mostHarm(0)).isZero();
        }
        InterferenceCost weighed =
                new InterferenceCost(topology, byCount, (any, job) -> job == 10 ? 100 : job == 0 ? 25 : 200);
        weighed.predict(view, 10, 0, 1, false);
        assertThat(weighed.harm()).isEqualTo((9 + 0.25) / 16);
        weighed.predictOn(view, 10, 2, weighed.contentByGpu(view, 0));
        assertThat(weighed.own()).isEqualTo(1 + 10 / 16.0);
        assertThat(weighed.harm()).isEqualTo((9 + 0.25) / 16);
    }
}
