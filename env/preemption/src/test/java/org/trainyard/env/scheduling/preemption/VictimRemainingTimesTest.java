package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.order.BoundedRank;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

class VictimRemainingTimesTest {
    private static final long SECOND = 1_000_000_000L;

    private final Topology small = Topologies.small();
    private final Placement twoServers = Placement.of(small, 0, 1, 2, 3, 4, 5, 6, 7);

    private static final class Remaining implements BoundedRank {
        @Override
        public double of(SimView view, int job) {
            return view.predictedRemainingSeconds(job);
        }

        @Override
        public double atMost(SimView view, int job, double untilSeconds) {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public long bounds(SimView view) {
            return 0;
        }
    }

    /** Runs a gang on two servers for 70 s, preempts it and starts it again at the same instant. */
    private final class Restart {
        private @Nullable VictimRemainingTimes times;
        private double before;
        private double after;
        private double real;

        private double seconds(SimView view) {
            if (times == null) {
                times = new VictimRemainingTimes(view, 0, small.servers(), new Remaining(), PreemptionCharge.NONE);
            }
            times.update();
            assertThat(times.on(0).count).isEqualTo(1);
            return times.on(0).seconds[0];
        }

        Decision decide(SimView view) {
            if (view.waitingCount() > 0) {
                return new Decision.Start(0, twoServers);
            }
            if (view.runningCount() == 0 || view.nowNanos() > 70 * SECOND) {
                return Decision.WAIT;
            }
            if (view.nowNanos() < 70 * SECOND) {
                return Decision.waitUntil(70 * SECOND);
            }
            if (view.preemptions(0) == 0) {
                before = seconds(view);
                return new Decision.Preempt(0);
            }
            after = seconds(view);
            real = view.predictedRemainingSeconds(0);
            return Decision.WAIT;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 30, 1000})
    void a_job_that_lost_work_at_this_instant_has_more_left(long savedEverySeconds) {
        TraceJob job = new TraceJob("job", 0, 8, 1000 * SECOND, "resnet50", null, null, null);
        RingPerformance truth = new RingPerformance(small, AnalyticInterference.DEFAULT);
        Workload workload = new WorkloadBuilder(
                        small,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, true, false))
                .build(List.of(job), truth)
                .workload();
        Simulator.Options options =
                Simulator.Options.DEFAULT.with(PreemptionRules.FREE.savingEvery(savedEverySeconds * SECOND));
        Restart restart = new Restart();
        new World(small, truth, options).simulator(workload).run(restart::decide);

        assertThat(restart.after).isEqualTo(restart.real);
        assertThat(restart.after > restart.before).isEqualTo(savedEverySeconds > 0);
    }
}
