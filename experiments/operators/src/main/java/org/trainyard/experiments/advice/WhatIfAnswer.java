package org.trainyard.experiments.advice;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.BlockBootstrap;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.timeline.RunTimeline;

/**
 * The jobs of a log under one scheduler, as they were and after changes of the cluster, the load or Slurm.
 *
 * @param scheduler under which all are simulated
 * @param past as it was; null when the log does not say
 * @param rows simulated, the first without a change
 * @param notes sentences
 * @param timelines of the rows
 */
public record WhatIfAnswer(
        String scheduler, @Nullable LogOutcome past, List<Row> rows, List<String> notes, List<RunTimeline> timelines) {
    /** The name of the row without a change. */
    public static final String NOW = "as it is, simulated";

    private static final double LIMIT_SECONDS = 600;

    /**
     * A simulated row.
     *
     * @param low lower end of the 95 % interval of what the mean wait loses against the row without a change, job by job,
     *     seconds; NaN for that row
     * @param high upper end
     */
    public record Row(String name, LogOutcome log, String cluster, double low, double high) {}

    /**
     * What to ask.
     *
     * @param cluster its description
     * @param resolve gives the topology of a description
     * @param slurmConf path of a {@code slurm.conf}, or null
     */
    public record Question(
            List<TraceJob> jobs,
            String cluster,
            Function<String, Topology> resolve,
            NearestScheduler scheduler,
            @Nullable String slurmConf,
            List<WhatIf> changes,
            double restartSeconds,
            long seed) {}

    public WhatIfAnswer {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
        timelines = List.copyOf(timelines);
    }

    /** Simulates. Cost: twice a run for each change, and for none. */
    public static WhatIfAnswer of(Question question) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            Topology topology = question.resolve.apply(question.cluster);
            List<TraceJob> jobs =
                    replays(question, topology, workers, Quotas.NONE).fitting(question.jobs);
            if (jobs.isEmpty()) {
                throw InputException.at("--cluster", question.cluster, "a cluster on which jobs of the log fit");
            }
            List<RunTimeline> timelines = new ArrayList<>();
            List<Row> rows = new ArrayList<>();
            LogOutcome now = run(question, NOW, null, topology, jobs, workers, timelines);
            rows.add(new Row(NOW, now, question.cluster, Double.NaN, Double.NaN));
            double speed = topology.server(0).gpuType().speed();
            List<String> notes = new ArrayList<>();
            for (WhatIf change : question.changes) {
                String cluster = change.cluster("--what-if", question.cluster);
                LogOutcome then = run(
                        question,
                        change.text(),
                        change,
                        question.resolve.apply(cluster),
                        change.jobs(jobs, speed),
                        workers,
                        timelines);
                rows.add(compared(change.text(), now, then, cluster, question.seed));
                note(change, speed, notes);
            }
            int[] dated = Advice.dated(jobs);
            List<TraceJob> told = Arrays.stream(dated).mapToObj(jobs::get).toList();
            LogOutcome past =
                    told.isEmpty() ? null : LogOutcome.past(told, topology.gpus(), told.size() == jobs.size());
            return new WhatIfAnswer(question.scheduler.name(), past, rows, notes, timelines);
        }
    }

    private static Row compared(String name, LogOutcome now, LogOutcome then, String cluster, long seed) {
        double[] before = now.values(JobMetric.WAIT);
        double[] after = then.values(JobMetric.WAIT);
        if (before.length != after.length) {
            return new Row(name, then, cluster, Double.NaN, Double.NaN);
        }
        double[] saved = new double[before.length];
        for (int job = 0; job < saved.length; job++) {
            saved[job] = before[job] - after[job];
        }
        BlockBootstrap.Bounds bounds = BlockBootstrap.bounds(saved, RankingMetric.MEAN_WAIT, seed);
        return new Row(name, then, cluster, bounds.low(), bounds.high());
    }

    private static void note(WhatIf change, double speed, List<String> notes) {
        if (change.gpus() != null) {
            notes.add("%s: run times are those of the log times %.2f, by nominal speeds of the types, not measured."
                    .formatted(change.text(), speed / change.gpus().speed()));
        }
        if (!change.lines().isEmpty()) {
            notes.add("%s: in slurm.conf %s.".formatted(change.text(), String.join(", ", change.lines())));
        }
        if (change.arrivals() != 1) {
            notes.add("%s: the same jobs, submitted in %.0f %% of the time."
                    .formatted(change.text(), 100 / change.arrivals()));
        }
    }

    private static LogReplays replays(Question question, Topology topology, ThreadWorkerPool workers, Quotas quotas) {
        return new LogReplays(
                topology,
                InterferenceModel.NONE,
                workers,
                new LogReplays.Limits(null, LIMIT_SECONDS, question.restartSeconds, quotas),
                question.seed);
    }

    private static LogOutcome run(
            Question question,
            String name,
            @Nullable WhatIf change,
            Topology topology,
            List<TraceJob> jobs,
            ThreadWorkerPool workers,
            List<RunTimeline> timelines) {
        LogReplays replays =
                replays(question, topology, workers, change == null ? Quotas.NONE : new Quotas(change.quotas()));
        LogReplays.Candidate candidate =
                candidate(question, change, topology, replays, jobs).named(name);
        LogOutcome made = replays.run("what if", List.of(candidate), jobs, 1).stream()
                .findFirst()
                .orElseThrow(() -> InputException.at(
                        "--what-if",
                        name,
                        "a change under which the log ends (in %s)".formatted(Durations.human(LIMIT_SECONDS))));
        RunRecorder recorder = new RunRecorder(topology, question.changes.size() + 1, 1);
        replays.record(List.of(candidate), jobs, 1, recorder);
        timelines.addAll(recorder.timelines(List.of(name)));
        return made;
    }

    /** The scheduler on a topology, and with changed files when it is Slurm. */
    private static LogReplays.Candidate candidate(
            Question question, @Nullable WhatIf change, Topology topology, LogReplays replays, List<TraceJob> jobs) {
        String name = question.scheduler.name();
        if (name.startsWith("slurm") && !name.contains("(")) {
            SlurmFiles files = question.slurmConf == null ? SlurmFiles.DEFAULT : SlurmFiles.read(question.slurmConf);
            int more = topology.servers()
                    - question.resolve.apply(question.cluster).servers();
            SlurmFiles grown = more > 0 ? files.grown(more) : files;
            SlurmFiles used = change == null ? grown : change.files(grown);
            return new LogReplays.Candidate(
                    name, false, false, question.restartSeconds, run -> new SlurmScheduler(used, topology));
        }
        if (change != null && change.configures()) {
            throw InputException.at(
                    "--what-if",
                    change.text(),
                    "--scheduler slurm or slurm:PATH/slurm.conf, for %s is not Slurm".formatted(name));
        }
        return replays.registered(jobs, true).stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InputException.at(
                        "--what-if",
                        name,
                        "a scheduler of `trainyard list schedulers` without variant that serves these jobs"));
    }

    public TextTable table() {
        TextTable table = new TextTable(
                "",
                "cluster",
                "mean wait",
                "p95 wait",
                "p99 wait",
                "longest",
                "GPUs",
                "mean wait saved",
                "95 % interval");
        if (past != null) {
            row(table, LogOutcome.PAST, "", past, "", "");
        }
        LogOutcome now = rows.get(0).log;
        for (Row one : rows) {
            boolean isNow = Double.isNaN(one.low);
            row(
                    table,
                    one.name,
                    one.cluster,
                    one.log,
                    isNow
                            ? ""
                            : Durations.human(
                                    now.waits().mean() - one.log.waits().mean()),
                    isNow ? "" : "%s .. %s".formatted(Durations.human(one.low), Durations.human(one.high)));
        }
        return table;
    }

    private static void row(
            TextTable table, String name, String cluster, LogOutcome log, String saved, String interval) {
        table.add(
                name,
                cluster,
                Durations.human(log.waits().mean()),
                Durations.human(log.waits().p95()),
                Durations.human(log.waits().p99()),
                Durations.human(log.longestWait()),
                Double.isNaN(log.gpusHeld()) ? "-" : TextTable.number("%.0f %%", 100 * log.gpusHeld()),
                saved,
                interval);
    }

    /** Sentences, each with its subject before a colon. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        LogOutcome now = rows.get(0).log;
        if (past != null) {
            sentences.add("Past: wait %s on average; simulated under %s, %s."
                    .formatted(
                            Durations.human(past.waits().mean()),
                            scheduler,
                            Durations.human(now.waits().mean())));
        }
        for (Row one : rows.subList(1, rows.size())) {
            boolean isClear = one.low > 0 || one.high < 0;
            sentences.add("What if %s: the mean wait would change from %s to %s%s."
                    .formatted(
                            one.name.replace(':', ' '),
                            Durations.human(now.waits().mean()),
                            Durations.human(one.log.waits().mean()),
                            isClear ? "" : ", which is not shown, for the interval of the difference has zero in it"));
        }
        notes.forEach(sentences::add);
        return sentences;
    }

    /** For machines; times in seconds. */
    public String json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("scheduler", scheduler);
        if (past == null) {
            root.putNull("past");
        } else {
            root.set("past", AdviceJson.figures(past));
        }
        ArrayNode all = root.putArray("what_if");
        for (Row one : rows) {
            ObjectNode row = all.addObject().put("change", one.name).put("cluster", one.cluster);
            row.setAll(AdviceJson.figures(Objects.requireNonNull(one.log)));
            if (!Double.isNaN(one.low)) {
                row.putObject("saved_s").putArray("interval").add(one.low).add(one.high);
            }
        }
        notes.forEach(root.putArray("notes")::add);
        return JsonText.pretty(root);
    }
}
