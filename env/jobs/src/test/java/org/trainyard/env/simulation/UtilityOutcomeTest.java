package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.utility.ConcaveFamily;
import org.trainyard.env.workload.utility.JobUtility;

class UtilityOutcomeTest {
    private static final Simulator.Options OPTIONS = new Simulator.Options(30 * SECOND, true);
    private final Topology small = Topologies.small();

    /** A job of 100 s with each of the utilities, all submitted at zero. */
    private static Workload workload(JobUtility... utilities) {
        Worlds world = new Worlds();
        for (JobUtility ignored : utilities) {
            world.job(1, 0, 100);
        }
        Workload plain = world.workload();
        List<JobSpec> jobs = new ArrayList<>();
        double[] iterations = new double[utilities.length];
        for (int i = 0; i < utilities.length; i++) {
            JobSpec job = plain.job(i);
            iterations[i] = plain.trueIterations(i);
            jobs.add(
                    new JobSpec(i, job.name(), 0, job.demand(), job.model(), job.plan(), job.idealIterationsPerSecond())
                            .attaching(JobUtility.class, utilities[i]));
        }
        return new Workload(jobs, iterations);
    }

    private static Simulator simulator(Topology on, Workload workload) {
        return new World(on, new RatedPerformance(), OPTIONS).simulator(workload);
    }

    private static JobUtility trained(double horizonSeconds) {
        return new JobUtility.Concave(ConcaveFamily.ROOT, 1, 1, horizonSeconds);
    }

    /** All on one GPU, one after the other. */
    private Decision oneByOne(SimView view) {
        int job = view.firstWaiting();
        return job == SimView.NONE || view.runningCount() > 0
                ? Decision.WAIT
                : new Decision.Start(job, Placement.of(small, new int[] {0}));
    }

    @Test
    void a_utility_of_time_counts_the_completion_and_one_of_training_the_progress_at_its_horizon() {
        RunResult result = simulator(
                        small,
                        workload(new JobUtility.Sigmoid(10, 0, 5, 100), trained(164), trained(150), trained(1000)))
                .run(this::oneByOne);

        assertThat(result.jobs()).extracting(JobOutcome::utility).containsExactly(5.0, 8.0, 0.0, 10.0);
    }

    @Test
    void progress_stands_still_while_a_job_waits_or_restarts() {
        Simulator simulator = simulator(small, workload(trained(60), trained(85)));
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(small, new int[] {0})));
        simulator.apply(new Decision.Start(1, Placement.of(small, new int[] {1})));
        simulator.apply(Decision.waitUntil(49 * SECOND));
        simulator.advance();
        simulator.apply(new Decision.Preempt(0));
        simulator.apply(new Decision.Preempt(1));
        simulator.apply(new Decision.Start(1, Placement.of(small, new int[] {1})));
        simulator.apply(Decision.waitUntil(70 * SECOND));
        simulator.advance();
        Simulator restored = new World(small, new RatedPerformance(), OPTIONS)
                .restore(simulator.snapshot(), workload(trained(60), trained(85)));
        for (Simulator one : List.of(simulator, restored)) {
            one.apply(new Decision.Start(0, Placement.of(small, new int[] {0})));
            one.apply(Decision.WAIT);
            List<JobOutcome> outcomes = one.run(view -> Decision.WAIT).jobs();
            assertThat(outcomes.get(0).utility()).isEqualTo(7);
            // 49 s, 30 s of restart, and 6 s.
            assertThat(outcomes.get(1).utility()).isCloseTo(Math.sqrt(55), within(1e-9));
        }
    }
}
