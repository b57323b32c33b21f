package org.trainyard.experiments.config;

import java.util.List;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.yaml.Nearest;

/** Schedulers as people name them. */
public final class Schedulers {
    private Schedulers() {}

    /** The scheduler of that name; when there is none, the message names where it was asked for and the nearest that there is. */
    public static SchedulerRegistry.Entry named(String place, String name) {
        try {
            return SchedulerRegistry.named(name);
        } catch (InputException e) {
            if (name.startsWith(ComposedSettings.PREFIX)) {
                throw new InputException("%s: %s".formatted(place, e.getMessage()));
            }
            List<String> known = SchedulerRegistry.names();
            throw InputException.at(place, name, Nearest.oneOf(name, known));
        }
    }
}
