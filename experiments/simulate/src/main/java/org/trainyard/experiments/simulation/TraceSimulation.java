package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.ReferenceSettings;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.evaluation.BlockRanking;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.report.EvaluationAnswer;
import org.trainyard.experiments.report.ResultFiles;
import org.trainyard.experiments.report.RunReport;
import org.trainyard.experiments.report.SummaryJson;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.timeline.RunTimeline;

/** One trace whose jobs run to their end, under one scheduler after another. */
public final class TraceSimulation implements Simulation {
    private final List<SchedulerRegistry.Entry> schedulers;
    private final @Nullable TrainedContender learned;
    private final Topology topology;
    private final SimulationSetup setup;
    private final long seed;
    private final Trace trace;
    private final RankingMetric metric;
    private final WorkloadBuilder builder;
    /** The workload of the trace; where models are drawn and matter, one workload for each draw. */
    private final List<WorkloadBuilder.Built> built;

    private final SimulatedWorld world;
    private final Set<String> remarksOnRuns = new LinkedHashSet<>();
    private final WallTimes walls = new WallTimes();
    private @Nullable Evaluation evaluation;
    private @Nullable BlockRanking ranking;
    private @Nullable RunRecorder recorder;
    private Supplier<List<String>> moreRemarks = List::of;

    /**
     * What jobs train that name no known model.
     *
     * @param draws number of draws, each of which runs; it counts only where models are drawn and matter
     */
    public record Models(WorkloadBuilder.Models models, int draws) {
        /** One neutral model for all of them. */
        public static final Models NEUTRAL = new Models(WorkloadBuilder.Models.NEUTRAL, 1);
    }

    /**
     * A simulation.
     *
     * @param learned a trained policy that runs after the schedulers, or null
     * @param strict whether a job that no placement can hold is an error
     * @param metric that ranks the schedulers
     */
    public TraceSimulation(
            List<SchedulerRegistry.Entry> schedulers,
            @Nullable TrainedContender learned,
            Trace trace,
            Topology topology,
            SimulationSetup setup,
            Models models,
            long seed,
            boolean strict,
            RankingMetric metric) {
        this.schedulers = List.copyOf(schedulers);
        this.learned = learned;
        this.topology = topology;
        this.setup = setup;
        this.seed = seed;
        this.trace = trace;
        this.metric = metric;
        world = new SimulatedWorld(topology, setup, seed);
        builder = world.builder(models.models(), seed, strict);
        for (SchedulerRegistry.Entry entry : schedulers) {
            for (TraceJob job : trace.jobs()) {
                entry.requireServes("job " + job.id(), job.demand());
            }
        }
        if (learned != null) {
            trace.jobs().forEach(TrainedContender::requirePlaceable);
        }
        built = built(models, strict);
    }

    private List<WorkloadBuilder.Built> built(Models models, boolean strict) {
        if (setup.rated()) {
            return List.of(builder.rated(
                    setup.world() == SimulationSetup.World.AS_LOGGED
                            ? LoggedDurations.of(trace.jobs(), false)
                            : trace.jobs()));
        }
        WorkloadBuilder.Built first = builder.build(trace.jobs(), world.truth());
        boolean isDrawn = models.models() == WorkloadBuilder.Models.MIX && first.drawnModels() > 0;
        List<WorkloadBuilder.Built> draws = new ArrayList<>(List.of(first));
        for (int draw = 1; isDrawn && draw < models.draws(); draw++) {
            long drawSeed = RandomStreams.derive(seed, "models of draw " + draw);
            draws.add(world.builder(models.models(), drawSeed, strict).build(trace.jobs(), world.truth()));
        }
        return List.copyOf(draws);
    }

    private WorkloadBuilder.Built first() {
        return built.get(0);
    }

    /** A trace of so many jobs drawn for the cluster, at the default load. */
    public static Trace generated(Topology topology, int jobs, long seed) {
        return generated(topology, GeneratorSettings.DEFAULT, jobs, seed);
    }

    /** A trace of so many jobs drawn for the cluster. */
    public static Trace generated(Topology topology, GeneratorSettings settings, int jobs, long seed) {
        List<TraceJob> drawn =
                new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(seed, topology.gpus());
        return new Trace("generated", LogFormats.OWN, drawn, 0, List.of(), List.of());
    }

    /** This simulation of a log's past, with what the past says of its run. */
    public TraceSimulation remarking(LoggedPast past) {
        moreRemarks = past::remarks;
        return this;
    }

    /** How many jobs run. */
    public int jobs() {
        return first().workload().size();
    }

    @Override
    public List<String> schedulers() {
        Stream<String> names = schedulers.stream().map(SchedulerRegistry.Entry::name);
        return Stream.concat(names, Stream.ofNullable(learned).map(policy -> TrainedContender.NAME))
                .toList();
    }

    @Override
    public void run(@Nullable RunRecorder newRecorder) {
        recorder = newRecorder;
        List<SchedulerRuns> runs = new ArrayList<>();
        for (SchedulerRegistry.Entry entry : schedulers) {
            runs.add(timed(entry.name(), () -> run(entry)));
        }
        TrainedContender contender = learned;
        if (contender != null) {
            runs.add(timed(TrainedContender.NAME, () -> run(contender)));
        }
        evaluation = Evaluation.of(runs, seed);
        ranking = BlockRanking.of(evaluation, metric);
    }

    private SchedulerRuns timed(String name, Supplier<SchedulerRuns> run) {
        return walls.time(
                name,
                ran -> ran.episodes().stream().mapToLong(RunResult::events).sum(),
                run);
    }

    private SchedulerRuns run(SchedulerRegistry.Entry entry) {
        remarksOnRuns.addAll(entry.notes());
        remarksOnRuns.addAll(IgnoredTerms.remarks(entry, trace.jobs()));
        ReferenceSettings reference = entry.reference();
        List<Workload> workloads = reference != null
                ? List.of(workload(entry.name(), reference))
                : setup.world() == SimulationSetup.World.AS_LOGGED
                        ? List.of(world.asLogged(trace.jobs(), entry))
                        : workloads();
        Simulator.Options options = reference == null
                ? setup.options(topology, seed)
                : new Simulator.Options(reference.restart(), false, null);
        return run(
                SchedulerFactory.heuristic(
                        entry.name(),
                        draw -> recorded(entry.name(), draw, workloads, choices -> world.scheduler(entry))),
                workloads,
                options);
    }

    private List<Workload> workloads() {
        return built.stream().map(WorkloadBuilder.Built::workload).toList();
    }

    private SchedulerRuns run(TrainedContender contender) {
        List<Workload> workloads = workloads();
        return run(
                new SchedulerFactory(
                        TrainedContender.NAME,
                        SchedulerRuns.Role.LEARNED,
                        false,
                        true,
                        (draw, choices) -> recorded(
                                TrainedContender.NAME,
                                draw,
                                workloads,
                                listener -> contender.scheduler(topology, setup.belief(), listener))),
                workloads,
                setup.options(topology, seed));
    }

    /** The scheduler of a run; of several draws the first is recorded. */
    private Scheduler recorded(
            String name, int draw, List<Workload> workloads, Function<@Nullable ChoiceListener, Scheduler> fresh) {
        return recorder == null || draw > 0
                ? fresh.apply(null)
                : recorder.scheduler(name, draw, workloads.get(draw), fresh);
    }

    private SchedulerRuns run(SchedulerFactory scheduler, List<Workload> workloads, Simulator.Options options) {
        EventSink sink = recorder == null ? null : recorder.sink(scheduler.name(), 0, workloads.get(0));
        EvaluationRunner runner = new EvaluationRunner(null, workloads.size(), draw -> {
            Workload workload = workloads.get(draw);
            return world.simulator(workload, draw == 0 ? options.withEvents(sink) : options);
        });
        SchedulerRuns run = runner.run(scheduler);
        int kills = 0;
        for (JobOutcome job : run.episodes().get(0).jobs()) {
            kills += job.kills();
        }
        if (kills > 0) {
            remarksOnRuns.add("outages stopped jobs %,d times under %s".formatted(kills, scheduler.name()));
        }
        return run;
    }

    /** The jobs as the simulator of a reference preset takes them. */
    private Workload workload(String preset, ReferenceSettings reference) {
        List<TraceJob> jobs = trace.jobs();
        List<TraceJob> taken = new ArrayList<>();
        Set<@Nullable String> tenants = new HashSet<>();
        boolean isAdjusted = false;
        for (TraceJob job : jobs) {
            TraceJob adjusted = reference.adjusted(trace.format().label(), job);
            isAdjusted |= adjusted.durationNanos() != job.durationNanos();
            taken.add(adjusted);
            tenants.add(job.virtualCluster());
        }
        if (isAdjusted) {
            remarksOnRuns.add("run times of %s are %s".formatted(preset, reference.remark()));
        }
        if (reference.oneVirtualCluster() && tenants.size() > 1) {
            remarksOnRuns.add(
                    "the simulator that %s replays runs each virtual cluster alone, but here %,d share the cluster (--virtual-cluster selects one)"
                            .formatted(preset, tenants.size()));
        }
        return isAdjusted || !setup.rated() ? builder.rated(taken).workload() : first().workload();
    }

    /** The scores of all schedulers, after {@link #run}. */
    public Evaluation evaluation() {
        return Objects.requireNonNull(evaluation, "nothing has run yet");
    }

    /** GPUs of the cluster. */
    int gpus() {
        return topology.gpus();
    }

    /** What is true in the simulation, a sentence without its full stop. */
    String world() {
        return setup.describe();
    }

    @Override
    public WallTimes walls() {
        return walls;
    }

    @Override
    public Answer answer(boolean isWide) {
        Answer answer = new Answer()
                .say("%s: %,d jobs on %s".formatted(trace.name(), jobs(), topology))
                .say("World: %s.".formatted(world()))
                .gap()
                .add(answer(evaluation(), metric, ranking, walls, isWide));
        if (built.size() > 1) {
            answer.add(ModelDraws.answer(evaluation()));
        }
        return remarks().isEmpty() ? answer : answer.gap().add(notes(remarks()));
    }

    /** The result of one trace. */
    static Answer answer(
            Evaluation evaluation,
            RankingMetric metric,
            @Nullable BlockRanking ranking,
            WallTimes walls,
            boolean isWide) {
        return new EvaluationAnswer(evaluation, metric)
                .ofTrace(
                        ranking,
                        isWide,
                        table -> table.number(
                                        "wall time",
                                        "%.2f s",
                                        score -> walls.of(score.name()).seconds())
                                .count(
                                        "events/s",
                                        score -> walls.of(score.name()).eventsPerSecond()));
    }

    static Answer notes(List<String> remarks) {
        return new Answer().say(remarks.stream().map("Note: %s."::formatted).toList());
    }

    /** What was left out or made up when the trace became a workload, and what happened in the runs. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        LoggedServers.oddities(trace, topology).forEach(oddity -> remarks.add(oddity.replaceFirst("\\.$", "")));
        for (LeftOut left : first().leftOut()) {
            String one = first().leftOut().size() == 1
                    ? "; the first is " + first().tooWide().get(0)
                    : "";
            remarks.add("%,d jobs %s and were left out%s".formatted(left.jobs(), left.reason(), one));
        }
        if (!setup.rated() && first().drawnModels() > 0) {
            remarks.add(
                    built.size() > 1
                            ? "%,d jobs name no known model and got drawn ones, %d times"
                                    .formatted(first().drawnModels(), built.size())
                            : "%,d jobs name no known model and got a neutral one; --models mix draws theirs"
                                    .formatted(first().drawnModels()));
        }
        if (!setup.rated() && trace.jobs().stream().anyMatch(job -> job.past() != null)) {
            remarks.add("durations of a log already contain neighbours and links, which slow its jobs down again here;"
                    + " --as-logged runs them as long as they ran, as advise does");
        }
        remarks.addAll(remarksOnRuns);
        remarks.addAll(moreRemarks.get());
        return remarks;
    }

    @Override
    public JsonNode summary(JsonNode config) {
        List<LeftOut> all = new ArrayList<>(trace.leftOut());
        all.addAll(first().leftOut());
        ObjectNode root =
                (ObjectNode) SummaryJson.of(config, seed, evaluation(), ranking).tree();
        return root.set("left_out", JsonText.tree(all));
    }

    @Override
    public void write(RunDirectory directory, JsonNode config) {
        List<String> names =
                evaluation().runs().stream().map(SchedulerRuns::name).toList();
        write(
                directory,
                config,
                seed,
                "%s on %s".formatted(trace.name(), topology.name()),
                evaluation(),
                ranking,
                remarks(),
                recorder == null ? List.of() : recorder.timelines(names),
                walls);
    }

    /** Writes the files of a run. */
    static void write(
            RunDirectory directory,
            JsonNode config,
            long seed,
            String title,
            Evaluation evaluation,
            @Nullable BlockRanking ranking,
            List<String> remarks,
            List<RunTimeline> timelines,
            WallTimes walls) {
        ResultFiles.write(
                directory,
                new RunReport(
                        new RunReport.Subject(title, config, JsonText.pretty(config), seed),
                        evaluation,
                        ranking,
                        remarks,
                        List.of(),
                        List.of(),
                        timelines),
                walls.timing());
    }

    @Override
    public List<LogHash> hashes() {
        return evaluation().scores().stream()
                .map(score -> new LogHash(score.name(), score.eventLogSha256()))
                .toList();
    }

    /** What jobs of a trace ask for at their submission and a scheduler does not heed, in one line. */
    static final class IgnoredTerms {
        private IgnoredTerms() {}

        /** No line, or one. */
        static List<String> remarks(SchedulerRegistry.Entry scheduler, List<TraceJob> jobs) {
            List<String> ignored = new ArrayList<>();
            if (!scheduler.has(Flag.HEEDS_NODES)) {
                count(ignored, "numbers of nodes", jobs, terms -> terms.nodes() > 0);
            }
            if (!scheduler.has(Flag.HEEDS_EXCLUSIVE)) {
                count(ignored, "exclusive nodes", jobs, SubmissionTerms::exclusive);
            }
            if (!scheduler.has(Flag.HEEDS_FEATURES)) {
                count(ignored, "features", jobs, terms -> terms.features() != null);
                count(ignored, "licences", jobs, terms -> terms.licenses() != null);
            }
            count(ignored, "nodes by name", jobs, terms -> terms.nodeList() != null);
            return ignored.isEmpty()
                    ? List.of()
                    : List.of("%s does not heed what jobs ask for: %s"
                            .formatted(scheduler.name(), String.join(", ", ignored)));
        }

        private static void count(
                List<String> ignored, String what, List<TraceJob> jobs, Predicate<SubmissionTerms> asks) {
            long count = jobs.stream().filter(job -> asks.test(job.terms())).count();
            if (count > 0) {
                ignored.add("%s (%,d jobs)".formatted(what, count));
            }
        }
    }
}
