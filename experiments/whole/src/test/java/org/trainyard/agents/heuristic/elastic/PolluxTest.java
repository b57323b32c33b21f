package org.trainyard.agents.heuristic.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.log.TraceReader;

/**
 * Pollux in this project's simulator: jobs with the goodput of the shipped profiles, no interference, restarts of 30 s.
 */
class PolluxTest {
    private static final Topology SMALL = Objects.requireNonNull(Topologies.parse("4x4"));
    private static final Topology OF_THE_PAPER = Objects.requireNonNull(Topologies.parse("16x4"));
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path dir;

    private Workload workload(Topology topology, List<String> rows) {
        try {
            List<String> lines = new ArrayList<>(List.of("name,time,application,num_replicas,batch_size"));
            lines.addAll(rows);
            Path file = Files.write(dir.resolve("workload.csv"), lines);
            return new WorkloadBuilder(
                            topology,
                            ModelCatalog.standard(),
                            new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, true, true))
                    .build(TraceReader.read(file, TraceReader.Options.DEFAULT).jobs(), truth(topology))
                    .workload();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RingPerformance truth(Topology topology) {
        return new RingPerformance(topology, InterferenceModel.NONE);
    }

    private static RunResult run(Topology topology, Workload workload, Scheduler scheduler) {
        Simulator.Options options = new Simulator.Options(RestartCost.ofNanos(30 * SECOND), workload.size() < 20, null);
        return new World(topology, truth(topology), options).simulator(workload).run(scheduler);
    }

    private static RunResult run(Topology topology, Workload workload, String scheduler) {
        return run(topology, workload, SchedulerRegistry.named(scheduler).create(topology, 1));
    }

    private static double meanSeconds(RunResult result) {
        return result.jobs().stream()
                .mapToDouble(job -> job.jctNanos() / 1e9)
                .average()
                .orElseThrow();
    }

    private Workload mixed() {
        List<String> rows = new ArrayList<>();
        List<String> applications = List.of("cifar10", "ncf", "deepspeech2", "cifar10", "bert");
        for (int i = 0; i < 15; i++) {
            String application = applications.get(i % 5);
            rows.add("%s-%d,%d,%s,%d,0"
                    .formatted(application, i, 100 * i, application, application.equals("ncf") ? 1 : 8));
        }
        return workload(SMALL, rows);
    }

    @Test
    void a_job_alone_starts_on_a_gpu_at_a_whole_minute_and_at_most_doubles() {
        List<Integer> sizes = new ArrayList<>();
        Scheduler pollux = new Pollux(SMALL, 1);
        RunResult result = run(SMALL, workload(SMALL, List.of("a,70,imagenet,4,200")), view -> {
            Decision decision = pollux.decide(view);
            if (decision instanceof Decision.Start start) {
                sizes.add(start.placement().gpuCount());
            } else if (decision instanceof Decision.Resize resize) {
                sizes.add(resize.placement().gpuCount());
            }
            return decision;
        });

        assertThat(result.jobs().get(0).firstStartNanos()).isEqualTo(120 * SECOND);
        assertThat(sizes).startsWith(1, 2, 4).contains(16);
        for (int i = 1; i < sizes.size(); i++) {
            assertThat(sizes.get(i)).isLessThanOrEqualTo(2 * sizes.get(i - 1));
        }
    }

    @Test
    void jobs_that_adapt_are_done_sooner_than_on_the_gpus_that_they_asked_for() {
        assertThat(meanSeconds(run(SMALL, mixed(), "pollux")))
                .isLessThan(0.9 * meanSeconds(run(SMALL, mixed(), "fifo-backfill")));
    }

    @Test
    void equal_seeds_give_equal_schedules() {
        assertThat(run(SMALL, mixed(), new Pollux(SMALL, 7)).jobs())
                .isEqualTo(run(SMALL, mixed(), new Pollux(SMALL, 7)).jobs());
    }

    @Test
    void the_fixed_batch_of_ncf_keeps_one_gpu() {
        Workload workload = mixed();
        assertThat(workload.job(1).demand().isElastic()).isFalse();
        assertThat(workload.job(0).demand().maxGpus()).isEqualTo(64);
        assertThat(workload.job(4).demand().maxGpus()).isEqualTo(64);
    }

    /** The ratio of our mean completion time to that published. */
    private double ratio(String load, int number) {
        List<String> rows = PolluxFiles.workload(load, number).stream()
                .map(cells -> String.join(",", cells))
                .toList();
        RunResult result = run(OF_THE_PAPER, workload(OF_THE_PAPER, rows), "pollux");
        Map<String, Double> times = new HashMap<>();
        result.jobs().forEach(job -> times.put(job.job().name(), job.jctNanos() / 1e9));
        Map<String, Double> published = PolluxFiles.published("pollux", load, number);
        assertThat(times.keySet()).isEqualTo(published.keySet());
        return meanSeconds(result)
                / published.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow();
    }

    @Test
    void completion_times_are_near_those_published_on_half_the_load() {
        assertThat(ratio("0.5", 3)).isCloseTo(1, within(0.15));
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void completion_times_are_within_a_tenth_of_those_published(int workload) {
        assertThat(ratio("1.0", workload)).isCloseTo(1, within(0.1));
    }
}
