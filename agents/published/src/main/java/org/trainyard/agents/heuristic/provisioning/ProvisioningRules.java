package org.trainyard.agents.heuristic.provisioning;

import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * The rules for host CPU and memory that can stand beside any scheduler, by name: {@code cores=tune:fifo} and so on.
 */
public final class ProvisioningRules {
    /** How the names of schedulers with such a rule begin. */
    public static final String PREFIX = "cores=";

    private static final String POOL = "pool";
    private static final String TRIM = "trim";
    private static final String TUNE = "tune";

    private ProvisioningRules() {}

    /** The names of the rules. */
    public static List<String> names() {
        return List.of(POOL, TRIM, TUNE);
    }

    public static String description(String rule) {
        return switch (rule) {
            case POOL -> "running jobs hold no cores and divide those that nobody holds";
            case TRIM -> "running jobs give up cores and memory without which they are as fast";
            case TUNE ->
                "running jobs give up cores and memory without which they are as fast, and those that gain most get what is left (after Synergy)";
            default ->
                throw InputException.at("scheduler, rule for cores", rule, "one of " + String.join(", ", names()));
        };
    }

    public static Scheduler beside(String rule, Topology topology, Scheduler placing) {
        return new ProvisioningScheduler(placing, new CoreAllocation(topology, rule.equals(POOL)), rule.equals(TUNE));
    }
}
