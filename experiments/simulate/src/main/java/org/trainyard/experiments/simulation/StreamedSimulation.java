package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.FailedScheduler;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.report.ResultSentence;
import org.trainyard.experiments.report.SummaryJson;
import org.trainyard.experiments.timeline.RunRecorder;

/**
 * A generated trace whose jobs are drawn while they run, under one scheduler after another: {@code simulate stream}.
 * Its event logs are those of a {@link TraceSimulation}.
 */
public final class StreamedSimulation extends Simulation {
    /** One scheduler's run. */
    private record Run(
            String scheduler,
            StreamedFigures figures,
            double busyGpuSeconds,
            long decisions,
            long events,
            String sha256) {}

    private final List<SchedulerRegistry.Entry> schedulers;
    private final SimulationSetup setup;
    private final World world;
    private final GeneratorSettings settings;
    private final int jobs;
    private final List<Run> runs = new ArrayList<>();

    /** @param jobs how many are drawn */
    public StreamedSimulation(
            List<SchedulerRegistry.Entry> schedulers, SimulationSetup setup, GeneratorSettings settings, int jobs) {
        this.schedulers = List.copyOf(schedulers);
        this.setup = setup;
        world = setup.world();
        this.settings = settings;
        this.jobs = jobs;
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
                generator.stream(world.seed(), world.topology().gpus()),
                world.topology(),
                ModelCatalog.standard(),
                world.truth())));
        StreamedFigures figures = new StreamedFigures();
        simulator.run(entry.create(world), figures::add);
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
        return span > 0 ? run.busyGpuSeconds / (span * world.topology().gpus()) : 0;
    }

    @Override
    public Answer answer(boolean isWide) {
        List<Run> sorted = runs.stream()
                .sorted(Comparator.comparingDouble(run -> run.figures.jct().mean()))
                .toList();
        Answer answer = new Answer()
                .tell("generated: %,d jobs on %s, drawn while they run", jobs, world.topology())
                .say("World: %s.".formatted(setup.describe()))
                .gap()
                .say(ResultSentence.ofTrace(
                        "mean JCT",
                        sorted.stream().map(Run::scheduler).toList(),
                        sorted.stream()
                                .map(run -> Durations.human(run.figures.jct().mean()))
                                .toList(),
                        ", without an interval"))
                .gap()
                .table(AnswerTable.of(runs)
                        .text("scheduler", Run::scheduler)
                        .duration("JCT", run -> run.figures.jct().mean())
                        .duration("median", run -> run.figures.jct().median())
                        .duration("p95", run -> run.figures.jct().p95())
                        .duration("p99", run -> run.figures.jct().p99())
                        .duration("wait", run -> run.figures.waits().mean())
                        .duration("p99", run -> run.figures.waits().p99())
                        .duration("makespan", run -> run.figures.makespanSeconds())
                        .column("GPUs", CellFormat.percent(0), this::utilisation)
                        .count("preempt", run -> run.figures.preemptions())
                        .count("events/s", run -> walls.of(run.scheduler).eventsPerSecond()))
                .gap()
                .say("Medians and percentiles are within half a per cent, for the jobs are not kept.")
                .wrap(Schedulers.kinds(runs.stream().map(Run::scheduler).toList()))
                .gap();
        return isWide ? answer.table(hashTable()) : answer;
    }

    private record Summary(JsonNode config, long seed, List<SummaryJson.Scheduler> schedulers) {}

    @Override
    public JsonNode summary(JsonNode config) {
        return JsonText.rounded(new Summary(
                config, world.seed(), runs.stream().map(this::summary).toList()));
    }

    private SummaryJson.Scheduler summary(Run run) {
        StreamedFigures figures = run.figures;
        return new SummaryJson.Scheduler(
                run.scheduler,
                Schedulers.kind(run.scheduler),
                figures.jobs(),
                jobs - figures.jobs(),
                figures.timedOut(),
                figures.jct(),
                figures.makespanSeconds(),
                figures.slowdownMean(),
                utilisation(run),
                figures.preemptions(),
                run.decisions,
                run.events,
                run.sha256,
                figures.waits(),
                figures.jctSlowdown(),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    @Override
    public List<LogHash> hashes() {
        return runs.stream().map(run -> new LogHash(run.scheduler, run.sha256)).toList();
    }
}
