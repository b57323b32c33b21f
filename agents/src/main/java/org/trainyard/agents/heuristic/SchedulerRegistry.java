package org.trainyard.agents.heuristic;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.bandwidth.Bandwidths;
import org.trainyard.agents.heuristic.admission.PostedPrice;
import org.trainyard.agents.heuristic.composed.ComposedScheduler;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.composed.Knob;
import org.trainyard.agents.heuristic.composed.MovingScheduler;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.agents.heuristic.reference.ReferenceSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.RenewedScheduler;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** The registry of schedulers: one row for every scheduler that the command line and configurations can name. */
public final class SchedulerRegistry {
    /** Constructs a scheduler for one run. */
    @FunctionalInterface
    public interface Factory {
        /**
         * A new scheduler.
         *
         * @param belief the interference model that the scheduler consults, if it consults one
         * @param seed root of the streams from which the scheduler draws random numbers, if it draws any
         * @throws InputException when the scheduler cannot serve this topology
         */
        Scheduler create(Topology topology, InterferenceModel belief, long seed);
    }

    /** Finds schedulers that are not in the registry, such as those of another language, by names of its own. */
    @FunctionalInterface
    public interface Foreign {
        /** The scheduler of this name, or null for a name of another kind. */
        @Nullable Entry named(String name);
    }

    /** What a scheduler does or reads. */
    public enum Flag {
        /** It takes GPUs away from running jobs. */
        PREEMPTIVE,
        /** It reads predicted run times. */
        NEEDS_PREDICTIONS,
        /** Its decisions depend on where servers are in the network, or on predicted interference. */
        NETWORK_AWARE,
        /** It resizes running jobs that allow it. */
        ELASTIC,
        /** It places only jobs that demand a fixed number of whole GPUs of any type. */
        WHOLE_GPUS_ONLY,
        /** It also places jobs in segments that no rack border may cut. */
        KEEPS_SEGMENTS,
        /**
         * It puts two jobs on a GPU by what it knows or believes of the pair. Where sharing is a choice, all others
         * hold GPUs alone.
         */
        SHARES_GPUS,
        /** It gives a job as many nodes as the trace says. */
        HEEDS_NODES,
        /** It gives a job its nodes alone where the trace says so. */
        HEEDS_EXCLUSIVE,
        /** It gives a job nodes with the features that the trace names. */
        HEEDS_FEATURES,
        /**
         * An order over jobs that also comes with other placers: {@code NAME/first-fit}, {@code NAME/random},
         * {@code NAME/fgd} and so on.
         */
        VARIANTS
    }

    /** How a scheduler relates to its source. */
    public enum Kind {
        /** Its results were checked against results or code that the authors released. */
        AS_PUBLISHED("as published"),
        /** Made from a paper; its Javadoc numbers what is inferred or differs. */
        OUR_READING("our reading"),
        /** A variant or a baseline of this project. */
        OURS("ours"),
        /** A textbook order; nothing is recorded. */
        UNRECORDED("textbook"),
        /** From outside the project. */
        PLUGIN("from a plugin");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** In lists and tables. */
        public String words() {
            return words;
        }
    }

    /**
     * A row of the registry.
     *
     * @param name as on the command line
     * @param description one line
     * @param source paper or simulator that the scheduler comes from; empty when there is none to name
     * @param reference of a preset that replays a published simulator: what that simulator assumes beside
     *     {@code RatedPerformance} and {@code RuntimePredictor.oracle}; null for the rest. Helios presets also need
     *     one virtual cluster at a time, and submission times as they are in the trace
     * @param caveat what a reader of the name might expect in vain, such as simplifications of the paper; empty
     *     when nothing
     * @param notes what of its configuration has no effect, a line each
     */
    public record Entry(
            String name,
            String description,
            String source,
            Kind kind,
            Set<Flag> flags,
            @Nullable ReferenceSettings reference,
            Factory factory,
            String caveat,
            List<String> notes) {
        public Entry {
            flags = Set.copyOf(flags);
            notes = List.copyOf(notes);
        }

        /**
         * A row for a {@link SchedulerPlugin}.
         *
         * @param description one line
         */
        public static Entry plugin(String name, String description, Factory factory, Flag... flags) {
            return new Origin("", Kind.PLUGIN, flags).row(name, description).by(factory);
        }

        /** A new scheduler for one run; if it consults an interference model, that model predicts none. */
        public Scheduler create(Topology topology, long seed) {
            return create(topology, InterferenceModel.NONE, seed);
        }

        /** A new scheduler for one run. */
        public Scheduler create(Topology topology, InterferenceModel belief, long seed) {
            return factory.create(topology, belief, seed);
        }

        public boolean has(Flag flag) {
            return flags.contains(flag);
        }

        /** Whether the scheduler can place this demand. */
        public boolean serves(Demand demand) {
            return demand.segment() > 0
                    ? has(Flag.KEEPS_SEGMENTS)
                    : !has(Flag.WHOLE_GPUS_ONLY) || demand.notWholeGpus() == null;
        }

        /**
         * Refuses a demand that the scheduler cannot place; to be called for every job before a run.
         *
         * @param job place of the job in messages
         * @throws InputException when it can place whole GPUs only and the demand is another
         */
        public void requireServes(String job, Demand demand) {
            if (demand.segment() > 0 && !has(Flag.KEEPS_SEGMENTS)) {
                throw InputException.at(
                        job,
                        "segment " + demand.segment(),
                        "no segment, for %s may cut it; fifo, sjf, srtf and las do not".formatted(name));
            }
            String other = has(Flag.WHOLE_GPUS_ONLY) ? demand.notWholeGpus() : null;
            if (other != null) {
                throw InputException.at(
                        job,
                        other,
                        "a fixed number of whole GPUs of any type, for %s places nothing else".formatted(name));
            }
        }

        /** Whether it is a preset that replays a published simulator. */
        public boolean replaysTrace() {
            return reference != null;
        }
    }

    /** What a group of rows shares: their source, and their flags. */
    record Origin(String source, Kind kind, @Nullable ReferenceSettings reference, Set<Flag> flags) {
        Origin(String source, Kind kind, Flag... flags) {
            this(source, kind, null, Set.of(flags));
        }

        Row row(String name, String description) {
            return new Row(name, description, this, "", List.of());
        }
    }

    /** A row that still lacks its constructor. */
    record Row(String name, String description, Origin origin, String caveat, List<String> notes) {
        /**
         * Returns this row with a caveat: what a reader of the name might expect of the scheduler and does not get.
         */
        Row but(String what) {
            return new Row(name, description, origin, what, notes);
        }

        /** Returns this row with what of its configuration has no effect. */
        Row noting(List<String> unheeded) {
            return new Row(name, description, origin, caveat, unheeded);
        }

        Entry by(Function<Topology, Scheduler> constructor) {
            return by((topology, belief, seed) -> constructor.apply(topology));
        }

        Entry by(Factory factory) {
            return new Entry(
                    name,
                    description,
                    origin.source,
                    origin.kind,
                    origin.flags,
                    origin.reference,
                    factory,
                    caveat,
                    notes);
        }
    }

    private static final String RENEWED = "driven:";

    /** What plugins add, replaced as a whole. */
    private static volatile PluggedRows plugged = PluggedRows.NONE;

    private static volatile @Nullable Foreign foreign;

    private SchedulerRegistry() {}

    /** A member of the tuned family. */
    public static Entry tuned(ComposedSettings settings) {
        Set<Flag> flags = EnumSet.of(Flag.NETWORK_AWARE);
        if (settings.order().isPreemptive()) {
            flags.add(Flag.PREEMPTIVE);
        }
        if (settings.needsPredictions()) {
            flags.add(Flag.NEEDS_PREDICTIONS);
        }
        if (settings.placement() == ComposedSettings.Placement.SETS) {
            flags.add(Flag.SHARES_GPUS);
            if (settings.value(Knob.MOVE) == Double.POSITIVE_INFINITY) {
                flags.add(Flag.KEEPS_SEGMENTS);
            }
        }
        return new Origin("", Kind.OURS, null, flags)
                .row(settings.name(), "member of the tuned family: " + settings.nameWithKnobs())
                .by((on, belief, seed) -> {
                    Scheduler plain = new ComposedScheduler(settings, on, belief);
                    return settings.value(Knob.MOVE) == Double.POSITIVE_INFINITY
                            ? plain
                            : new MovingScheduler(
                                    plain,
                                    on,
                                    belief,
                                    settings.value(Knob.MOVE),
                                    settings.gpus(),
                                    settings.value(Knob.CHARGE));
                });
    }

    /** A scheduler behind admission by a posted price. */
    private static Entry priced(Entry behind) {
        if (behind.replaysTrace()) {
            throw InputException.at(
                    "scheduler",
                    PostedPrice.PREFIX + behind.name(),
                    "a scheduler behind it that does not replay a published simulator");
        }
        Set<Flag> flags = EnumSet.of(Flag.NEEDS_PREDICTIONS);
        flags.addAll(behind.flags());
        flags.remove(Flag.VARIANTS);
        return new Origin("Zhang, Li, Wu (SIGMETRICS 2017)", Kind.OUR_READING, null, flags)
                .row(PostedPrice.PREFIX + behind.name(), "admission by a posted price; then " + behind.description())
                .but("admits and rejects, so its times are those of fewer jobs; without utilities every job is"
                        + " worth the same")
                .by((on, belief, seed) -> {
                    Scheduler scheduler = behind.create(on, belief, seed);
                    return behind.has(Flag.ELASTIC) ? PostedPrice.ofElastic(scheduler, on) : new PostedPrice(scheduler);
                });
    }

    /** A scheduler as it drives a live cluster, where other things happen than it has decided. */
    private static Entry renewed(Entry driving) {
        if (driving.replaysTrace()) {
            throw InputException.at(
                    "scheduler",
                    RENEWED + driving.name(),
                    "a scheduler behind it that does not replay a published simulator");
        }
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        flags.addAll(driving.flags());
        flags.remove(Flag.VARIANTS);
        return new Origin(driving.source(), Kind.OURS, null, flags)
                .row(RENEWED + driving.name(), driving.description() + "; it is a new one at each instant")
                .but("remembers nothing that the state does not show, such as reservations, rounds and turns")
                .by((on, belief, seed) -> new RenewedScheduler(() -> driving.create(on, belief, seed)));
    }

    /** A scheduler that is told, or believes, what the name says of the bandwidths inside servers. */
    private static Entry told(String name) {
        int colon = name.indexOf(':');
        String key = name.substring(Bandwidths.PREFIX.length(), colon < 0 ? name.length() : colon);
        Bandwidths bandwidths = Bandwidths.named("scheduler", key);
        if (colon < 0) {
            throw InputException.at("scheduler", name, name + ":NAME with the name of a scheduler");
        }
        Entry placing = named(name.substring(colon + 1));
        if (placing.replaysTrace()) {
            throw InputException.at(
                    "scheduler", name, "a scheduler behind it that does not replay a published simulator");
        }
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        flags.addAll(placing.flags());
        flags.remove(Flag.VARIANTS);
        return new Origin(placing.source(), Kind.OURS, null, flags)
                .row(name, placing.description() + "; bandwidths inside servers: " + bandwidths.description())
                .by((on, belief, seed) -> placing.create(bandwidths.seen(on), belief, seed));
    }

    /** A scheduler with a rule beside it. */
    private static Entry ruled(String name) {
        int colon = name.indexOf(':');
        RuleBeside rule = RuleBeside.named("scheduler", colon < 0 ? name : name.substring(0, colon));
        if (colon < 0) {
            throw InputException.at("scheduler", name, name + ":NAME with the name of a scheduler");
        }
        Entry placing = named(name.substring(colon + 1));
        if (placing.replaysTrace()) {
            throw InputException.at(
                    "scheduler", name, "a scheduler behind it that does not replay a published simulator");
        }
        Set<Flag> flags = EnumSet.copyOf(placing.flags());
        flags.remove(Flag.VARIANTS);
        return new Origin(placing.source(), Kind.OUR_READING, null, flags)
                .row(name, placing.description() + "; " + rule.description())
                .but(rule.caveat())
                .by((on, belief, seed) -> rule.beside().of(on, placing.create(on, belief, seed)));
    }

    /**
     * Adds the schedulers and placers of plugins, in place of those added before.
     *
     * @throws InputException when a name is taken or is none
     */
    public static void plug(List<SchedulerPlugin> plugins) {
        PluggedRows rows = new PluggedRows(plugins);
        rows.schedulers().keySet().forEach(name -> requireFree(name, SchedulerRows.LISTED.containsKey(name)));
        rows.placers().keySet().forEach(name -> requireFree(name, PlacementPolicies.isBuiltIn(name)));
        PlacementPolicies.plug(List.copyOf(rows.placers().values()));
        plugged = rows;
    }

    /** Also finds names by this, in place of the one before; by none for null. */
    public static void plug(@Nullable Foreign source) {
        foreign = source;
    }

    private static void requireFree(String name, boolean isTaken) {
        if (isTaken) {
            throw InputException.at("plugin", name, "a name that is not one of Trainyard's own");
        }
    }

    /** The rows, in the order in which to list them. */
    public static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>(SchedulerRows.LISTED.values());
        entries.addAll(plugged.schedulers().values());
        return List.copyOf(entries);
    }

    /** The members of the tuned family that ship, by their short names. */
    public static List<Entry> members() {
        return ComposedSettings.shipped().stream().map(SchedulerRegistry::named).toList();
    }

    /** Second names of a row, which papers use. */
    public static List<String> aliases(Entry entry) {
        return SchedulerRows.ALIASES.entrySet().stream()
                .filter(alias -> alias.getValue().equals(entry.name()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The names of the rows, in the same order. */
    public static List<String> names() {
        return entries().stream().map(Entry::name).toList();
    }

    /**
     * The scheduler of this name.
     *
     * <p>Beside the rows that are listed there are {@code sjf/best-fit}, which is {@code sjf}; {@code sjf/fgd} and
     * the like, for every order with variants and every one of {@link PlacementPolicies} whose name is not taken;
     * and the members of the tuned family, {@code tuned-default}, {@code tuned:spwf+lif+delay=2} and so on (see
     * {@link ComposedSettings#parse}); and any of them behind admission by a {@link PostedPrice},
     * {@code posted-price:sjf}, or as they drive a live cluster, {@code driven:easy} ({@link RenewedScheduler}), or with a {@link RuleBeside rule beside them}, {@code freeze=autofreeze:fifo} or
     * {@code cores=tune:fifo}, or with a belief about bandwidths, {@code bandwidths=rings:patient} ({@link Bandwidths}).
     *
     * @throws InputException when there is none; its message lists the names there are
     */
    public static Entry named(String name) {
        if (name.startsWith(ComposedSettings.PREFIX)
                || ComposedSettings.shipped().contains(name)) {
            return tuned(ComposedSettings.parse(name));
        } else if (name.startsWith(PostedPrice.PREFIX)) {
            return priced(named(name.substring(PostedPrice.PREFIX.length())));
        } else if (name.startsWith(RENEWED)) {
            return renewed(named(name.substring(RENEWED.length())));
        } else if (name.startsWith(Bandwidths.PREFIX)) {
            return told(name);
        } else if (name.indexOf('=') >= 0 && RuleBeside.begins(name)) {
            return ruled(name);
        }
        // First the presets, whose runs are often so short that to make the other rows takes as long.
        Entry entry = ReferenceSchedulers.named(name);
        entry = entry == null ? SchedulerRows.named(name) : entry;
        entry = entry == null ? ofPlugin(name) : entry;
        Foreign others = foreign;
        entry = entry == null && others != null ? others.named(name) : entry;
        if (entry == null) {
            throw InputException.at("scheduler", name, "one of " + String.join(", ", names()));
        }
        return entry;
    }

    private static @Nullable Entry ofPlugin(String name) {
        int slash = name.indexOf('/');
        PlacementPolicies.Entry placer = slash < 0 ? null : plugged.placers().get(name.substring(slash + 1));
        if (placer == null) {
            return plugged.schedulers().get(name);
        }
        return SchedulerRows.ORDERS.stream()
                .filter(order -> order.name().equals(name.substring(0, slash)))
                .map(order -> order.on(placer))
                .findFirst()
                .orElse(null);
    }
}
