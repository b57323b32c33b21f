package org.trainyard.agents.heuristic.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** What part of the time each policy gives to each job; eight GPUs, run times known, one step a second. */
class AllocationPolicyTest {
    private static final Topology EIGHT_GPUS = Objects.requireNonNull(Topologies.parse("1x8"));

    /** The contest of jobs that were submitted at 0 or at 100, at 100. */
    private static AllocationProblem contest(TimedJobs jobs) {
        Workload workload = jobs.job(1, 100, 1).workload();
        Simulator simulator =
                new World(EIGHT_GPUS, new RatedPerformance(), Simulator.Options.DEFAULT).simulator(workload);
        while (simulator.advance() && simulator.view().nowNanos() < 100 * TimedJobs.SECOND) {
            simulator.apply(Decision.WAIT);
        }
        IntArrayList all = new IntArrayList();
        for (int job = 0; job < workload.size() - 1; job++) {
            all.add(job);
        }
        return AllocationProblem.of(simulator.view(), all, new AdaptiveTrainingRuns(0));
    }

    private static AllocationProblem random(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "contest");
        TimedJobs jobs = TimedJobs.list();
        List<int[]> drawn = new ArrayList<>();
        for (int i = random.nextInt(1, 30); i > 0; i--) {
            drawn.add(new int[] {1 << random.nextInt(4), random.nextInt(2) * 100, random.nextInt(1, 10_000)});
        }
        drawn.sort((a, b) -> Integer.compare(a[1], b[1]));
        drawn.forEach(job -> jobs.job(job[0], job[1], job[2]));
        return contest(jobs);
    }

    private static double gpus(AllocationProblem contest, double[] shares) {
        double gpus = 0;
        for (int i = 0; i < shares.length; i++) {
            gpus += shares[i] * contest.gpus(i);
        }
        return gpus;
    }

    @ForSeeds
    void shares_are_parts_and_fit_the_cluster(long seed) {
        AllocationProblem contest = random(seed);
        for (AllocationPolicy policy : List.of(
                new MaxMinFairness(), new FinishTimeFairness(), new MinTotalDuration(), new MaxSumThroughput())) {
            double[] shares = policy.of(contest);
            assertThat(Arrays.stream(shares)).as("%s", policy).allMatch(share -> share >= 0 && share <= 1);
            assertThat(gpus(contest, shares)).isLessThanOrEqualTo(8 + 1e-3);
        }
        assertThat(Arrays.stream(new AlloX().of(contest))).allMatch(share -> share >= 0 && share <= 1);
    }

    @ForSeeds
    void max_min_fairness_gives_nobody_less_than_an_equal_part_of_the_gpus(long seed) {
        AllocationProblem contest = random(seed);
        double[] shares = new MaxMinFairness().of(contest);
        double equalPart = Math.min(1, 8.0 / contest.size());
        for (int i = 0; i < shares.length; i++) {
            assertThat(shares[i] * contest.gpus(i)).isGreaterThan(equalPart * (1 - 1e-6));
        }
        if (contest.size() >= 8) {
            assertThat(gpus(contest, shares)).isCloseTo(8, within(1e-5));
        }
    }

    /** The bound of a makespan: the work by the cluster, or the longest job. */
    @ForSeeds
    void min_total_duration_is_done_within_five_percent_of_the_bound(long seed) {
        AllocationProblem contest = random(seed);
        double[] shares = new MinTotalDuration().of(contest);
        double work = 0;
        double longest = 0;
        double makespan = 0;
        for (int i = 0; i < shares.length; i++) {
            work += contest.secondsLeft(i) * contest.gpus(i);
            longest = Math.max(longest, contest.secondsLeft(i));
            makespan = Math.max(makespan, contest.secondsLeft(i) / shares[i]);
        }
        assertThat(makespan).isLessThanOrEqualTo(Math.max(105, 1.05 * Math.max(longest, work / 8)) * (1 + 1e-6));
    }

    /** Two jobs of 8 GPUs, 100 s and 300 s; each alone with half of the cluster would take 200 s and 600 s. */
    @Test
    void finish_time_fairness_evens_out_how_late_jobs_are() {
        AllocationProblem contest = contest(TimedJobs.list().job(8, 100, 100).job(8, 100, 300));
        assertThat(new FinishTimeFairness().of(contest)).satisfies(shares -> {
            assertThat(shares[0]).isCloseTo(0.5, within(1e-6));
            assertThat(shares[1]).isCloseTo(0.5, within(1e-6));
        });
    }

    /** The first has waited for 100 s: ratio r with 100 / (200 r - 100) + 300 / 600 r = 1, which is r = 1.5. */
    @Test
    void finish_time_fairness_makes_up_for_time_spent_waiting() {
        AllocationProblem contest = contest(TimedJobs.list().job(8, 0, 100).job(8, 100, 300));
        double[] shares = new FinishTimeFairness().of(contest);
        double ratio = (100 + 100 / shares[0]) / 200;
        assertThat(300 / shares[1] / 600).isCloseTo(ratio, within(1e-6));
        assertThat(shares[0] + shares[1]).isCloseTo(1, within(1e-6));
        assertThat(shares[0]).isGreaterThan(0.5);
    }

    /** One step a second each: per GPU the narrow ones are worth more; the last 5 GPUs are shared by two jobs of 4. */
    @Test
    void max_sum_throughput_fills_the_cluster_by_steps_per_gpu() {
        AllocationProblem contest = contest(TimedJobs.list()
                .job(8, 0, 10)
                .job(4, 0, 10)
                .job(1, 0, 10)
                .job(2, 0, 10)
                .job(4, 0, 10));
        double[] shares = new MaxSumThroughput().of(contest);
        assertThat(Arrays.copyOfRange(shares, 1, 5)).containsExactly(0.625, 1, 1, 0.625);
        assertThat(shares[0]).isBetween(1e-12, 1e-8);
    }

    @Test
    void allox_takes_the_shortest_of_the_oldest_and_lets_them_finish() {
        TimedJobs jobs = TimedJobs.list();
        for (int i = 0; i < 6; i++) {
            jobs.job(1, 0, 500);
        }
        for (int i = 0; i < 60; i++) {
            jobs.job(1, 0, 100 + i);
        }
        AllocationProblem contest = contest(jobs);
        AlloX policy = new AlloX();
        // A fifth of 66 is 13 jobs: six long ones and seven short ones, for eight GPUs.
        assertThat(chosen(policy.of(contest))).containsExactly(0, 6, 7, 8, 9, 10, 11, 12);
        // All GPUs are taken.
        assertThat(chosen(policy.of(contest))).containsExactly(0, 6, 7, 8, 9, 10, 11, 12);
    }

    private static int[] chosen(double[] shares) {
        IntArrayList chosen = new IntArrayList();
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] > 0) {
                chosen.add(i);
            }
        }
        return chosen.toIntArray();
    }

    /**
     * The closed form of the assignment: of all ways to queue jobs on GPUs, a best one has the shortest at the heads.
     */
    @ForSeeds
    void allox_puts_first_whom_a_best_assignment_puts_first(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "assignment");
        int[] seconds = random.ints(5, 1, 1000).distinct().toArray();
        int gpus = random.nextInt(1, 4);
        BestAssignments best = new BestAssignments(seconds, gpus);
        assertThat(best.heads)
                .contains(Arrays.stream(seconds).sorted().limit(gpus).boxed().toList());
    }

    /**
     * Tries every way to give jobs a GPU and a place in its queue, counted from the end, at the cost of time x place.
     */
    private static final class BestAssignments {
        private final int[] seconds;
        private final int[] gpuOf;
        private final int gpus;
        private long least = Long.MAX_VALUE;
        /** Whoever is first on a GPU, by each assignment that costs least. */
        private final Set<List<Integer>> heads = new HashSet<>();

        BestAssignments(int[] seconds, int gpus) {
            this.seconds = Arrays.stream(seconds).sorted().toArray();
            this.gpus = gpus;
            gpuOf = new int[seconds.length];
            place(0);
        }

        private void place(int job) {
            if (job == seconds.length) {
                weigh();
                return;
            }
            for (int gpu = 0; gpu < gpus; gpu++) {
                gpuOf[job] = gpu;
                place(job + 1);
            }
        }

        private void weigh() {
            long cost = 0;
            int[] place = new int[gpus];
            int[] head = new int[gpus];
            for (int job = seconds.length - 1; job >= 0; job--) {
                cost += (long) ++place[gpuOf[job]] * seconds[job];
                head[gpuOf[job]] = seconds[job];
            }
            if (cost < least) {
                heads.clear();
            }
            if (cost <= least) {
                least = cost;
                heads.add(Arrays.stream(head)
                        .filter(time -> time > 0)
                        .sorted()
                        .boxed()
                        .toList());
            }
        }
    }
}
