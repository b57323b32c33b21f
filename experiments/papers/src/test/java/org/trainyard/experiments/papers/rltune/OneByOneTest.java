package org.trainyard.experiments.papers.rltune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Jobs one by one on RLTune's cluster for Philly. */
class OneByOneTest {
    private static final long SECOND = 1_000_000_000L;

    /** Jobs of so many GPUs that come a second apart and take so many seconds. */
    private static RunResult run(OneByOne scheduler, int[]... gpusAndSeconds) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int[] job : gpusAndSeconds) {
            int at = jobs.size();
            jobs.add(new TraceJob(
                    "job" + at, at * SECOND, Demand.ofGpus(job[0]), job[1] * SECOND, null, null, null, null));
        }
        Workload workload = new WorkloadBuilder(
                        FewestNodes.topology(),
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, true, true))
                .rated(jobs)
                .workload();
        return new World(
                        FewestNodes.topology(),
                        new RatedPerformance(),
                        new Simulator.Options(RestartCost.FREE, true, null))
                .simulator(workload)
                .run(scheduler);
    }

    private static List<Long> waits(RunResult run) {
        return run.jobs().stream().map(job -> job.queueingNanos() / SECOND).toList();
    }

    private static OneByOne firstCome(boolean holdsUp) {
        return new OneByOne(Priority.fcfs(), holdsUp);
    }

    @Test
    void a_job_that_does_not_fit_holds_up_the_others_or_is_passed_over() {
        int[][] jobs = {{160, 100}, {8, 10}, {1, 10}};

        assertThat(waits(run(firstCome(true), jobs))).containsExactly(0L, 99L, 98L);
        assertThat(waits(run(firstCome(false), jobs))).containsExactly(0L, 99L, 0L);
    }

    @Test
    void a_job_waits_for_the_fewest_servers_of_one_width_though_gpus_are_free() {
        // The first takes 19 wide servers and 7 GPUs are taken of the last; 33 are free, of which no server has 8.
        RunResult run = run(firstCome(true), new int[] {152, 100}, new int[] {7, 50}, new int[] {8, 10});

        assertThat(waits(run)).containsExactly(0L, 0L, 49L);
    }

    @Test
    void up_to_four_gpus_go_to_narrow_servers_first() {
        RunResult run = run(firstCome(true), new int[] {4, 10}, new int[] {1, 10}, new int[] {5, 10});

        assertThat(run.jobs().stream().map(JobOutcome::servers)).containsExactly(2, 1, 1);
    }

    @Test
    void the_shortest_goes_first_once_a_chosen_job_has_started() {
        int[][] jobs = {{160, 100}, {160, 50}, {160, 20}, {160, 10}};

        assertThat(waits(run(new OneByOne(Priority.sjf(), true), jobs)))
                .as("the second is chosen before shorter ones come, and stays so")
                .containsExactly(0L, 99L, 158L, 147L);
    }
}
