package org.trainyard.env.gym.auction;

import org.trainyard.env.InvalidFieldException;

/** Estimates of remaining times. */
public enum RemainingTime {
    /** The prediction times the Gittins index of the errors of predictions so far: a job that outran its prediction counts as long. */
    GITTINS("Gittins"),
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
        throw new InvalidFieldException("order", order, "%s or %s".formatted(GITTINS.title, PREDICTED.title));
    }
}
