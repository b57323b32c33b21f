package org.trainyard.agents.heuristic;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.composed.ComposedScheduler;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.agents.heuristic.reference.ReferenceSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/** Every scheduler that has a name. */
public final class SchedulerCatalog {
    /** Makes a scheduler for one run. */
    @FunctionalInterface
    public interface Factory {
        /**
         * A fresh one.
         *
         * @param belief how much jobs are thought to disturb each other, for those that ask
         * @param seed root of the streams from which it takes its random numbers, if any
         * @throws InputException when the scheduler cannot serve this topology
         */
        Scheduler create(Topology topology, InterferenceModel belief, long seed);
    }

    /** What to know of a scheduler before choosing it. */
    public enum Trait {
        /** It takes GPUs away from running jobs. */
        PREEMPTIVE,
        /** It reads predicted run times. */
        PREDICTS,
        /** It looks at where servers are in the network, or at how much jobs disturb each other over it. */
        NETWORK,
        /** It resizes running jobs that allow it. */
        ELASTIC
    }

    /**
     * A scheduler by name.
     *
     * @param name as on the command line
     * @param description one line
     * @param world of a preset that replays a published simulator, what that simulator takes for true beside
     *     {@code RatedPerformance} and {@code RuntimePredictor.oracle}; null for the rest. Helios presets also want one virtual
     *     cluster at a time, and submission times as they are in the trace
     * @param factory makes a fresh one for each run
     */
    public record Entry(
            String name,
            String description,
            Set<Trait> traits,
            @Nullable ReferenceSettings world,
            Factory factory) {
        public Entry {
            traits = Set.copyOf(traits);
        }

        /** A fresh scheduler for one run that believes that nobody disturbs anybody, if it believes anything. */
        public Scheduler create(Topology topology, long seed) {
            return create(topology, InterferenceModel.NONE, seed);
        }

        /** A fresh scheduler for one run. */
        public Scheduler create(Topology topology, InterferenceModel belief, long seed) {
            return factory.create(topology, belief, seed);
        }

        public boolean preemptive() {
            return traits.contains(Trait.PREEMPTIVE);
        }

        public boolean needsPredictions() {
            return traits.contains(Trait.PREDICTS);
        }

        public boolean networkAware() {
            return traits.contains(Trait.NETWORK);
        }

        public boolean elastic() {
            return traits.contains(Trait.ELASTIC);
        }

        /** Whether it is a preset that replays a published simulator. */
        public boolean replaysTrace() {
            return world != null;
        }
    }

    private static final String DEFAULT_PLACER = "/best-fit";
    private static final List<Entry> ENTRIES = Stream.of(OrderRows.listed(), LiteratureRows.all(), ReplayRows.all())
            .flatMap(List::stream)
            .toList();
    private static final List<String> NAMES = ENTRIES.stream().map(Entry::name).toList();
    /** Orders with placement policies; too many to list. */
    private static final List<Entry> UNLISTED = OrderRows.unlisted();

    private SchedulerCatalog() {}

    /** A member of the tuned family. */
    public static Entry tuned(ComposedSettings settings) {
        Set<Trait> traits = EnumSet.of(Trait.NETWORK);
        if (settings.order().isPreemptive()) {
            traits.add(Trait.PREEMPTIVE);
        }
        if (settings.needsPredictions()) {
            traits.add(Trait.PREDICTS);
        }
        return new Entry(
                settings.name(),
                "member of the tuned family",
                traits,
                null,
                (topology, belief, seed) -> new ComposedScheduler(settings, topology, belief));
    }

    /** All of them, in the order in which to list them. */
    public static List<Entry> entries() {
        return ENTRIES;
    }

    /** Their names, in the same order. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The scheduler of this name; {@code sjf/best-fit} is {@code sjf}, and so on. Beside those listed there are {@code sjf/fgd} and the
     * like, for every order that has variants and every one of {@link PlacementPolicies} whose name is not taken; and the members of the
     * tuned family, {@code tuned:spwf+lif+delay=2} and so on (see {@link ComposedSettings#parse}).
     *
     * @throws InputException when there is none, listing those there are
     */
    public static Entry named(String name) {
        if (name.startsWith(ComposedSettings.PREFIX)) {
            return tuned(ComposedSettings.parse(name));
        }
        for (Entry entry : ENTRIES) {
            boolean isComposed = NAMES.contains(entry.name() + "/random");
            if (entry.name().equals(name) || (isComposed && name.equals(entry.name() + DEFAULT_PLACER))) {
                return entry;
            }
        }
        return UNLISTED.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InputException.at("scheduler", name, "one of " + String.join(", ", NAMES)));
    }
}
