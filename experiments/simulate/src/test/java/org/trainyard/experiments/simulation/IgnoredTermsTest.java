package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.simulation.TraceSimulation.IgnoredTerms;

class IgnoredTermsTest {
    private static final long SECOND = 1_000_000_000L;

    private static TraceJob job(SubmissionTerms terms) {
        TraceJob job = new TraceJob("a", 0, 2, SECOND, null, null, null, null);
        return job.on(terms);
    }

    private static List<String> remarks(String scheduler, List<TraceJob> jobs) {
        return IgnoredTerms.remarks(SchedulerRegistry.named(scheduler), jobs);
    }

    @Test
    void a_scheduler_that_heeds_no_nodes_says_so_once_and_slurm_does_not() {
        List<TraceJob> jobs = List.of(
                job(SubmissionTerms.NONE.but().nodes(2).exclusive(true).build()),
                job(SubmissionTerms.NONE.but().nodes(1).build()));

        assertThat(remarks("easy", jobs))
                .containsExactly(
                        "easy does not heed what jobs ask for: numbers of nodes (2 jobs), exclusive nodes (1 job)");
        assertThat(remarks("kueue", jobs))
                .containsExactly("kueue does not heed what jobs ask for: exclusive nodes (1 job)");
        assertThat(remarks("slurm", jobs)).isEmpty();
    }

    @Test
    void features_that_nobody_heeds_are_said_and_jobs_that_ask_for_nothing_are_not() {
        TraceJob asks = job(SubmissionTerms.NONE.but().features("a100").build());

        assertThat(remarks("slurm", List.of(asks)))
                .containsExactly("slurm does not heed what jobs ask for: features (1 job)");
        assertThat(remarks("fifo", List.of(job(SubmissionTerms.NONE)))).isEmpty();
    }
}
