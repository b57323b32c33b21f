package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/** The policies that ship, on a cluster of many more racks than they were trained on. */
class LargeClusterTest {
    private static final Path CHECKPOINTS = Path.of(System.getProperty("trainyard.root", "../.."), "checkpoints");
    private static final ModelProfile MODEL =
            new ModelProfile("model", 0.1, 1e6, 1L << 30, new Pressure(0.5, 0.2, 0.6), new Pressure(0.3, 0.2, 0.6));

    /** Every half minute a job of one GPU that runs for ten hours: they take less than a third of 2,048 GPUs. */
    private static Workload halfMinutes(int jobs) {
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[jobs];
        for (int job = 0; job < jobs; job++) {
            specs.add(new JobSpec(job, "job" + job, job * 30_000_000_000L, 1, MODEL, 10));
            iterations[job] = 360_000;
        }
        return new Workload(specs, iterations);
    }

    @ParameterizedTest
    @CsvSource({
        "default, true, true",
        "no-preemption, false, false",
        "no-preemption, false, true",
        "restarts, true, true",
        "graph, true, true"
    })
    void no_job_waits_beside_free_servers(String name, boolean preemption, boolean othersMayPreempt) {
        Topology topology = Objects.requireNonNull(Topologies.parse("64x4x8"));
        Deployment deployment =
                new Deployment(topology, Domains.racks(topology), preemption, AnalyticInterference.DEFAULT);
        BidPolicy policy = new Checkpoint(CHECKPOINTS.resolve(name)).policy();
        Simulator simulator = new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        othersMayPreempt
                                ? Simulator.Options.DEFAULT
                                : Simulator.Options.DEFAULT.with(new PreemptionRules(0, 0, 0, 0)))
                .simulator(halfMinutes(600));

        RunResult result = simulator.run(policy.scheduler(deployment));

        assertThat(result.jobs().stream().mapToLong(JobOutcome::queueingNanos).max())
                .hasValue(0);
    }
}
