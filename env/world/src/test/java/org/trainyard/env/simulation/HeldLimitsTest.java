package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

class HeldLimitsTest {
    private static final Topology SMALL = Objects.requireNonNull(Topologies.parse("1x8"));

    /** One running job of each user, and nobody runs more than six GPUs. */
    private static final class OneEach implements HeldLimits {
        private final Map<String, Integer> running = new HashMap<>();

        private static String user(JobSpec job) {
            return Objects.requireNonNull(job.user());
        }

        @Override
        public boolean allows(JobSpec job) {
            return job.gpus() <= 6 && running.getOrDefault(user(job), 0) == 0;
        }

        @Override
        public void hold(JobSpec job, int sign) {
            running.merge(user(job), sign, Integer::sum);
        }

        @Override
        public Object group(JobSpec job) {
            return user(job);
        }
    }

    private static final Quotas LIMITS = new Quotas(Map.of("red", 4), OneEach::new);
    private static final Simulator.Options OPTIONS = new Simulator.Options(0, true).with(LIMITS);

    private static Decision.Start start(int job, int... gpus) {
        return new Decision.Start(job, Placement.of(SMALL, gpus));
    }

    @Test
    void limits_bind_starts_and_not_growth_and_end_with_the_job() {
        Simulator simulator = new Worlds()
                .job(Demand.ofGpus(2).elastic(1, 4), null, 0, 10)
                .by("ann", "g")
                .job(1, 0, 10)
                .by("ann", "g")
                .job(1, 0, 10)
                .by("bob", "g")
                .simulator(SMALL, OPTIONS);
        simulator.advance();
        simulator.apply(start(0, 0, 1));

        assertThat(simulator.view().isWithinQuota(1, 1)).isFalse();
        assertThat(simulator.view().isWithinQuota(2, 1)).isTrue();
        assertThat(simulator.view().tenant(0)).isEqualTo(simulator.view().tenant(1));
        assertThat(simulator.view().tenant(2)).isNotEqualTo(simulator.view().tenant(1));
        assertThatThrownBy(() -> simulator.apply(start(1, 7))).hasMessageContaining("limits");
        simulator.apply(new Decision.Resize(0, Placement.of(SMALL, 0, 1, 2, 3)));
        simulator.apply(new Decision.Preempt(0));

        assertThat(simulator.view().isWithinQuota(1, 1)).isTrue();
    }

    @Test
    void a_fork_and_a_cluster_that_was_only_asked_count_what_runs() {
        Simulator simulator = new Worlds()
                .job(1, 0, 10)
                .by("ann", "g")
                .job(1, 0, 10)
                .by("ann", "g")
                .simulator(SMALL, OPTIONS);
        simulator.advance();
        simulator.apply(start(0, 0));
        Simulator fork = simulator.fork();

        assertThat(fork.view().isWithinQuota(1, 1)).isFalse();
        fork.apply(new Decision.Preempt(0));
        assertThat(fork.view().isWithinQuota(1, 1)).isTrue();
        assertThat(simulator.view().isWithinQuota(1, 1)).isFalse();
    }

    @Test
    void a_job_that_limits_never_allow_is_refused_at_once() {
        Worlds worlds = new Worlds().job(7, 0, 10).by("ann", "g");

        assertThatThrownBy(() -> worlds.simulator(SMALL, OPTIONS))
                .hasMessageContaining("job job0")
                .hasMessageContaining("limits");
    }
}
