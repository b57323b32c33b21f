package org.trainyard.experiments.drive;

import java.util.List;
import org.trainyard.env.Counted;

/**
 * Outcome of giving the jobs of a log back.
 *
 * @param jobs number of those that waited for a driver
 * @param named running jobs that keep the nodes they were named, for a manager changes nodes of waiting jobs alone
 * @param left why some may still wait for a driver, or an empty text
 */
public record GivenBack(int jobs, List<String> named, String left) {
    static final GivenBack NOTHING = new GivenBack(0, List.of(), "");

    public GivenBack {
        named = List.copyOf(named);
    }

    /** The rest that somebody has to do, a line; empty when there is nothing. */
    public String remark() {
        if (named.isEmpty()) {
            return "";
        }
        boolean isOne = named.size() == 1;
        return "nodes stay named to %s, for %s (%s): where %s is requeued, run --give-back"
                .formatted(
                        Counted.of(named.size(), "job"),
                        isOne ? "it runs" : "they run",
                        String.join(" ", named),
                        isOne ? "it" : "one");
    }
}
