package org.trainyard.env.gym.auction;

import org.trainyard.env.InvalidFieldException;

/** Estimates of remaining times. */
public enum RemainingTime {
    /** The prediction times the Gittins index of the errors of predictions so far: a job that outran its prediction counts as long. */
    GITTINS("Gittins"),
    /** The same, but at most what is left until the limit on run times that finished jobs show. */
    GITTINS_LIMIT("GittinsLimit"),
    /** The prediction less what has been done: a job that outran its prediction counts as about to end. */
    PREDICTED("Predicted");

    private final String title;

    RemainingTime(String title) {
        this.title = title;
    }

    /** The name in files. */
    public String title() {
        return title;
    }

    /** The estimate of this name in the field {@code order} of a file. */
    public static RemainingTime of(String order) {
        for (RemainingTime time : values()) {
            if (time.title.equals(order)) {
                return time;
            }
        }
        throw new InvalidFieldException(
                "order", order, "%s, %s or %s".formatted(GITTINS.title, GITTINS_LIMIT.title, PREDICTED.title));
    }
}
