package org.trainyard.agents.heuristic;

import java.util.ArrayList;
import java.util.List;
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
     * @param replaysTrace whether it replays a published simulator, which takes that simulator's world: {@code RatedPerformance},
     *     {@code RuntimePredictor.oracle} and a restart cost of zero; Helios presets also want one virtual cluster at a time, and
     *     submission times as they are in the trace
     * @param factory makes a fresh one for each run
     */
    public record Entry(
            String name,
            String description,
            boolean preemptive,
            boolean needsPredictions,
            boolean replaysTrace,
            Factory factory) {

        /** A fresh scheduler for one run. */
        public Scheduler create(Topology topology, long seed) {
            return factory.create(topology, seed);
        }
    }

    @FunctionalInterface
    private interface Composition {
        Scheduler with(Placer placer);
    }

    private static final String DEFAULT_PLACER = "/best-fit";
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
                false,
                (topology, seed) -> new RandomOrder(new RandomFit(topology, seed), seed)));
        replay(
                all,
                "helios-fifo",
                "Helios simulator, fifo",
                false,
                false,
                (topology, seed) -> new Fifo(false, new HeliosConsolidate(topology)));
        replay(
                all,
                "helios-sjf",
                "Helios simulator, sjf",
                false,
                true,
                (topology, seed) -> new HeliosSjf(new HeliosConsolidate(topology)));
        replay(
                all,
                "tiresias-fifo",
                "Tiresias simulator, fifo, counting GPUs",
                false,
                false,
                (topology, seed) -> new Fifo(false, new FirstFit()));
        replay(
                all,
                "tiresias-fjf",
                "Tiresias simulator, fjf, counting GPUs",
                false,
                false,
                (topology, seed) -> new Fifo(true, new FirstFit()));
        replay(
                all,
                "tiresias-srtf",
                "Tiresias simulator, shortest, counting GPUs",
                true,
                true,
                (topology, seed) -> new TiresiasSrtf(new FirstFit()));
        return List.copyOf(all);
    }

    private static void compose(
            List<Entry> all, String name, String what, boolean preemptive, boolean predicts, Composition order) {
        all.add(new Entry(
                name, what + "; best fit", preemptive, predicts, false, (topology, seed) -> order.with(new BestFit())));
        all.add(new Entry(
                name + "/first-fit",
                what + "; first fit",
                preemptive,
                predicts,
                false,
                (topology, seed) -> order.with(new FirstFit())));
        all.add(new Entry(
                name + "/random",
                what + "; random servers",
                preemptive,
                predicts,
                false,
                (topology, seed) -> order.with(new RandomFit(topology, seed))));
    }

    private static void replay(
            List<Entry> all, String name, String what, boolean preemptive, boolean predicts, Factory factory) {
        all.add(new Entry(name, what, preemptive, predicts, true, factory));
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
