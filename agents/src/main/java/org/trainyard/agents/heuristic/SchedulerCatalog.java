package org.trainyard.agents.heuristic;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/** Every scheduler that has a name. */
public final class SchedulerCatalog {
    /** Makes a scheduler for one run; it takes its random numbers, if any, from streams of the seed. */
    @FunctionalInterface
    public interface Factory {
        /** @throws InputException when the scheduler cannot serve this topology */
        Scheduler create(Topology topology, long seed);
    }

    /**
     * A scheduler by name.
     *
     * @param name as on the command line
     * @param description one line
     * @param preemptive whether it takes GPUs away from running jobs
     * @param needsPredictions whether it reads predicted run times
     * @param world of a preset that replays a published simulator, what that simulator takes for true beside
     *     {@code RatedPerformance} and {@code RuntimePredictor.oracle}; null for the rest. Helios presets also want one virtual
     *     cluster at a time, and submission times as they are in the trace
     * @param factory makes a fresh one for each run
     */
    public record Entry(
            String name,
            String description,
            boolean preemptive,
            boolean needsPredictions,
            @Nullable ReplayWorld world,
            Factory factory) {

        /** A fresh scheduler for one run. */
        public Scheduler create(Topology topology, long seed) {
            return factory.create(topology, seed);
        }

        /** Whether it is a preset that replays a published simulator. */
        public boolean replaysTrace() {
            return world != null;
        }
    }

    @FunctionalInterface
    private interface Composition {
        Scheduler with(Placer placer);
    }

    private static final String DEFAULT_PLACER = "/best-fit";
    private static final Set<String> PRESETS_WITHOUT_PREDICTIONS =
            Set.of("helios-fifo", "tiresias-fifo", "tiresias-fjf", "tiresias-sjf", "tiresias-dlas", "muri-tiresias");
    private static final List<Entry> ENTRIES = entriesInOrder();

    private SchedulerCatalog() {}

    private static List<Entry> entriesInOrder() {
        List<Entry> all = new ArrayList<>();
        compose(all, "fifo", "first in, first out; the head blocks", false, false, p -> new Fifo(false, p));
        compose(all, "fifo-backfill", "first in, first out; who fits may pass", false, false, p -> new Fifo(true, p));
        compose(all, "sjf", "shortest predicted run time first", false, true, Sjf::new);
        compose(all, "srtf", "shortest predicted remaining time first", true, true, Srtf::new);
        compose(all, "las", "least attained GPU service first, in queues (Tiresias)", true, false, Las::new);
        all.add(new Entry(
                "random",
                "random order on random servers: the floor",
                false,
                false,
                null,
                (topology, seed) -> new RandomOrder(new RandomFit(topology, seed), seed)));
        addHelios(all);
        addTiresias(all);
        addMuri(all);
        return List.copyOf(all);
    }

    private static void addHelios(List<Entry> all) {
        ReplayWorld world = ReplayWorld.HELIOS;
        replay(all, "helios-fifo", "Helios simulator, fifo", false, world, on -> new Fifo(false, consolidate(on)));
        replay(all, "helios-sjf", "Helios simulator, sjf", false, world, on -> new HeliosSjf(consolidate(on)));
        ReplayWorld charging = ReplayWorld.HELIOS_SRTF;
        replay(all, "helios-srtf", "Helios simulator, srtf", true, charging, on -> new HeliosSrtf(consolidate(on)));
    }

    private static HeliosConsolidate consolidate(Topology topology) {
        return new HeliosConsolidate(topology);
    }

    private static void addTiresias(List<Entry> all) {
        String what = "Tiresias simulator, %s, counting GPUs";
        ReplayWorld world = ReplayWorld.AS_TRACED;
        replay(all, "tiresias-fifo", what.formatted("fifo"), false, world, on -> new Fifo(false, new FirstFit()));
        replay(all, "tiresias-fjf", what.formatted("fjf"), false, world, on -> new Fifo(true, new FirstFit()));
        replay(
                all,
                "tiresias-sjf",
                what.formatted("sjf (fewest GPUs)"),
                true,
                world,
                on -> counted(SortedDeal.Key.GPUS));
        replay(
                all,
                "tiresias-srtf",
                what.formatted("shortest"),
                true,
                world,
                on -> counted(SortedDeal.Key.REMAINING_TIME));
        replay(
                all,
                "tiresias-srsf",
                what.formatted("shortest-gpu"),
                true,
                world,
                on -> counted(SortedDeal.Key.REMAINING_GPU_TIME));
        replay(
                all,
                "tiresias-dlas",
                what.formatted("dlas-gpu"),
                true,
                world,
                on -> new TiresiasDlas(TiresiasDlas.Foresight.TIRESIAS));
    }

    private static Scheduler counted(SortedDeal.Key key) {
        return new SortedDeal(key, new Room.Counted());
    }

    private static void addMuri(List<Entry> all) {
        ReplayWorld world = ReplayWorld.MURI;
        replay(
                all,
                "muri-srtf",
                "Muri simulator, shortest",
                true,
                world,
                on -> new SortedDeal(SortedDeal.Key.REMAINING_TIME, new MuriRoom(on)));
        replay(
                all,
                "muri-srsf",
                "Muri simulator, shortest-gpu",
                true,
                world,
                on -> new SortedDeal(SortedDeal.Key.REMAINING_GPU_TIME, new MuriRoom(on)));
        replay(
                all,
                "muri-tiresias",
                "Muri simulator, dlas-gpu, counting GPUs",
                true,
                world,
                on -> new TiresiasDlas(TiresiasDlas.Foresight.MURI));
    }

    private static void compose(
            List<Entry> all, String name, String what, boolean preemptive, boolean predicts, Composition order) {
        all.add(new Entry(
                name, what + "; best fit", preemptive, predicts, null, (topology, seed) -> order.with(new BestFit())));
        all.add(new Entry(
                name + "/first-fit",
                what + "; first fit",
                preemptive,
                predicts,
                null,
                (topology, seed) -> order.with(new FirstFit())));
        all.add(new Entry(
                name + "/random",
                what + "; random servers",
                preemptive,
                predicts,
                null,
                (topology, seed) -> order.with(new RandomFit(topology, seed))));
    }

    private static void replay(
            List<Entry> all,
            String name,
            String what,
            boolean preemptive,
            ReplayWorld world,
            Function<Topology, Scheduler> made) {
        boolean predicts = !PRESETS_WITHOUT_PREDICTIONS.contains(name);
        all.add(new Entry(name, what, preemptive, predicts, world, (topology, seed) -> made.apply(topology)));
    }

    /** All of them, in the order in which to list them. */
    public static List<Entry> entries() {
        return ENTRIES;
    }

    /** Their names, in the same order. */
    public static List<String> names() {
        return ENTRIES.stream().map(Entry::name).toList();
    }

    /**
     * The scheduler of this name; {@code sjf/best-fit} is {@code sjf}, and so on.
     *
     * @throws InputException when there is none, listing those there are
     */
    public static Entry named(String name) {
        for (Entry entry : ENTRIES) {
            boolean composed = !entry.replaysTrace()
                    && !entry.name().contains("/")
                    && !entry.name().equals("random");
            if (entry.name().equals(name) || (composed && name.equals(entry.name() + DEFAULT_PLACER))) {
                return entry;
            }
        }
        throw InputException.at("scheduler", name, "one of " + String.join(", ", names()));
    }
}
