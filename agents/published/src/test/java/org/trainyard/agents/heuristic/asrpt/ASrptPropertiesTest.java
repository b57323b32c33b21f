package org.trainyard.agents.heuristic.asrpt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/**
 * What holds for A-SRPT whatever the jobs: its virtual machine is followed, and its sum of completions keeps the bound.
 */
class ASrptPropertiesTest {
    private static ASrpt.Settings settings(double efficiency, boolean skips, double patience) {
        return new ASrpt.Settings(efficiency, skips, patience, 1.5, true);
    }

    /** A plain program of the virtual machine: one job after the other, from event to event. Seconds. */
    private static double[] virtualCompletions(MixedParallelWorld world, double efficiency) {
        int jobs = world.workload().size();
        double[] left = new double[jobs];
        double[] done = new double[jobs];
        double[] submit = new double[jobs];
        for (int job = 0; job < jobs; job++) {
            submit[job] = world.workload().job(job).submitNanos() / 1e9;
            left[job] = world.bestSeconds(job)
                    * world.workload().job(job).gpus()
                    / (efficiency * world.topology().gpus());
        }
        List<Integer> here = new ArrayList<>();
        double now = 0;
        for (int next = 0; next < jobs || !here.isEmpty(); ) {
            double arrival = next < jobs ? submit[next] : Double.POSITIVE_INFINITY;
            Integer first = here.stream()
                    .min(Comparator.comparingDouble(job -> left[job]))
                    .orElse(null);
            if (first == null || now + left[first] > arrival) {
                if (first != null) {
                    left[first] -= arrival - now;
                }
                now = arrival;
                here.add(next++);
            } else {
                now += left[first];
                done[first] = now;
                here.remove(first);
            }
        }
        return done;
    }

    @ForSeeds
    void no_job_starts_before_the_virtual_machine_is_done_with_it(long seed) {
        MixedParallelWorld world = MixedParallelWorld.of(seed, 4, 150, 0.4 + 0.05 * seed);
        for (ASrpt.Settings settings : List.of(ASrpt.Settings.PAPER, ASrpt.Settings.BLOCKING, ASrpt.Settings.TUNED)) {
            RunResult result = world.run(new ASrpt(world.topology(), settings, world.shapes()), 0);
            double[] released = virtualCompletions(world, settings.efficiency());

            for (JobOutcome job : result.jobs()) {
                assertThat(job.firstStartNanos() / 1e9)
                        .isGreaterThanOrEqualTo(released[job.job().id()] - 1e-6);
            }
        }
    }

    @ForSeeds
    void jobs_start_in_the_order_of_their_release_when_the_head_blocks_and_nobody_is_patient(long seed) {
        MixedParallelWorld world = MixedParallelWorld.of(seed, 4, 150, 0.4 + 0.05 * seed);
        RunResult result = world.run(new ASrpt(world.topology(), settings(1, false, 0), world.shapes()), 0);
        double[] released = virtualCompletions(world, 1);
        List<Integer> byRelease = IntStream.range(0, released.length)
                .boxed()
                .sorted(Comparator.comparingDouble(job -> released[job]))
                .toList();

        assertThat(byRelease.stream().map(job -> result.jobs().get(job).firstStartNanos()))
                .isSortedAccordingTo(Comparator.naturalOrder());
    }

    /** A job of one GPU that is first in the queue starts as soon as any GPU is free, however great the patience. */
    @ForSeeds
    void single_gpu_jobs_are_never_delayed(long seed) {
        MixedParallelWorld world = MixedParallelWorld.of(seed, 64, 150, 0.1);
        RunResult result = world.run(new ASrpt(world.topology(), settings(1, true, 1000), world.shapes()), 0);
        double[] released = virtualCompletions(world, 1);

        for (JobOutcome job : result.jobs()) {
            if (job.job().gpus() == 1) {
                assertThat(Math.abs(
                                job.firstStartNanos() / 1e9 - released[job.job().id()]))
                        .isLessThan(1e-6);
            }
        }
    }

    /**
     * The bound of our own analysis, {@code (1 + rho (1 + G / (G - g)))} times the optimum, here against what no
     * schedule can beat: the sum of virtual completions, and of submissions plus best run times. Rho is the worst that
     * being spread does, g the widest job.
     */
    @ForSeeds
    void the_sum_of_completions_keeps_its_bound(long seed) {
        for (int servers : new int[] {3, 4, 8}) {
            MixedParallelWorld world = MixedParallelWorld.of(seed, servers, 120, 0.3 + 0.1 * seed);
            RunResult result = world.run(new ASrpt(world.topology(), settings(1, false, 0), world.shapes()), 0);
            double virtualSum = Arrays.stream(virtualCompletions(world, 1)).sum();
            double sum = 0;
            double soonest = 0;
            int widest = 0;
            for (JobOutcome job : result.jobs()) {
                sum += job.endNanos() / 1e9;
                soonest += job.job().submitNanos() / 1e9
                        + world.bestSeconds(job.job().id());
                widest = Math.max(widest, job.job().gpus());
            }
            double gpus = world.topology().gpus();
            double bound = 1 + world.worstRatio() * (1 + gpus / (gpus - widest));

            assertThat(sum).isLessThanOrEqualTo(bound * Math.max(virtualSum, soonest));
        }
    }
}
