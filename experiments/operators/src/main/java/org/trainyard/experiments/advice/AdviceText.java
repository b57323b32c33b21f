package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.BlockBootstrap;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.LoggedCluster;

/** An {@link Advice} in sentences and a table. */
public final class AdviceText {
    private static final List<RankingMetric> SHOWN =
            List.of(RankingMetric.MEAN_WAIT, RankingMetric.P95_WAIT, RankingMetric.P99_WAIT, RankingMetric.MEAN_JCT);
    private static final int ROWS = 12;
    private static final int NAMED = 4;
    private static final CellFormat PERCENT = CellFormat.percent(0);

    private final Advice advice;
    private final Answer answer = new Answer();

    private AdviceText(Advice advice) {
        this.advice = advice;
    }

    /**
     * The result, its basis and the rest, each with its subject before a colon; then the table and its footnotes. The
     * notes are left out.
     */
    public static Answer of(Advice advice) {
        AdviceText text = new AdviceText(advice);
        text.result();
        text.past();
        text.free();
        text.others();
        List<RankedScheduler> shown = text.shown();
        text.answer.gap().table(text.table(shown));
        text.footnotes(shown);
        return text.answer;
    }

    /** The same for machines. */
    public static String json(Advice advice) {
        return JsonText.pretty(AdviceJson.of(advice));
    }

    /** What the manager of the log can run as configured, with its keys; the best of all where it can run none. */
    private void result() {
        String none = noAnswer(advice);
        if (none != null) {
            answer.tell("Answer: %s.", none);
            return;
        }
        RankedScheduler configured = advice.bestConfigurable();
        if (configured != null && isToday(configured)) {
            answer.tell(
                    "Answer: keep %s; nothing else that %s runs as configured has a shorter %s (%s in simulation, %s in the log).",
                    configured.name(),
                    advice.manager().words(),
                    advice.metric().words(),
                    advice.metric().text(configured.value()),
                    advice.metric().text(advice.pastValue()));
            return;
        }
        RankedScheduler first = configured == null ? advice.best() : configured;
        List<String> parts = new ArrayList<>(List.of(change(
                first,
                configured == null
                        ? "no scheduler"
                        : "nothing that %s runs as configured"
                                .formatted(advice.manager().words()))));
        parts.addAll(first.traits(advice.manager()).configuration());
        today(first).ifPresent(parts::add);
        parts.add(cost(first));
        answer.tell("Answer: %s.", String.join("; ", parts));
    }

    /** Whether a scheduler is what the cluster runs: by its files, or without them what reproduces the past. */
    private boolean isToday(RankedScheduler one) {
        Reproduction reproduction = advice.reproduction();
        boolean isNearest = reproduction != null
                && reproduction.trust() != Reproduction.Trust.WEAK
                && reproduction.nearest().name().equals(one.name());
        return advice.hasWholePast() && (LoggedCluster.isSlurmOfFiles(one.name()) || isNearest);
    }

    /** What other settings of the cluster's own Slurm gain against those of today, both simulated. */
    private Optional<String> today(RankedScheduler one) {
        return advice.ranking().stream()
                .filter(other -> LoggedCluster.isSlurmOfFiles(other.name()))
                .filter(other -> one.name().startsWith(LogReplays.SETTING))
                .findFirst()
                .map(own -> {
                    double[] before = own.log().values(JobMetric.WAIT);
                    double[] after = one.log().values(JobMetric.WAIT);
                    double[] saved = IntStream.range(0, before.length)
                            .mapToDouble(job -> before[job] - after[job])
                            .toArray();
                    BlockBootstrap.Bounds bounds = BlockBootstrap.bounds(saved, RankingMetric.MEAN_WAIT, 1);
                    return "against today's settings, simulated, jobs wait %s less on average (%s)%s"
                            .formatted(
                                    Durations.human(
                                            Arrays.stream(saved).average().orElse(0)),
                                    bounds.text(CellFormat.DURATION),
                                    bounds.isClear() ? "" : ", which is not shown, for the interval has zero in it");
                });
    }

    private String cost(RankedScheduler one) {
        double preemptions = advice.preemptionsAMonth(one.log());
        return preemptions < 1
                ? "it costs no preemptions"
                : "it costs %,.0f preemptions a month, each with a restart of %s"
                        .formatted(
                                preemptions,
                                Durations.human(advice.restarts().get(0).seconds()));
    }

    /** A sentence without its full stop on why no gain is told; null where one is, or that there is none. */
    static @Nullable String noAnswer(Advice advice) {
        if (!advice.promises()) {
            Advice.Held held = Objects.requireNonNull(advice.held());
            return "none; %s, and no scheduler that Slurm, Kueue or Volcano runs explains it, so no gain is promised; %s"
                    .formatted(held.past().words(), what(held));
        }
        return advice.isWithoutQueue()
                ? "nothing is to be gained, for hardly a job queues in the replay nearest to the past, of a wait of %s on average"
                        .formatted(Durations.human(
                                Objects.requireNonNull(advice.past()).waits().mean()))
                : null;
    }

    /** What held jobs while enough GPUs were free. */
    private static String what(Advice.Held held) {
        return "%slimits or jobs before them held jobs then"
                .formatted(held.isReckoned() ? "" : "CPUs and memory, which the cluster does not say of its servers, ");
    }

    /** What waits while GPUs are free say, and the time that starts take. */
    private void free() {
        Advice.Held held = advice.held();
        if (held == null) {
            return;
        }
        if (!held.isReckoned() && advice.promises()) {
            answer.tell("Free GPUs: %s; %s.", held.past().words(), what(held));
        }
        if (!held.past().delayWords().isEmpty()) {
            answer.tell(
                    "Starts: %s, as for the jobs that found room and nobody before them; every wait has them, and no scheduler saves them.",
                    held.past().delayWords());
        }
    }

    private void past() {
        Reproduction reproduction = advice.reproduction();
        if (reproduction == null) {
            answer.tell(
                    "Past: the log of %,d jobs does not say when jobs ran (columns start_s and end_s, or Start and End), so nothing shows whether a simulation is like your cluster.",
                    advice.jobs());
            return;
        }
        LogOutcome past = reproduction.past();
        answer.tell(
                "Past: %,d jobs in %s; %s; %s.",
                past.jobs(),
                advice.days() < 2 ? Durations.human(86_400 * advice.days()) : "%.0f days".formatted(advice.days()),
                waits("wait", past),
                advice.hasWholePast()
                        ? PERCENT.text(past.gpusHeld()) + " of the GPUs held"
                        : Counted.say("%,d jobs ran in all", advice.jobs()));
        List<String> alike = reproduction.alike();
        answer.tell(
                "Nearest: %s%s, simulated, %s%s.",
                reproduction.nearest().name(),
                alike.isEmpty() ? "" : " (as near: %s)".formatted(Counted.some(alike, NAMED)),
                waits("waits", reproduction.nearest()),
                reproduction.isFitted()
                        ? ", with all durations times %.2f".formatted(reproduction.durationFactor())
                        : "");
        answer.tell(
                "Trust: %s; %s; %s%s%s.",
                advice.trustWord(),
                reproduction.trust().words(),
                reproduced(reproduction),
                advice.trust() == reproduction.trust()
                        ? ""
                        : "; %s of the load was left out%s"
                                .formatted(PERCENT.text(advice.leftOutShare()), unexplained()),
                switch (advice.limits()) {
                    case KEPT -> "; " + advice.limits().words();
                    case UNKNOWN -> "; not known are " + advice.limits().words();
                    case NONE -> "";
                });
    }

    private String unexplained() {
        Advice.Held held = advice.held();
        return held == null || held.unexplained() < 0.005
                ? ""
                : "; %s of the wait was while enough GPUs were free, and is not so in the nearest replay of what a manager runs"
                        .formatted(PERCENT.text(held.unexplained()));
    }

    private static String waits(String verb, LogOutcome log) {
        Distribution waits = log.waits();
        return "%s %s on average, %s at p95"
                .formatted(verb, Durations.human(waits.mean()), Durations.human(waits.p95()));
    }

    /** Fit of the simulation to the past: the fitted metric, and the errors of the others. */
    private static String reproduced(Reproduction reproduction) {
        Distribution was = reproduction.past().waits();
        String mean = off(reproduction.unfitted().waits().mean(), was.mean());
        String p95 = off(reproduction.nearest().waits().p95(), was.p95());
        String errors = reproduction.isFitted()
                ? "durations were fitted to the mean wait, which was off by %s; the p95, which was not fitted, is off by %s"
                : "nothing was fitted; the mean wait is off by %s and the p95 by %s";
        Double cycles = reproduction.cycleStarts();
        return errors.formatted(mean, p95)
                + "; %s of the jobs start within a minute of their start"
                        .formatted(PERCENT.text(reproduction.startsWithinMinute()))
                + (cycles == null
                        ? ""
                        : ", and %s of the starts of the controller's log are made from the state of their cycle"
                                .formatted(PERCENT.text(cycles)));
    }

    /** A relative error, with a word where it is of less than a minute, which counts for nothing. */
    private static String off(double is, double was) {
        double seconds = Math.abs(is - was);
        double percent = 100 * seconds / Math.max(1, was);
        String minute = percent >= 0.5 && seconds < Reproduction.IDLE_SECONDS ? " (under a minute)" : "";
        return "%.0f %%%s".formatted(percent, minute);
    }

    /** Schedulers besides the best, their requirements, the groups that wait longer, and restarts. */
    private void others() {
        RankedScheduler best = advice.best();
        List<String> level = advice.level().stream().map(RankedScheduler::name).toList();
        if (!advice.isGainTold()) {
            return;
        }
        if (!level.isEmpty() && advice.promises(best)) {
            answer.tell("Too close to call: %s.", Counted.some(level, NAMED));
        }
        RankedScheduler plain = advice.bestWithoutPreemption();
        RankedScheduler configured = advice.bestConfigurable();
        if (configured != null && Stream.of(best, plain).anyMatch(one -> one != null && !advice.promises(one))) {
            answer.tell(
                    "Other schedulers: no gain is promised, for %s, which %s explains and they do not: its limits of partitions hold under Slurm alone.",
                    Objects.requireNonNull(advice.held()).past().words(), configured.name());
        }
        plain = plain != null && advice.promises(plain) ? plain : configured;
        best = advice.promises(best) ? best : Objects.requireNonNull(configured);
        if (configured != null && plain != null && !plain.equals(configured)) {
            answer.tell("With a driver, without preemption: %s.", change(plain, "no such scheduler"));
        }
        if (configured != null && !best.equals(configured) && !best.equals(plain)) {
            answer.tell("Best of all: %s; %s.", change(best, "no scheduler"), cost(best));
        }
        List<RankedScheduler> named = Stream.of(configured, plain, best)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        answer.tell(
                "To run them: %s%s.",
                named.stream()
                        .map(one ->
                                one.name() + " " + one.traits(advice.manager()).words(advice.manager()))
                        .collect(Collectors.joining("; ")),
                advice.manager() == ResourceManager.SLURM ? "; --search tunes more settings of Slurm" : "");
        LogOutcome past = advice.past();
        if (past != null) {
            named.forEach(one -> answer.say(advice.pays().sentences(past, one.log())));
        }
        bound();
        restarts();
    }

    private void bound() {
        WaitBound bound = advice.pays().bound();
        if (bound != null) {
            RankedScheduler kept = advice.bestWithinBound();
            int keepers = advice.pays().keepers().size();
            answer.tell(
                    "Within the bound (%s): %s.",
                    bound.text(),
                    kept == null
                            ? "no scheduler"
                            : Counted.say(
                                    "%,d of %,d schedulers; %s",
                                    keepers, advice.ranking().size(), change(kept, "none of them")));
        }
    }

    /** The first three where restarts cost more or less; nothing when no scheduler preempts. */
    private void restarts() {
        List<RestartAnswer> costs = advice.restarts();
        if (costs.size() == 1
                || advice.ranking().stream().allMatch(one -> one.log().preemptions() == 0)) {
            return;
        }
        long answers = costs.stream().map(RestartAnswer::best).distinct().count();
        long orders = costs.stream().map(RestartAnswer::first).distinct().count();
        answer.tell(
                "Restarts: as they cost more, %s: %s.",
                answers > 1
                        ? "the answer turns over"
                        : orders > 1 ? "the answer stays and the first three turn over" : "the first three stay",
                costs.stream()
                        .map(cost -> "%s at %s (%s)"
                                .formatted(
                                        String.join(", ", cost.first()),
                                        Durations.human(cost.seconds()),
                                        advice.metric().text(cost.value())))
                        .collect(Collectors.joining("; ")));
    }

    /** @param none words for where not even the best of its kind shortens the metric */
    private String change(RankedScheduler one, String none) {
        String name = one.name();
        String words = advice.metric().words();
        String interval = one.interval(advice.metric());
        boolean isDoubtful =
                advice.hasWholePast() && one.bounds() != null && one.bounds().high() >= advice.pastValue();
        String doubt = isDoubtful ? ", so perhaps not at all" : "";
        String then = advice.metric().text(one.value()) + (interval.isEmpty() ? "" : " (" + interval + doubt + ")");
        if (!advice.hasWholePast()) {
            return "%s would have a %s of %s".formatted(name, words, then);
        }
        String past = advice.metric().text(advice.pastValue());
        return one.value() < advice.pastValue()
                ? "%s would change the %s from %s to %s".formatted(name, words, past, then)
                : "%s shortens the %s of %s in simulation; the shortest is that of %s, %s"
                        .formatted(none, words, past, name, then);
    }

    /** A row of the table: the past or a scheduler. */
    private record Row(LogOutcome log, double value, String interval, double preemptions, String word) {}

    /** The past and the first schedulers of the ranking. */
    private AnswerTable<Row> table(List<RankedScheduler> shown) {
        List<Row> rows = new ArrayList<>();
        LogOutcome past = advice.past();
        if (past != null) {
            String part = advice.hasWholePast() ? "" : Counted.say("%,d of %,d jobs", past.jobs(), advice.jobs());
            rows.add(new Row(past, advice.pastValue(), "", Double.NaN, part));
        }
        for (RankedScheduler one : shown) {
            boolean isBest = one.equals(shown.get(0));
            String word = (!advice.promises(one) ? "" : isBest ? "best" : one.isLevel() ? "too close to call" : "")
                    + one.also(advice.ranking());
            String nearest = isNearest(one) ? (word.isEmpty() ? "" : ", ") + nearest() : "";
            rows.add(new Row(
                    one.log(),
                    one.value(),
                    one.interval(advice.metric()),
                    advice.preemptionsAMonth(one.log()),
                    word + nearest));
        }
        AnswerTable<Row> table = AnswerTable.of(rows)
                .text("scheduler", row -> AnswerTable.shortened(row.log().name(), 28))
                .column(advice.metric().words(), advice.metric(), Row::value)
                .text("95 % interval", Row::interval);
        SHOWN.stream()
                .filter(metric -> metric != advice.metric())
                .forEach(metric ->
                        table.column(metric.words(), metric, row -> row.log().value(metric)));
        return table.duration("longest wait", row -> row.log().longestWait())
                .column("GPUs", PERCENT.orDash(), row -> row.log().gpusHeld())
                .column("preempt/month", CellFormat.COUNT.orDash(), Row::preemptions)
                .text("", Row::word);
    }

    /** The first schedulers of the ranking, the nearest to the past and the learned policy. */
    private List<RankedScheduler> shown() {
        List<RankedScheduler> ranking = RankedScheduler.distinct(advice.ranking());
        return ranking.stream()
                .filter(one -> ranking.indexOf(one) < ROWS
                        || isNearest(one)
                        || one.name().equals(Advice.LEARNED))
                .toList();
    }

    private boolean isNearest(RankedScheduler one) {
        return advice.reproduction() != null
                && one.name().equals(advice.reproduction().nearestName());
    }

    /** Label of the nearest scheduler's row: its own replay may place otherwise, or know less, than the nearest one. */
    private String nearest() {
        Reproduction reproduction = Objects.requireNonNull(advice.reproduction());
        String how = reproduction
                .nearest()
                .name()
                .substring(reproduction.nearestName().length());
        return how.isEmpty() ? "nearest to the past" : "nearest to the past when run" + how;
    }

    private void footnotes(List<RankedScheduler> shown) {
        if (advice.ranking().size() > ROWS) {
            answer.tell(
                    "%d schedulers ran; --json has all of them.",
                    advice.ranking().size());
        }
        answer.say("Waits: time between submission and end without GPUs. Intervals: bootstrap over 20 blocks of"
                + " successive jobs. `list schedulers` says what each does.");
        String kinds =
                Schedulers.kinds(shown.stream().map(RankedScheduler::name).toList());
        if (!kinds.isEmpty()) {
            answer.say(kinds);
        }
    }
}
