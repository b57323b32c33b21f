package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Every scheduler of the catalogue beside random maintenance of all servers and of some. */
class MaintenanceSchedulersTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology CLUSTER = Objects.requireNonNull(Topologies.parse("2x4x4"));

    private record Start(long nanos, int job, Placement where) {}

    /** Of six jobs, one has no limit; an elastic one and one of a type are among the others. */
    private static Workload workload(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/maintained jobs");
        List<JobSpec> jobs = new ArrayList<>();
        double[] seconds = new double[36];
        long submit = 0;
        for (int id = 0; id < seconds.length; id++) {
            seconds[id] = 300 + random.nextInt(9_000);
            int gpus = 1 << random.nextInt(5);
            Demand demand = id % 7 == 3 ? Demand.ofGpus(gpus).onTypes(List.of("V100")) : Demand.ofGpus(gpus);
            long limit = (long) (seconds[id] * (0.8 + 2 * random.nextDouble())) * SECOND;
            jobs.add(new JobSpec(
                            id,
                            "job" + id,
                            submit,
                            demand,
                            ModelCatalog.standard().neutral(),
                            1)
                    .by("u" + id % 4, null, "v" + id % 2)
                    .saying(SubmissionTerms.NONE
                            .but()
                            .limitNanos(id % 6 == 0 ? 0 : limit)
                            .build()));
            submit += random.nextLong(1_500) * SECOND;
        }
        return new Workload(jobs, seconds);
    }

    private static List<MaintenanceWindow> windows(long seed, boolean isOfAll) {
        RandomGenerator random = RandomStreams.stream(seed, "test/maintenance");
        List<MaintenanceWindow> windows = new ArrayList<>();
        for (long from = 2_000; from < 60_000; from += 2_000 + random.nextInt(12_000)) {
            int first = isOfAll || random.nextInt(4) == 0 ? 0 : random.nextInt(8);
            int count = first == 0 ? 8 : 1 + random.nextInt(8 - first);
            Outage span = new Outage(from * SECOND, (from + 600 + random.nextInt(4_000)) * SECOND);
            windows.add(new MaintenanceWindow(
                    span, IntStream.range(first, first + count).boxed().toList()));
        }
        return windows;
    }

    private static boolean crosses(Start start, long limit, MaintenanceWindow window) {
        boolean isThere = IntStream.range(0, start.where.serverCount())
                .anyMatch(i -> window.servers().contains(start.where.server(i)));
        return isThere
                && window.span().fromNanos() < start.nanos + limit
                && window.span().untilNanos() > start.nanos;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void no_job_starts_whose_limit_crosses_a_window_and_every_job_ends(boolean isOfAll) {
        int played = 0;
        List<String> faults = new ArrayList<>();
        for (String name : SchedulerRegistry.names()) {
            SchedulerRegistry.Entry entry = SchedulerRegistry.named(name);
            Workload workload = workload(name.hashCode());
            if (entry.replaysTrace() || !entry.serves(workload.job(3).demand())) {
                continue;
            }
            List<MaintenanceWindow> windows = windows(name.hashCode(), isOfAll);
            List<Start> starts = new ArrayList<>();
            Simulator simulator = new World(
                            CLUSTER,
                            new RatedPerformance(),
                            new Simulator.Options(30 * SECOND, true)
                                    .with(new Outages.Maintained(Outages.NONE, windows), 0))
                    .simulator(workload, (nanos, kind, job, argument, placement) -> {
                        if (kind == EventKind.START && placement != null) {
                            starts.add(new Start(nanos, job, placement));
                        }
                    });
            try {
                RunResult result = simulator.run(entry.create(CLUSTER, AnalyticInterference.DEFAULT, 1));
                if (result.jobs().size() + result.rejected().size() != workload.size()) {
                    faults.add(name + ": not all jobs ended");
                }
                if (entry.serves(workload.job(0).demand()) && !result.rejected().isEmpty()) {
                    faults.add(name + ": rejected " + result.rejected());
                }
            } catch (RuntimeException e) {
                faults.add(name + ": " + e);
            }
            for (Start start : starts) {
                long limit = workload.job(start.job).terms().limitNanos();
                windows.stream()
                        .filter(window -> limit > 0 && crosses(start, limit, window))
                        .findFirst()
                        .ifPresent(window -> faults.add(name + ": " + start + " crosses " + window));
            }
            played++;
        }
        assertThat(faults).isEmpty();
        assertThat(played).isGreaterThan(60);
    }
}
