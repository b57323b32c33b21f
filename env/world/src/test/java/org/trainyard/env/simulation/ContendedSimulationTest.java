package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** Rates stay right while jobs meet on links of a tree, scattered at random and preempted at random; audits are on. */
class ContendedSimulationTest {
    private final Topology topology = Topology.uniform("tree", Fabric.DEFAULT, 4, 3, ServerSpec.ofV100(4), 2);

    private RunResult run(long seed, InterferenceModel interference, Contention contention) {
        Workload workload = RandomWorkloads.of(seed, 60, topology.gpus());
        PerformanceModel truth = new RingPerformance(topology, interference, contention);
        Simulator simulator =
                new World(topology, truth, new Simulator.Options(30_000_000_000L, true)).simulator(workload);
        RandomGenerator random = RandomStreams.stream(seed, "test/scatter");
        return simulator.run(view -> {
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                // A model that has seen nothing before must say the same, to the last bit.
                assertThat(view.slowdown(job))
                        .isEqualTo(truth.copy().slowdown(view.job(job), view.placement(job), view));
            }
            return scatter(view, random);
        });
    }

    private Decision scatter(SimView view, RandomGenerator random) {
        if (view.runningCount() > 1 && random.nextInt(8) == 0) {
            return new Decision.Preempt(view.firstRunning());
        }
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            int[] free = IntStream.range(0, topology.gpus())
                    .filter(gpu -> view.cluster().owner(gpu) == Cluster.FREE)
                    .toArray();
            int demand = view.job(job).gpus();
            if (demand <= free.length) {
                for (int i = 0; i < demand; i++) {
                    int other = i + random.nextInt(free.length - i);
                    int gpu = free[other];
                    free[other] = free[i];
                    free[i] = gpu;
                }
                return new Decision.Start(
                        job,
                        Placement.of(topology, IntStream.of(free).limit(demand).toArray()));
            }
        }
        return Decision.WAIT;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void rates_equal_those_worked_out_from_scratch_after_every_event(long seed) {
        RunResult alone = run(seed, InterferenceModel.NONE, Contention.NONE);
        RunResult published = run(seed, InterferenceModel.NONE, new Contention.SjfBco(0.2, 1));
        RunResult fair = run(seed, AnalyticInterference.DEFAULT, new Contention.MaxMin());

        assertThat(published.eventLogSha256())
                .isNotEqualTo(alone.eventLogSha256())
                .isNotEqualTo(fair.eventLogSha256());
        assertThat(run(seed, AnalyticInterference.DEFAULT, new Contention.MaxMin())
                        .eventLogSha256())
                .isEqualTo(fair.eventLogSha256());
    }
}
