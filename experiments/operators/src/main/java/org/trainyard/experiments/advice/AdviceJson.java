package org.trainyard.experiments.advice;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.Distribution;

/**
 * An {@link Advice} for machines; times in seconds. {@code past} and {@code reproduced} have
 * {@code {"wait_s", "jct_s"}}, each {@code {"mean", "median", "p95", "p99"}}, and {@code gpus_held}; they,
 * {@code nearest} (its name in the registry), {@code nearest_as} (also how it placed and what it was told),
 * {@code duration_factor} and {@code error} are null when the log does not say when jobs ran.
 */
public final class AdviceJson {
    private AdviceJson() {}

    public static String text(Advice advice) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("jobs", advice.jobs()).put("days", advice.days());
        Reproduction reproduction = advice.reproduction();
        if (reproduction == null) {
            root.putNull("past")
                    .putNull("nearest")
                    .putNull("reproduced")
                    .putNull("duration_factor")
                    .putNull("error");
            root.put("trust", "unknown");
        } else {
            root.set("past", figures(reproduction.past()));
            root.put("nearest", reproduction.nearestName());
            root.put("nearest_as", reproduction.nearest().name());
            ArrayNode alike = root.putArray("as_near");
            reproduction.alike().forEach(alike::add);
            root.set("reproduced", figures(reproduction.nearest()));
            root.put("duration_factor", reproduction.durationFactor());
            root.put("starts_within_60s", reproduction.startsWithinMinute());
            root.put("cycle_starts_equal", reproduction.cycleStarts());
            root.put("error", reproduction.error());
            root.put("fitted", reproduction.isFitted());
            root.put("mean_error_unfitted", reproduction.meanError());
            root.put("p95_error", reproduction.p95Error());
            root.put("trust", String.valueOf(advice.trust()).toLowerCase(Locale.ROOT));
        }
        root.put("metric", advice.metric().label());
        root.put("best", advice.best().log().name());
        RankedScheduler plain = advice.bestWithoutPreemption();
        root.put("best_without_preemption", plain == null ? null : plain.log().name());
        RankedScheduler configured = advice.bestConfigurable();
        root.put(
                "best_configurable",
                configured == null ? null : configured.log().name());
        if (advice.pays().bound() != null) {
            RankedScheduler kept = advice.bestWithinBound();
            root.put("bound", advice.pays().bound().text());
            root.put("best_within_bound", kept == null ? null : kept.log().name());
            advice.pays().keepers().forEach(root.putArray("within_bound")::add);
        }
        pays(root.putArray("pays"), advice.pays().payers());
        ArrayNode costs = root.putArray("restart_costs_s");
        for (RestartAnswer cost : advice.restarts()) {
            ObjectNode row = costs.addObject().put("restart_s", cost.seconds());
            row.put("best", cost.best()).put("value_s", cost.value());
            cost.first().forEach(row.putArray("first")::add);
        }
        ArrayNode level = root.putArray("too_close_to_call");
        advice.level().forEach(one -> level.add(one.log().name()));
        ArrayNode schedulers = root.putArray("schedulers");
        for (RankedScheduler one : advice.ranking()) {
            String name = one.log().name();
            ObjectNode row = schedulers.addObject().put("name", name).put("kind", Schedulers.kind(name));
            row.put("value_s", one.value());
            if (Double.isNaN(one.low())) {
                row.putNull("interval_s");
            } else {
                row.putArray("interval_s").add(one.low()).add(one.high());
            }
            row.setAll(figures(one.log()));
            row.put("preemptions", one.log().preemptions());
            SchedulerTraits traits = SchedulerTraits.of(name);
            row.putObject("needs")
                    .put("preemption", traits.preempts())
                    .put("resizing", traits.resizes())
                    .put("predictions", traits.predicts());
            traits.configuration().forEach(row.putArray("configuration")::add);
            ArrayNode same = row.putArray("same_as");
            one.alike(advice.ranking()).forEach(same::add);
            fairness(row, advice, one.log());
        }
        ArrayNode left = root.putArray("left_out");
        advice.leftOut()
                .forEach(one -> left.addObject()
                        .put("reason", one.reason())
                        .put("jobs", one.jobs())
                        .put("gpu_hours", one.gpuHours()));
        root.put("left_out_share", advice.leftOutShare());
        ArrayNode notes = root.putArray("notes");
        advice.notes().forEach(notes::add);
        return JsonText.pretty(root);
    }

    /** The account or user whose jobs wait longest under a scheduler whose groups are compared. */
    private static void fairness(ObjectNode row, Advice advice, LogOutcome log) {
        LogOutcome past = advice.past();
        WhoPays.Fairness fairness = past == null ? null : advice.pays().fairness(past, log);
        if (fairness != null) {
            row.putObject("fairness")
                    .put("by", fairness.worst().by())
                    .put("worst", fairness.worst().name())
                    .put("times_mean_wait", fairness.times())
                    .put("worst_past", fairness.worstOfPast().name())
                    .put("times_mean_wait_past", fairness.timesInPast());
        }
    }

    /** Groups of jobs as they waited and would wait, by scheduler. */
    private static void pays(ArrayNode rows, List<Payer> payers) {
        for (Payer one : payers) {
            ObjectNode row = rows.addObject()
                    .put("scheduler", one.scheduler())
                    .put("by", one.by())
                    .put("name", one.name())
                    .put("jobs", one.jobs())
                    .put("pays", one.pays());
            row.putObject("past").set("wait_s", times(one.before()));
            row.putObject("then").set("wait_s", times(one.then()));
        }
    }

    public static ObjectNode figures(LogOutcome log) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.set("wait_s", times(log.waits()).put("max", log.longestWait()));
        node.set("jct_s", times(log.jcts()));
        return Double.isNaN(log.gpusHeld()) ? node.putNull("gpus_held") : node.put("gpus_held", log.gpusHeld());
    }

    private static ObjectNode times(Distribution times) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("mean", times.mean())
                .put("median", times.median())
                .put("p95", times.p95())
                .put("p99", times.p99());
    }
}
