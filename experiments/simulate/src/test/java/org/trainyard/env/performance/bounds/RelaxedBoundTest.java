package org.trainyard.env.performance.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.Rings;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

/** The bound never passes the optimum, and meets it where the relaxation costs nothing. */
class RelaxedBoundTest {
    private static GpuCapacity gpus(int count) {
        return new GpuCapacity(List.of(GpuType.V100), List.of(count));
    }

    private static LeastWork job(double release, int gpus, double seconds) {
        return new LeastWork(release, seconds, gpus * seconds, List.of(1.0));
    }

    private static List<LeastWork> random(RandomGenerator random, int jobs, int widest) {
        List<LeastWork> drawn = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            drawn.add(job(random.nextInt(5), 1 + random.nextInt(widest), 1 + random.nextInt(4)));
        }
        drawn.sort(Comparator.comparingDouble(LeastWork::releaseSeconds));
        return drawn;
    }

    /** Every preemptive schedule of gangs in slots of one second, whole seconds given. */
    private static final class EverySchedule {
        private final List<LeastWork> jobs;
        private final int gpus;
        private final Map<List<Integer>, Integer> known = new HashMap<>();

        EverySchedule(List<LeastWork> jobs, int gpus) {
            this.jobs = jobs;
            this.gpus = gpus;
        }

        /** The least mean JCT. */
        double best() {
            int[] left = jobs.stream().mapToInt(job -> (int) job.seconds()).toArray();
            return (double) inSystem(0, left) / jobs.size();
        }

        /** The least sum over slots from {@code now} on of the jobs in the system. */
        private int inSystem(int now, int[] left) {
            List<Integer> key = new ArrayList<>(List.of(now));
            int present = 0;
            boolean done = true;
            for (int i = 0; i < left.length; i++) {
                key.add(left[i]);
                done &= left[i] == 0;
                present += left[i] > 0 && jobs.get(i).releaseSeconds() <= now ? 1 : 0;
            }
            if (done) {
                return 0;
            }
            Integer before = known.get(key);
            if (before == null) {
                before = present + afterSlot(now, left);
                known.put(key, before);
            }
            return before;
        }

        private int afterSlot(int now, int[] left) {
            int least = Integer.MAX_VALUE;
            for (int chosen = 0; chosen < 1 << left.length; chosen++) {
                int[] after = left.clone();
                double held = 0;
                boolean legal = true;
                for (int i = 0; i < left.length; i++) {
                    if ((chosen & 1 << i) != 0) {
                        held += jobs.get(i).gpuSeconds() / jobs.get(i).seconds();
                        legal &= after[i]-- > 0 && jobs.get(i).releaseSeconds() <= now;
                    }
                }
                // Idle slots only while somebody is yet to come.
                if (legal && held <= gpus && (chosen != 0 || now < 5)) {
                    least = Math.min(least, inSystem(now + 1, after));
                }
            }
            return least;
        }
    }

    @Test
    void it_is_never_above_the_best_of_all_schedules() {
        RandomGenerator random = RandomStreams.stream(1, "test/bound");
        int[] tightest = new int[3];
        for (int world = 0; world < 150; world++) {
            int gpus = 1 + random.nextInt(4);
            List<LeastWork> jobs = random(random, 2 + random.nextInt(3), gpus);
            RelaxedBound bound = RelaxedBound.of(jobs, gpus(gpus));
            double best = new EverySchedule(jobs, gpus).best();

            assertThat(bound.runSeconds()).as("run of %s", jobs).isLessThanOrEqualTo(best + 1e-9);
            assertThat(bound.queueSeconds()).as("queue of %s", jobs).isLessThanOrEqualTo(best + 1e-9);
            assertThat(bound.busySeconds()).as("busy of %s", jobs).isLessThanOrEqualTo(best + 1e-9);
            tightest[bound.seconds() == bound.runSeconds() ? 0 : bound.seconds() == bound.queueSeconds() ? 1 : 2]++;
        }
        assertThat(tightest).as("each of the three is the greatest somewhere").doesNotContain(0);
    }

    @Test
    void on_one_gpu_it_is_the_optimum() {
        RandomGenerator random = RandomStreams.stream(2, "test/bound");
        for (int world = 0; world < 30; world++) {
            List<LeastWork> jobs = random(random, 4, 1);
            double best = new EverySchedule(jobs, 1).best();

            assertThat(RelaxedBound.of(jobs, gpus(1)).seconds()).isCloseTo(best, within(1e-9));
        }
    }

    @Test
    void the_busy_bound_counts_both_the_queue_and_the_run() {
        // Two of a whole cluster of 4 for 10 s, and one GPU for 10 s: by hand, least work first.
        List<LeastWork> jobs = List.of(job(0, 4, 10), job(0, 4, 10), job(0, 1, 10));
        RelaxedBound bound = RelaxedBound.of(jobs, gpus(4));

        assertThat(bound.runSeconds()).isEqualTo(10);
        assertThat(bound.queueSeconds()).isCloseTo((2.5 + 12.5 + 22.5) / 3, within(1e-12));
        assertThat(bound.busySeconds()).isCloseTo((1.25 + 7.5 + 17.5) / 3 + 5, within(1e-12));
    }

    @Test
    void no_placement_is_faster_than_the_fastest_rate_even_where_the_network_beats_the_server() {
        ServerSpec slow = new ServerSpec(GpuType.V100, 2, 4, false);
        ServerSpec fast = new ServerSpec(GpuType.A100, 1, 2, true);
        Topology topology = new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(slow, slow, fast))
                .rack(List.of(fast, slow))
                .racksPerPod(1)
                .build();
        RingPerformance truth = new RingPerformance(topology, InterferenceModel.NONE);
        FastestRates rates = new FastestRates(topology, truth);
        RandomGenerator random = RandomStreams.stream(3, "test/bound");
        for (int i = 0; i < 500; i++) {
            int workers = 1 + random.nextInt(8);
            int[] gpus = random.ints(0, topology.gpus())
                    .distinct()
                    .limit(workers)
                    .sorted()
                    .toArray();
            double rate = truth.aloneRate(Rings.job(0, workers), Placement.of(topology, gpus));

            assertThat(rate).isLessThanOrEqualTo(rates.iterationsPerSecond(Rings.job(0, workers), workers));
        }
    }

    @Test
    void no_placement_of_a_job_that_adapts_its_batch_is_faster_than_the_fastest_rate() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x2x4"));
        RingPerformance truth = new RingPerformance(topology, InterferenceModel.NONE);
        FastestRates rates = new FastestRates(topology, truth);
        RandomGenerator random = RandomStreams.stream(4, "test/bound");
        ModelProfile model = Objects.requireNonNull(ModelCatalog.standard().find("pollux-yolov3"));
        for (int i = 0; i < 200; i++) {
            int workers = 1 + random.nextInt(16);
            JobSpec job = new JobSpec(0, "a", 0, Demand.ofGpus(workers), model, 1);
            int[] gpus = random.ints(0, 16).distinct().limit(workers).sorted().toArray();
            assertThat(truth.aloneRate(job, Placement.of(topology, gpus)))
                    .isLessThanOrEqualTo(rates.iterationsPerSecond(job, workers));
        }
    }

    @Test
    void where_all_is_alike_the_fastest_rate_is_that_of_the_ideal_placement() {
        Topology topology = Topologies.medium();
        RingPerformance truth = new RingPerformance(topology, InterferenceModel.NONE);
        FastestRates rates = new FastestRates(topology, truth);
        for (int workers : new int[] {1, 2, 8, 12, 32}) {
            assertThat(rates.iterationsPerSecond(Rings.job(0, workers), workers))
                    .isEqualTo(new IdealPlacement(topology).bestRate(Rings.job(0, workers), truth));
        }
    }
}
