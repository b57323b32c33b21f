package org.trainyard.experiments.papers.sjfbco;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.agents.heuristic.sjfbco.SjfBcoPlan;
import org.trainyard.env.simulation.JobOutcome;

class SjfBcoBatchTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root"), "experiments", "configs", "papers", "sjf-bco.yaml");

    private static double mostLost(String... overrides) {
        SjfBcoConfig config = SjfBcoConfig.read(CONFIG, List.of(overrides));
        BatchPlanner.Settings planner = new BatchPlanner.Settings(1, config.horizonSeconds(), 1, 0, config.order());
        SjfBcoPlan.Settings once = new SjfBcoPlan.Settings(planner, 1, Double.POSITIVE_INFINITY, Integer.MAX_VALUE);
        double most = 0;
        for (int index = 0; index < config.batches(); index++) {
            SjfBcoBatch batch = new SjfBcoBatch(config, index, config.servers());
            SjfBcoPlan plan = new SjfBcoPlan(BatchPlanner.Policy.SJF_BCO, once, config.seed() + index);
            for (JobOutcome job :
                    batch.world().simulator(batch.workload()).run(plan).jobs()) {
                most = Math.max(most, batch.lostShare(job));
            }
        }
        return most;
    }

    /** In the paper communication and contention contribute at most 15 % to real execution times. */
    @Test
    void no_job_loses_more_than_the_papers_share_of_its_run_time_and_one_nearly_does() {
        assertThat(mostLost()).isBetween(0.12, 0.15);
    }

    @Test
    void sized_for_as_many_rings_as_a_server_has_gpus_jobs_lose_less_than_half_of_that() {
        assertThat(mostLost("physics.worst_rings=32")).isLessThan(0.075);
    }
}
