package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.RankingMetric;

/** An {@link Advice} in sentences and a table. */
public final class AdviceText {
    private static final List<RankingMetric> SHOWN =
            List.of(RankingMetric.MEAN_WAIT, RankingMetric.P95_WAIT, RankingMetric.P99_WAIT, RankingMetric.MEAN_JCT);
    private static final int ROWS = 12;
    private static final int NAMED = 4;
    private static final String NEAREST = "nearest to the past";
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

    /** The advice as JSON. */
    public static String json(Advice advice) {
        return JsonText.pretty(AdviceJson.of(advice));
    }

    /** Tells the schedulers that the log's manager can run as configured, with their keys; else the best of all. */
    private void result() {
        String none = noAnswer(advice);
        if (none != null) {
            answer.tell("Answer: %s.", none);
            return;
        }
        RankedScheduler configured = advice.bestConfigurable();
        if (configured != null && advice.isToKeep()) {
            String kind =
                    LogReplays.isOwn(Objects.requireNonNull(advice.today()).name())
                            ? "no setting of %s tried"
                            : "nothing else that %s runs as configured";
            answer.tell(
                    "Answer: %s%s%s.",
                    keep(), nothing(configured, kind.formatted(advice.manager().words())), more());
            return;
        }
        RankedScheduler first = configured == null ? advice.best() : configured;
        if (advice.trust() == Reproduction.Trust.WEAK && advice.gains(first)) {
            answer.tell("Answer: none to act on, for trust is weak; %s.", change(first, "no scheduler"));
            return;
        }
        List<String> parts = new ArrayList<>(List.of(change(first, "no scheduler")));
        if (advice.gains(first)) {
            SchedulerTraits traits = first.traits(advice.manager());
            parts.addAll(traits.configuration());
            if (traits.dropsPriorities()) {
                parts.add("this turns off weights of priority and fair share");
            }
            parts.add(cost(first));
        }
        answer.tell("Answer: %s.", String.join("; ", parts));
    }

    /** The advice to keep what runs today, before a semicolon; nothing where no replay is like the past. */
    private String keep() {
        String today = Objects.requireNonNull(advice.today()).name();
        if (LogReplays.isOwn(today)) {
            return "keep your settings; ";
        }
        Reproduction reproduction = Objects.requireNonNull(advice.reproduction());
        if (reproduction.trust() == Reproduction.Trust.WEAK) {
            return "";
        }
        String nearest = reproduction.nearestName();
        boolean runsHere = !SchedulerTraits.of(nearest, false, advice.manager())
                .configuration()
                .isEmpty();
        return runsHere ? "keep %s; ".formatted(nearest) : "keep what runs today; ";
    }

    private String more() {
        return advice.manager() == ResourceManager.SLURM ? "; --search tunes more settings of Slurm" : "";
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

    /** The causes that held jobs while enough GPUs were free, in words. */
    private static String what(Advice.Held held) {
        return held.isReckoned()
                ? "limits or earlier jobs held jobs then"
                : "limits, earlier jobs, or CPUs and memory held jobs then, and the cluster does not say the CPUs and memory"
                        + " of its servers";
    }

    /** Tells the waits while GPUs were free, and the time that starts take. */
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
                alike.isEmpty()
                        ? ""
                        : " (as near%s: %s)"
                                .formatted(
                                        alike.size() > NAMED ? ", so the log does not tell which ran" : "",
                                        Counted.some(alike, NAMED)),
                waits("waits", reproduction.nearest()),
                reproduction.isFitted()
                        ? ", with all durations times %.2f".formatted(reproduction.durationFactor())
                        : "");
        answer.tell(
                "Trust: %s%s; %s; %s%s%s.",
                advice.trustWord(),
                past.jobs() < LogRemarks.ENOUGH ? Counted.say(", of only %,d jobs", past.jobs()) : "",
                reproduction.trust().words(),
                reproduction.errors(),
                advice.trust() == reproduction.trust() ? "" : leftOut() + unexplained(),
                switch (advice.limits()) {
                    case KEPT -> "; " + advice.limits().words();
                    case UNKNOWN -> "; not known are " + advice.limits().words();
                    case NONE -> "";
                });
    }

    private String leftOut() {
        return advice.leftOut().isEmpty()
                ? ""
                : "; %s of the load was left out".formatted(PERCENT.text(advice.leftOutShare()));
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

    /** Schedulers besides the best, their requirements, the groups that wait longer, and restarts. */
    private void others() {
        RankedScheduler best = advice.best();
        List<String> level = advice.level().stream().map(RankedScheduler::name).toList();
        if (!advice.isGainTold()) {
            return;
        }
        if (!level.isEmpty() && advice.promises(best) && advice.gains(best)) {
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
            String unequal = advice.unequal();
            answer.tell(
                    "With a driver, without preemption: %s%s.",
                    change(plain, "no such scheduler"),
                    unequal.isEmpty()
                            ? ""
                            : "; not on equal terms with Slurm, for %s run on any server of the type there"
                                    .formatted(unequal));
        }
        if (configured != null && !best.equals(configured) && !best.equals(plain)) {
            answer.tell(
                    "Best of all: %s%s.", change(best, "no scheduler"), advice.gains(best) ? "; " + cost(best) : "");
        }
        List<RankedScheduler> named = Stream.of(configured, plain, best)
                .filter(Objects::nonNull)
                .filter(advice::gains)
                .distinct()
                .toList();
        if (!named.isEmpty()) {
            answer.tell(
                    "To run them: %s%s.",
                    named.stream()
                            .map(one -> one.name() + " "
                                    + one.traits(advice.manager()).words(advice.manager()))
                            .collect(Collectors.joining("; ")),
                    advice.isToKeep() ? "" : more());
        }
        if (advice.past() != null) {
            named.forEach(one -> answer.say(advice.pays().sentences(one.log())));
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

    /**
     * A change of the metric against a replay of today.
     *
     * @param none words for where not even the best of its kind saves something for certain
     */
    private String change(RankedScheduler one, String none) {
        RankingMetric metric = advice.metric();
        LogOutcome today = advice.today();
        BlockBootstrap.Bounds saved = advice.saved(one);
        if (today == null || saved == null) {
            String interval = one.interval(metric);
            return "%s would have a %s of %s%s"
                    .formatted(
                            one.name(),
                            metric.words(),
                            metric.text(one.value()),
                            interval.isEmpty() ? "" : " (" + interval + ")");
        }
        double now = today.value(metric);
        return advice.gains(one)
                ? "%s would change the simulated %s from %s to %s, %s less (%s)"
                        .formatted(
                                one.name(),
                                metric.words(),
                                metric.text(now),
                                metric.text(one.value()),
                                metric.text(now - one.value()),
                                saved.text(metric))
                : nothing(one, none);
    }

    /** The answer where no gain is certain, with the best scheduler, which may be what runs today. */
    private String nothing(RankedScheduler best, String none) {
        LogOutcome today = Objects.requireNonNull(advice.today());
        RankingMetric metric = advice.metric();
        String value = metric.text(best.value());
        if (best.log().equalsIn(today)) {
            return "%s has a shorter %s (%s, simulated)".formatted(none, metric.words(), value);
        }
        double now = today.value(metric);
        return best.value() >= now
                ? "%s shortens the %s (with %s, the best of them, %s, today %s)"
                        .formatted(none, metric.words(), best.name(), value, metric.text(now))
                : "%s gives a significant gain (best: %s, %s %s, saves %s)"
                        .formatted(
                                none,
                                best.name(),
                                metric.words(),
                                value,
                                Objects.requireNonNull(advice.saved(best)).text(metric));
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
        Reproduction reproduction = advice.reproduction();
        if (reproduction != null
                && shown.stream()
                        .noneMatch(
                                one -> one.name().equals(reproduction.nearest().name()))) {
            LogOutcome nearest = reproduction.nearest();
            rows.add(new Row(nearest, nearest.value(advice.metric()), "", advice.preemptionsAMonth(nearest), NEAREST));
        }
        for (RankedScheduler one : shown) {
            boolean isBest = one.equals(shown.get(0));
            String word = (!advice.promises(one) ? "" : isBest ? "best" : one.isLevel() ? "too close to call" : "")
                    + one.also(advice.ranking());
            String nearest = isNearest(one) ? (word.isEmpty() ? "" : ", ") + NEAREST : "";
            rows.add(new Row(
                    one.log(),
                    one.value(),
                    one.interval(advice.metric()),
                    advice.preemptionsAMonth(one.log()),
                    word + nearest));
        }
        AnswerTable<Row> table = AnswerTable.of(rows)
                .text("scheduler", row -> AnswerTable.shortened(row.log().name(), 36))
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

    /**
     * The first schedulers of the ranking, those that the answer names, the nearest to the past and the learned policy.
     */
    private List<RankedScheduler> shown() {
        List<RankedScheduler> ranking = RankedScheduler.distinct(advice.ranking());
        Stream<RankedScheduler> learned =
                advice.ranking().stream().filter(one -> one.name().equals(Advice.LEARNED));
        List<LogOutcome> named = Stream.concat(
                        Stream.of(advice.bestConfigurable(), advice.bestWithoutPreemption())
                                .filter(Objects::nonNull),
                        learned)
                .map(RankedScheduler::log)
                .toList();
        return ranking.stream()
                .filter(one -> ranking.indexOf(one) < ROWS
                        || isNearest(one)
                        || named.stream().anyMatch(one.log()::equalsIn))
                .toList();
    }

    /** Whether its replay is the nearest to the past; that one may place otherwise, or know less. */
    private boolean isNearest(RankedScheduler one) {
        return advice.reproduction() != null
                && one.name().equals(advice.reproduction().nearest().name());
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
