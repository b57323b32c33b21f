package org.trainyard.experiments.shadow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.io.Counted;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.simulation.NeverStarting;
import org.trainyard.experiments.simulation.SimulatedWorld;
import org.trainyard.experiments.simulation.SimulationSetup;

/**
 * What a scheduler would have done with the jobs that a real one had, day by day. The jobs come when they came and run as
 * long as they ran, as under {@code simulate --as-logged}, whose event log is the same to the byte.
 *
 * <p>While jobs have not ended, decisions are final up to the first instant at which the shadow needs to know more than how
 * long a job has run so far; later ones may change.
 */
public final class ShadowComparison {
    private static final double DAY = 86_400;
    private static final int SHOWN = 10;

    private final String scheduler;
    private final double toleranceSeconds;
    private final String eventLogSha256;
    private final double settledSeconds;
    private final List<ShadowSpan> days = new ArrayList<>();
    private final ShadowSpan whole;
    private final List<String> unknown = new ArrayList<>();

    /**
     * What to compare with.
     *
     * @param toleranceSeconds by which equal starts may differ
     */
    public record Terms(Topology topology, SchedulerRegistry.Entry entry, double toleranceSeconds, long seed) {}

    private ShadowComparison(Terms terms, Trace log, Map<String, Double> open, List<String> remarks) {
        scheduler = terms.entry.name();
        toleranceSeconds = terms.toleranceSeconds;
        FitReason fit = new FitReason(terms.topology);
        NeverStarting startable = NeverStarting.of(
                terms.entry.create(terms.topology, terms.seed),
                log.jobs().stream()
                        .filter(job -> fit.of(job.demand()) == null)
                        .map(job -> job.demanding(fit.named(job.demand())))
                        .toList());
        List<TraceJob> jobs = startable.others();
        if (jobs.stream().noneMatch(job -> job.past() != null)) {
            throw InputException.at(log.name(), "no job with a start", "a log that says when jobs started and ended");
        }
        jobs.forEach(job -> terms.entry.requireServes("job " + job.id(), job.demand()));
        RunResult run = run(terms, jobs);
        eventLogSha256 = run.eventLogSha256();
        settledSeconds = settled(run, open);
        List<ComparedJob> compared = compared(run, jobs, open);
        whole = ShadowSpan.of("In all", compared, toleranceSeconds, terms.seed);
        byDay(compared)
                .forEach((day, some) ->
                        days.add(ShadowSpan.of("Day %,d".formatted(day + 1), some, toleranceSeconds, terms.seed)));
        startable
                .leftOut()
                .forEach(one -> unknown.add("%s %s; left out".formatted(Counted.of(one.jobs(), "job"), one.reason())));
        note(log, jobs, fit, open, remarks);
    }

    /** Compares a log whose jobs have all ended. */
    public static ShadowComparison of(Terms terms, Trace log) {
        return new ShadowComparison(terms, log, Map.of(), List.of());
    }

    /**
     * Compares what was followed so far.
     *
     * @param log with an assumed end for each open job
     * @param open by id, seconds that jobs without an end have run for sure
     * @param remarks of who followed, sentences without their full stops
     */
    static ShadowComparison of(Terms terms, Trace log, Map<String, Double> open, List<String> remarks) {
        return new ShadowComparison(terms, log, open, remarks);
    }

    private static RunResult run(Terms terms, List<TraceJob> jobs) {
        SimulatedWorld world = new SimulatedWorld(terms.topology, SimulationSetup.asLogged(), terms.seed);
        return world.simulator(world.asLogged(jobs, terms.entry)).run(world.scheduler(terms.entry));
    }

    /** Until when no end that is not known yet matters; infinite when all are known. */
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

    private static List<ComparedJob> compared(RunResult run, List<TraceJob> jobs, Map<String, Double> open) {
        Map<String, JobOutcome> outcomes = new TreeMap<>();
        run.jobs().forEach(job -> outcomes.put(job.job().name(), job));
        List<ComparedJob> compared = new ArrayList<>();
        for (TraceJob job : jobs) {
            LoggedRun past = job.past();
            JobOutcome shadow = outcomes.get(job.id());
            if (past != null && shadow != null) {
                compared.add(new ComparedJob(
                        job,
                        past.startNanos() / 1e9,
                        shadow.firstStartNanos() / 1e9,
                        (past.endNanos() - job.submitNanos() - job.durationNanos()) / 1e9,
                        (shadow.queueingNanos() + shadow.heldNanos()) / 1e9,
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

    private void note(Trace log, List<TraceJob> jobs, FitReason fit, Map<String, Double> open, List<String> remarks) {
        if (!open.isEmpty()) {
            long waiting =
                    open.values().stream().filter(seconds -> seconds == 0).count();
            unknown.add(
                    "when %s end, of which %,d still %s; they count with their time so far, and decisions after %s may change"
                            .formatted(
                                    Counted.of(open.size(), "job"),
                                    waiting,
                                    Counted.verb(waiting, "wait"),
                                    Durations.human(settledSeconds)));
        }
        List<LeftOut> left = new ArrayList<>(log.leftOut());
        left.addAll(fit.leftOut(log.jobs()));
        left.forEach(one -> unknown.add("%s %s; left out".formatted(Counted.of(one.jobs(), "job"), one.reason())));
        long undated = jobs.stream().filter(job -> job.past() == null).count();
        if (undated > 0) {
            unknown.add("when %s started; they run in the shadow and are not compared"
                    .formatted(Counted.of(undated, "job")));
        }
        unknown.add("how fast jobs run on other servers, beside others: they run as long as they ran");
        unknown.add(
                "failures, drained nodes, reservations and holds, unless their jobs say so: the shadow has all GPUs at"
                        + " all times");
        unknown.add("what users would have submitted, had they waited less or longer");
        unknown.addAll(remarks);
    }

    /** The last day and the whole in sentences, each with its subject before a colon. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>(whole.sentences(scheduler));
        if (days.size() > 1) {
            sentences.addAll(days.get(days.size() - 1).sentences(scheduler));
        }
        unknown.forEach(what -> sentences.add("Not known: " + what + "."));
        return sentences;
    }

    /** All days, as a table. */
    public TextTable table() {
        TextTable table = new TextTable(
                "",
                "jobs",
                "equal",
                "earlier",
                "later",
                "wait as it was",
                "in the shadow",
                "saved",
                "95 % interval",
                "GPU-hours",
                "delayed",
                "");
        row(table, whole);
        days.forEach(day -> row(table, day));
        return table;
    }

    private static void row(TextTable table, ShadowSpan span) {
        table.add(
                span.name(),
                TextTable.number("%,d", span.jobs()),
                TextTable.number("%,d", span.equal()),
                TextTable.number("%,d", span.earlier()),
                TextTable.number("%,d", span.later()),
                Durations.human(span.realMean()),
                Durations.human(span.shadowMean()),
                Durations.human(span.savedSeconds()),
                "%s .. %s".formatted(Durations.human(span.low()), Durations.human(span.high())),
                TextTable.number("%,.1f", span.savedGpuHours()),
                TextTable.number("%,d", span.delayed().size()),
                span.delayed().isEmpty()
                        ? ""
                        : "at most %s"
                                .formatted(
                                        Durations.human(-span.delayed().get(0).savedSeconds())));
    }

    /** The words: sentences, and a table of days. */
    public String text() {
        return String.join(System.lineSeparator(), sentences()) + "%n%n".formatted() + table().render();
    }

    /** For machines; times in seconds. */
    public String json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("scheduler", scheduler).put("tolerance_s", toleranceSeconds);
        root.put("event_log_sha256", eventLogSha256);
        if (Double.isInfinite(settledSeconds)) {
            root.putNull("settled_s");
        } else {
            root.put("settled_s", settledSeconds);
        }
        put(root.putObject("whole"), whole);
        ArrayNode all = root.putArray("days");
        days.forEach(day -> put(all.addObject(), day));
        ArrayNode not = root.putArray("not_known");
        unknown.forEach(not::add);
        return JsonText.pretty(root);
    }

    private static void put(ObjectNode node, ShadowSpan span) {
        node.put("name", span.name()).put("jobs", span.jobs());
        node.putObject("starts")
                .put("equal", span.equal())
                .put("earlier", span.earlier())
                .put("later", span.later());
        node.putObject("past").putObject("wait_s").put("mean", span.realMean());
        node.putObject("shadow").putObject("wait_s").put("mean", span.shadowMean());
        node.putObject("saved_s")
                .put("mean", span.savedSeconds())
                .putArray("interval")
                .add(span.low())
                .add(span.high());
        node.put("saved_gpu_hours", span.savedGpuHours());
        ObjectNode delayed = node.putObject("delayed");
        delayed.put("jobs", span.delayed().size()).put("mean_s", span.meanDelaySeconds());
        ArrayNode worst = delayed.putArray("worst");
        span.delayed().stream()
                .limit(SHOWN)
                .forEach(job -> worst.addObject()
                        .put("job", Objects.requireNonNull(job.job().id()))
                        .put("gpus", job.job().gpus())
                        .put("later_s", -job.savedSeconds()));
    }
}
