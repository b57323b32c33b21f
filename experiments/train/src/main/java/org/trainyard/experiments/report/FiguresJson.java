package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.Entitlement;
import org.trainyard.experiments.metrics.Fairness;
import org.trainyard.experiments.metrics.FreezingFigures;
import org.trainyard.experiments.metrics.Grouping;
import org.trainyard.experiments.metrics.JctParts;
import org.trainyard.experiments.metrics.JobFigures;
import org.trainyard.experiments.metrics.JobGroup;
import org.trainyard.experiments.metrics.UtilityFigures;

/**
 * The metrics of a scheduler's jobs in {@code summary.json}; times in seconds. A distribution is
 * {@code {"mean", "median", "p95", "p99"}}.
 *
 * <p>{@code wait_s} and {@code jct_s} are named as in the JSON of all commands. {@code wide_wait_s} (of jobs of more than eight GPUs, where there are some) and {@code jct_slowdown} are
 * distributions, the latter of the JCT over the undisturbed run time,
 * where {@code slowdown_mean} is the slowdown by co-located jobs alone. {@code jct_parts_s} are means that add up to
 * that of the JCT ({@link JctParts}). {@code fairness} is {@link Fairness}; indices are null with fewer than two
 * users or virtual clusters. {@code by} has {@code gpus, user, group, virtual_cluster, account, qos}, those that the
 * jobs
 * have: {@code [{"name", "jobs", "timed_out" (killed at their time limits, where there are some), "gpu_hours" (that
 * they held; of elastic jobs, as demanded), "of_entitled" (Entitlement; not by GPUs), "wait_s", "jct_s",
 * "jct_slowdown"}]}, with at most twenty names and {@code others}
 * ({@link Grouping}). Where jobs have utilities, {@code utility} is {@link UtilityFigures}: {@code {"total_mean",
 * "total_interval" (half its width, null for one episode), "bound_mean", "regret" (a share of the bound; both null
 * where it is not known), "admitted", "gaining"}}. Where jobs allow frozen layers, {@code freezing} is
 * {@link FreezingFigures}: {@code {"jobs", "accuracy_penalty_mean", "accuracy_penalty_most", "frozen" (the share of
 * these jobs with frozen layers)}}.
 */
public final class FiguresJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private FiguresJson() {}

    /** Adds the metrics to those of a scheduler. */
    static void add(ObjectNode node, JobFigures figures, List<RunResult> episodes) {
        node.set("wait_s", distribution(figures.waiting()));
        node.set("jct_slowdown", distribution(figures.slowdown()));
        node.set("jct_parts_s", parts(figures.parts()));
        node.set("fairness", fairness(figures.fairness()));
        if (figures.wideWaiting() != null) {
            node.set("wide_wait_s", distribution(figures.wideWaiting()));
        }
        node.set("by", by(episodes));
        if (figures.utility() != null) {
            node.set("utility", utility(figures.utility()));
        }
        if (figures.freezing() != null) {
            node.set("freezing", freezing(figures.freezing()));
        }
    }

    private static ObjectNode freezing(FreezingFigures freezing) {
        ObjectNode node = JSON.objectNode();
        node.put("jobs", freezing.jobs());
        node.set("accuracy_penalty_mean", SummaryJson.decimal(freezing.mean()));
        node.set("accuracy_penalty_most", SummaryJson.decimal(freezing.most()));
        node.set("frozen", SummaryJson.decimal(freezing.frozen()));
        return node;
    }

    private static ObjectNode utility(UtilityFigures utility) {
        ObjectNode node = JSON.objectNode();
        node.set("total_mean", SummaryJson.decimal(utility.total()));
        node.set("total_interval", decimalOrNull(utility.interval()));
        node.set("bound_mean", decimalOrNull(utility.bound()));
        node.set("regret", decimalOrNull(utility.regret()));
        node.set("admitted", SummaryJson.decimal(utility.admitted()));
        node.set("gaining", SummaryJson.decimal(utility.gaining()));
        return node;
    }

    public static ObjectNode distribution(Distribution of) {
        ObjectNode node = JSON.objectNode();
        node.set("mean", SummaryJson.decimal(of.mean()));
        node.set("median", SummaryJson.decimal(of.median()));
        node.set("p95", SummaryJson.decimal(of.p95()));
        node.set("p99", SummaryJson.decimal(of.p99()));
        return node;
    }

    private static ObjectNode parts(JctParts parts) {
        ObjectNode node = JSON.objectNode();
        node.set("queueing", SummaryJson.decimal(parts.waiting()));
        node.set("restart", SummaryJson.decimal(parts.restart()));
        node.set("interference", SummaryJson.decimal(parts.interference()));
        node.set("placement", SummaryJson.decimal(parts.placement()));
        node.set("undisturbed", SummaryJson.decimal(parts.undisturbed()));
        return node;
    }

    private static ObjectNode fairness(Fairness fairness) {
        ObjectNode node = JSON.objectNode();
        node.set("jain_users", decimalOrNull(fairness.jainUsers()));
        node.set("jain_virtual_clusters", decimalOrNull(fairness.jainVirtualClusters()));
        node.set("finish_time", distribution(fairness.finishTime()));
        node.set("unfair_share", SummaryJson.decimal(fairness.unfairShare()));
        return node;
    }

    /** By each grouping that the jobs have, its groups. */
    private static ObjectNode by(List<RunResult> episodes) {
        List<JobOutcome> jobs = JobFigures.jobs(episodes);
        ObjectNode node = JSON.objectNode();
        for (Grouping grouping : Grouping.values()) {
            List<JobGroup> groups = grouping.of(jobs);
            if (!groups.isEmpty()) {
                ArrayNode list = node.putArray(grouping.label());
                Map<String, Double> entitled =
                        grouping == Grouping.GPUS ? Map.of() : Entitlement.of(grouping, episodes);
                groups.forEach(group -> list.add(group(group, entitled.get(group.name()))));
            }
        }
        return node;
    }

    private static ObjectNode group(JobGroup group, @Nullable Double ofEntitled) {
        ObjectNode node = JSON.objectNode();
        node.put("name", group.name());
        node.put("jobs", group.jobs());
        if (group.timedOut() > 0) {
            node.put("timed_out", group.timedOut());
        }
        node.set("gpu_hours", SummaryJson.decimal(group.gpuHours()));
        if (ofEntitled != null) {
            node.set("of_entitled", SummaryJson.decimal(ofEntitled));
        }
        node.set("wait_s", distribution(group.waiting()));
        node.set("jct_s", distribution(group.jct()));
        node.set("jct_slowdown", distribution(group.slowdown()));
        return node;
    }

    private static JsonNode decimalOrNull(@Nullable Double value) {
        return value == null ? JSON.nullNode() : SummaryJson.decimal(value);
    }
}
