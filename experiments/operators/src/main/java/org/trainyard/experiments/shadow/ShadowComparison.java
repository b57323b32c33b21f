package org.trainyard.experiments.shadow;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.traces.LoggedDurations;

/**
 * Comparison of a shadow scheduler with the real one of a cluster on the same jobs, day by day. Jobs have their logged
 * submissions and run times, as under {@code simulate --as-logged}, whose event log is the same to the byte.
 *
 * <p>While jobs have not ended, decisions are final up to the first instant at which the shadow needs more than the run
 * time of a job so far; later ones may change.
 */
public final class ShadowComparison {
    private static final double DAY = 86_400;
    /** The part of the wait while enough GPUs were free, beyond that of replays, from which on no gain is told. */
    private static final double UNEXPLAINED = 0.25;

    // For machines, in this order; times in seconds.
    private final @JsonIgnore LogAccount account;
    private final String scheduler;
    private final double toleranceS;

    @SuppressWarnings("UnusedVariable") // written by the mapper
    private final String eventLogSha256;

    /** Time from which ends that are not known yet matter; infinite when all are known. */
    private final double settledS;

    /** Knowledge of limits, a word. */
    private final String limits;

    @SuppressWarnings("UnusedVariable") // written by the mapper
    private final double waitWhileGpusFree;

    private final double startDelayS;

    private final transient boolean isPromised;
    private final transient boolean isReckoned;
    private final transient FreeWait free;

    private final ShadowSpan whole;
    private final List<ShadowSpan> days = new ArrayList<>();
    private final List<String> notKnown = new ArrayList<>();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private final List<String> maintenance;

    /**
     * The cluster, the shadow scheduler and the tolerance of a comparison.
     *
     * @param toleranceSeconds by which equal starts may differ
     * @param isPartial whether a comparison is wanted even if much of the log is left out
     */
    public record Terms(
            LoggedCluster cluster,
            SchedulerRegistry.Entry entry,
            double toleranceSeconds,
            LoggedMaintenance maintenance,
            long seed,
            boolean isPartial) {
        Topology topology() {
            return cluster.topology();
        }
    }

    private ShadowComparison(Terms terms, Trace log, Map<String, Double> open, List<String> remarks) {
        scheduler = terms.entry.name();
        maintenance = terms.maintenance.notes();
        toleranceS = terms.toleranceSeconds;
        account = terms.cluster
                .startable(LogAccount.of(terms.topology(), log.jobs(), log.leftOut()))
                .startedBy(terms.entry.create(terms.topology(), terms.seed))
                .requireMost(log.name(), terms.isPartial, terms.cluster);
        List<TraceJob> jobs = account.jobs();
        if (jobs.stream().noneMatch(job -> job.past() != null)) {
            throw InputException.at(log.name(), "no job with a start", "a log that says when jobs started and ended");
        }
        jobs.forEach(job -> terms.entry.requireServes("job " + job.id(), job.demand()));
        RunResult run = run(terms, jobs);
        eventLogSha256 = run.eventLogSha256();
        limits = terms.cluster.limits(jobs).label();
        settledS = settled(run, open);
        List<TraceJob> counted = jobs.stream()
                .filter(job -> job.gpus() > 0 && job.past() != null)
                .toList();
        free = FreeWait.of(terms.cluster.topology(), counted);
        isReckoned = terms.cluster.saysHosts();
        isPromised = free.unexplained(explained(terms, jobs, counted, run, free)) <= UNEXPLAINED;
        waitWhileGpusFree = free.share();
        startDelayS = free.delaySeconds();
        List<ComparedJob> compared = compared(run, jobs, open, startDelayS);
        whole = ShadowSpan.of("In all", compared, toleranceS, terms.seed, isPromised);
        byDay(compared)
                .forEach((day, some) -> days.add(
                        ShadowSpan.of("Day %,d".formatted(day + 1), some, toleranceS, terms.seed, isPromised)));
        note(jobs, open, remarks);
    }

    /** Compares a log whose jobs have all ended. */
    public static ShadowComparison of(Terms terms, Trace log) {
        return new ShadowComparison(terms, log, Map.of(), List.of());
    }

    /**
     * Compares the log followed so far.
     *
     * @param log with an assumed end for each open job
     * @param open by id, seconds that jobs without an end have run for sure
     * @param remarks of the follower, sentences without their full stops
     */
    static ShadowComparison of(Terms terms, Trace log, Map<String, Double> open, List<String> remarks) {
        return new ShadowComparison(terms, log, open, remarks);
    }

    private static RunResult run(Terms terms, List<TraceJob> jobs) {
        SimulationSetup setup =
                SimulationSetup.asLogged(terms.topology(), terms.seed).maintained(terms.maintenance.windows());
        World world = LoggedCluster.isSlurmOfFiles(terms.entry.name())
                ? setup.world()
                : setup.limited(terms.cluster).world();
        return world.simulator(world.workload(LoggedDurations.of(
                        jobs,
                        LoggedDurations.Told.to(terms.entry),
                        world.options().restart())))
                .run(terms.entry.create(world));
    }

    /** Seconds from which ends that are not known yet matter; infinite when all are known. */
    private static double settled(RunResult run, Map<String, Double> open) {
        double settled = Double.POSITIVE_INFINITY;
        for (JobOutcome job : run.jobs()) {
            Double elapsed = open.get(job.job().name());
            if (elapsed != null) {
                settled = Math.min(settled, job.firstStartNanos() / 1e9 + elapsed);
            }
        }
        return settled;
    }

    /**
     * The wait while enough GPUs were free, and beyond the usual delay, in a strict FIFO of the same jobs, which is
     * what jobs before others explain, or in the shadow where it has more.
     */
    private static double explained(
            Terms terms, List<TraceJob> jobs, List<TraceJob> counted, RunResult shadow, FreeWait past) {
        if (past.beyondSeconds() <= UNEXPLAINED * past.waitSeconds()) {
            return 0;
        }
        Terms inOrder = new Terms(
                terms.cluster,
                SchedulerRegistry.named("fifo"),
                terms.toleranceSeconds,
                terms.maintenance,
                terms.seed,
                true);
        return Math.max(free(terms, counted, run(inOrder, jobs), past), free(terms, counted, shadow, past));
    }

    private static double free(Terms terms, List<TraceJob> counted, RunResult run, FreeWait past) {
        Map<String, Double> waits = new TreeMap<>();
        run.jobs().forEach(job -> waits.put(job.job().name(), (job.queueingNanos() + job.heldNanos()) / 1e9));
        return FreeWait.freeSeconds(
                terms.cluster.topology(),
                counted,
                counted.stream()
                        .mapToDouble(job -> waits.getOrDefault(job.id(), 0.0))
                        .toArray(),
                past.delaySeconds());
    }

    private static List<ComparedJob> compared(
            RunResult run, List<TraceJob> jobs, Map<String, Double> open, double delaySeconds) {
        Map<String, JobOutcome> outcomes = new TreeMap<>();
        run.jobs().forEach(job -> outcomes.put(job.job().name(), job));
        List<ComparedJob> compared = new ArrayList<>();
        for (TraceJob job : jobs) {
            LoggedRun past = job.past();
            JobOutcome shadow = outcomes.get(job.id());
            if (past != null && shadow != null && job.gpus() > 0) {
                compared.add(new ComparedJob(
                        job,
                        past.startNanos() / 1e9,
                        shadow.firstStartNanos() / 1e9 + delaySeconds,
                        (past.endNanos() - job.submitNanos() - job.durationNanos()) / 1e9,
                        (shadow.queueingNanos() + shadow.heldNanos()) / 1e9 + delaySeconds,
                        open.containsKey(job.id())));
            }
        }
        return compared;
    }

    private static Map<Integer, List<ComparedJob>> byDay(List<ComparedJob> compared) {
        Map<Integer, List<ComparedJob>> days = new TreeMap<>();
        compared.forEach(job -> days.computeIfAbsent((int) (job.submitSeconds() / DAY), day -> new ArrayList<>())
                .add(job));
        return days;
    }

    private void note(List<TraceJob> jobs, Map<String, Double> open, List<String> remarks) {
        if (!open.isEmpty()) {
            long waiting =
                    open.values().stream().filter(seconds -> seconds == 0).count();
            notKnown.add(
                    "when %s end, of which %,d still %s; they count with their time so far, and decisions after %s may change"
                            .formatted(
                                    Counted.of(open.size(), "job"),
                                    waiting,
                                    Counted.verb(waiting, "wait"),
                                    Durations.human(settledS)));
        }
        long undated = jobs.stream().filter(job -> job.past() == null).count();
        if (undated > 0) {
            notKnown.add("when %s started; they run in the shadow and are not compared"
                    .formatted(Counted.of(undated, "job")));
        }
        notKnown.add("how fast jobs run on other servers, beside others: they run as long as they ran");
        notKnown.add(
                "failures, drained nodes, %sreservations and holds, unless their jobs say so: the shadow has all GPUs at%s times"
                        .formatted(maintenance.isEmpty() ? "" : "other ", maintenance.isEmpty() ? " all" : " other"));
        if (limits.equals(LoggedCluster.Limits.UNKNOWN.label())) {
            notKnown.add(LoggedCluster.Limits.UNKNOWN.words());
        }
        notKnown.add("what users would have submitted, had they waited less or longer");
        notKnown.addAll(remarks);
    }

    /** The last day and the whole in sentences, each with its subject before a colon. */
    public Answer sentences() {
        Answer answer = new Answer().say(account.lines()).add(whole.answer(scheduler));
        if (days.size() > 1) {
            answer.add(days.get(days.size() - 1).answer(scheduler));
        }
        if (!isReckoned || !isPromised) {
            answer.tell(
                    "Free GPUs: %s.%s",
                    free.words(),
                    isPromised
                            ? ""
                            : " FIFO does not explain it, so %slimits held jobs then, which the shadow lacks."
                                    .formatted(isReckoned ? "" : "CPUs, memory or "));
        }
        if (startDelayS >= 1) {
            answer.tell("Starts: %s; every wait in the shadow has them.", free.delayWords());
        }
        if (limits.equals(LoggedCluster.Limits.KEPT.label())) {
            answer.tell("Limits: %s.", LoggedCluster.Limits.KEPT.words());
        }
        answer.say(maintenance);
        notKnown.forEach(what -> answer.tell("Not known: %s.", what));
        return answer;
    }

    /** Sentences, and a table of days. */
    public Answer answer() {
        List<ShadowSpan> spans = new ArrayList<>(days);
        spans.add(0, whole);
        return sentences()
                .gap()
                .table(AnswerTable.of(spans)
                        .text("", ShadowSpan::name)
                        .count("jobs", ShadowSpan::jobs)
                        .count("equal", span -> span.starts().equal())
                        .count("earlier", span -> span.starts().earlier())
                        .count("later", span -> span.starts().later())
                        .duration("wait as it was", span -> span.past().mean())
                        .duration("in the shadow", span -> span.shadow().mean())
                        .duration(
                                isPromised ? "saved" : "less wait",
                                span -> span.difference().mean())
                        .text(
                                "95 % interval",
                                span -> span.difference().interval().text(CellFormat.DURATION))
                        .column("GPU-hours", CellFormat.of("%,.1f"), ShadowSpan::gpuHours)
                        .count("delayed", span -> span.delayed().jobs())
                        .text(
                                "",
                                span -> span.delayed().worst().stream()
                                        .limit(1)
                                        .map(job -> "at most " + Durations.human(job.laterS()))
                                        .collect(Collectors.joining())));
    }

    /** For machines. */
    public String json() {
        return account.into(JsonText.pretty(this));
    }
}
