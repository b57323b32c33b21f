package org.trainyard.agents.heuristic.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;

/**
 * No scheduler gets stuck, leaves a job that could run waiting for ever, or breaks a quota. The tests of a plug-in are
 * a class that extends this one.
 */
public abstract class SchedulerObligations {
    private static final long SECOND = 1_000_000_000L;

    private final List<SchedulerRegistry.Entry> schedulers;

    /** Judges the schedulers of a plug-in. */
    protected SchedulerObligations(SchedulerPlugin plugin) {
        this(plugin.schedulers());
        assertThat(schedulers).as("schedulers of the plug-in").isNotEmpty();
    }

    protected SchedulerObligations(List<SchedulerRegistry.Entry> schedulers) {
        this.schedulers = List.copyOf(schedulers);
    }

    /** Those that belong in our own world. */
    private List<SchedulerRegistry.Entry> ours() {
        return schedulers.stream().filter(entry -> !entry.replaysTrace()).toList();
    }

    protected static Workload workload(Topology topology, List<TraceJob> jobs) {
        WorkloadBuilder.Options options = new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, false, true);
        return new WorkloadBuilder(topology, ModelCatalog.standard(), options)
                .build(jobs, new RingPerformance(topology, AnalyticInterference.DEFAULT))
                .workload();
    }

    protected static RunResult run(
            SchedulerRegistry.Entry entry, Topology topology, Workload workload, Simulator.Options options) {
        Simulator simulator = new World(topology, new RingPerformance(topology, AnalyticInterference.DEFAULT), options)
                .simulator(workload);
        Scheduler scheduler = entry.create(topology, AnalyticInterference.DEFAULT, 1);
        try {
            return simulator.run(scheduler);
        } catch (RuntimeException e) {
            throw new AssertionError("%s on %s: %s".formatted(entry.name(), topology.name(), e), e);
        }
    }

    private static List<TraceJob> generated(Topology topology, int jobs, double load) {
        GeneratorSettings settings = GeneratorSettings.DEFAULT.with(load, GeneratorSettings.DEFAULT.maxGpus());
        return new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(1, topology.gpus());
    }

    /** Presets that replay a published simulator say by themselves which clusters that simulator cannot have had. */
    private static boolean isServed(SchedulerRegistry.Entry entry, Topology topology) {
        try {
            entry.create(topology, 1);
            return true;
        } catch (InputException e) {
            assertThat(entry.replaysTrace()).as(entry.name()).isTrue();
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "medium", "large"})
    void all_jobs_finish_on_every_preset(String preset) {
        Topology topology = Objects.requireNonNull(Topologies.parse(preset));
        Workload workload = workload(topology, generated(topology, 80, 1.1));
        for (SchedulerRegistry.Entry entry : schedulers) {
            if (isServed(entry, topology)) {
                RunResult result = run(entry, topology, workload, Simulator.Options.DEFAULT);
                assertThat(result.submitted()).as(entry.name()).hasSize(workload.size());
                assertThat(
                                entry.has(SchedulerRegistry.Flag.PREEMPTIVE)
                                        ? 0
                                        : result.jobs().stream()
                                                .mapToInt(JobOutcome::preemptions)
                                                .sum())
                        .as("preemptions of %s, which has no flag PREEMPTIVE", entry.name())
                        .isZero();
            }
        }
    }

    /**
     * Half of 32 GPUs are taken by short jobs that never stop coming for four hours. One job of four GPUs comes at
     * 1,000 s, and later a long one of a single GPU behind one as wide as the cluster. Though last in nearly every
     * order, both could run all along, and must before an hour has gone; where the head of the queue blocks, the wide
     * job has been and gone by then.
     */
    @Test
    void nobody_who_could_run_waits_for_ever() {
        Topology topology = Objects.requireNonNull(Topologies.parse("4x8"));
        List<TraceJob> jobs = new ArrayList<>();
        RandomGenerator random = RandomStreams.stream(1, "trickle");
        int four = 0;
        int single = 0;
        for (long second = 0; second < 15_000; second += 25) {
            jobs.add(job("short", second, Demand.ofGpus(1 + random.nextInt(2)), 200 + random.nextInt(100)));
            if (second == 1_000) {
                four = jobs.size();
                jobs.add(job("four", second, Demand.ofGpus(4), 3_000));
            } else if (second == 9_975) {
                jobs.add(job("wide", second, Demand.ofGpus(32), 10));
            } else if (second == 10_000) {
                single = jobs.size();
                jobs.add(job("single", second, Demand.ofGpus(1), 5_000));
            }
        }
        Workload workload = workload(topology, jobs);
        for (SchedulerRegistry.Entry entry : schedulers) {
            if (List.of("spwf", "gadget", "smd", "esw").contains(entry.name())) {
                continue; // by definition: the little work of newcomers always goes first, or is worth most
            }
            RunResult result = run(entry, topology, workload, Simulator.Options.DEFAULT);
            for (int job : new int[] {four, single}) {
                long waited = result.jobs().get(job).firstStartNanos()
                        - workload.job(job).submitNanos();
                assertThat(waited / SECOND)
                        .as("%s, job %s", entry.name(), workload.job(job).name())
                        .isLessThan(3_600);
            }
        }
    }

    private static TraceJob job(String name, long submitSeconds, Demand demand, long seconds) {
        return new TraceJob(
                name + submitSeconds, submitSeconds * SECOND, demand, seconds * SECOND, "resnet50", null, null, null);
    }

    /** The simulator refuses a start beyond a quota; so who gets through has kept it. */
    @Test
    void quotas_are_kept() {
        Topology topology = Topologies.small();
        List<TraceJob> jobs = generated(topology, 80, 1.1).stream()
                .map(job -> new TraceJob(
                        job.id(),
                        job.submitNanos(),
                        Demand.ofGpus(Math.min(8, job.gpus())),
                        job.durationNanos(),
                        job.model(),
                        job.user(),
                        job.group(),
                        "team" + job.id().hashCode() % 3))
                .toList();
        Workload workload = workload(topology, jobs);
        Quotas quotas = new Quotas(Map.of("team0", 8, "team1", 12));
        for (SchedulerRegistry.Entry entry : ours()) {
            run(entry, topology, workload, Simulator.Options.DEFAULT.with(quotas));
        }
    }

    /**
     * A virtual cluster that may hold a quarter of 32 GPUs wants them all for eleven hours; the others' jobs, of one
     * GPU each, find room all along, and must not wait an hour for it.
     */
    @Test
    void a_virtual_cluster_at_its_quota_keeps_nobody_else_waiting() {
        Topology topology = Objects.requireNonNull(Topologies.parse("4x8"));
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            jobs.add(new TraceJob("bound" + i, 0, Demand.ofGpus(8), 1_000 * SECOND, "resnet50", null, null, "bound"));
        }
        for (int i = 1; i <= 40; i++) {
            jobs.add(new TraceJob(
                    "free" + i, 500L * i * SECOND, Demand.ofGpus(1), 1_500 * SECOND, "resnet50", null, null, "free"));
        }
        Workload workload = workload(topology, jobs);
        Simulator.Options options = Simulator.Options.DEFAULT.with(new Quotas(Map.of("bound", 8)));
        for (SchedulerRegistry.Entry entry : ours()) {
            if (entry.name().endsWith("-plan")) {
                continue; // by definition: a plan books jobs behind others on the same GPUs
            }
            for (JobOutcome job : run(entry, topology, workload, options).jobs()) {
                long waited = job.firstStartNanos() - job.job().submitNanos();
                assertThat(job.job().name().startsWith("bound") ? 0 : waited / SECOND)
                        .as("%s, %s", entry.name(), job.job().name())
                        .isLessThan(3_600);
            }
        }
    }

    /** Parts of GPUs, host resources, one server, elastic: each job fits on one empty server at least. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void demands_of_every_kind_are_met(long seed) {
        assertMet(seed);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6})
    void more_demands_of_every_kind_are_met(long seed) {
        assertMet(seed);
    }

    private void assertMet(long seed) {
        ServerSpec server = ServerSpec.ofV100(8).withHost(32_000, 64_000).with(GpuSharing.FRACTIONS);
        Topology topology = Topology.uniform("shared", Fabric.DEFAULT, 2, 2, server, 2);
        RandomGenerator random = RandomStreams.stream(seed, "demands");
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            jobs.add(job("job" + i + "-", 40L * i, demand(random), 30 + random.nextInt(600)));
        }
        Workload workload = workload(topology, jobs);
        for (SchedulerRegistry.Entry entry : ours()) {
            RunResult result = run(entry, topology, workload, new Simulator.Options(30 * SECOND, true));
            assertThat(result.jobs()).as(entry.name()).hasSize(60);
        }
    }

    /**
     * Jobs come and end at multiples of five minutes, so that alarms meet events, on GPUs that may be shared and fail.
     * The simulator refuses a wait that ends at the present instant.
     */
    @ParameterizedTest
    @ValueSource(longs = {20})
    void every_wait_ends_after_the_present_instant(long seed) {
        assertWaits(seed);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {24, 32, 36})
    void more_waits_end_after_the_present_instant(long seed) {
        assertWaits(seed);
    }

    private void assertWaits(long seed) {
        ServerSpec server = ServerSpec.ofV100(8).withHost(32_000, 64_000).with(GpuSharing.FRACTIONS);
        Topology topology = Topology.uniform("shared", Fabric.DEFAULT, 2, 2, server, 2);
        RandomGenerator random = RandomStreams.stream(seed, "waits");
        List<TraceJob> jobs = new ArrayList<>();
        long second = 0;
        for (int i = 0; i < 80; i++) {
            second += 300L * random.nextInt(4);
            jobs.add(job("job" + i + "-", second, Demand.ofGpus(1 + random.nextInt(16)), 300L * random.nextInt(1, 25)));
        }
        Workload workload = workload(topology, jobs);
        Simulator.Options options = new Simulator.Options(60 * SECOND, true)
                .with(seed % 8 == 0 ? Outages.NONE : new Outages.Exponential(40, 200, 2, seed), 600 * SECOND);
        for (SchedulerRegistry.Entry entry : ours()) {
            assertThat(run(entry, topology, workload, options).submitted())
                    .as(entry.name())
                    .hasSize(80);
        }
    }

    private static Demand demand(RandomGenerator random) {
        int gpus = 1 + random.nextInt(8);
        return switch (random.nextInt(7)) {
            case 0 -> Demand.ofGpus(1).withGpuMilli(100 + random.nextInt(800));
            case 1 -> Demand.ofGpus(gpus).withHost(1_000L * gpus, 2_000L * gpus);
            case 2 -> Demand.ofGpus(gpus).onOneServer();
            case 3 -> Demand.ofGpus(gpus).elastic(1, gpus + 4);
            case 4 -> Demand.ofGpus(2).withGpuMilli(500);
            default -> Demand.ofGpus(2 * gpus);
        };
    }
}
