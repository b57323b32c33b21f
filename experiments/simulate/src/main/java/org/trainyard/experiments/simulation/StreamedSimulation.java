package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.TextTable.number;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.FailedScheduler;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.report.FiguresJson;
import org.trainyard.experiments.report.SummaryJson;
import org.trainyard.experiments.timeline.RunRecorder;

/**
 * A generated trace whose jobs are drawn while they run, under one scheduler after another:
 * {@code simulate stream}. Its event logs are those of a {@link TraceSimulation}.
 */
public final class StreamedSimulation implements Simulation {
    /** One scheduler's run. */
    private record Run(
            String scheduler,
            StreamedFigures figures,
            double busyGpuSeconds,
            long decisions,
            long events,
            String sha256) {}

    private final List<SchedulerRegistry.Entry> schedulers;
    private final Topology topology;
    private final SimulationSetup setup;
    private final long seed;
    private final GeneratorSettings settings;
    private final int jobs;
    private final SimulatedWorld world;
    private final WallTimes walls = new WallTimes();
    private final List<Run> runs = new ArrayList<>();

    /** @param jobs how many are drawn */
    public StreamedSimulation(
            List<SchedulerRegistry.Entry> schedulers,
            Topology topology,
            SimulationSetup setup,
            GeneratorSettings settings,
            int jobs,
            long seed) {
        this.schedulers = List.copyOf(schedulers);
        this.topology = topology;
        this.setup = setup;
        this.seed = seed;
        this.settings = settings;
        this.jobs = jobs;
        world = new SimulatedWorld(topology, setup, seed);
    }

    @Override
    public List<String> schedulers() {
        return schedulers.stream().map(SchedulerRegistry.Entry::name).toList();
    }

    /** @param recorder must be null */
    @Override
    public void run(@Nullable RunRecorder recorder) {
        if (recorder != null) {
            throw new IllegalArgumentException("a streamed simulation is not recorded");
        }
        for (SchedulerRegistry.Entry entry : schedulers) {
            runs.add(walls.time(
                    entry.name(), Run::events, () -> FailedScheduler.naming(entry.name(), () -> run(entry))));
        }
    }

    private Run run(SchedulerRegistry.Entry entry) {
        TraceGenerator generator = new TraceGenerator(settings, jobs, ModelCatalog.standard());
        Simulator simulator = world.simulator(Workload.streamed(new StreamedTrace(
                generator.stream(seed, topology.gpus()), topology, ModelCatalog.standard(), world.truth())));
        StreamedFigures figures = new StreamedFigures();
        simulator.run(world.scheduler(entry), figures::add);
        return new Run(
                entry.name(),
                figures,
                simulator.busyGpuSeconds(),
                simulator.decisions(),
                simulator.eventLog().count(),
                simulator.eventLog().sha256());
    }

    private double utilisation(Run run) {
        double span = run.figures.makespanSeconds();
        return span > 0 ? run.busyGpuSeconds / (span * topology.gpus()) : 0;
    }

    @Override
    public void print(PrintWriter out, boolean isWide) {
        out.println("generated: %,d jobs on %s, drawn while they run".formatted(jobs, topology));
        out.println("World: %s.".formatted(setup.describe()));
        out.println();
        Map<String, String> means = new LinkedHashMap<>();
        runs.stream()
                .sorted(Comparator.comparingDouble(run -> run.figures.jct().mean()))
                .forEach(run -> means.put(
                        run.scheduler, Durations.human(run.figures.jct().mean())));
        out.println(SimulationTables.sentence("mean JCT", means, ", without an interval"));
        out.println();
        TextTable table = new TextTable(
                "scheduler", "JCT", "median", "p95", "p99", "wait", "p99", "makespan", "GPUs", "preempt", "events/s");
        TextTable hashes = new TextTable("scheduler", "SHA-256 of the event log");
        for (Run run : runs) {
            StreamedFigures figures = run.figures;
            table.add(
                    run.scheduler,
                    Durations.human(figures.jct().mean()),
                    Durations.human(figures.jct().median()),
                    Durations.human(figures.jct().p95()),
                    Durations.human(figures.jct().p99()),
                    Durations.human(figures.waits().mean()),
                    Durations.human(figures.waits().p99()),
                    Durations.human(figures.makespanSeconds()),
                    number("%.0f %%", 100 * utilisation(run)),
                    number("%,d", figures.preemptions()),
                    number("%,.0f", walls.of(run.scheduler).eventsPerSecond()));
            hashes.add(run.scheduler, run.sha256);
        }
        table.print(out);
        out.println();
        out.println("Medians and percentiles are within half a per cent, for the jobs are not kept.");
        SimulationTables.kinds(runs.stream().map(run -> run.scheduler).toList(), out);
        out.println();
        if (isWide) {
            hashes.print(out);
        }
    }

    @Override
    public String summary(JsonNode config) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.set("config", config);
        root.put("seed", seed);
        ArrayNode rows = root.putArray("schedulers");
        for (Run run : runs) {
            StreamedFigures figures = run.figures;
            ObjectNode row = rows.addObject();
            row.put("name", run.scheduler);
            row.put("kind", Schedulers.kind(run.scheduler));
            row.put("jobs", figures.jobs());
            if (figures.jobs() < jobs) {
                row.put("rejected", jobs - figures.jobs());
            }
            if (figures.timedOut() > 0) {
                row.put("timed_out", figures.timedOut());
            }
            row.set("jct_s", FiguresJson.distribution(figures.jct()));
            row.set("makespan_s", SummaryJson.decimal(figures.makespanSeconds()));
            row.set("slowdown_mean", SummaryJson.decimal(figures.slowdownMean()));
            row.set("gpu_utilisation", SummaryJson.decimal(utilisation(run)));
            row.put("preemptions", figures.preemptions());
            row.put("decisions", run.decisions);
            row.put("events", run.events);
            row.put("event_log_sha256", run.sha256);
            row.set("wait_s", FiguresJson.distribution(figures.waits()));
            row.set("jct_slowdown", FiguresJson.distribution(figures.jctSlowdown()));
        }
        return JsonText.pretty(root);
    }

    @Override
    public WallTimes walls() {
        return walls;
    }

    @Override
    public List<LogHash> hashes() {
        return runs.stream().map(run -> new LogHash(run.scheduler, run.sha256)).toList();
    }
}
