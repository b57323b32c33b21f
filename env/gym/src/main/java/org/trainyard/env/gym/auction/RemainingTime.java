package org.trainyard.env.gym.auction;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.trainyard.env.InvalidFieldException;

/**
 * Estimates of remaining times, and what jobs bid and are preempted by: the estimate, or the estimate times a power of
 * the job's GPUs.
 */
public enum RemainingTime {
    /**
     * The prediction times the Gittins index of the errors of predictions so far: a job that outran its prediction
     * counts as long.
     */
    GITTINS("Gittins", 0, false),
    /**
     * The estimate of {@link #GITTINS}, but at most the time left until the limit on run times that finished jobs show.
     */
    GITTINS_LIMIT("GittinsLimit", 0, true),
    /** The estimate of {@link #GITTINS}; jobs are ordered by it times the square root of their GPUs. */
    GITTINS_BY_WIDTH("GittinsByWidth", 0.5, false),
    /** The estimate of {@link #GITTINS_LIMIT}; jobs are ordered by it times the square root of their GPUs. */
    GITTINS_LIMIT_BY_WIDTH("GittinsLimitByWidth", 0.5, true),
    /** The estimate of {@link #GITTINS}; jobs are ordered by their work, the estimate times the GPUs. */
    GITTINS_BY_WORK("GittinsByWork", 1, false),
    /** The estimate of {@link #GITTINS_LIMIT}; jobs are ordered by their work, the estimate times the GPUs. */
    GITTINS_LIMIT_BY_WORK("GittinsLimitByWork", 1, true),
    /**
     * {@link #GITTINS_LIMIT_BY_WORK} on clusters whose GPUs may be shared, {@link #GITTINS_LIMIT_BY_WIDTH} on others.
     */
    GITTINS_LIMIT_BY_SHARING("GittinsLimitBySharing", 0.5, true),
    /** The prediction less what has been done: a job that outran its prediction counts as about to end. */
    PREDICTED("Predicted", 0, false);

    private final String title;
    private final double width;
    private final boolean readsTimeLimit;

    RemainingTime(String title, double width, boolean readsTimeLimit) {
        this.title = title;
        this.width = width;
        this.readsTimeLimit = readsTimeLimit;
    }

    /** The name in files. */
    public String title() {
        return title;
    }

    /**
     * The exponent of a job's GPUs, by whose power the estimate is multiplied where jobs are put in order.
     *
     * @param isShared whether jobs may share a GPU of the cluster
     */
    double width(boolean isShared) {
        return this == GITTINS_LIMIT_BY_SHARING && isShared ? 1 : width;
    }

    /** Whether the estimate is at most what is left until the limit on run times that finished jobs show. */
    boolean readsTimeLimit() {
        return readsTimeLimit;
    }

    /** The estimate of this name in the field {@code remaining_time_estimator} of a file. */
    public static RemainingTime of(String title) {
        for (RemainingTime time : values()) {
            if (time.title.equals(title)) {
                return time;
            }
        }
        throw new InvalidFieldException(
                "remainingTimeEstimator",
                title,
                Arrays.stream(values()).map(time -> time.title).collect(Collectors.joining(", ", "one of ", "")));
    }
}
