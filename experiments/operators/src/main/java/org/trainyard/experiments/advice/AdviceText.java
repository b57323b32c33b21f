package org.trainyard.experiments.advice;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.RankingMetric;

/** An {@link Advice} in sentences and a table. */
public final class AdviceText {
    private static final List<RankingMetric> SHOWN =
            List.of(RankingMetric.MEAN_WAIT, RankingMetric.P95_WAIT, RankingMetric.P99_WAIT, RankingMetric.MEAN_JCT);
    private static final int ROWS = 12;
    private static final int NAMED = 4;

    private final Advice advice;
    private final List<String> sentences = new ArrayList<>();

    private AdviceText(Advice advice) {
        this.advice = advice;
    }

    public static void print(Advice advice, PrintWriter out) {
        sentences(advice).forEach(out::println);
        out.println();
        table(advice).print(out);
        footnotes(advice).forEach(out::println);
        advice.notes().forEach(note -> out.println("Note: " + note));
    }

    /** The answer, the past, the nearest scheduler, trust and the rest; each begins with its subject and a colon. */
    public static List<String> sentences(Advice advice) {
        AdviceText text = new AdviceText(advice);
        text.answer();
        // The result first, then what it rests on.
        List<String> result = new ArrayList<>(text.sentences.subList(0, 1));
        List<String> more = List.copyOf(text.sentences.subList(1, text.sentences.size()));
        text.sentences.clear();
        text.past();
        result.addAll(text.sentences);
        result.addAll(more);
        return result;
    }

    /** The past and the first schedulers of the ranking. */
    public static TextTable table(Advice advice) {
        return new AdviceText(advice).table();
    }

    /** What a reader of the table has to know. */
    public static List<String> footnotes(Advice advice) {
        List<String> notes = new ArrayList<>();
        if (advice.ranking().size() > ROWS) {
            notes.add("%d schedulers ran; --json has all of them."
                    .formatted(advice.ranking().size()));
        }
        notes.add("Waits: time between submission and end without GPUs. Intervals: bootstrap over 20 blocks of"
                + " successive jobs. `list schedulers` says what each does.");
        String kinds = Schedulers.kinds(
                shown(advice).stream().map(one -> one.log().name()).toList());
        if (!kinds.isEmpty()) {
            notes.add(kinds);
        }
        return notes;
    }

    private void past() {
        Reproduction reproduction = advice.reproduction();
        if (reproduction == null) {
            sentences.add(
                    "Past: the log of %,d jobs does not say when they ran (columns start_s and end_s, or Start and End), so nothing shows whether a simulation is like your cluster."
                            .formatted(advice.jobs()));
            return;
        }
        LogOutcome past = reproduction.past();
        Distribution waits = past.waits();
        sentences.add("Past: %,d jobs in %s; wait %s on average, %s at p95; %s."
                .formatted(
                        past.jobs(),
                        advice.days() < 2
                                ? Durations.human(86_400 * advice.days())
                                : "%.0f days".formatted(advice.days()),
                        Durations.human(waits.mean()),
                        Durations.human(waits.p95()),
                        advice.hasWholePast()
                                ? "%.0f %% of the GPUs held".formatted(100 * past.gpusHeld())
                                : "%,d jobs ran in all".formatted(advice.jobs())));
        Distribution again = reproduction.nearest().waits();
        sentences.add("Nearest: %s%s, simulated, waits %s on average, %s at p95%s."
                .formatted(
                        reproduction.nearest().name(),
                        alike(reproduction.alike()),
                        Durations.human(again.mean()),
                        Durations.human(again.p95()),
                        reproduction.durationFactor() == 1
                                ? ""
                                : ", with all durations times %.2f".formatted(reproduction.durationFactor())));
        Reproduction.Trust trust = Objects.requireNonNull(advice.trust());
        String lowered = trust == reproduction.trust()
                ? ""
                : "; %.0f %% of the load was left out".formatted(100 * advice.leftOutShare());
        sentences.add("Trust: %s; %s; %s%s."
                .formatted(
                        trust.name().toLowerCase(Locale.ROOT),
                        reproduction.trust().words(),
                        reproduced(reproduction),
                        lowered));
    }

    /** What the simulation was fitted to, and what it reproduces. */
    private static String reproduced(Reproduction reproduction) {
        Distribution was = reproduction.past().waits();
        Distribution is = reproduction.nearest().waits();
        String p95 = off(is.p95(), was.p95());
        String errors = reproduction.isFitted()
                ? "durations were fitted to the mean wait, which was off by %s; the p95, which was not fitted, is off by %s"
                        .formatted(off(reproduction.unfitted().waits().mean(), was.mean()), p95)
                : "nothing was fitted; the mean wait is off by %s and the p95 by %s"
                        .formatted(off(is.mean(), was.mean()), p95);
        Double cycles = reproduction.cycleStarts();
        return errors
                + "; %.0f %% of the jobs start within a minute of their start%s"
                        .formatted(
                                100 * reproduction.startsWithinMinute(),
                                cycles == null
                                        ? ""
                                        : ", and %.0f %% of the starts of the controller's log are made from the state of their cycle"
                                                .formatted(100 * cycles));
    }

    /** A relative error, with a word where it is of less than a minute, which counts for nothing. */
    private static String off(double is, double was) {
        double seconds = Math.abs(is - was);
        double percent = 100 * seconds / Math.max(1, was);
        return percent < 0.5
                ? "0 %"
                : "%.0f %%%s".formatted(percent, seconds < Reproduction.IDLE_SECONDS ? " (under a minute)" : "");
    }

    private static String alike(List<String> names) {
        String more = names.size() > NAMED ? " and %d more".formatted(names.size() - NAMED) : "";
        return names.isEmpty()
                ? ""
                : " (as near: %s%s)".formatted(names.stream().limit(NAMED).collect(Collectors.joining(", ")), more);
    }

    private void answer() {
        RankedScheduler best = advice.best();
        double preemptions = advice.preemptionsAMonth(best.log());
        String restart = Durations.human(advice.restarts().get(0).seconds());
        sentences.add("Answer: %s; it costs %s."
                .formatted(
                        change(best),
                        preemptions < 1
                                ? "no preemptions"
                                : "%,.0f preemptions a month, each with a restart of %s"
                                        .formatted(preemptions, restart)));
        List<RankedScheduler> level = advice.level();
        if (!level.isEmpty()) {
            String more = level.size() > NAMED ? " and %d more".formatted(level.size() - NAMED) : "";
            sentences.add("Too close to call: %s%s."
                    .formatted(
                            level.stream()
                                    .limit(NAMED)
                                    .map(one -> one.log().name())
                                    .collect(Collectors.joining(", ")),
                            more));
        }
        RankedScheduler plain = advice.bestWithoutPreemption();
        if (plain != null && !plain.equals(best)) {
            sentences.add("Without preemption: %s.".formatted(change(plain)));
        }
        RankedScheduler configured = advice.bestConfigurable();
        if (configured != null) {
            List<String> parts = new ArrayList<>(List.of(change(configured)));
            parts.addAll(SchedulerTraits.of(configured.log().name()).configuration());
            sentences.add("As configured: %s.".formatted(String.join("; ", parts)));
        }
        traits(Stream.of(best, plain, configured)
                .filter(Objects::nonNull)
                .distinct()
                .toList());
        pays(best, plain, configured);
        restarts();
    }

    private void traits(List<RankedScheduler> named) {
        sentences.add("To run them: %s."
                .formatted(named.stream()
                        .map(one -> one.log().name() + " "
                                + SchedulerTraits.of(one.log().name()).words())
                        .collect(Collectors.joining("; "))));
    }

    /** Who waits longer than in the past, and what keeps the bound. */
    private void pays(RankedScheduler best, @Nullable RankedScheduler plain, @Nullable RankedScheduler configured) {
        LogOutcome past = advice.past();
        Stream.of(best, plain, configured)
                .filter(Objects::nonNull)
                .map(RankedScheduler::log)
                .distinct()
                .forEach(log -> sentences.addAll(
                        past == null ? List.of() : advice.pays().sentences(past, log)));
        WaitBound bound = advice.pays().bound();
        if (bound != null) {
            RankedScheduler kept = advice.bestWithinBound();
            sentences.add(
                    kept == null
                            ? "Within the bound (%s): no scheduler.".formatted(bound.text())
                            : "Within the bound (%s): %,d of %,d schedulers; %s."
                                    .formatted(
                                            bound.text(),
                                            advice.pays().keepers().size(),
                                            advice.ranking().size(),
                                            change(kept)));
        }
    }

    /** The first three where restarts cost more or less; nothing when no scheduler preempts. */
    private void restarts() {
        List<RestartAnswer> costs = advice.restarts();
        if (costs.size() > 1
                && advice.ranking().stream().anyMatch(one -> one.log().preemptions() > 0)) {
            String all = costs.stream()
                    .map(cost -> "%s at %s (%s)"
                            .formatted(
                                    String.join(", ", cost.first()),
                                    Durations.human(cost.seconds()),
                                    advice.metric().text(cost.value())))
                    .collect(Collectors.joining("; "));
            long answers = costs.stream().map(RestartAnswer::best).distinct().count();
            long orders = costs.stream().map(RestartAnswer::first).distinct().count();
            sentences.add("Restarts: as they cost more, %s: %s."
                    .formatted(
                            answers > 1
                                    ? "the answer turns over"
                                    : orders > 1
                                            ? "the answer stays and the first three turn over"
                                            : "the first three stay",
                            all));
        }
    }

    private String change(RankedScheduler best) {
        String name = best.log().name();
        String words = advice.metric().words();
        String interval = best.interval(advice.metric());
        String doubt = advice.hasWholePast() && best.high() >= advice.pastValue() ? ", so perhaps not at all" : "";
        String then = advice.metric().text(best.value()) + (interval.isEmpty() ? "" : " (" + interval + doubt + ")");
        if (!advice.hasWholePast()) {
            return "%s would have a %s of %s".formatted(name, words, then);
        }
        String past = advice.metric().text(advice.pastValue());
        return best.value() < advice.pastValue()
                ? "%s would change the %s from %s to %s".formatted(name, words, past, then)
                : "no scheduler shortens the %s of %s in simulation; the shortest is that of %s, %s"
                        .formatted(words, past, name, then);
    }

    private TextTable table() {
        List<String> heads =
                new ArrayList<>(List.of("scheduler", advice.metric().words(), "95 % interval"));
        others().forEach(metric -> heads.add(metric.words()));
        heads.addAll(List.of("longest wait", "GPUs", "preempt/month", ""));
        TextTable table = new TextTable(heads.toArray(String[]::new));
        LogOutcome past = advice.past();
        if (past != null) {
            row(
                    table,
                    past,
                    advice.metric().text(advice.pastValue()),
                    "",
                    advice.hasWholePast() ? "" : "%,d of %,d jobs".formatted(past.jobs(), advice.jobs()));
        }
        List<RankedScheduler> shown = shown(advice);
        for (RankedScheduler one : shown) {
            String word = (one.equals(shown.get(0)) ? "best" : one.isLevel() ? "too close to call" : "")
                    + one.also(advice.ranking());
            row(
                    table,
                    one.log(),
                    advice.metric().text(one.value()),
                    one.interval(advice.metric()),
                    isNearest(advice, one) ? (word.isEmpty() ? "" : word + ", ") + nearest() : word);
        }
        return table;
    }

    /** The first schedulers of the ranking, the nearest to the past and the learned policy. */
    private static List<RankedScheduler> shown(Advice advice) {
        List<RankedScheduler> ranking = RankedScheduler.distinct(advice.ranking());
        return ranking.stream()
                .filter(one -> ranking.indexOf(one) < ROWS
                        || isNearest(advice, one)
                        || one.log().name().equals(Advice.LEARNED))
                .toList();
    }

    private static boolean isNearest(Advice advice, RankedScheduler one) {
        return advice.reproduction() != null
                && one.log().name().equals(advice.reproduction().nearestName());
    }

    /**
     * What the nearest scheduler's row says: its own replay may place otherwise, or know less, than the nearest one.
     */
    private String nearest() {
        Reproduction reproduction = Objects.requireNonNull(advice.reproduction());
        String how = reproduction
                .nearest()
                .name()
                .substring(reproduction.nearestName().length());
        return how.isEmpty() ? "nearest to the past" : "nearest to the past when run" + how;
    }

    private void row(TextTable table, LogOutcome log, String value, String interval, String word) {
        List<String> cells = new ArrayList<>(List.of(TextTable.shortened(log.name(), 28), value, interval));
        others().forEach(metric -> cells.add(metric.text(log.value(metric))));
        cells.add(Durations.human(log.longestWait()));
        cells.add(Double.isNaN(log.gpusHeld()) ? "-" : TextTable.number("%.0f %%", 100 * log.gpusHeld()));
        cells.add(log.name().equals(LogOutcome.PAST) ? "-" : TextTable.number("%,.0f", advice.preemptionsAMonth(log)));
        cells.add(word);
        table.add(cells.toArray(String[]::new));
    }

    /** The metrics that every table shows, without the one that ranks. */
    private List<RankingMetric> others() {
        return SHOWN.stream().filter(metric -> metric != advice.metric()).toList();
    }
}
