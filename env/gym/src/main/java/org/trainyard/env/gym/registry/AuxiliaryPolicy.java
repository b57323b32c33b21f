package org.trainyard.env.gym.registry;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * A rule that decides beside a scheduler about what the scheduler leaves alone: {@code freeze=RULE} about frozen
 * layers, {@code cores=RULE} about host CPU and memory.
 *
 * @param name such as {@code freeze=progress}
 * @param description what it does, in lists
 * @param caveat where it matters
 * @param beside puts it beside a scheduler
 */
public record AuxiliaryPolicy(String name, String description, String caveat, Beside beside) {
    /** Puts a rule beside a scheduler. */
    @FunctionalInterface
    public interface Beside {
        Scheduler of(Topology topology, Scheduler placing);
    }

    /** Puts a rule of a family beside a scheduler. */
    @FunctionalInterface
    public interface Rules {
        Scheduler beside(String rule, Topology topology, Scheduler placing);
    }

    /**
     * Rules about one thing.
     *
     * @param prefix how their names begin, as {@code freeze=}
     * @param names the names behind the prefix
     * @param description of a name, one line
     * @param caveat where they matter
     */
    public record Family(
            String prefix, List<String> names, UnaryOperator<String> description, String caveat, Rules rules) {
        public Family {
            names = List.copyOf(names);
        }

        private AuxiliaryPolicy of(String name) {
            String rule = name.substring(prefix.length());
            return new AuxiliaryPolicy(
                    name, description.apply(rule), caveat, (on, placing) -> rules.beside(rule, on, placing));
        }

        /** The schedulers with one of these rules beside them, as {@code freeze=progress:fifo}. */
        public SchedulerPrefix schedulers() {
            return new SchedulerPrefix(prefix, this::beside);
        }

        private Entry beside(String name) {
            int colon = name.indexOf(':');
            AuxiliaryPolicy rule = of(colon < 0 ? name : name.substring(0, colon));
            if (colon < 0) {
                throw InputException.at("scheduler", name, name + ":NAME with the name of a scheduler");
            }
            Entry placing = SchedulerPrefix.wrapped(name, name.substring(colon + 1));
            return new Origin(placing.source(), Kind.OUR_READING, null, SchedulerPrefix.flagsOf(placing))
                    .row(name, placing.description() + "; " + rule.description())
                    .but(rule.caveat())
                    .by((on, belief, seed) -> rule.beside().of(on, placing.create(on, belief, seed)));
        }
    }

    /**
     * The rule of a name.
     *
     * @param field where the name was given, for messages
     * @throws InputException when there is none
     */
    public static AuxiliaryPolicy named(String field, String name) {
        for (Family family : families()) {
            if (name.startsWith(family.prefix())) {
                return family.of(name);
            }
        }
        throw InputException.at(
                field,
                name,
                families().stream()
                        .map(family ->
                                "%s with one of %s".formatted(family.prefix(), String.join(", ", family.names())))
                        .collect(Collectors.joining(", or ")));
    }

    private static List<Family> families() {
        return SchedulerFamilies.all().stream()
                .flatMap(family -> family.plugin().rules().stream())
                .toList();
    }
}
