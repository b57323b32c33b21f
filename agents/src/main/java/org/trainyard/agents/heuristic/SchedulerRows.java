package org.trainyard.agents.heuristic;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerRegistry.Entry;
import org.trainyard.agents.heuristic.SchedulerRegistry.Flag;
import org.trainyard.agents.heuristic.SchedulerRegistry.Kind;
import org.trainyard.agents.heuristic.SchedulerRegistry.Origin;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Las;
import org.trainyard.agents.heuristic.classic.RandomOrder;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.agents.heuristic.composed.ComposedScheduler;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.composed.Knob;
import org.trainyard.agents.heuristic.kueue.KueueScheduler;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.volcano.VolcanoObjects;
import org.trainyard.agents.heuristic.volcano.VolcanoScheduler;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.scheduling.placement.FirstFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.RandomFit;
import org.trainyard.env.simulation.Scheduler;

/**
 * The rows of the registry: the orders over jobs with every placer, {@link PublishedSchedulers}, and
 * {@link ReferenceSchedulers}.
 */
final class SchedulerRows {
    private static final String SLURM = "slurm";
    private static final String KUEUE = "kueue";
    private static final String VOLCANO = "volcano";

    /** By name, in the order in which to list them. */
    static final Map<String, Entry> LISTED = new LinkedHashMap<>();
    /** Second names, and orders with {@link PlacementPolicies}: too many to list. */
    private static final Map<String, Entry> UNLISTED = new LinkedHashMap<>();
    /** Names of papers for schedulers that go by another name here, by that name. */
    static final Map<String, String> ALIASES = Map.of("wcs-subtime", "fifo-backfill", "wcs-duration", "sjf");
    /** The orders that take any placer. */
    static final List<Order> ORDERS = new ArrayList<>();

    static {
        Kind kind = Kind.UNRECORDED;
        order(
                "fifo",
                "first in, first out; the head blocks",
                placer -> new Fifo(false, placer),
                new Origin("YARN-CS, as in Tiresias (NSDI 2019)", kind));
        order(
                "fifo-backfill",
                "first in, first out; who fits may pass",
                placer -> new Fifo(true, placer),
                new Origin("WCS-SubTime of Luo et al. (INFOCOM 2025)", kind));
        order(
                "sjf",
                "shortest predicted run time first",
                Sjf::new,
                new Origin("Smith 1956; Helios (SC 2021); WCS-Duration of Luo et al.", kind, Flag.NEEDS_PREDICTIONS));
        order(
                "srtf",
                "shortest predicted remaining time first",
                Srtf::new,
                new Origin("Schrage 1968; Tiresias", kind, Flag.PREEMPTIVE, Flag.NEEDS_PREDICTIONS));
        order(
                "las",
                "least attained GPU service first, in queues (Tiresias)",
                Las::new,
                new Origin("Tiresias (2D-LAS, discretised)", kind, Flag.PREEMPTIVE));
        list(reserving("easy", "fifo", 1));
        list(reserving("conservative", "fifo", Double.POSITIVE_INFINITY));
        list(slurm(SLURM, SlurmFiles.DEFAULT));
        list(new Origin("Kueue 0.17", Kind.OUR_READING, Flag.HEEDS_NODES)
                .row(KUEUE, "Kueue's admission, with one ClusterQueue that has all GPUs; kueue:PATH reads its YAML")
                .but("a gang is pods of equal size, and starts as a whole")
                .by(on -> new KueueScheduler(KueueObjects.ofGpus(on.gpus()))));
        list(volcano(VOLCANO, VolcanoObjects.DEFAULT));
        list(new Origin("", Kind.OURS)
                .row("random", "random order on random servers: the floor")
                .by((on, belief, seed) -> new RandomOrder(new RandomFit(on, seed), seed)));
        PublishedSchedulers.all().forEach(SchedulerRows::list);
        ReferenceSchedulers.all().forEach(SchedulerRows::list);
        PublishedSchedulers.ablations().forEach(entry -> UNLISTED.put(entry.name(), entry));
        ALIASES.forEach((alias, name) -> UNLISTED.put(alias, Objects.requireNonNull(LISTED.get(name))));
    }

    private SchedulerRows() {}

    /** The row of this name, or null. */
    static @Nullable Entry named(String name) {
        if (name.startsWith("easy:")) {
            return reserving(name, name.substring("easy:".length()), 1);
        } else if (name.startsWith("conservative:")) {
            return reserving(name, name.substring("conservative:".length()), Double.POSITIVE_INFINITY);
        }
        if (name.startsWith(SLURM + ":")) {
            return slurm(name, SlurmFiles.read(name.substring(SLURM.length() + 1)));
        }
        if (name.startsWith(KUEUE + ":")) {
            return kueue(name, KueueFiles.read(name.substring(KUEUE.length() + 1)));
        }
        if (name.startsWith(VOLCANO + ":")) {
            return volcano(name, VolcanoObjects.read(name.substring(VOLCANO.length() + 1)));
        }
        return LISTED.getOrDefault(name, UNLISTED.get(name));
    }

    /** The rules of Slurm under a configuration; only one that is given may preempt. */
    private static Entry slurm(String name, SlurmFiles files) {
        Set<Flag> flags = EnumSet.of(Flag.NEEDS_PREDICTIONS, Flag.HEEDS_NODES, Flag.HEEDS_EXCLUSIVE);
        List<String> caveats = new ArrayList<>(List.of(
                "goes by time limits, where jobs have none by predicted run times",
                "a gang holds the same number of GPUs on each of its servers"));
        if (files.preempts()) {
            flags.add(Flag.PREEMPTIVE);
        }
        if (!name.equals(SLURM)) {
            flags.add(Flag.HEEDS_FEATURES);
            caveats.addAll(files.notes());
        }
        return new Origin("Slurm 22.05", Kind.OUR_READING, null, flags)
                .row(name, "Slurm's main and backfill loops, with its configuration; by default in order of submission")
                .but(String.join("; ", caveats))
                .by(on -> new SlurmScheduler(files, on));
    }

    /** The rules of Kueue under a configuration, with what of it has no effect. */
    private static Entry kueue(String name, KueueObjects objects) {
        return new Origin("Kueue 0.17", Kind.OUR_READING, Flag.PREEMPTIVE, Flag.HEEDS_NODES)
                .row(name, "Kueue's admission, as its configuration says")
                .but("a gang is pods of equal size, and starts as a whole")
                .noting(objects.notes())
                .by(on -> new KueueScheduler(objects));
    }

    /** The rules of Volcano under a configuration, with what of it has no effect. */
    private static Entry volcano(String name, VolcanoObjects objects) {
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        if (objects.preempts()) {
            flags.add(Flag.PREEMPTIVE);
        }
        return new Origin("Volcano 1.12", Kind.OUR_READING, null, flags)
                .row(name, "Volcano's queues, by default one with all GPUs; volcano:PATH reads its YAML")
                .but("a gang starts and gives way as a whole")
                .noting(objects.notes())
                .by(on -> new VolcanoScheduler(objects, on));
    }

    /** Backfill with reservations for the first jobs of an order of the tuned family. */
    private static Entry reserving(String name, String order, double reservations) {
        ComposedSettings settings = ComposedSettings.parse(ComposedSettings.PREFIX + order + "+best-fit")
                .with(Knob.RESERVATIONS, reservations);
        Set<Flag> flags = EnumSet.of(Flag.NETWORK_AWARE, Flag.NEEDS_PREDICTIONS);
        if (settings.order().isPreemptive()) {
            flags.add(Flag.PREEMPTIVE);
        }
        boolean isEasy = reservations == 1;
        return new Origin(
                        isEasy ? "EASY (Lifka, JSSPP 1995)" : "Mu'alem, Feitelson (TPDS 2001)",
                        Kind.OUR_READING,
                        null,
                        flags)
                .row(
                        name,
                        (isEasy ? "a reservation for the first job, by " : "a reservation for every job, by ")
                                + order
                                + "; who delays none may pass")
                .but(
                        "goes by time limits, where jobs have none by predicted run times; reserves servers, not numbers of GPUs")
                .by((on, belief, seed) -> new ComposedScheduler(settings, on, belief));
    }

    private static Set<Flag> withSegments(Origin origin) {
        Set<Flag> flags = EnumSet.of(Flag.KEEPS_SEGMENTS);
        flags.addAll(origin.flags());
        return flags;
    }

    private static void list(Entry entry) {
        LISTED.put(entry.name(), entry);
    }

    /** An order over jobs that takes any placer. */
    record Order(String name, String description, Function<Placer, Scheduler> constructor, Origin origin) {
        Entry on(PlacementPolicies.Entry policy) {
            return origin.row(name + "/" + policy.name(), description + "; " + policy.description())
                    .by((on, belief, seed) -> constructor.apply(policy.create(on, null, seed)));
        }
    }

    /** An order over jobs with every placer: on {@link BestFit} under its own name. */
    private static void order(String name, String description, Function<Placer, Scheduler> constructor, Origin origin) {
        Order order = new Order(name, description, constructor, origin);
        ORDERS.add(order);
        Set<Flag> flags = EnumSet.of(Flag.NETWORK_AWARE, Flag.VARIANTS);
        flags.addAll(withSegments(origin));
        Entry plain = new Origin(origin.source(), origin.kind(), null, flags)
                .row(name, description + "; best fit")
                .by(on -> constructor.apply(new BestFit()));
        list(plain);
        Origin first = new Origin(origin.source(), origin.kind(), null, withSegments(origin));
        list(first.row(name + "/first-fit", description + "; first fit").by(on -> constructor.apply(new FirstFit())));
        list(origin.row(name + "/random", description + "; random servers")
                .by((on, belief, seed) -> constructor.apply(new RandomFit(on, seed))));
        UNLISTED.put(name + "/best-fit", plain);
        for (PlacementPolicies.Entry policy : PlacementPolicies.entries()) {
            UNLISTED.putIfAbsent(name + "/" + policy.name(), order.on(policy));
        }
    }
}
