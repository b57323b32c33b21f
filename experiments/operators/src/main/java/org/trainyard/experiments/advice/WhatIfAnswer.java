package org.trainyard.experiments.advice;

import static org.trainyard.experiments.advice.WhatIfReplays.REPLAYS;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
import org.trainyard.experiments.timeline.RunTimeline;

/**
 * The jobs of a log under one scheduler, as they were and after changes of the cluster, the load or Slurm.
 *
 * @param account of the jobs of the log
 * @param scheduler under which all are simulated
 * @param past as it was; null when the log does not say
 * @param trust as in {@link Advice}; null without a past
 * @param whatIf simulated, the first without a change
 * @param notes sentences
 * @param reproduction of the past by the row without a change, the log as it is; null without a past
 */
public record WhatIfAnswer(
        @JsonIgnore LogAccount account,
        String scheduler,
        @Nullable LogOutcome past,
        Reproduction.@Nullable Trust trust,
        List<Row> whatIf,
        List<String> notes,
        @JsonIgnore @Nullable Reproduction reproduction,
        @JsonIgnore List<RunTimeline> timelines) {
    /** The name of the row without a change. */
    public static final String NOW = "as it is, simulated";

    /** Accounts, and partitions, of which waits are given. */
    private static final int GROUPS = 8;
    /**
     * A simulated row.
     *
     * @param log of all its replays
     * @param saved reduction of the mean wait against the row without a change, paired by job; null for that row
     * @param accounts the largest, where jobs have any
     * @param partitions likewise, where there are several
     */
    public record Row(
            String change,
            String cluster,
            @JsonUnwrapped LogOutcome log,

            @JsonProperty("saved_s") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Saved saved,

            @JsonProperty("by_account") @JsonInclude(JsonInclude.Include.NON_EMPTY)
            List<OfGroup> accounts,

            @JsonProperty("by_partition") @JsonInclude(JsonInclude.Include.NON_EMPTY)
            List<OfGroup> partitions) {
        public Row {
            accounts = List.copyOf(accounts);
            partitions = List.copyOf(partitions);
        }

        Row(String change, String cluster, LogOutcome log) {
            this(change, cluster, log, null, List.of(), List.of());
        }
    }

    /**
     * The mean wait of the jobs of one account or partition, without and with a change, seconds.
     *
     * @param name of the account, or of the virtual cluster where jobs name no account; or of the partition
     * @param saved its reduction; null of fewer jobs than the interval has blocks
     */
    public record OfGroup(
            String name,
            int jobs,
            @JsonProperty("wait_now_s") double now,
            @JsonProperty("wait_then_s") double then,
            @JsonProperty("saved_s") @Nullable Saved saved) {
        boolean isClear() {
            return saved != null && saved.interval.isClear();
        }

        private String words() {
            return Counted.say("%s %s to %s (%,d jobs)", name, Durations.human(now), Durations.human(then), jobs);
        }
    }

    /**
     * A 95 % interval, seconds, of what the change would save in one such past. Three things are not known, and add up
     * as independent errors do: which jobs come (blocks of them), what a second's shift does to the queue (Student's
     * interval for one more replay), and what the replay without a change lacks (its distance from the past).
     */
    public record Saved(BlockBootstrap.Bounds interval) {
        /** The 97.5 % quantile of Student's distribution for {@value WhatIfReplays#REPLAYS} values. */
        private static final double STUDENT = 3.1824463;

        /**
         * An interval from the replays of each job side by side.
         *
         * @param error of the mean of {@code before}, as far as the past tells, seconds
         */
        static Saved of(double[] before, double[] after, double error, long seed) {
            double[] saved = new double[REPLAYS];
            for (int at = 0; at < before.length; at++) {
                saved[at % REPLAYS] += (before[at] - after[at]) * REPLAYS / before.length;
            }
            double mean = Statistics.mean(saved);
            double squares =
                    Arrays.stream(saved).map(one -> (one - mean) * (one - mean)).sum();
            double chaos = STUDENT * Math.sqrt(squares / (REPLAYS - 1) * (1 + 1.0 / REPLAYS));
            double lacks = Arrays.equals(before, after) ? 0 : error;
            double known = Math.hypot(chaos, lacks);
            BlockBootstrap.Bounds jobs = BlockBootstrap.saved(before, after, RankingMetric.MEAN_WAIT, seed);
            return new Saved(new BlockBootstrap.Bounds(
                    mean - Math.hypot(mean - jobs.low(), known), mean + Math.hypot(jobs.high() - mean, known)));
        }
    }

    /**
     * Input: the jobs, their cluster, the scheduler and the changes to try.
     *
     * @param account the jobs, and those that were left out
     * @param resolve gives the topology of a description
     * @param slurmConf path of the {@code slurm.conf} of the scheduler, or null
     * @param files those of the cluster's Slurm, whose limits hold under every scheduler; or null
     * @param cycleStarts as in {@link Reproduction}; or null
     * @param sequel what goes on when the log ends
     */
    public record Question(
            LogAccount account,
            Sequel sequel,
            LoggedMaintenance maintenance,
            String cluster,
            Function<String, Topology> resolve,
            NearestScheduler scheduler,
            @Nullable String slurmConf,
            @Nullable SlurmFiles files,
            List<WhatIf> changes,
            @Nullable Double cycleStarts,
            double restartSeconds,
            long seed) {}

    /**
     * Jobs that are replayed beside those of the log and do not count.
     *
     * @param jobs by the number of the replay
     * @param notes sentences
     */
    public record Sequel(IntFunction<List<TraceJob>> jobs, List<String> notes) {
        /** The log tells all. */
        public static final Sequel NONE = new Sequel(replay -> List.of(), List.of());

        public Sequel {
            notes = List.copyOf(notes);
        }
    }

    public WhatIfAnswer {
        whatIf = List.copyOf(whatIf);
        notes = List.copyOf(notes);
        timelines = List.copyOf(timelines);
    }

    /** Simulates. Cost: {@value WhatIfReplays#REPLAYS} runs for each change, and for none. */
    public static WhatIfAnswer of(Question question) {
        try (WhatIfReplays replays = new WhatIfReplays(question)) {
            Topology topology = replays.cluster();
            LoggedCluster logged = new LoggedCluster(topology, question.files);
            LogAccount account = logged.startable(
                    question.account.startedBy(question.scheduler.fresh().get()));
            List<TraceJob> jobs = account.jobs();
            if (jobs.isEmpty() && !account.never().isEmpty()) {
                throw InputException.at(
                        "--what-if",
                        question.scheduler.name(),
                        "a scheduler that starts jobs of the log; they "
                                + account.never().get(0).reason());
            }
            if (jobs.isEmpty()) {
                throw InputException.at("--cluster", question.cluster, "a cluster on which jobs of the log fit");
            }
            List<LogOutcome> played = replays.run(NOW, null, replays.changed(null), jobs);
            LogOutcome now = LogOutcome.pooled(NOW, played);
            List<Row> rows = new ArrayList<>(List.of(new Row(NOW, question.cluster, now)));
            List<String> notes = new ArrayList<>(question.maintenance.notes());
            List<TraceJob> counted = LoggedCluster.counted(jobs);
            for (WhatIf change : question.changes) {
                WhatIf.Changed cluster = replays.changed(change);
                LogOutcome then = LogOutcome.pooled(change.text(), replays.run(change.text(), change, cluster, jobs));
                rows.add(compared(change.text(), now, then, cluster.description(), counted, question.seed));
                note(change, replays.speed(), jobs, notes);
                if (Arrays.equals(now.values(JobMetric.WAIT), then.values(JobMetric.WAIT))) {
                    notes.add("%s: every job waits exactly as it does without it%s."
                            .formatted(
                                    change.text(),
                                    change.weighs()
                                            ? "; weights count under PriorityType=priority/multifactor, where jobs differ in what they weigh"
                                            : ""));
                }
            }
            int[] dated = Advice.dated(counted);
            List<TraceJob> told = Arrays.stream(dated).mapToObj(counted::get).toList();
            LogOutcome past =
                    told.isEmpty() ? null : LogOutcome.past(told, topology.gpus(), told.size() == counted.size());
            Reproduction reproduction =
                    past == null ? null : Reproduction.of(past, played.get(0).over(dated), question.cycleStarts);
            notes.addAll(logged.limits(jobs).sentences());
            notes.addAll(question.sequel.notes);
            notes.add(
                    "Each row: %d replays, all but the first with submissions up to %d s later. The 95 %% intervals also count how these differ, and how far the replay without a change is from the past."
                            .formatted(REPLAYS, WhatIfReplays.SHIFT_NANOS / 1_000_000_000L));
            return new WhatIfAnswer(
                    account,
                    question.scheduler.name(),
                    past,
                    reproduction == null
                            ? null
                            : reproduction.trust(
                                    LogAccount.share(
                                            account.all(),
                                            counted.stream()
                                                    .mapToDouble(TraceJob::gpuHours)
                                                    .sum(),
                                            counted.size()),
                                    Advice.Held.of(topology, told, reproduction.nearest(), reproduction.nearest())),
                    rows,
                    notes,
                    reproduction,
                    replays.timelines());
        }
    }

    private static Row compared(
            String name, LogOutcome now, LogOutcome then, String cluster, List<TraceJob> jobs, long seed) {
        double[] before = now.values(JobMetric.WAIT);
        double[] after = then.values(JobMetric.WAIT);
        if (before.length != after.length || before.length != REPLAYS * jobs.size()) {
            return new Row(name, cluster, then);
        }
        List<OfGroup> partitions = groups(jobs, job -> job.terms().partition(), now, then, seed);
        return new Row(
                name,
                cluster,
                then,
                Saved.of(before, after, error(before, jobs), seed),
                groups(
                        jobs,
                        job -> job.terms().account() == null
                                ? job.virtualCluster()
                                : job.terms().account(),
                        now,
                        then,
                        seed),
                partitions.size() < 2 ? List.of() : partitions);
    }

    /** The groups with the most jobs, by their names. */
    private static List<OfGroup> groups(
            List<TraceJob> jobs, Function<TraceJob, @Nullable String> by, LogOutcome now, LogOutcome then, long seed) {
        return Payer.largest(jobs, by, GROUPS).stream()
                .map(entry -> group(entry.getKey(), entry.getValue(), jobs, now, then, seed))
                .sorted(Comparator.comparing(OfGroup::name))
                .toList();
    }

    private static OfGroup group(
            String name, List<Integer> numbers, List<TraceJob> jobs, LogOutcome now, LogOutcome then, long seed) {
        int[] places = numbers.stream()
                .flatMapToInt(job -> IntStream.range(REPLAYS * job, REPLAYS * (job + 1)))
                .toArray();
        double[] before = now.over(places).values(JobMetric.WAIT);
        double[] after = then.over(places).values(JobMetric.WAIT);
        double error = error(before, numbers.stream().map(jobs::get).toList());
        return new OfGroup(
                name,
                numbers.size(),
                Statistics.mean(before),
                Statistics.mean(after),
                numbers.size() < BlockBootstrap.BLOCKS ? null : Saved.of(before, after, error, seed));
    }

    /** How far the mean of the replays' waits of jobs is from the past, seconds; 0 where the log does not say any. */
    private static double error(double[] waits, List<TraceJob> jobs) {
        int[] dated = IntStream.range(0, jobs.size())
                .filter(job -> jobs.get(job).past() != null)
                .toArray();
        double[] was = LogOutcome.past(Arrays.stream(dated).mapToObj(jobs::get).toList(), 1, false)
                .values(JobMetric.WAIT);
        double sum = 0;
        for (int i = 0; i < dated.length; i++) {
            for (int replay = 0; replay < REPLAYS; replay++) {
                sum += waits[REPLAYS * dated[i] + replay] - was[i];
            }
        }
        return Math.abs(sum) / Math.max(1, REPLAYS * dated.length);
    }

    private static void note(WhatIf change, double speed, List<TraceJob> jobs, List<String> notes) {
        String cut = change.cut(jobs);
        if (cut != null) {
            notes.add(cut);
        }
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

    /** Sentences, each with its subject before a colon and a space, and a table. */
    public Answer answer() {
        Answer answer = new Answer();
        LogOutcome now = whatIf.get(0).log;
        String before = Durations.human(now.waits().mean());
        List<Row> rows = new ArrayList<>(whatIf);
        if (past != null) {
            String wait = Durations.human(past.waits().mean());
            answer.tell("Past: wait %s on average; simulated under %s, %s.", wait, scheduler, before);
            rows.add(0, new Row(LogOutcome.PAST, "", past));
        }
        if (trust != null && reproduction != null) {
            answer.tell(
                    "Trust: %s; %s. The changes are of waits as simulated, not as they were.",
                    trust.word(), reproduction.errors());
        }
        for (Row one : whatIf.subList(1, whatIf.size())) {
            boolean isClear = one.saved == null || one.saved.interval.isClear();
            answer.tell(
                    isClear
                            ? "What if %s: the mean wait would change from %s to %s."
                            : "What if %s: no clear change of the mean wait of %s (the 95 %% interval includes 0).",
                    one.change,
                    before,
                    Durations.human(one.log.waits().mean()));
            tell("By account", one.accounts, answer);
            tell("By partition", one.partitions, answer);
        }
        return answer.say(notes).gap().table(table(rows, now));
    }

    /** The groups whose change is clear, and the names of the others; nothing without groups. */
    private static void tell(String subject, List<OfGroup> groups, Answer answer) {
        List<String> words = new ArrayList<>(
                groups.stream().filter(OfGroup::isClear).map(OfGroup::words).toList());
        List<String> others = groups.stream()
                .filter(group -> !group.isClear())
                .map(OfGroup::name)
                .toList();
        if (!others.isEmpty()) {
            words.add("no clear change for " + String.join(", ", others));
        }
        if (!words.isEmpty()) {
            answer.tell("%s: %s.", subject, String.join("; ", words));
        }
    }

    private static AnswerTable<Row> table(List<Row> rows, LogOutcome now) {
        return AnswerTable.of(rows)
                .text("", Row::change)
                .text("cluster", Row::cluster)
                .duration("mean wait", row -> row.log.waits().mean())
                .duration("p95 wait", row -> row.log.waits().p95())
                .duration("p99 wait", row -> row.log.waits().p99())
                .duration("longest", row -> row.log.longestWait())
                .column("GPUs", CellFormat.percent(0).orDash(), row -> row.log.gpusHeld())
                .duration(
                        "mean wait saved",
                        row -> row.saved == null
                                ? null
                                : now.waits().mean() - row.log.waits().mean())
                .text("95 % interval", row -> row.saved == null ? "" : row.saved.interval.text(CellFormat.DURATION));
    }

    /** For machines; times in seconds. */
    public String json() {
        return JsonText.pretty(this);
    }
}
