package org.trainyard.experiments.advice.search;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.AdviceJson;
import org.trainyard.experiments.advice.AdviceQuestion;
import org.trainyard.experiments.advice.LogOutcome;
import org.trainyard.experiments.advice.LogReplays;
import org.trainyard.experiments.advice.WhatIf;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * Slurm's settings tuned on the first weeks of a log, and judged on the others.
 *
 * @param metric that is made small
 * @param split words for how the log was divided
 * @param trained jobs of the weeks that settings were tuned on
 * @param judged jobs of the weeks that no setting was chosen by
 * @param evaluations replays of the training weeks
 * @param past of the judged jobs; null when the log does not say
 * @param now the judged jobs under today's settings
 * @param then under the tuned ones; the same object when nothing was gained in training
 * @param trainedNow the metric of the training weeks today
 * @param trainedThen tuned
 * @param low lower end of the 95 % interval of what the metric of the judged jobs saves
 * @param high upper end
 * @param lines of {@code slurm.conf}; none when nothing was gained in training
 */
public record SlurmSearch(
        RankingMetric metric,
        String split,
        int trained,
        int judged,
        int evaluations,
        @Nullable LogOutcome past,
        LogOutcome now,
        LogOutcome then,
        double trainedNow,
        double trainedThen,
        double low,
        double high,
        List<String> lines) {
    /** Points tried before any of them teaches where to look next; the same on any number of threads. */
    private static final int BATCH = 8;

    private static final long WEEK_NANOS = 7 * 86_400_000_000_000L;
    private static final int LEAST_JOBS = 60;
    /** A setting whose change gains less than this share of the metric stays as it is. */
    static final double WORTH = 1e-3;

    public SlurmSearch {
        lines = List.copyOf(lines);
    }

    /**
     * Tunes and judges. Cost: a replay of the training weeks for each evaluation, and two of the log.
     *
     * @param question its own scheduler names the {@code slurm.conf}; without one, what Slurm does unconfigured is today
     * @param evaluations at most
     */
    public static SlurmSearch of(AdviceQuestion question, int evaluations) {
        String own = question.own();
        SlurmFiles files = own == null ? SlurmFiles.DEFAULT : SlurmFiles.read(own.substring("slurm:".length()));
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            List<TraceJob> jobs = question.replays(workers).fitting(question.jobs());
            if (jobs.size() < LEAST_JOBS) {
                throw InputException.at(
                        "--search", jobs.size() + " jobs", "a log of at least %d that fit".formatted(LEAST_JOBS));
            }
            int border = border(jobs);
            SlurmTrials tries = new SlurmTrials(question, files, workers, jobs.subList(0, border));
            int[] choices = tries.space.choices();
            tries.add(List.of(Collections.nCopies(choices.length, 0)));
            ParzenSearch.Trial today = tries.trials.get(0);
            if (Double.isInfinite(today.value())) {
                throw InputException.at("--limit", question.limitSeconds() / 60, "more minutes for one replay");
            }
            ParzenSearch search =
                    new ParzenSearch(choices, RandomStreams.stream(question.seed(), "search of Slurm's settings"));
            int spared = evaluations > 2 * choices.length ? choices.length : 0;
            while (tries.trials.size() < evaluations - spared) {
                int count = Math.min(BATCH, evaluations - spared - tries.trials.size());
                List<List<Integer>> next = search.propose(tries.trials, count);
                if (next.isEmpty()) {
                    break;
                }
                tries.add(next);
            }
            ParzenSearch.Trial best = tries.pruned(evaluations);
            boolean isGained = best.value() < today.value() * (1 - WORTH);
            return judged(question, files, workers, jobs, border, tries, today, isGained ? best : today);
        }
    }

    private static SlurmSearch judged(
            AdviceQuestion question,
            SlurmFiles files,
            ThreadWorkerPool workers,
            List<TraceJob> jobs,
            int border,
            SlurmTrials tries,
            ParzenSearch.Trial today,
            ParzenSearch.Trial best) {
        WhatIf change = tries.space.change(best.point());
        List<LogReplays.Candidate> both = IntStream.of(0, 1)
                .mapToObj(i -> SlurmTrials.candidate(
                        question, files, tries.space.change(i == 0 ? today.point() : best.point()), "all"))
                .distinct()
                .toList();
        int[] held = IntStream.range(border, jobs.size()).toArray();
        List<LogOutcome> whole = question.replays(workers).run("judge on unseen weeks", both, jobs, 1).stream()
                .map(one -> one.over(held))
                .toList();
        if (whole.size() < both.size()) {
            throw InputException.at("--limit", question.limitSeconds() / 60, "more minutes for one replay");
        }
        LogOutcome now = whole.get(0);
        LogOutcome then = best.equals(today) ? now : whole.get(whole.size() - 1);
        BlockBootstrap.Bounds saved = saved(now, then, question.metric(), question.seed());
        List<String> lines = new ArrayList<>(change.files(files).conf());
        lines.removeAll(files.conf());
        List<TraceJob> last = jobs.subList(border, jobs.size());
        boolean isDated = last.stream().allMatch(job -> job.past() != null);
        return new SlurmSearch(
                question.metric(),
                split(jobs, border),
                border,
                held.length,
                tries.trials.size(),
                isDated ? LogOutcome.past(last, question.topology().gpus(), false) : null,
                now,
                then,
                today.value(),
                best.value(),
                saved.low(),
                saved.high(),
                best.equals(today) ? List.of() : lines);
    }

    /** The interval of what a metric saves, the same blocks drawn for both. */
    private static BlockBootstrap.Bounds saved(LogOutcome now, LogOutcome then, RankingMetric metric, long seed) {
        List<BlockBootstrap.Ranked> ranked =
                BlockBootstrap.rank(List.of(then.values(metric.ofJob()), now.values(metric.ofJob())), metric, seed);
        BlockBootstrap.Bounds behind = ranked.get(1).fromBest();
        if (behind == null) {
            return new BlockBootstrap.Bounds(0, 0);
        }
        return ranked.get(0).index() == 0 ? behind : new BlockBootstrap.Bounds(-behind.high(), -behind.low());
    }

    /** The first job that is judged: of the last third of the weeks, or, where the log has fewer than three, of the jobs. */
    private static int border(List<TraceJob> jobs) {
        long first = jobs.get(0).submitNanos();
        int weeks = weeks(jobs);
        if (weeks >= 3) {
            long from = first + (weeks - weeks / 3) * WEEK_NANOS;
            int border =
                    (int) jobs.stream().filter(job -> job.submitNanos() < from).count();
            if (border >= jobs.size() / 3 && jobs.size() - border >= LEAST_JOBS / 3) {
                return border;
            }
        }
        return 2 * jobs.size() / 3;
    }

    private static int weeks(List<TraceJob> jobs) {
        return (int) ((jobs.get(jobs.size() - 1).submitNanos() - jobs.get(0).submitNanos()) / WEEK_NANOS) + 1;
    }

    private static String split(List<TraceJob> jobs, int border) {
        int weeks = weeks(jobs);
        boolean isByWeek = border != 2 * jobs.size() / 3;
        return isByWeek
                ? "weeks 1 to %d of %d".formatted(weeks - weeks / 3, weeks)
                : "the first two thirds of the jobs";
    }

    /** Whether the interval of what is saved lies above zero. */
    public boolean isShown() {
        return low > 0;
    }

    /** Sentences, each with its subject before a colon; the result first. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        double before = now.value(metric);
        double after = then.value(metric);
        if (lines.isEmpty()) {
            sentences.add(
                    "Result: nothing is gained; none of %,d settings beats today's on the training weeks, where the %s is %s."
                            .formatted(evaluations, metric.words(), metric.text(trainedNow)));
        } else {
            String verdict = isShown()
                    ? "a gain"
                    : high < 0
                            ? "a loss, so keep today's settings"
                            : "a gain is not shown, for the interval has zero in it";
            sentences.add(
                    "Result: on weeks that the search has not seen, the %s goes from %s to %s, %s less (%s .. %s): %s."
                            .formatted(
                                    metric.words(),
                                    metric.text(before),
                                    metric.text(after),
                                    metric.text(before - after),
                                    metric.text(low),
                                    metric.text(high),
                                    verdict));
        }
        sentences.add(
                "Search: %,d settings on %,d jobs (%s), where the %s goes from %s to %s; judged on the %,d jobs after them."
                        .formatted(
                                evaluations,
                                trained,
                                split,
                                metric.words(),
                                metric.text(trainedNow),
                                metric.text(trainedThen),
                                judged));
        if (past != null) {
            sentences.add("Past: of the judged jobs the %s was %s, and as configured today it is simulated as %s."
                    .formatted(metric.words(), metric.text(past.value(metric)), metric.text(before)));
        }
        if (!lines.isEmpty()) {
            sentences.add("Beside it: the p99 wait goes from %s to %s, and the longest from %s to %s."
                    .formatted(
                            Durations.human(now.waits().p99()),
                            Durations.human(then.waits().p99()),
                            Durations.human(now.longestWait()),
                            Durations.human(then.longestWait())));
        }
        lines.forEach(line -> sentences.add("slurm.conf: " + line));
        return sentences;
    }

    /** For machines; times in seconds. */
    public String json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("metric", metric.label()).put("evaluations", evaluations);
        root.putObject("training")
                .put("jobs", trained)
                .put("weeks", split)
                .put("now", trainedNow)
                .put("then", trainedThen);
        ObjectNode unseen = root.putObject("held_out").put("jobs", judged);
        unseen.set("past", past == null ? null : AdviceJson.figures(past));
        unseen.set("now", AdviceJson.figures(now));
        unseen.set("then", AdviceJson.figures(then));
        ObjectNode saved = unseen.putObject("saved").put("value", now.value(metric) - then.value(metric));
        saved.putArray("interval").add(low).add(high);
        root.put("is_shown", isShown());
        ArrayNode conf = root.putArray("slurm_conf");
        lines.forEach(conf::add);
        return JsonText.pretty(root);
    }
}
