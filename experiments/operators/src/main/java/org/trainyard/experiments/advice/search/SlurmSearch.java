package org.trainyard.experiments.advice.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.AdviceQuestion;
import org.trainyard.experiments.advice.LogOutcome;
import org.trainyard.experiments.advice.LogReplays;
import org.trainyard.experiments.advice.WaitBound;
import org.trainyard.experiments.advice.WhatIf;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.LoggedCluster;

/**
 * Slurm's settings tuned on the first weeks of a log, and judged on the others.
 *
 * @param metric that is made small
 * @param evaluations replays of the training weeks
 * @param training the weeks that settings were tuned on
 * @param heldOut the weeks that no setting was chosen by
 * @param isShown whether the interval of the saving lies above zero, and the bound is kept on unseen weeks
 * @param bound that was asked for; null without one
 * @param isBoundKept on unseen weeks; null without a bound
 * @param slurmConf lines; none where no gain is shown
 */
public record SlurmSearch(
        RankingMetric metric,
        int evaluations,
        Training training,
        HeldOut heldOut,
        boolean isShown,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String bound,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean isBoundKept,
        List<String> slurmConf) {
    /**
     * The jobs that settings were tuned on.
     *
     * @param weeks words for how the log was divided
     * @param now the metric today
     * @param then tuned
     */
    public record Training(int jobs, String weeks, double now, double then) {}

    /**
     * The jobs that settings are judged on.
     *
     * @param past null when the log does not say
     * @param now under today's settings
     * @param then under the tuned ones; the same object when nothing was gained in training
     */
    public record HeldOut(int jobs, @Nullable LogOutcome past, LogOutcome now, LogOutcome then, Saved saved) {}

    /** Saving in the metric, with its 95 % interval. */
    public record Saved(double value, BlockBootstrap.Bounds interval) {}

    /** Points tried before any of them teaches where to look next; the same on any number of threads. */
    private static final int BATCH = 8;

    private static final long WEEK_NANOS = 7 * 86_400_000_000_000L;
    private static final int LEAST_JOBS = 60;
    /** A setting whose change gains less than this share of the metric stays as it is. */
    static final double WORTH = 1e-3;

    public SlurmSearch {
        slurmConf = List.copyOf(slurmConf);
    }

    /**
     * Tunes and judges. Cost: a replay of the training weeks for each evaluation, and two of the log.
     *
     * @param question its own scheduler names the {@code slurm.conf}; without one, the baseline is Slurm with its
     *     defaults
     * @param evaluations at most
     */
    public static SlurmSearch of(AdviceQuestion question, int evaluations) {
        String own = question.own();
        SlurmFiles files = own == null ? SlurmFiles.DEFAULT : SlurmFiles.read(own.substring("slurm:".length()));
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            List<TraceJob> jobs = question.replays(workers).fitting(question.jobs());
            if (jobs.size() < LEAST_JOBS) {
                throw InputException.at(
                        "--search",
                        Counted.of(jobs.size(), "job"),
                        "a log of at least %d that fit".formatted(LEAST_JOBS));
            }
            int border = border(jobs);
            SlurmTrials tries = new SlurmTrials(question, files, workers, jobs.subList(0, border));
            int[] choices = tries.space.choices();
            tries.add(List.of(Collections.nCopies(choices.length, 0)));
            ParzenSearch.Trial today = tries.trials.get(0);
            if (Double.isInfinite(today.value())) {
                throw InputException.at("--limit", question.limits().seconds() / 60, "more minutes for one replay");
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
        List<LogReplays.Candidate> both = Stream.of(today, best)
                .distinct()
                .map(one -> SlurmTrials.candidate(question, files, tries.space.change(one.point()), "all"))
                .toList();
        List<TraceJob> last = LoggedCluster.counted(jobs.subList(border, jobs.size()));
        int all = LoggedCluster.counted(jobs).size();
        int[] held = IntStream.range(all - last.size(), all).toArray();
        List<LogOutcome> whole = question.replays(workers).run("judge on unseen weeks", both, jobs, 1).stream()
                .map(one -> one.over(held))
                .toList();
        if (whole.size() < both.size()) {
            throw InputException.at("--limit", question.limits().seconds() / 60, "more minutes for one replay");
        }
        LogOutcome now = whole.get(0);
        LogOutcome then = best.equals(today) ? now : whole.get(whole.size() - 1);
        JobMetric of = question.metric().ofJob();
        BlockBootstrap.Bounds saved =
                BlockBootstrap.saved(now.values(of), then.values(of), question.metric(), question.seed());
        WaitBound bound = question.bound();
        Boolean isKept = bound == null ? null : bound.isKept(now, then, bound.places(last));
        boolean isShown = saved.low() > 0 && !Boolean.FALSE.equals(isKept);
        List<String> lines = new ArrayList<>(change.files(files).conf());
        lines.removeAll(files.conf());
        boolean isDated = last.stream().allMatch(job -> job.past() != null);
        LogOutcome past = isDated ? LogOutcome.past(last, question.topology().gpus(), false) : null;
        double value = now.value(question.metric()) - then.value(question.metric());
        return new SlurmSearch(
                question.metric(),
                tries.trials.size(),
                new Training(border, split(jobs, border), today.value(), best.value()),
                new HeldOut(held.length, past, now, then, new Saved(value, saved)),
                isShown,
                bound == null ? null : bound.text(),
                isKept,
                isShown ? lines : List.of());
    }

    /**
     * The first job that is judged: of the last third of the weeks, or, where the log has fewer than three, of the
     * jobs.
     */
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

    /** Sentences, each with its subject before a colon; the result first. */
    public Answer answer() {
        Answer answer = new Answer();
        String words = metric.words();
        LogOutcome now = heldOut.now;
        LogOutcome then = heldOut.then;
        String before = metric.text(now.value(metric));
        String trained = metric.text(training.now);
        boolean isTried = now != then;
        if (!isTried) {
            answer.tell(
                    "Result: no settings found that help; nothing to change; none of %,d beats today's on the training weeks, where the %s is %s.",
                    evaluations, words, trained);
        } else {
            double saved = heldOut.saved.value;
            answer.tell(
                    "Result: %son weeks that the search has not seen, the %s goes from %s to %s, %s %s (saved %s): %s.",
                    isShown ? "" : "no settings found that help; nothing to change; ",
                    words,
                    before,
                    metric.text(then.value(metric)),
                    metric.text(Math.abs(saved)),
                    saved < 0 ? "more" : "less",
                    heldOut.saved.interval.text(metric),
                    heldOut.saved.interval.high() < 0
                            ? "a loss"
                            : heldOut.saved.interval.low() > 0
                                    ? "a gain"
                                    : "no significant gain (the interval includes 0)");
        }
        if (bound != null) {
            answer.tell(
                    "Bound (%s): settings that break it on the training weeks were not chosen; on the judged weeks it %s.",
                    bound,
                    !isTried
                            ? "is kept, for nothing changes"
                            : Boolean.TRUE.equals(isBoundKept) ? "is kept" : "is broken");
        }
        answer.tell(
                "Search: %,d settings on %,d jobs (%s), where the %s goes from %s to %s; judged on the %,d jobs after them.",
                evaluations, training.jobs, training.weeks, words, trained, metric.text(training.then), heldOut.jobs);
        if (heldOut.past != null) {
            answer.tell(
                    "Past: of the judged jobs the %s was %s, and as configured today it is simulated as %s.",
                    words, metric.text(heldOut.past.value(metric)), before);
        }
        if (isTried) {
            answer.tell(
                    "Beside it: the p99 wait goes from %s to %s, and the longest from %s to %s.",
                    Durations.human(now.waits().p99()),
                    Durations.human(then.waits().p99()),
                    Durations.human(now.longestWait()),
                    Durations.human(then.longestWait()));
        }
        slurmConf.forEach(line -> answer.say("slurm.conf: " + line));
        return answer;
    }

    /** For machines; times in seconds. */
    public String json() {
        return JsonText.pretty(this);
    }
}
