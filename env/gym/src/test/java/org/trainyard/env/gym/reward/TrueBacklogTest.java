package org.trainyard.env.gym.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.TestScenarios;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

class TrueBacklogTest {
    private static final double FOR_EVER = 1e9;
    private static final ModelProfile MODEL =
            new ModelProfile("model", 0.1, 1e6, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));

    /** Eight GPUs, and jobs that are all there at once. */
    private static Simulator simulator(int[] gpus, double[] hours) {
        Topology topology = Topology.uniform("two", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4), 1);
        JobSpec[] jobs = new JobSpec[gpus.length];
        double[] iterations = new double[gpus.length];
        for (int i = 0; i < gpus.length; i++) {
            jobs[i] = new JobSpec(i, "job" + i, 0, gpus[i], MODEL, 10);
            iterations[i] = jobs[i].idealIterationsPerSecond() * 3600 * hours[i];
        }
        World world = TestScenarios.known(topology);
        Simulator simulator = world.simulator(new Workload(List.of(jobs), iterations));
        assertThat(simulator.advance()).isTrue();
        return simulator;
    }

    @Test
    void jobs_end_in_order_of_time_and_width_when_the_work_before_them_is_done() {
        // By hours times the square root of the GPUs: 1, 2 x 2 = 4, 3 sqrt(8) = 8.5.
        Simulator simulator = simulator(new int[] {8, 1, 4}, new double[] {3, 1, 2});

        double second = Math.max(2, (1 + 8) / 8.0);
        double third = (1 + 8 + 24) / 8.0;
        assertThat(new TrueBacklog(simulator, FOR_EVER).jobHours()).isCloseTo(1 + second + third, within(1e-5));
        assertThat(new TrueBacklog(simulator, 2).jobHours())
                .isCloseTo(2 * (3 - Math.exp(-0.5) - Math.exp(-second / 2) - Math.exp(-third / 2)), within(1e-6));
    }

    /** By hours times the square root of the GPUs 2.8 comes before 4; by work 4 would come before 8. */
    @Test
    void a_short_wide_job_goes_before_a_long_narrow_one_of_less_work() {
        double second = Math.max(4, (8 + 4) / 8.0);
        Simulator simulator = simulator(new int[] {1, 8}, new double[] {4, 1});

        assertThat(new TrueBacklog(simulator, 10).jobHours())
                .isCloseTo(10 * (2 - Math.exp(-0.1) - Math.exp(-second / 10)), within(1e-5));
    }

    /** By hours times the square root of the GPUs 3 comes before 5.7. */
    @Test
    void a_narrow_job_goes_before_a_wide_one_that_is_hardly_shorter() {
        double second = (3 + 16) / 8.0;

        assertThat(new TrueBacklog(simulator(new int[] {8, 1}, new double[] {2, 3}), FOR_EVER).jobHours())
                .isCloseTo(3 + second, within(1e-5));
    }

    /** On one GPU three jobs for 300 thousandths of it count as a third each, one for all of it as one. */
    @Test
    void a_job_for_a_part_of_a_gpu_counts_as_one_over_those_that_fit_there() {
        Topology shared = Topology.uniform(
                "shared", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(1).with(GpuSharing.FRACTIONS), 1);
        Demand part = Demand.ofGpus(1).withGpuMilli(300);
        List<JobSpec> jobs = List.of(
                new JobSpec(0, "whole", 0, Demand.ofGpus(1), MODEL, 10),
                new JobSpec(1, "part1", 0, part, MODEL, 10),
                new JobSpec(2, "part2", 0, part, MODEL, 10));
        double[] iterations = {36_000 * 4, 36_000, 36_000 * 2};
        Simulator simulator = TestScenarios.known(shared).simulator(new Workload(jobs, iterations));
        simulator.advance();

        double second = Math.max(2, (1 + 2) / 3.0);
        double third = (1 + 2) / 3.0 + 4;
        assertThat(new TrueBacklog(simulator, FOR_EVER).jobHours()).isCloseTo(1 + second + third, within(1e-5));
    }

    @Test
    void it_is_the_cost_of_gangs_of_the_whole_cluster_one_after_another() {
        int[] gpus = new int[100];
        double[] hours = new double[100];
        double expected = 0;
        for (int i = 0; i < gpus.length; i++) {
            gpus[i] = 8;
            hours[i] = 1 + (37 * i) % 100;
        }
        for (int i = 1; i <= gpus.length; i++) {
            expected += i * (i + 1) / 2.0;
        }
        assertThat(new TrueBacklog(simulator(gpus, hours), FOR_EVER).jobHours()).isCloseTo(expected, within(0.5));
    }
}
