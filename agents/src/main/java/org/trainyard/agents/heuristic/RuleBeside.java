package org.trainyard.agents.heuristic;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.trainyard.agents.heuristic.freezing.FreezeRules;
import org.trainyard.agents.heuristic.provisioning.ProvisioningRules;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * A rule that decides beside a scheduler about what the scheduler leaves alone: {@code freeze=RULE} about frozen
 * layers ({@link FreezeRules}), {@code cores=RULE} about host CPU and memory ({@link ProvisioningRules}).
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

    /** Puts a rule of a family beside a scheduler. */
    @FunctionalInterface
    private interface Rules {
        Scheduler beside(String rule, Topology topology, Scheduler placing);
    }

    /** Rules about one thing. */
    private record Family(
            String prefix, List<String> names, UnaryOperator<String> description, String caveat, Rules rules) {
        RuleBeside of(String name) {
            String rule = name.substring(prefix.length());
            return new RuleBeside(
                    name, description.apply(rule), caveat, (on, placing) -> rules.beside(rule, on, placing));
        }
    }

    private static final List<Family> FAMILIES = List.of(
            new Family(
                    FreezeRules.PREFIX,
                    FreezeRules.names(),
                    FreezeRules::description,
                    "frozen layers matter only to jobs that allow them",
                    FreezeRules::beside),
            new Family(
                    ProvisioningRules.PREFIX,
                    ProvisioningRules.names(),
                    ProvisioningRules::description,
                    "cores and memory are decided for jobs that train on graphs alone",
                    ProvisioningRules::beside));

    /** Whether the name of a scheduler begins with a rule. */
    static boolean begins(String scheduler) {
        return FAMILIES.stream().anyMatch(family -> scheduler.startsWith(family.prefix()));
    }

    /**
     * The rule of a name.
     *
     * @param field where the name was given, for messages
     * @throws InputException when there is none
     */
    public static RuleBeside named(String field, String name) {
        for (Family family : FAMILIES) {
            if (name.startsWith(family.prefix())) {
                return family.of(name);
            }
        }
        throw InputException.at(
                field,
                name,
                FAMILIES.stream()
                        .map(family ->
                                "%s with one of %s".formatted(family.prefix(), String.join(", ", family.names())))
                        .collect(Collectors.joining(", or ")));
    }
}
