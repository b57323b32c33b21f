package org.trainyard.experiments.timeline;

import java.util.List;

/** Metrics of a run over time: means over equal intervals, of which the last may be shorter. */
public final class Series {
    /** Jobs that wait. */
    public static final String QUEUE = "queue_length";

    /** GPUs for which waiting jobs ask. */
    public static final String PENDING = "pending_gpus";

    /** Jobs that run. */
    public static final String RUNNING = "running_jobs";

    /** GPUs that jobs hold; a part of a GPU counts as that part. */
    public static final String HELD = "gpus_held";

    /** The share of free GPUs that are on partly used servers. */
    public static final String FRAGMENTATION = "fragmentation";

    private final List<String> names;
    private final long originNanos;
    private final long widthNanos;
    private final long endNanos;
    private final double[][] means;

    Series(String[] names, long originNanos, long widthNanos, long endNanos, double[][] means) {
        this.names = List.of(names);
        this.originNanos = originNanos;
        this.widthNanos = widthNanos;
        this.endNanos = endNanos;
        this.means = means;
    }

    /** The names of the metrics: the constants of this class, then GPUs held by rack and by virtual cluster. */
    public List<String> names() {
        return names;
    }

    /** Number of intervals. */
    public int size() {
        return means[0].length;
    }

    public long fromNanos(int interval) {
        return originNanos + interval * widthNanos;
    }

    public long toNanos(int interval) {
        return Math.min(endNanos, fromNanos(interval + 1));
    }

    /** The mean of a metric over an interval; NaN for a metric that this run does not have. */
    public double mean(String name, int interval) {
        int column = names.indexOf(name);
        return column < 0 ? Double.NaN : means[column][interval];
    }
}
