package org.trainyard.agents.heuristic;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
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

    /** Makes a scheduler that asks a belief how much jobs disturb each other. */
    @FunctionalInterface
    public interface BelievingFactory {
        /** @throws InputException when the scheduler cannot serve this topology */
        Scheduler create(Topology topology, InterferenceModel belief, long seed);
    }

    /**
     * A scheduler by name.
     *
     * @param name as on the command line
     * @param description one line
     * @param preemptive whether it takes GPUs away from running jobs
     * @param needsPredictions whether it reads predicted run times
     * @param networkAware whether it looks at where servers are in the network, or at how much jobs disturb each other over it
     * @param elastic whether it resizes running jobs that allow it
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
            boolean networkAware,
            boolean elastic,
            @Nullable ReplayWorld world,
            BelievingFactory factory) {
        /** A scheduler that neither looks at the network nor resizes, and has no belief about interference. */
        public Entry(
                String name,
                String description,
                boolean preemptive,
                boolean needsPredictions,
                @Nullable ReplayWorld world,
                Factory factory) {
            this(
                    name,
                    description,
                    preemptive,
                    needsPredictions,
                    false,
                    false,
                    world,
                    (topology, belief, seed) -> factory.create(topology, seed));
        }

        /** The same, looking at the network. */
        Entry onNetworks() {
            return new Entry(name, description, preemptive, needsPredictions, true, elastic, world, factory);
        }

        /** A fresh scheduler for one run that believes that nobody disturbs anybody, if it believes anything. */
        public Scheduler create(Topology topology, long seed) {
            return create(topology, InterferenceModel.NONE, seed);
        }

        /** A fresh scheduler for one run. */
        public Scheduler create(Topology topology, InterferenceModel belief, long seed) {
            return factory.create(topology, belief, seed);
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
    /** Orders with placement policies; too many to list. */
    private static final List<Entry> UNLISTED = new ArrayList<>();

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
        addASrpt(all);
        addDally(all);
        addRivals(all);
        addPolicies(all);
        addSjfBco(all);
        addInterferenceAware(all);
        addLiterature(all);
        addHelios(all);
        addTiresias(all);
        addMuri(all);
        addShockwave(all);
        return List.copyOf(all);
    }

    /** A-SRPT as its paper has it and as we do, and what it is compared with. */
    private static void addASrpt(List<Entry> all) {
        add(all, "a-srpt", "released by a virtual machine under SRPT; the head blocks", on -> {
            return new ASrpt(on, ASrpt.Settings.PAPER);
        });
        add(all, "a-srpt-tuned", "the same, slower machine, longer delay; who fits may pass", on -> {
            return new ASrpt(on, ASrpt.Settings.TUNED);
        });
        add(all, "spwf-delay", "smallest predicted work first; heavy jobs wait for few servers", PatientSpwf::new);
        for (boolean skips : new boolean[] {false, true}) {
            String tail = skips ? "who fits may pass" : "the head blocks";
            addPredicted(
                    all,
                    skips ? "wcs-duration" : "spjf",
                    "shortest predicted run time first; " + tail,
                    PredictedQueue.Key.DURATION,
                    skips);
            addPredicted(
                    all,
                    skips ? "wcs-workload" : "spwf",
                    "smallest predicted work first; " + tail,
                    PredictedQueue.Key.WORKLOAD,
                    skips);
        }
        addPredicted(all, "wcs-subtime", "first in, first out; who fits may pass", PredictedQueue.Key.SUBMISSION, true);
    }

    private static void addPredicted(List<Entry> all, String name, String what, PredictedQueue.Key key, boolean skips) {
        boolean predicts = key != PredictedQueue.Key.SUBMISSION;
        all.add(new Entry(
                name, what, false, predicts, null, (on, seed) -> new PredictedQueue(key, skips, new BestFit())));
    }

    /** One that preempts nobody and reads predictions. */
    private static void add(List<Entry> all, String name, String what, Function<Topology, Scheduler> made) {
        all.add(new Entry(name, what, false, true, null, (topology, seed) -> made.apply(topology)));
    }

    private static void addDally(List<Entry> all) {
        Dally.Settings published = Dally.Settings.PUBLISHED;
        addDally(all, "dally", "leases, network sensitivity, tuned delay timers", published);
        addDally(all, "dally-renew", "Dally; leases go on while nobody minds", published.renewingLeases());
        addDally(all, "dally-no-wait", "Dally; takes any offer", published.with(Dally.FixedTimers.NO_WAIT));
        addDally(all, "dally-manual", "Dally; timers of 12 and 24 leases", published.with(Dally.FixedTimers.MANUAL));
        addDally(
                all,
                "dally-fully-consolidated",
                "Dally; waits for the best level",
                published.with(Dally.FixedTimers.FULLY_CONSOLIDATED));
    }

    /** Those it is compared with, in our own world. */
    private static void addRivals(List<Entry> all) {
        all.add(new Entry(
                "tiresias",
                "attained GPU service in queues, promotion, skewed models together",
                true,
                false,
                null,
                (topology, seed) -> new Tiresias(topology, Tiresias.Within.SUBMISSION)));
        all.add(new Entry(
                "tiresias-gittins",
                "the same; within a queue by Gittins index",
                true,
                false,
                null,
                (topology, seed) -> new Tiresias(topology, Tiresias.Within.GITTINS)));
        all.add(new Entry(
                "gandiva",
                "turns of 30 min, migration, packing of parts of GPUs",
                true,
                false,
                null,
                (topology, seed) -> new Gandiva(topology, seed)));
        all.add(new Entry(
                "themis",
                "leases of 20 min to those worst off by finish-time fairness",
                true,
                true,
                null,
                (topology, seed) -> new Themis()));
    }

    private static void addDally(List<Entry> all, String name, String what, Dally.Settings settings) {
        all.add(new Entry(name, what, true, false, null, (topology, seed) -> new Dally(topology, settings)));
    }

    /** The placement policies on their own, except that {@code random} is taken. */
    private static void addPolicies(List<Entry> all) {
        for (PlacementPolicies.Entry policy : PlacementPolicies.entries()) {
            if (!policy.name().equals("random")) {
                all.add(new Entry(
                        policy.name(),
                        "who fits may pass; " + policy.description(),
                        false,
                        false,
                        null,
                        (topology, seed) -> new Fifo(true, policy.create(topology, null, seed))));
            }
        }
    }

    private static void addSjfBco(List<Entry> all) {
        all.add(new Entry(
                "sjf-bco",
                "fewest GPUs first; small jobs where servers are in use, large ones on the least busy (SJF-BCO)",
                false,
                true,
                null,
                (topology, seed) -> SjfBco.on(topology)));
        addPlan(all, "sjf-bco-plan", "SJF-BCO, hourly plans of who gets which GPUs", BatchPlanner.Policy.SJF_BCO);
        addPlan(all, "ls-plan", "the same, on the GPUs booked for least time (LS)", BatchPlanner.Policy.LS);
        addPlan(all, "ff-plan", "the same, on the first GPUs (FF)", BatchPlanner.Policy.FF);
        addPlan(all, "rand-plan", "the same, on random GPUs (RAND)", BatchPlanner.Policy.RAND);
    }

    private static void addPlan(List<Entry> all, String name, String what, BatchPlanner.Policy policy) {
        all.add(new Entry(name, what, false, true, null, (topology, seed) -> {
            return new SjfBcoPlan(policy, SjfBcoPlan.Settings.DEFAULT, seed);
        }));
    }

    private static void addInterferenceAware(List<Entry> all) {
        TunedSettings lif = TunedSettings.of(TunedSettings.Order.FIFO, TunedSettings.Placement.LIF);
        all.add(new Entry(
                "lif",
                "who fits may pass; where jobs disturb each other least, as predicted",
                false,
                false,
                true,
                false,
                null,
                (topology, belief, seed) -> new TunedScheduler(lif, topology, belief)));
    }

    private static void addLiterature(List<Entry> all) {
        all.add(new Entry(
                "load-balancing",
                "who fits may pass; each worker on the least loaded server",
                false,
                false,
                null,
                (topology, seed) -> new Fifo(true, new LoadBalancing())));
        all.add(new Entry(
                        "tetris",
                        "best alignment of demand and free resources, little work left first",
                        false,
                        true,
                        null,
                        (topology, seed) -> new Tetris(topology))
                .onNetworks());
        all.add(new Entry(
                        "hived",
                        "who fits may pass; buddy cells of GPUs, servers and racks (HiveD)",
                        false,
                        false,
                        null,
                        (topology, seed) -> new Fifo(true, new HivedCells()))
                .onNetworks());
        all.add(new Entry(
                "lucid",
                "least predicted GPU time; two jobs on a GPU where little interference is predicted",
                false,
                true,
                true,
                false,
                null,
                (topology, belief, seed) -> new Lucid(belief)));
        all.add(new Entry(
                        "gavel",
                        "rounds of 360 s; smallest share of GPU time as large as can be (Gavel)",
                        true,
                        false,
                        null,
                        (topology, seed) -> new GavelRounds(
                                new MaxMinFairness(),
                                GavelRounds.Renewal.AT_ONCE,
                                360,
                                new TrainingRuns(0),
                                new BestFit()))
                .onNetworks());
        all.add(elastic("optimus", "elastic: GPUs to whose remaining time shrinks most", Optimus::new));
        all.add(elastic("pollux", "elastic: largest harmonic mean of speed-ups", Pollux::new));
    }

    private static Entry elastic(String name, String what, Function<Topology, Scheduler> made) {
        return new Entry(name, what, false, true, true, true, null, (topology, belief, seed) -> made.apply(topology));
    }

    private static void addHelios(List<Entry> all) {
        ReplayWorld world = ReplayWorld.HELIOS;
        all.add(preset("helios-fifo", "Helios simulator, fifo", false, false, world, on -> {
            return new Fifo(false, new HeliosConsolidate(on));
        }));
        all.add(preset("helios-sjf", "Helios simulator, sjf", false, true, world, on -> {
            return new HeliosSjf(new HeliosConsolidate(on));
        }));
        all.add(preset("helios-srtf", "Helios simulator, srtf", true, true, ReplayWorld.HELIOS_SRTF, on -> {
            return new HeliosSrtf(new HeliosConsolidate(on));
        }));
    }

    private static void addTiresias(List<Entry> all) {
        ReplayWorld world = ReplayWorld.AS_TRACED;
        all.add(preset("tiresias-fifo", "Tiresias simulator, fifo, counting GPUs", false, false, world, on -> {
            return new Fifo(false, new FirstFit());
        }));
        all.add(preset("tiresias-fjf", "Tiresias simulator, fjf, counting GPUs", false, false, world, on -> {
            return new Fifo(true, new FirstFit());
        }));
        all.add(preset(
                "tiresias-sjf", "Tiresias simulator, sjf (fewest GPUs), counting GPUs", true, false, world, on -> {
                    return new SortedDeal(SortedDeal.Key.GPUS, new Room.Counted());
                }));
        all.add(preset("tiresias-srtf", "Tiresias simulator, shortest, counting GPUs", true, true, world, on -> {
            return new SortedDeal(SortedDeal.Key.REMAINING_TIME, new Room.Counted());
        }));
        all.add(preset("tiresias-srsf", "Tiresias simulator, shortest-gpu, counting GPUs", true, true, world, on -> {
            return new SortedDeal(SortedDeal.Key.REMAINING_GPU_TIME, new Room.Counted());
        }));
        all.add(preset("tiresias-dlas", "Tiresias simulator, dlas-gpu, counting GPUs", true, false, world, on -> {
            return new TiresiasDlas(TiresiasDlas.Foresight.TIRESIAS);
        }));
    }

    private static void addMuri(List<Entry> all) {
        ReplayWorld world = ReplayWorld.MURI;
        all.add(preset("muri-srtf", "Muri simulator, shortest, on its servers", true, true, world, on -> {
            return new SortedDeal(SortedDeal.Key.REMAINING_TIME, new MuriRoom(on));
        }));
        all.add(preset("muri-srsf", "Muri simulator, shortest-gpu, on its servers", true, true, world, on -> {
            return new SortedDeal(SortedDeal.Key.REMAINING_GPU_TIME, new MuriRoom(on));
        }));
        all.add(preset("muri-tiresias", "Muri simulator, dlas-gpu, counting GPUs", true, false, world, on -> {
            return new TiresiasDlas(TiresiasDlas.Foresight.MURI);
        }));
    }

    private static void addShockwave(List<Entry> all) {
        addShockwave(all, "max-min-fairness", "max-min fairness (Gavel)", MaxMinFairness::new);
        addShockwave(all, "finish-time-fairness", "finish-time fairness (Themis)", FinishTimeFairness::new);
        addShockwave(all, "min-total-duration", "least makespan (OSSP)", MinTotalDuration::new);
        addShockwave(all, "max-sum-throughput-perf", "most steps per second (MST)", MaxSumThroughput::new);
        addShockwave(all, "allox", "AlloX", AlloX::new);
    }

    private static void addShockwave(List<Entry> all, String name, String what, Supplier<Shares> policy) {
        all.add(preset("shockwave-" + name, "Shockwave simulator, " + what, true, true, ReplayWorld.SHOCKWAVE, on -> {
            return new GavelRounds(policy.get(), GavelRounds.Renewal.WITH_ACCOUNTS);
        }));
        String atOnce = "the same; shares are made anew at once, as on its physical cluster";
        all.add(preset("shockwave-" + name + "/at-once", atOnce, true, true, ReplayWorld.SHOCKWAVE, on -> {
            return new GavelRounds(policy.get(), GavelRounds.Renewal.AT_ONCE);
        }));
    }

    private static void compose(
            List<Entry> all, String name, String what, boolean preemptive, boolean predicts, Composition order) {
        all.add(new Entry(
                        name,
                        what + "; best fit",
                        preemptive,
                        predicts,
                        null,
                        (topology, seed) -> order.with(new BestFit()))
                .onNetworks());
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
        for (PlacementPolicies.Entry policy : PlacementPolicies.entries()) {
            UNLISTED.add(new Entry(
                    name + "/" + policy.name(),
                    what + "; " + policy.description(),
                    preemptive,
                    predicts,
                    null,
                    (topology, seed) -> order.with(policy.create(topology, null, seed))));
        }
    }

    private static Entry preset(
            String name,
            String what,
            boolean preemptive,
            boolean predicts,
            ReplayWorld world,
            Function<Topology, Scheduler> made) {
        return new Entry(name, what, preemptive, predicts, world, (topology, seed) -> made.apply(topology));
    }

    /** A member of the tuned family. */
    public static Entry tuned(TunedSettings settings) {
        return new Entry(
                settings.name(),
                "member of the tuned family",
                settings.order().isPreemptive(),
                settings.needsPredictions(),
                true,
                false,
                null,
                (topology, belief, seed) -> new TunedScheduler(settings, topology, belief));
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
     * The scheduler of this name; {@code sjf/best-fit} is {@code sjf}, and so on. Beside those listed there are {@code sjf/fgd} and the
     * like, for every order that has variants and every one of {@link PlacementPolicies} whose name is not taken; and the members of the
     * tuned family, {@code tuned:spwf+lif+delay=2} and so on (see {@link TunedSettings#parse}).
     *
     * @throws InputException when there is none, listing those there are
     */
    public static Entry named(String name) {
        if (name.startsWith(TunedSettings.PREFIX)) {
            return tuned(TunedSettings.parse(name));
        }
        for (Entry entry : ENTRIES) {
            boolean isComposed = names().contains(entry.name() + "/random");
            if (entry.name().equals(name) || (isComposed && name.equals(entry.name() + DEFAULT_PLACER))) {
                return entry;
            }
        }
        return UNLISTED.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InputException.at("scheduler", name, "one of " + String.join(", ", names())));
    }
}
