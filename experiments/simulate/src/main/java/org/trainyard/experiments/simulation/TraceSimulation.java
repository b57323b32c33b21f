package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.ReferenceSettings;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
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
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.traces.LoggedDurations;

/** One trace whose jobs run to their end, under one scheduler after another. */
public final class TraceSimulation extends EvaluatedSimulation {
    private final List<SchedulerRegistry.Entry> schedulers;
    private final @Nullable TrainedContender learned;
    private final SimulationSetup setup;
    private final World world;
    private final Trace trace;
    private final Models models;
    /** The workload of the trace; where models are drawn and matter, one workload for each draw. */
    private final List<WorkloadBuilder.Built> built;

    private final Set<String> remarksOnRuns = new LinkedHashSet<>();
    private @Nullable RunRecorder recorder;
    private Supplier<List<String>> moreRemarks = List::of;

    /**
     * Models of jobs that name no known model.
     *
     * @param draws number of draws, each of which runs; it counts only where models are drawn and matter
     * @param strict whether a job that no placement can hold is an error
     */
    public record Models(WorkloadBuilder.Models models, int draws, boolean strict) {
        public static Models neutral(boolean strict) {
            return new Models(WorkloadBuilder.Models.NEUTRAL, 1, strict);
        }
    }

    /**
     * A simulation.
     *
     * @param learned a trained policy that runs after the schedulers, or null
     * @param metric that ranks the schedulers
     */
    public TraceSimulation(
            List<SchedulerRegistry.Entry> schedulers,
            @Nullable TrainedContender learned,
            Trace trace,
            SimulationSetup setup,
            Models models,
            RankingMetric metric) {
        super(metric, setup.world().seed());
        this.schedulers = List.copyOf(schedulers);
        this.learned = learned;
        this.setup = setup;
        world = setup.world();
        this.trace = trace;
        this.models = models;
        for (SchedulerRegistry.Entry entry : schedulers) {
            for (TraceJob job : trace.jobs()) {
                entry.requireServes("job " + job.id(), job.demand());
            }
        }
        if (learned != null) {
            trace.jobs().forEach(TrainedContender::requirePlaceable);
        }
        built = draws();
    }

    private WorkloadBuilder.Built built(List<TraceJob> jobs, long modelSeed) {
        return world.seeded(modelSeed).build(jobs, models.models, models.strict);
    }

    private List<WorkloadBuilder.Built> draws() {
        WorkloadBuilder.Built first = built(
                setup.truth() == SimulationSetup.Truth.AS_LOGGED
                        ? LoggedDurations.of(
                                trace.jobs(),
                                LoggedDurations.Told.LIMITS,
                                world.options().restart())
                        : trace.jobs(),
                world.seed());
        List<WorkloadBuilder.Built> draws = new ArrayList<>(List.of(first));
        boolean isDrawn = !setup.rated() && models.models == WorkloadBuilder.Models.MIX && first.drawnModels() > 0;
        for (int draw = 1; isDrawn && draw < models.draws; draw++) {
            draws.add(built(trace.jobs(), RandomStreams.derive(world.seed(), "models of draw " + draw)));
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

    /** This simulation of a log's past, with the remarks of the past on its run. */
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
        evaluate(runs, true);
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
                : setup.truth() == SimulationSetup.Truth.AS_LOGGED
                        ? List.of(world.workload(LoggedDurations.of(
                                trace.jobs(),
                                LoggedDurations.Told.to(entry),
                                world.options().restart())))
                        : workloads();
        return run(
                SchedulerFactory.heuristic(entry.name(), draw -> entry.create(world)),
                workloads,
                reference == null
                        ? isOwn(entry) ? LoggedCluster.unlimited(world) : world
                        : world.with(Simulator.Options.DEFAULT.with(reference.restart())));
    }

    /** Whether it is Slurm with files, which keeps the limits of a log's cluster by itself. */
    private boolean isOwn(SchedulerRegistry.Entry entry) {
        return setup.keepsLoggedLimits() && LoggedCluster.isSlurmOfFiles(entry.name());
    }

    private List<Workload> workloads() {
        return built.stream().map(WorkloadBuilder.Built::workload).toList();
    }

    private SchedulerRuns run(TrainedContender contender) {
        return run(
                new SchedulerFactory(
                        TrainedContender.NAME,
                        SchedulerRuns.Role.LEARNED,
                        true,
                        (draw, choices) -> contender.scheduler(world, choices)),
                workloads(),
                world);
    }

    private SchedulerRuns run(SchedulerFactory scheduler, List<Workload> workloads, World of) {
        SchedulerRuns run = new EvaluationRunner(workloads, draw -> of, null)
                .recordedBy(recorder)
                .run(scheduler);
        remarksOnRuns.addAll(run.leftOut());
        int kills = 0;
        for (JobOutcome job : run.episodes().get(0).jobs()) {
            kills += job.kills();
        }
        if (kills > 0) {
            remarksOnRuns.add(Counted.say("outages stopped jobs %,d times under %s", kills, scheduler.name()));
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
        return (isAdjusted ? built(taken, world.seed()) : first()).workload();
    }

    /** The jobs of the trace that run, and those left out. */
    private LogAccount account() {
        return LogAccount.of(world.topology(), trace.jobs(), trace.leftOut());
    }

    /** GPUs of the cluster. */
    int gpus() {
        return world.topology().gpus();
    }

    /** Truth of the simulation, a sentence without its full stop. */
    String description() {
        return setup.describe();
    }

    @Override
    public Answer answer(boolean isWide) {
        Answer answer = new Answer()
                .say(account().lines())
                .tell("%s: %,d jobs on %s", trace.name(), jobs(), world.topology())
                .say("World: %s.".formatted(description()))
                .gap()
                .add(result(isWide));
        if (built.size() > 1) {
            answer.add(ModelDraws.answer(evaluation()));
        }
        return remarks().isEmpty() ? answer : answer.gap().add(notes(remarks()));
    }

    /** Remarks on omissions and imputations when the trace became a workload, and on the runs; no full stops. */
    @Override
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        LoggedServers.oddities(trace, world.topology()).forEach(oddity -> remarks.add(oddity.replaceFirst("\\.$", "")));
        for (LeftOut left : first().leftOut()) {
            String one = first().leftOut().size() == 1
                    ? "; the first is " + first().tooWide().get(0)
                    : "";
            remarks.add(Counted.say("%,d jobs %s; left out%s", left.jobs(), left.reason(), one));
        }
        if (!setup.rated() && first().drawnModels() > 0) {
            remarks.add(
                    built.size() > 1
                            ? Counted.say(
                                    "%,d jobs name no known model and got drawn ones, %d times",
                                    first().drawnModels(), built.size())
                            : Counted.say(
                                    "%,d jobs name no known model and got a neutral one; --models mix draws theirs",
                                    first().drawnModels()));
        }
        if (!setup.rated() && trace.jobs().stream().anyMatch(job -> job.past() != null)) {
            remarks.add(LoggedDurations.SLOWED_AGAIN + "--as-logged runs them as long as they ran, as advise does");
        }
        if (setup.truth() == SimulationSetup.Truth.AS_LOGGED) {
            remarks.addAll(held());
        }
        remarks.addAll(remarksOnRuns);
        remarks.addAll(moreRemarks.get());
        return remarks;
    }

    /** Sentences of the log on waits that no scheduler explains, and on the time that starts take. */
    private List<String> held() {
        FreeWait free = FreeWait.ofDated(world.topology(), trace.jobs());
        List<String> held = new ArrayList<>();
        if (free.waitSeconds() > 0 && !new LoggedCluster(world.topology()).saysHosts()) {
            held.add(
                    "%s in the log; CPUs and memory, which the cluster does not say of its servers, hold no job back here"
                            .formatted(free.words()));
        }
        if (!free.delayWords().isEmpty()) {
            held.add("%s in the log, which no wait here has".formatted(free.delayWords()));
        }
        return held;
    }

    @Override
    public JsonNode summary(JsonNode config) {
        return ((ObjectNode) super.summary(config))
                .set("left_out", JsonText.tree(account().all()));
    }

    @Override
    String title() {
        return "%s on %s".formatted(trace.name(), world.topology().name());
    }

    @Override
    List<String> reported() {
        return Stream.concat(account().lines().stream(), remarks().stream()).toList();
    }

    @Override
    RunRecording.Timelines timelines() {
        return recorder == null ? RunRecording.Timelines.NONE : recorder.recorded(schedulers());
    }

    /** Submission terms of a trace's jobs that a scheduler ignores, in one line. */
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
                ignored.add(Counted.say("%s (%,d jobs)", what, count));
            }
        }
    }
}
