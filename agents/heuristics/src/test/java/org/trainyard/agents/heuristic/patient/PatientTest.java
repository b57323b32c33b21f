package org.trainyard.agents.heuristic.patient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Schedules of {@link Patient} worked out on paper: ideal rates, run times known, restarts for nothing. */
class PatientTest {
    private static List<Long> ends(String cluster, String scheduler, TimedJobs jobs) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        return TimedJobs.endSeconds(jobs.run(topology, scheduler, 0));
    }

    /**
     * Two GPUs are free, one on each server; the job of two GPUs waits for two on one server, which come free at 60.
     */
    @Test
    void a_gang_waits_for_the_fewest_servers() {
        TimedJobs jobs = TimedJobs.list().job(3, 0, 100).job(3, 0, 60).job(2, 10, 50);

        assertThat(ends("1x2x4", "patient-no-preemption", jobs)).containsExactly(100L, 60L, 110L);
    }

    /** Eight GPUs are free on two servers of four; the server of eight comes free at 1000. */
    @Test
    void a_gang_starts_on_the_fewest_servers_of_a_size_rather_than_wait_for_a_larger_one() {
        Topology topology = new Topology.Builder("sizes", Fabric.DEFAULT)
                .rack(Stream.of(8, 4, 4)
                        .map(gpus -> new ServerSpec(GpuType.V100, 1, gpus, false))
                        .toList())
                .build();
        TimedJobs jobs = TimedJobs.list().job(8, 0, 1000).job(8, 10, 500);

        assertThat(TimedJobs.endSeconds(jobs.run(topology, "patient-no-preemption", 0)))
                .containsExactly(1000L, 510L);
    }

    @Test
    void the_job_with_least_work_left_goes_first() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 100).job(4, 10, 3000).job(4, 20, 50);

        assertThat(ends("1x1x4", "patient-no-preemption", jobs)).containsExactly(100L, 3150L, 150L);
    }

    /** The running job has 19,990 s to go when a job of 50 s comes; without preemption the short job waits. */
    @Test
    void only_patient_displaces_long_jobs_for_short_ones() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 20_000).job(4, 10, 50);

        assertThat(ends("1x1x4", "patient", jobs)).containsExactly(20_050L, 60L);
        assertThat(ends("1x1x4", "patient-no-preemption", jobs)).containsExactly(20_000L, 20_050L);
    }

    @Test
    void a_demand_of_parts_of_gpus_is_refused_in_one_line() {
        Demand half = new Demand(1, 1, 1, 500, 0, 0, false, List.of());

        SchedulerRegistry.named("fifo").requireServes("job 1", half);
        assertThatThrownBy(() -> SchedulerRegistry.named("patient").requireServes("jobs.csv, job 1", half))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("jobs.csv, job 1")
                .hasMessageContaining("gpu_milli 500")
                .hasMessageContaining("patient");
    }
}
