package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/** The JCT of a job, taken apart. */
class JobOutcomeTest {
    // 2 racks x 4 servers x 4 GPUs.
    private final Topology small = Topologies.small();

    private static final Pressure SOME = new Pressure(0.5, 0.5, 0.5);

    private static long sum(JobOutcome job) {
        JobOutcome.TimeOnGpus onGpus = job.onGpus();
        return job.queueingNanos()
                + onGpus.restartNanos()
                + onGpus.interferenceNanos()
                + onGpus.placementNanos()
                + onGpus.undisturbedNanos();
    }

    @Test
    void a_spread_gang_loses_time_by_its_placement_and_neighbours_by_interference() {
        PerformanceModel truth = new RingPerformance(small, AnalyticInterference.DEFAULT);
        Placement spread = Placement.of(small, 0, 4, 16);
        Placement beside = Placement.of(small, 1);
        JobOutcome[] both = pair(truth, spread, beside);
        JobOutcome[] apart = pair(new RingPerformance(small, InterferenceModel.NONE), spread, beside);
        for (JobOutcome job : List.of(both[0], both[1], apart[0], apart[1])) {
            assertThat(sum(job)).isEqualTo(job.jctNanos());
        }
        assertThat(both[0].onGpus().interferenceNanos()).isPositive();
        assertThat(both[0].meanSlowdown()).isGreaterThan(1);
        assertThat(apart[0].onGpus().interferenceNanos()).isZero();
        // The work is 1,000 s at one iteration per second; links make it slower whether or not somebody else is there.
        double alone = 1_000 / truth.aloneRate(gang(), spread);
        assertThat(apart[0].onGpus().placementNanos() / 1e9).isPositive().isCloseTo(alone - 1_000, within(1e-6));
        assertThat(both[0].onGpus().placementNanos() / 1e9).isCloseTo(alone - 1_000, within(1e-6));
        assertThat(apart[1].onGpus().placementNanos()).isZero();
        assertThat(both[0].servers()).isEqualTo(3);
        assertThat(both[0].racks()).isEqualTo(2);
        assertThat(both[1].servers()).isEqualTo(1);
    }

    private static ModelProfile model() {
        return new ModelProfile("wide", 1, 1e9, 1, SOME, SOME);
    }

    private static JobSpec gang() {
        return new JobSpec(0, "gang", 0, 3, model(), 1);
    }

    private JobOutcome[] pair(PerformanceModel truth, Placement first, Placement second) {
        JobSpec single = new JobSpec(1, "single", 0, 1, model(), 1);
        Workload workload = new Workload(List.of(gang(), single), new double[] {1_000, 700});
        Simulator simulator = new World(small, truth, new Simulator.Options(30 * SECOND, true)).simulator(workload);
        RunResult result = simulator.run(view -> view.waitingCount() == 0
                ? Decision.WAIT
                : new Decision.Start(view.firstWaiting(), view.firstWaiting() == 0 ? first : second));
        return result.jobs().toArray(JobOutcome[]::new);
    }
}
