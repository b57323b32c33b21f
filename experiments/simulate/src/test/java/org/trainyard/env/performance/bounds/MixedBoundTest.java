package org.trainyard.env.performance.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.Rings;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** The bound and the estimate on clusters of fast and slow GPUs. */
class MixedBoundTest {
    private static final int LAST_RELEASE = 3;

    private static GpuCapacity gpus(int fast, int slow) {
        return new GpuCapacity(List.of(GpuType.A100, GpuType.P100), List.of(fast, slow));
    }

    private static LeastWork job(double release, int width, int fastSeconds, int stretch) {
        return new LeastWork(release, fastSeconds, width * fastSeconds, List.of(1.0, (double) stretch));
    }

    /** Every preemptive schedule of gangs in slots of one second; a gang with a slow GPU is as slow as that. */
    private static final class EveryMixedSchedule {
        private final List<LeastWork> jobs;
        private final GpuCapacity gpus;
        private final Map<List<Integer>, Integer> known = new HashMap<>();

        EveryMixedSchedule(List<LeastWork> jobs, GpuCapacity gpus) {
            this.jobs = jobs;
            this.gpus = gpus;
        }

        private int stretch(int job) {
            return jobs.get(job).stretch().get(1).intValue();
        }

        /** The least mean JCT; work is counted in seconds on slow GPUs. */
        double best() {
            int[] left = new int[jobs.size()];
            for (int job = 0; job < left.length; job++) {
                left[job] = ((int) jobs.get(job).seconds()) * stretch(job);
            }
            return (double) inSystem(0, left) / jobs.size();
        }

        private int inSystem(int now, int[] left) {
            List<Integer> key = new ArrayList<>(List.of(now));
            int present = 0;
            boolean done = true;
            for (int job = 0; job < left.length; job++) {
                key.add(left[job]);
                done &= left[job] == 0;
                present += left[job] > 0 && jobs.get(job).releaseSeconds() <= now ? 1 : 0;
            }
            if (done) {
                return 0;
            }
            Integer before = known.get(key);
            if (before == null) {
                before = present
                        + afterSlot(
                                now, left, 0, gpus.gpus().get(0), gpus.gpus().get(1), false);
                known.put(key, before);
            }
            return before;
        }

        /** Tries every number of fast and slow GPUs for every job from this one on. */
        private int afterSlot(int now, int[] left, int job, int fast, int slow, boolean anyRuns) {
            if (job == left.length) {
                // Idle slots only while somebody is yet to come.
                return anyRuns || now < LAST_RELEASE ? inSystem(now + 1, left) : Integer.MAX_VALUE / 2;
            }
            int least = afterSlot(now, left, job + 1, fast, slow, anyRuns);
            int width = (int) (jobs.get(job).gpuSeconds() / jobs.get(job).seconds());
            if (left[job] == 0 || jobs.get(job).releaseSeconds() > now) {
                return least;
            }
            for (int onSlow = Math.max(0, width - fast); onSlow <= Math.min(slow, width); onSlow++) {
                int[] after = left.clone();
                after[job] = Math.max(0, left[job] - (onSlow == 0 ? stretch(job) : 1));
                least = Math.min(least, afterSlot(now, after, job + 1, fast - width + onSlow, slow - onSlow, true));
            }
            return least;
        }
    }

    @Test
    void it_is_never_above_the_best_of_all_schedules_on_fast_and_slow_gpus() {
        RandomGenerator random = RandomStreams.stream(4, "test/bound");
        int nearer = 0;
        for (int world = 0; world < 150; world++) {
            GpuCapacity gpus = gpus(1 + random.nextInt(2), 1 + random.nextInt(2));
            List<LeastWork> jobs = new ArrayList<>();
            for (int i = 2 + random.nextInt(3); i > 0; i--) {
                int width = 1 + random.nextInt(all(gpus));
                jobs.add(job(random.nextInt(LAST_RELEASE + 1), width, 1 + random.nextInt(3), 1 + random.nextInt(3)));
            }
            jobs.sort(Comparator.comparingDouble(LeastWork::releaseSeconds));
            RelaxedBound bound = RelaxedBound.of(jobs, gpus);
            double best = new EveryMixedSchedule(jobs, gpus).best();

            assertThat(bound.runSeconds()).as("run of %s", jobs).isLessThanOrEqualTo(best + 1e-9);
            assertThat(bound.queueSeconds()).as("queue of %s", jobs).isLessThanOrEqualTo(best + 1e-9);
            assertThat(bound.busySeconds()).as("busy of %s", jobs).isLessThanOrEqualTo(best + 1e-9);
            nearer += bound.seconds() > allFast(jobs, gpus).seconds() ? 1 : 0;
        }
        assertThat(nearer).as("worlds in which types matter").isGreaterThan(20);
    }

    private static int all(GpuCapacity gpus) {
        return gpus.gpus().stream().mapToInt(count -> count).sum();
    }

    /** The bound with all GPUs as fast as the fastest. */
    private static RelaxedBound allFast(List<LeastWork> jobs, GpuCapacity gpus) {
        List<LeastWork> alike = jobs.stream()
                .map(job -> new LeastWork(job.releaseSeconds(), job.seconds(), job.gpuSeconds(), List.of(1.0)))
                .toList();
        return RelaxedBound.of(alike, new GpuCapacity(List.of(GpuType.A100), List.of(all(gpus))));
    }

    @Test
    void work_that_is_slow_on_slow_gpus_counts_them_for_less() {
        // One fast and one slow GPU do 1.25 GPU seconds a second; ten jobs of one GPU end every 8 s.
        List<LeastWork> jobs = Collections.nCopies(10, job(0, 1, 10, 4));

        assertThat(RelaxedBound.of(jobs, gpus(1, 1)).queueSeconds()).isCloseTo(44, within(1e-9));
        assertThat(allFast(jobs, gpus(1, 1)).queueSeconds()).isCloseTo(27.5, within(1e-9));
    }

    @Test
    void no_gang_is_faster_than_the_mean_over_its_gpus_of_the_fastest_rates_on_their_types() {
        ServerSpec slow = new ServerSpec(GpuType.P100, 2, 4, false);
        ServerSpec fast = new ServerSpec(GpuType.A100, 1, 2, true);
        Topology topology = new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(slow, fast, fast))
                .rack(List.of(fast, slow))
                .racksPerPod(1)
                .build();
        RingPerformance truth = new RingPerformance(topology, InterferenceModel.NONE);
        FastestRates rates = new FastestRates(topology, truth);
        RandomGenerator random = RandomStreams.stream(5, "test/bound");
        for (int i = 0; i < 500; i++) {
            int workers = 1 + random.nextInt(6);
            int[] gpus = random.ints(0, topology.gpus())
                    .distinct()
                    .limit(workers)
                    .sorted()
                    .toArray();
            double mean = 0;
            for (int gpu : gpus) {
                GpuType type = topology.server(topology.serverOf(gpu)).gpuType();
                mean += rates.iterationsPerSecond(Rings.job(0, workers), workers, type) / workers;
            }

            assertThat(truth.aloneRate(Rings.job(0, workers), Placement.of(topology, gpus)))
                    .isLessThanOrEqualTo(mean * (1 + 1e-12));
        }
    }
}
