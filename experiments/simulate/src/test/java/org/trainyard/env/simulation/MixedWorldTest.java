package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.reward.JobSpeeds;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.bounds.RelaxedBound;
import org.trainyard.env.performance.contention.Contention;

/** With audits on, everything at once keeps its books right. */
class MixedWorldTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void all_jobs_end_and_every_event_leaves_a_state_that_adds_up(long seed) {
        MixedWorld world = new MixedWorld(seed, new Contention.SjfBco(0.2, 1));
        Map<EventKind, Integer> kinds = new HashMap<>();
        Simulator simulator = new World(
                        world.topology,
                        world.truth,
                        world.options()
                                .withEvents((time, kind, job, argument, where) -> kinds.merge(kind, 1, Integer::sum)))
                .telling(told -> world.predictor())
                .simulator(world.workload);

        RunResult result = simulator.run(world.chaos());

        assertThat(result.submitted()).hasSize(world.workload.size());
        assertThat(kinds)
                .containsKeys(
                        EventKind.RESIZE,
                        EventKind.KILL,
                        EventKind.DOWN,
                        EventKind.UP,
                        EventKind.FREEZE,
                        EventKind.HOST_CPU,
                        EventKind.HOST_MEMORY,
                        EventKind.HOLD,
                        EventKind.TIMEOUT);
        assertThat(result.jobs()).anyMatch(job -> job.accuracyPenalty() > 0);
        assertThat(simulator.view().cluster().heldMilli()).isZero();
        assertThat(simulator.busyGpuSeconds()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void not_even_the_luckiest_of_many_schedules_beats_the_relaxed_bound(long seed) {
        MixedWorld world = new MixedWorld(seed, Contention.NONE);
        RelaxedBound bound = RelaxedBound.of(world.workload, world.topology, world.truth);

        // Without restarts, outages and quotas, to come as near to the bound as chance allows.
        Simulator.Options free = new Simulator.Options(RestartCost.ofNanos(0), false, null);
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < 10; i++) {
            Simulator simulator = new World(world.topology, world.truth.copy(), free)
                    .telling(told -> world.predictor())
                    .simulator(world.workload);
            Scheduler chaos = new MixedWorld(100 * seed + i, Contention.NONE).chaos();
            least = Math.min(least, simulator.run(chaos).meanJctSeconds());
        }
        assertThat(bound.seconds()).isLessThanOrEqualTo(least).isGreaterThan(0.1 * least);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void speeds_that_are_kept_are_those_that_are_computed_from_scratch(long seed) {
        Contention law = List.of(new Contention.MaxMin(), new Contention.SjfBco(0.2, 1), Contention.NONE)
                .get((int) (seed % 3));
        MixedWorld world = new MixedWorld(seed, law, true);
        JobSpeeds kept = JobSpeeds.believed(world.topology, AnalyticInterference.DEFAULT, law);
        Scheduler chaos = world.chaos();
        double[] least = {1};

        world.simulator().run(view -> {
            JobSpeeds fresh = JobSpeeds.believed(world.topology, AnalyticInterference.DEFAULT, law);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                assertThat(kept.of(view, job)).isEqualTo(fresh.of(view, job));
                least[0] = Math.min(least[0], kept.of(view, job));
            }
            return chaos.decide(view);
        });

        assertThat(least[0]).isLessThan(0.9);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void quotas_are_kept_at_every_decision(long seed) {
        MixedWorld world = new MixedWorld(seed, Contention.NONE);
        Simulator simulator = world.simulator();
        Scheduler chaos = world.chaos();
        Map<String, Double> most = new HashMap<>();

        simulator.run(view -> {
            Map<String, Double> held = new HashMap<>();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                double share = view.job(job).demand().gpuMilli() / 1000.0;
                held.merge(
                        String.valueOf(view.job(job).virtualCluster()),
                        share * view.placement(job).gpuCount(),
                        Double::sum);
            }
            held.forEach((tenant, gpus) -> most.merge(tenant, gpus, Math::max));
            return chaos.decide(view);
        });

        MixedWorld.QUOTAS
                .gpus()
                .forEach((tenant, quota) -> assertThat(most.get(tenant)).isLessThanOrEqualTo(quota));
        assertThat(most.get("green")).as("has no quota").isGreaterThan(6);
    }
}
