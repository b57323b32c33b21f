package org.trainyard.env.gym.registry;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.World;
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

    /** Constructs a scheduler of agents that decide apart, for one run. */
    @FunctionalInterface
    public interface Apart {
        Scheduler create(Topology topology, InterferenceModel belief, Domains domains, DecentralisedSettings settings);
    }

    /** Properties and inputs of a scheduler. */
    public enum Flag {
        /** Takes GPUs away from running jobs. */
        PREEMPTIVE,
        /** Reads predicted run times. */
        NEEDS_PREDICTIONS,
        /** Decides by where servers are in the network, or by predicted interference. */
        NETWORK_AWARE,
        /** Resizes running jobs that allow it. */
        ELASTIC,
        /** Places only jobs that demand a fixed number of whole GPUs of any type. */
        WHOLE_GPUS_ONLY,
        /** Places only jobs that demand a fixed number of whole GPUs, of any or of some types. */
        FIXED_GPUS_ONLY,
        /** Also places jobs in segments that no rack border may cut. */
        KEEPS_SEGMENTS,
        /**
         * Puts two jobs on a GPU by its knowledge or belief of the pair. Where sharing is a choice, all others hold
         * GPUs alone.
         */
        SHARES_GPUS,
        /** Gives a job as many nodes as the trace says. */
        HEEDS_NODES,
        /** Gives a job its nodes alone where the trace says so. */
        HEEDS_EXCLUSIVE,
        /** Gives a job nodes with the features that the trace names. */
        HEEDS_FEATURES,
        /** Goes by time limits although it preempts: a job that it preempted has all of its limit again. */
        RENEWS_LIMITS,
        /**
         * An order over jobs that also comes with other placers: {@code NAME/first-fit}, {@code NAME/random},
         * {@code NAME/fgd} and so on.
         */
        VARIANTS
    }

    /** How a scheduler relates to its source. */
    public enum Kind {
        /** Results were checked against results or code that the authors released. */
        AS_PUBLISHED("as published"),
        /** Made from a paper; its Javadoc numbers inferences and differences. */
        OUR_READING("our reading"),
        /** A variant or a baseline of this project. */
        OURS("ours"),
        /** A textbook order; nothing is recorded. */
        UNRECORDED("textbook"),
        /** A scheduler from outside the project. */
        PLUGIN("from a plugin");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** Words for the kind in lists and tables. */
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
     * @param reference of a preset that replays a published simulator: the assumptions of that simulator beside
     *     {@code RatedPerformance} and {@code RuntimePredictor.oracle}; null for the rest. Helios presets also need one
     *     virtual cluster at a time, and submission times as they are in the trace
     * @param caveat features that a reader of the name might expect in vain, or simplifications of the paper; empty
     *     when there are none
     * @param notes settings of its configuration that have no effect, a line each
     * @param apart the same rule for agents that decide apart, one for each domain; null when there is none
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
            List<String> notes,
            @Nullable Apart apart) {
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

        /** A new scheduler for one run in a world. */
        public Scheduler create(World world) {
            return create(world.topology(), world.belief(), world.seed());
        }

        /** Whether the scheduler takes GPUs from running jobs. */
        public boolean takesGpus() {
            return has(Flag.PREEMPTIVE) || has(Flag.ELASTIC);
        }

        public boolean has(Flag flag) {
            return flags.contains(flag);
        }

        /** Whether the scheduler can place this demand. */
        public boolean serves(Demand demand) {
            return demand.segment() > 0 ? has(Flag.KEEPS_SEGMENTS) : unserved(demand) == null;
        }

        /** The part of a demand for which the scheduler takes none; null when it takes the demand. */
        private @Nullable String unserved(Demand demand) {
            return has(Flag.WHOLE_GPUS_ONLY)
                    ? demand.notWholeGpus()
                    : has(Flag.FIXED_GPUS_ONLY) ? demand.notFixedGpus() : null;
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
            String other = unserved(demand);
            if (other != null) {
                throw InputException.at(
                        job,
                        other,
                        "a fixed number of whole GPUs%s, for %s places nothing else"
                                .formatted(has(Flag.WHOLE_GPUS_ONLY) ? " of any type" : "", name));
            }
        }

        /** Whether it is a preset that replays a published simulator. */
        public boolean replaysTrace() {
            return reference != null;
        }
    }

    /** Fields that the rows of a family share, such as their source and their flags. */
    public record Origin(String source, Kind kind, @Nullable ReferenceSettings reference, Set<Flag> flags) {
        public Origin {
            flags = Set.copyOf(flags);
        }

        /** An origin of rows that replay no published simulator. */
        public Origin(String source, Kind kind, Flag... flags) {
            this(source, kind, null, Set.of(flags));
        }

        /** A row that still lacks its constructor. */
        public Row row(String name, String description) {
            return new Row(name, description, this, "", List.of(), null);
        }
    }

    /** A row that still lacks its constructor. */
    public record Row(
            String name,
            String description,
            Origin origin,
            String caveat,
            List<String> notes,
            @Nullable Apart apart) {
        public Row {
            notes = List.copyOf(notes);
        }

        /** Returns this row with a caveat: a feature that a reader of the name might expect and does not get. */
        public Row but(String what) {
            return new Row(name, description, origin, what, notes, apart);
        }

        /** Returns this row with the settings of its configuration that have no effect. */
        public Row noting(List<String> unheeded) {
            return new Row(name, description, origin, caveat, unheeded, apart);
        }

        /** Returns this row with the same rule for agents that decide apart. */
        public Row apart(Apart constructor) {
            return new Row(name, description, origin, caveat, notes, constructor);
        }

        /** The row of a scheduler that reads the topology alone. */
        public Entry by(Function<Topology, Scheduler> constructor) {
            return by((topology, belief, seed) -> constructor.apply(topology));
        }

        /** The row of a scheduler. */
        public Entry by(Factory factory) {
            return new Entry(
                    name,
                    description,
                    origin.source,
                    origin.kind,
                    origin.flags,
                    origin.reference,
                    factory,
                    caveat,
                    notes,
                    apart);
        }
    }

    private static volatile @Nullable Foreign foreign;

    private SchedulerRegistry() {}

    /**
     * Adds the families of plugins from outside the project, in place of those added before.
     *
     * @throws InputException when a name is taken or is none
     */
    public static void plug(List<SchedulerPlugin> plugins) {
        SchedulerFamilies.plug(plugins);
    }

    /** Lets a source find further names, in place of the one before; no source for null. */
    public static void alsoFindBy(@Nullable Foreign source) {
        foreign = source;
    }

    /** The rows, in the order in which to list them. */
    public static List<Entry> entries() {
        return SchedulerFamilies.all().stream()
                .flatMap(family -> family.rows().values().stream())
                .toList();
    }

    /** The members of parametric families that ship, by their short names. */
    public static List<Entry> members() {
        return SchedulerFamilies.all().stream()
                .flatMap(family -> family.plugin().members().stream())
                .toList();
    }

    /** Second names of a row, which papers use. */
    public static List<String> aliases(Entry entry) {
        return SchedulerFamilies.all().stream()
                .flatMap(family -> family.plugin().aliases().entrySet().stream())
                .filter(alias -> alias.getValue().equals(entry.name()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The names of the rows, in the same order. */
    public static List<String> names() {
        return entries().stream().map(Entry::name).toList();
    }

    /** The spaces of hyperparameters to search. */
    public static List<SearchSpace> searchSpaces() {
        return SchedulerFamilies.all().stream()
                .map(family -> family.plugin().searchSpace())
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * The modules of this project whose schedulers are not here, as {@code agents/published}: names that belong to them
     * are unknown.
     */
    public static List<String> absentHomes() {
        return SchedulerFamilies.absentHomes();
    }

    /** Whether the rest of a name behind its prefix is a description in a language of its own. */
    public static boolean isParsed(String name) {
        return SchedulerFamilies.all().stream()
                .flatMap(family -> family.prefixes().stream())
                .anyMatch(prefix -> prefix.isParsed() && name.startsWith(prefix.text()));
    }

    /**
     * The scheduler of this name: a row that is listed, one that its family knows by a name that is not listed, as
     * {@code sjf/fgd}, one by a prefix, as {@code tuned:spwf+lif+delay=2}, {@code posted-price:sjf},
     * {@code controller:easy}, {@code freeze=autofreeze:fifo} or {@code slurm:FOLDER}, or one of another language.
     *
     * @throws InputException when there is none; its message lists the names there are
     */
    public static Entry named(String name) {
        List<SchedulerFamilies.Family> families = SchedulerFamilies.all();
        for (SchedulerFamilies.Family family : families) {
            for (SchedulerPrefix prefix : family.prefixes()) {
                if (name.startsWith(prefix.text())) {
                    return prefix.row().apply(name);
                }
            }
        }
        // The presets of published simulators are listed last, and their runs are often so short that to make the other
        // rows takes as long.
        for (int i = families.size() - 1; i >= 0; i--) {
            Entry entry = families.get(i).named(name);
            if (entry != null) {
                return entry;
            }
        }
        Foreign others = foreign;
        Entry entry = others == null ? null : others.named(name);
        if (entry == null) {
            List<String> absent = absentHomes();
            throw InputException.at(
                    "scheduler",
                    name,
                    "one of " + String.join(", ", names())
                            + (absent.isEmpty() ? "" : "; %s are not here".formatted(String.join(", ", absent))));
        }
        return entry;
    }
}
