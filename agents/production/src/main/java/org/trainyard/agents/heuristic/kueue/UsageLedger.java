package org.trainyard.agents.heuristic.kueue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.LocalQueue;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.UsageSharing;

/**
 * Usage-based fair sharing of Kueue 0.19 ({@code AdmissionFairSharing}): the usage of each LocalQueue, by which a
 * ClusterQueue orders its workloads before their priority, and its candidates for preemption.
 *
 * <p>Usage decays by half in a half-life, and approaches what is in use. It is sampled at intervals, and at each
 * admission, which adds a penalty at once: as if the workload had run for an interval. Amounts are in the units of
 * Kubernetes (cores, bytes), and are rounded down to 10^-9 at each step, as in Kueue.
 *
 * <p>Simplified: (1) all LocalQueues begin with no usage when the scheduler does; (2) a queue is in the order of the
 * usage of that instant, where Kueue sorts anew only at samples and while penalties are pending.
 */
final class UsageLedger {
    private static final int SCALE = 9;

    private final QuotaTree tree;
    private final @Nullable UsageSharing rule;
    /** Resources by name, as Kueue adds them up. */
    private final List<Integer> resources;
    /** By LocalQueue: one for each ClusterQueue, for workloads that belong to it directly, then those described. */
    private final double[] weights;

    private final double[] usage;
    private final BigDecimal[][] consumed;
    private final long[][] held;
    private final long[] sampledNanos;
    private boolean begun;

    UsageLedger(QuotaTree tree) {
        this.tree = tree;
        rule = tree.objects.usageSharing();
        resources = IntStream.range(0, tree.resources.size())
                .boxed()
                .sorted(Comparator.comparing(tree.resources::get))
                .toList();
        int described = tree.queues.size();
        weights = new double[described + tree.objects.localQueues().size()];
        Arrays.fill(weights, 1);
        for (LocalQueue local : tree.objects.localQueues()) {
            weights[described++] = local.weight();
        }
        usage = new double[weights.length];
        held = new long[weights.length][resources.size()];
        consumed = new BigDecimal[weights.length][resources.size()];
        sampledNanos = new long[weights.length];
        for (int local = 0; local < weights.length; local++) {
            Arrays.fill(consumed[local], BigDecimal.ZERO);
            sum(local);
        }
    }

    /** Usage of the LocalQueue of a workload, weighted: the smaller, the sooner it is admitted. */
    double usage(KueueWorkload workload) {
        return usage[workload.localQueue];
    }

    /** When the next sample is due. */
    long nextNanos() {
        return rule == null ? Long.MAX_VALUE : Arrays.stream(sampledNanos).min().orElse(0) + rule.samplingNanos();
    }

    /** Takes the samples up to a time; whether there were any. */
    boolean advance(long nanos) {
        if (!begun) {
            Arrays.fill(sampledNanos, nanos);
            begun = true;
        }
        if (rule == null || nextNanos() > nanos) {
            return false;
        }
        long interval = rule.samplingNanos();
        for (int local = 0; local < weights.length; local++) {
            boolean changes = true;
            while (changes && sampledNanos[local] + interval <= nanos) {
                changes = decay(rule, local, interval);
                sampledNanos[local] += interval;
            }
            // What one sample does not change, no later one does.
            sampledNanos[local] += (nanos - sampledNanos[local]) / interval * interval;
        }
        return true;
    }

    /** A workload has, or no longer has, what it was given. */
    void hold(KueueWorkload workload, Assignment given, int times) {
        for (int at = 0; at < given.usage.length; at++) {
            held[workload.localQueue][at % resources.size()] += times * given.usage[at];
        }
    }

    /** A workload, which it holds already, was admitted: the end of a sample, and a penalty. */
    void admitted(KueueWorkload workload, long nanos) {
        if (rule != null && tree.sharesByUsage(workload.queue)) {
            advance(nanos);
            int local = workload.localQueue;
            decay(rule, local, nanos - sampledNanos[local]);
            sampledNanos[local] = nanos;
            double part = part(rule, rule.samplingNanos());
            for (int resource : resources) {
                long total = tree.resources.get(resource).equals("pods")
                        ? 0
                        : workload.podSets.stream()
                                .mapToLong(set -> set.total(resource))
                                .sum();
                consumed[local][resource] = consumed[local][resource].add(times(amount(resource, total), part));
            }
            sum(local);
        }
    }

    private static double part(UsageSharing rule, long elapsedNanos) {
        return rule.halfLifeNanos() == 0 ? 0 : 1 - Math.pow(0.5, (double) elapsedNanos / rule.halfLifeNanos());
    }

    private BigDecimal amount(int resource, long value) {
        return BigDecimal.valueOf(value, tree.resources.get(resource).equals("cpu") ? 3 : 0);
    }

    private static BigDecimal times(BigDecimal amount, double factor) {
        return amount.multiply(new BigDecimal(Double.toString(factor))).setScale(SCALE, RoundingMode.DOWN);
    }

    /** Decays the consumption of a LocalQueue over a time; returns whether any amount changes. */
    private boolean decay(UsageSharing rule, int local, long elapsedNanos) {
        double part = part(rule, elapsedNanos);
        boolean changes = false;
        for (int resource : resources) {
            BigDecimal before = consumed[local][resource];
            BigDecimal after = times(before, 1 - part).add(times(amount(resource, held[local][resource]), part));
            consumed[local][resource] = after;
            changes |= after.compareTo(before) != 0;
        }
        sum(local);
        return changes;
    }

    private void sum(int local) {
        double sum = 0;
        for (int resource : resources) {
            double weight = rule == null ? 1 : rule.weights().getOrDefault(tree.resources.get(resource), 1.0);
            sum += weight * consumed[local][resource].doubleValue();
        }
        usage[local] = weights[local] <= 0 ? Double.POSITIVE_INFINITY : sum / weights[local];
    }
}
