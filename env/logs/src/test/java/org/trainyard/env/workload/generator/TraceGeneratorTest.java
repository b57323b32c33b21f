package org.trainyard.env.workload.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.TraceWriter;
import org.trainyard.env.workload.trace.audit.TraceStatistics;

class TraceGeneratorTest {
    private static List<TraceJob> generate(int jobs, double load, long seed, Topology topology) {
        GeneratorSettings settings = GeneratorSettings.DEFAULT.with(load, 32);
        return new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(seed, topology.gpus());
    }

    private static Collection<List<TraceJob>> groups(List<TraceJob> jobs) {
        return jobs.stream()
                .filter(job -> job.group() != null)
                .collect(Collectors.groupingBy(
                        job -> Objects.requireNonNull(job.group()), TreeMap::new, Collectors.toList()))
                .values();
    }

    private static double logSpread(List<TraceJob> jobs) {
        double mean = jobs.stream()
                .mapToDouble(job -> Math.log(job.durationNanos() / 1e9))
                .average()
                .orElseThrow();
        double squares = jobs.stream()
                .mapToDouble(job -> Math.pow(Math.log(job.durationNanos() / 1e9) - mean, 2))
                .sum();
        return squares / (jobs.size() - 1);
    }

    @Test
    void equal_seeds_give_equal_traces_and_others_do_not() {
        Topology topology = Topologies.medium();
        assertThat(generate(300, 0.9, 1, topology)).isEqualTo(generate(300, 0.9, 1, topology));
        assertThat(generate(300, 0.9, 1, topology)).isNotEqualTo(generate(300, 0.9, 2, topology));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1", "0.9, 2", "1.5, 3"})
    void the_load_asked_for_is_the_load_offered(double load, long seed) {
        Topology topology = Topologies.large();
        TraceStatistics statistics = TraceStatistics.of(generate(10_000, load, seed, topology));
        assertThat(statistics.jobs()).isEqualTo(10_000);
        assertThat(statistics.offeredLoad(topology)).isCloseTo(load, within(0.05 * load));
    }

    @Test
    void demands_have_their_shares() {
        List<TraceJob> jobs = generate(40_000, 0.9, 4, Topologies.large());
        TraceStatistics statistics = TraceStatistics.of(jobs);
        for (GeneratorSettings.Demand demand : GeneratorSettings.DEFAULT.demands()) {
            double share = statistics.gpuDemand().getOrDefault(demand.gpus(), 0) / 40_000.0;
            assertThat(share)
                    .as("%d GPUs", demand.gpus())
                    .isCloseTo(demand.weight(), within(0.006 + 0.05 * demand.weight()));
        }
    }

    @Test
    void nothing_is_wider_than_the_cluster_or_the_cap() {
        assertThat(generate(2000, 0.9, 5, Topologies.large()))
                .extracting(TraceJob::gpus)
                .contains(32, 20)
                .allMatch(gpus -> gpus <= 32);
        Topology tiny = Objects.requireNonNull(Topologies.parse("2x2"));
        assertThat(generate(2000, 0.9, 5, tiny))
                .extracting(TraceJob::gpus)
                .contains(3, 4)
                .allMatch(gpus -> gpus <= 4);
    }

    @Test
    void arrivals_follow_the_daily_curve() {
        int[] hours = new int[24];
        for (TraceJob job : generate(30_000, 0.9, 6, Topologies.large())) {
            hours[(int) (job.submitNanos() / 3_600_000_000_000L % 24)]++;
        }
        double[] curve = new double[2];
        int all = 0;
        for (int hour = 0; hour < 24; hour++) {
            double angle = 2 * Math.PI * (hour + 0.5 - GeneratorSettings.DEFAULT.peakHour()) / 24;
            curve[0] += 2 * hours[hour] * Math.cos(angle);
            curve[1] += 2 * hours[hour] * Math.sin(angle);
            all += hours[hour];
        }
        assertThat(curve[0] / all).isCloseTo(GeneratorSettings.DEFAULT.dailyAmplitude(), within(0.04));
        assertThat(curve[1] / all).isCloseTo(0, within(0.04));
    }

    @Test
    void recurring_jobs_resemble_one_another() {
        List<TraceJob> jobs = generate(20_000, 0.9, 7, Topologies.large());
        Collection<List<TraceJob>> groups = groups(jobs);
        int runs = groups.stream().mapToInt(List::size).sum();
        assertThat(runs).isEqualTo(13_000);
        assertThat(groups).allSatisfy(group -> {
            assertThat(group).hasSizeGreaterThanOrEqualTo(GeneratorSettings.LEAST_RUNS);
            assertThat(group.stream()
                            .map(job -> List.of(
                                    Objects.requireNonNull(job.user()),
                                    Objects.requireNonNull(job.model()),
                                    job.gpus()))
                            .distinct())
                    .hasSize(1);
        });
        assertThat((double) runs / groups.size()).isCloseTo(GeneratorSettings.DEFAULT.meanRuns(), within(0.6));
        double inside = groups.stream()
                .mapToDouble(TraceGeneratorTest::logSpread)
                .average()
                .orElseThrow();
        assertThat(Math.sqrt(inside)).isCloseTo(0.3, within(0.02));
    }

    @Test
    void durations_have_the_spread_and_median_of_the_settings() {
        List<TraceJob> ones = generate(40_000, 0.9, 8, Topologies.large()).stream()
                .filter(job -> job.gpus() == 1 && job.group() == null)
                .toList();
        assertThat(Math.sqrt(logSpread(ones))).isCloseTo(1.7, within(0.04));
        assertThat(TraceStatistics.of(ones).duration().median()).isCloseTo(3600, within(200.0));
        assertThat(ones).allMatch(job -> job.durationNanos() % 1_000_000 == 0);
    }

    @Test
    void a_generated_trace_survives_being_written(@TempDir Path dir) {
        List<TraceJob> jobs = generate(200, 0.9, 9, Topologies.small());
        TraceWriter.write(jobs, dir.resolve("t.csv"));
        assertThat(TraceReader.read(dir.resolve("t.csv"), TraceReader.Options.DEFAULT)
                        .jobs())
                .isEqualTo(jobs);
    }

    @Test
    void few_jobs_are_no_trouble() {
        for (int jobs = 1; jobs < 20; jobs++) {
            assertThat(generate(jobs, 0.9, jobs, Topologies.small())).hasSize(jobs);
        }
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        GeneratorSettings.DEFAULT.with(1, 1);
        List<Runnable> wrong = new ArrayList<>();
        wrong.add(() -> generate(0, 1, 1, Topologies.small()));
        wrong.add(() -> GeneratorSettings.DEFAULT.with(0, 1));
        wrong.add(() -> GeneratorSettings.DEFAULT.with(Double.NaN, 1));
        wrong.add(() -> GeneratorSettings.DEFAULT.with(1, 0));
        wrong.add(() -> new GeneratorSettings.Demand(0, 1));
        wrong.add(() -> generate(1000, 1e-6, 1, Topologies.small()));
        for (Runnable attempt : wrong) {
            assertThatThrownBy(attempt::run).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
