package org.trainyard.env.scheduling.fragmentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.Demand;

class TargetWorkloadTest {
    private static Demand gpus(int gpus, int cores) {
        return Demand.ofGpus(gpus).withHost(cores * 1000L, 0).onOneServer();
    }

    private static Demand part(int milli, int cores) {
        return gpus(1, cores).withGpuMilli(milli);
    }

    private static Demand host(int cores) {
        return new Demand(0, 0, 0, Demand.WHOLE, cores * 1000L, 0, true, List.of());
    }

    private static double fragmented(Demand demand, int freeCores, int... freeMilli) {
        return TargetWorkload.of(List.of(demand)).fragmentedMilli("T4", freeCores * 1000L, freeMilli);
    }

    @Test
    void all_that_is_left_is_fragmented_for_a_job_that_does_not_fit() {
        assertThat(fragmented(gpus(2, 0), 8, 1000, 900)).isEqualTo(1900);
        assertThat(fragmented(gpus(1, 9), 8, 1000, 900)).isEqualTo(1900);
        assertThat(fragmented(gpus(1, 0).onTypes(List.of("V100")), 8, 1000, 900))
                .isEqualTo(1900);
        assertThat(fragmented(host(1), 8, 1000, 900)).isEqualTo(1900);
    }

    @Test
    void for_a_job_that_fits_it_is_the_gpus_with_too_little_left() {
        assertThat(fragmented(gpus(1, 8), 8, 1000, 900)).isEqualTo(900);
        assertThat(fragmented(part(500, 0), 8, 500, 499, 100)).isEqualTo(599);
        assertThat(fragmented(gpus(1, 0).onTypes(List.of("T4")), 8, 1000)).isZero();
    }

    @Test
    void kinds_count_by_their_share() {
        TargetWorkload target = TargetWorkload.of(List.of(gpus(1, 0), gpus(1, 0), part(500, 0)));

        assertThat(target.fragmentedMilli("T4", 0, new int[] {600})).isCloseTo(400, within(1e-9));
    }

    @Test
    void rare_kinds_beyond_95_per_cent_do_not_count() {
        List<Demand> demands = new ArrayList<>(Collections.nCopies(95, gpus(1, 0)));
        demands.addAll(Collections.nCopies(5, gpus(8, 0)));

        assertThat(TargetWorkload.of(demands).kinds()).isEqualTo(1);
        demands.add(gpus(8, 0));
        assertThat(TargetWorkload.of(demands).kinds()).isEqualTo(2);
    }

    @Test
    void memory_makes_no_kind() {
        Demand little = gpus(1, 1).withHost(1000, 5);
        Demand much = gpus(1, 1).withHost(1000, 50);

        assertThat(TargetWorkload.of(List.of(little, much)).kinds()).isEqualTo(1);
    }

    /** Of 20 jobs 19 count: 18 that fit everywhere, and one of two rare kinds, of which the other would not fit. */
    @Test
    void of_equally_rare_kinds_the_one_with_more_cpu_counts_then_the_larger_part_then_more_gpus() {
        Demand[][] pairs = {
            {gpus(1, 8), gpus(1, 7)},
            {gpus(1, 8), gpus(4, 7)},
            {gpus(1, 5), part(999, 5)},
            {gpus(3, 5), gpus(2, 5)},
            {gpus(1, 5).onTypes(List.of("V100")), gpus(1, 5).onTypes(List.of("A100"))}
        };
        for (Demand[] pair : pairs) {
            List<Demand> demands = new ArrayList<>(Collections.nCopies(18, part(1, 0)));
            demands.addAll(List.of(pair));
            Collections.shuffle(demands, new java.util.Random(3));
            double first = fragmented(pair[0], 6, 1000, 999);
            assertThat(TargetWorkload.of(demands).kinds()).isEqualTo(2);
            assertThat(TargetWorkload.of(demands).fragmentedMilli("T4", 6000, new int[] {1000, 999}))
                    .isCloseTo(first / 19, within(1e-9));
        }
    }

    /** Fewer than 20 jobs all count, so fragmentation is the mean over jobs of the capacity that they cannot use. */
    @Test
    void of_few_jobs_it_is_the_mean_over_jobs() {
        RandomGenerator random = RandomStreams.stream(4, "test/demands");
        for (int run = 0; run < 300; run++) {
            List<Demand> demands = new ArrayList<>();
            for (int job = random.nextInt(1, 20); job > 0; job--) {
                int cores = random.nextInt(4);
                Demand any = random.nextInt(3) == 0
                        ? part(250 * random.nextInt(1, 5), cores)
                        : gpus(random.nextInt(1, 4), cores);
                demands.add(
                        switch (random.nextInt(4)) {
                            case 0 -> host(cores + 1);
                            case 1 -> any.onTypes(List.of("T4", "V100"));
                            case 2 -> any.onTypes(List.of("V100"));
                            default -> any;
                        });
            }
            int[] free =
                    IntStream.range(0, 4).map(gpu -> 250 * random.nextInt(5)).toArray();
            int cores = random.nextInt(4);
            double unusable = 0;
            for (Demand job : demands) {
                int[] enough = IntStream.of(free)
                        .filter(left -> left >= job.gpuMilli())
                        .toArray();
                boolean fits = job.gpus() > 0
                        && enough.length >= job.gpus()
                        && cores * 1000L >= job.cpuMilli()
                        && job.allows("T4");
                unusable +=
                        IntStream.of(free).sum() - (fits ? IntStream.of(enough).sum() : 0);
            }
            assertThat(TargetWorkload.of(demands).fragmentedMilli("T4", cores * 1000L, free))
                    .isCloseTo(unusable / demands.size(), within(1e-6));
        }
    }
}
