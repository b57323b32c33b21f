package org.trainyard.agents.heuristic;

import org.trainyard.agents.heuristic.freezing.FreezeRules;
import org.trainyard.agents.heuristic.provisioning.ProvisioningRules;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * A rule that decides beside a scheduler about what the scheduler leaves alone: {@code freeze=RULE} about frozen layers ({@link FreezeRules}),
 * {@code cores=RULE} about host CPU and memory ({@link ProvisioningRules}).
 *
 * @param name such as {@code freeze=progress}
 * @param description what it does, in lists
 * @param caveat where it matters
 * @param beside puts it beside a scheduler
 */
public record RuleBeside(String name, String description, String caveat, Beside beside) {
    /** Puts a rule beside a scheduler. */
    @FunctionalInterface
    public interface Beside {
        Scheduler of(Topology topology, Scheduler placing);
    }

    /** Whether the name of a scheduler begins with a rule. */
    static boolean begins(String scheduler) {
        return scheduler.startsWith(FreezeRules.PREFIX) || scheduler.startsWith(ProvisioningRules.PREFIX);
    }

    /**
     * The rule of a name.
     *
     * @param field where the name was given, for messages
     * @throws InputException when there is none
     */
    public static RuleBeside named(String field, String name) {
        if (name.startsWith(FreezeRules.PREFIX)) {
            String rule = name.substring(FreezeRules.PREFIX.length());
            return new RuleBeside(
                    name,
                    FreezeRules.description(rule),
                    "frozen layers matter only to jobs that allow them",
                    (on, placing) -> FreezeRules.beside(rule, on, placing));
        } else if (name.startsWith(ProvisioningRules.PREFIX)) {
            String rule = name.substring(ProvisioningRules.PREFIX.length());
            return new RuleBeside(
                    name,
                    ProvisioningRules.description(rule),
                    "cores and memory are decided for jobs that train on graphs alone",
                    (on, placing) -> ProvisioningRules.beside(rule, on, placing));
        }
        throw InputException.at(
                field,
                name,
                "%s with one of %s, or %s with one of %s"
                        .formatted(
                                FreezeRules.PREFIX,
                                String.join(", ", FreezeRules.names()),
                                ProvisioningRules.PREFIX,
                                String.join(", ", ProvisioningRules.names())));
    }
}
