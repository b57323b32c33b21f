package org.trainyard.agents.heuristic;

import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.ELASTIC;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.PREEMPTIVE;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.SHARES_GPUS;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.WHOLE_GPUS_ONLY;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Kind.AS_PUBLISHED;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Kind.OURS;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Kind.OUR_READING;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trainyard.agents.heuristic.SchedulerRegistry.Entry;
import org.trainyard.agents.heuristic.SchedulerRegistry.Origin;
import org.trainyard.agents.heuristic.asrpt.ASrpt;
import org.trainyard.agents.heuristic.asrpt.PredictedQueue;
import org.trainyard.agents.heuristic.asrpt.SpwfWithDelay;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.LoadBalancing;
import org.trainyard.agents.heuristic.classic.Lucid;
import org.trainyard.agents.heuristic.classic.Tetris;
import org.trainyard.agents.heuristic.composed.ComposedScheduler;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.elastic.Optimus;
import org.trainyard.agents.heuristic.elastic.Pollux;
import org.trainyard.agents.heuristic.freezing.IceFrog;
import org.trainyard.agents.heuristic.gadget.Gadget;
import org.trainyard.agents.heuristic.lease.Dally;
import org.trainyard.agents.heuristic.lease.Gandiva;
import org.trainyard.agents.heuristic.lease.Themis;
import org.trainyard.agents.heuristic.lease.Tiresias;
import org.trainyard.agents.heuristic.packing.HivedCells;
import org.trainyard.agents.heuristic.packing.Mapa;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.agents.heuristic.patient.Patient;
import org.trainyard.agents.heuristic.patient.PatientWeights;
import org.trainyard.agents.heuristic.pdors.PdOrs;
import org.trainyard.agents.heuristic.rounds.AlloXQueue;
import org.trainyard.agents.heuristic.rounds.Gavel;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.agents.heuristic.sjfbco.SjfBco;
import org.trainyard.agents.heuristic.sjfbco.SjfBcoPlan;
import org.trainyard.agents.heuristic.slots.DominantShares;
import org.trainyard.agents.heuristic.slots.SlotRounds;
import org.trainyard.agents.heuristic.smd.Smd;
import org.trainyard.env.scheduling.placement.BestFit;

/** Rows of the registry: schedulers of papers with the baselines of those papers, and the rule of this project. */
final class PublishedSchedulers {
    private PublishedSchedulers() {}

    static List<Entry> all() {
        return Stream.of(
                        aSrpt(),
                        dally(),
                        baselinesOfDally(),
                        placementPolicies(),
                        sjfBco(),
                        placement(),
                        rounds(),
                        utilities(),
                        patient())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Entry> patient() {
        Origin moving = new Origin("", OURS, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, WHOLE_GPUS_ONLY);
        return List.of(
                moving.row(
                                "patient",
                                "least remaining work first (Gittins); waits for fewest servers; preempts, migrates,"
                                        + " moves")
                        .by((on, belief, seed) -> new Patient(PatientWeights.PREEMPTIVE, on, belief)),
                moving.row("patient-moves", "the same; running jobs also move for ten minutes")
                        .by((on, belief, seed) -> new Patient(PatientWeights.MOVING, on, belief)),
                new Origin("", OURS, NEEDS_PREDICTIONS, NETWORK_AWARE, WHOLE_GPUS_ONLY)
                        .row("patient-no-preemption", "the same; running jobs stay where they are")
                        .by((on, belief, seed) -> new Patient(PatientWeights.STAYING, on, belief)));
    }

    private static List<Entry> aSrpt() {
        Origin paper = new Origin("Luo et al. (INFOCOM 2025)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE);
        Origin ours = new Origin("", OURS, NEEDS_PREDICTIONS, NETWORK_AWARE);
        Origin baseline = new Origin("Luo et al.'s baselines", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE);
        return List.of(
                paper.row("a-srpt", "released by a virtual machine under SRPT; heavy jobs wait for few servers")
                        .but("read from the abstract: the constants are ours, and that who fits may pass")
                        .by(on -> new ASrpt(on, ASrpt.Settings.PAPER)),
                paper.row("a-srpt/blocking", "the same; the head blocks, light gangs are packed into fragments")
                        .but("the other reading of the abstract, which loses to the paper's baselines near saturation")
                        .by(on -> new ASrpt(on, ASrpt.Settings.BLOCKING)),
                ours.row("a-srpt-tuned", "a-srpt with a slower machine and a longer delay")
                        .but("tuned by us, not by the paper")
                        .by(on -> new ASrpt(on, ASrpt.Settings.TUNED)),
                ours.row("spwf-delay", "smallest predicted work first; heavy jobs wait for few servers")
                        .by(on -> new SpwfWithDelay(on)),
                baseline.row("spjf", "shortest predicted run time first; the head blocks")
                        .by(queue(PredictedQueue.Key.DURATION, false)),
                baseline.row("spwf", "smallest predicted work first; the head blocks")
                        .by(queue(PredictedQueue.Key.WORKLOAD, false)),
                baseline.row("wcs-workload", "smallest predicted work first; who fits may pass")
                        .by(queue(PredictedQueue.Key.WORKLOAD, true)));
    }

    private static SchedulerRegistry.Factory queue(PredictedQueue.Key key, boolean skips) {
        return (on, belief, seed) -> new PredictedQueue(key, skips, new BestFit());
    }

    private static List<Entry> dally() {
        Origin paper = new Origin("Dally (A. Sharma et al., 2024)", OUR_READING, PREEMPTIVE, NETWORK_AWARE);
        Origin ours = new Origin("", OURS, PREEMPTIVE, NETWORK_AWARE);
        Dally.Settings published = Dally.Settings.PUBLISHED;
        return List.of(
                paper.row("dally", "leases, network sensitivity, tuned delay timers")
                        .by(on -> new Dally(on, published)),
                ours.row("dally-renew", "Dally; leases go on while nobody minds")
                        .by(on -> new Dally(on, published.renewingLeases())),
                paper.row("dally-no-wait", "Dally; takes any offer")
                        .by(on -> new Dally(on, published.with(Dally.FixedTimers.NO_WAIT))),
                paper.row("dally-manual", "Dally; timers of 12 and 24 leases")
                        .by(on -> new Dally(on, published.with(Dally.FixedTimers.MANUAL))),
                paper.row("dally-fully-consolidated", "Dally; waits for the best level")
                        .by(on -> new Dally(on, published.with(Dally.FixedTimers.FULLY_CONSOLIDATED))));
    }

    private static List<Entry> baselinesOfDally() {
        Origin tiresias = new Origin("Tiresias (NSDI 2019)", OUR_READING, PREEMPTIVE, NETWORK_AWARE);
        return List.of(
                tiresias.row("tiresias", "attained GPU service in queues, promotion, skewed models together")
                        .by(on -> new Tiresias(on, Tiresias.Within.SUBMISSION)),
                tiresias.row("tiresias-gittins", "the same; within a queue by Gittins index")
                        .by(on -> new Tiresias(on, Tiresias.Within.GITTINS)),
                new Origin("Gandiva (OSDI 2018)", OUR_READING, PREEMPTIVE, SHARES_GPUS)
                        .row("gandiva", "turns of 30 min, migration, packing of parts of GPUs")
                        .but("simplified: known second-hand; slices of 30 min instead of 1 or 2; packs parts of"
                                + " GPUs only; no growing or shrinking")
                        .by((on, belief, seed) -> new Gandiva(on, seed)),
                new Origin("Themis (NSDI 2020)", OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE)
                        .row("themis", "leases of 20 min to those worst off by finish-time fairness")
                        .but("simplified: known second-hand; a greedy auction of whole gangs without hidden"
                                + " payments; truthful bids, blind to placement")
                        .by(on -> new Themis()));
    }

    /** The placement policies on their own, except that {@code random} is taken. */
    private static List<Entry> placementPolicies() {
        List<Entry> rows = new ArrayList<>();
        for (PlacementPolicies.Entry policy : PlacementPolicies.entries()) {
            if (!policy.name().equals("random")) {
                String source = policy.name().equals("fgd") ? "FGD (ATC 2023)" : "FGD's baseline";
                rows.add(new Origin(source, AS_PUBLISHED)
                        .row(policy.name(), "who fits may pass; " + policy.description())
                        .by((on, belief, seed) -> new Fifo(true, policy.create(on, null, seed))));
            }
        }
        return rows;
    }

    private static List<Entry> sjfBco() {
        Origin paper = new Origin("SJF-BCO (MobiHoc 2022)", OUR_READING, NEEDS_PREDICTIONS);
        Origin baseline = new Origin("SJF-BCO's baselines", OUR_READING, NEEDS_PREDICTIONS);
        return List.of(
                new Origin(paper.source(), OURS, NEEDS_PREDICTIONS)
                        .row(
                                "sjf-bco",
                                "fewest GPUs first; small jobs where servers are in use, large ones on the least busy")
                        .but("the online form is ours: the paper plans one batch, as sjf-bco-plan does")
                        .by(SjfBco::on),
                paper.row("sjf-bco-plan", "SJF-BCO, hourly plans of who gets which GPUs")
                        .by(plan(BatchPlanner.Policy.SJF_BCO)),
                baseline.row("ls-plan", "the same, on the GPUs booked for least time (LS)")
                        .by(plan(BatchPlanner.Policy.LS)),
                baseline.row("ff-plan", "the same, on the first GPUs (FF)").by(plan(BatchPlanner.Policy.FF)),
                baseline.row("rand-plan", "the same, on random GPUs (RAND)").by(plan(BatchPlanner.Policy.RAND)));
    }

    private static SchedulerRegistry.Factory plan(BatchPlanner.Policy policy) {
        return (on, belief, seed) -> new SjfBcoPlan(policy, SjfBcoPlan.Settings.DEFAULT, seed);
    }

    private static List<Entry> placement() {
        ComposedSettings lif = ComposedSettings.of(ComposedSettings.Order.FIFO, ComposedSettings.Placement.LIF);
        return List.of(
                new Origin("LIF of Zhao, Wu (2021)", OUR_READING, NETWORK_AWARE)
                        .row("lif", "who fits may pass; where jobs disturb each other least, as predicted")
                        .by((on, belief, seed) -> new ComposedScheduler(lif, on, belief)),
                new Origin("baseline of Zhao, Wu (2021)", OUR_READING)
                        .row("load-balancing", "who fits may pass; each worker on the least loaded server")
                        .by(on -> new Fifo(true, new LoadBalancing())),
                new Origin("Tetris (SIGCOMM 2014)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE)
                        .row("tetris", "best alignment of demand and free resources, little work left first")
                        .by(on -> new Tetris(on)),
                new Origin("HiveD (OSDI 2020)", OUR_READING, NETWORK_AWARE)
                        .row("hived", "who fits may pass; buddy cells of GPUs, servers and racks (HiveD)")
                        .but("simplified: tenants have quotas instead of cells of their own; no opportunistic jobs")
                        .by(on -> new Fifo(true, new HivedCells())),
                new Origin("MAPA (SC 2021)", AS_PUBLISHED, NETWORK_AWARE)
                        .row("mapa", "first in, first out; sets of GPUs by their links: widest, or least loss")
                        .but("several servers, and who is sensitive to bandwidth, are ours")
                        .by(on -> new Fifo(false, new Mapa(on))),
                new Origin("MAPA (SC 2021)", OUR_READING, NETWORK_AWARE)
                        .row("mapa-backfill", "the same; who fits may pass")
                        .by(on -> new Fifo(true, new Mapa(on))),
                new Origin("Lucid (ASPLOS 2023)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE, SHARES_GPUS)
                        .row(
                                "lucid",
                                "least predicted GPU time; two jobs on a GPU where little interference is predicted")
                        .but("simplified: no profiling and no classes of load; a predicted slowdown decides whom to"
                                + " pack; packs stay together")
                        .by((on, belief, seed) -> new Lucid(belief)));
    }

    private static List<Entry> utilities() {
        long slot = SlotRounds.SLOT_SECONDS;
        String server = "simplified: servers are placed on host CPU and memory alone; ";
        return List.of(
                utility("GADGET (INFOCOM 2022)")
                        .row(
                                "gadget",
                                "elastic: slots of 600 s; greedy ring embedding by gain of utility and bandwidth")
                        .but("simplified: a utility of time counts as proportional fairness; embeds anew in each slot")
                        .by(on -> new SlotRounds(new Gadget(on, slot))),
                utility("SMD (INFOCOM 2021)")
                        .row("smd", "elastic: intervals of 600 s; workers and servers by job, then jobs as a knapsack")
                        .but("simplified: servers stand beside the workers, on host CPU and memory; where they take"
                                + " none, their number is in the knapsack alone")
                        .by(on -> new SlotRounds(new Smd(on, Smd.Servers.BEST))),
                utility("SMD's baseline")
                        .row("esw", "the same with as many servers as workers")
                        .but("simplified: servers stand beside the workers, on host CPU and memory; where they take"
                                + " none, their number is in the knapsack alone")
                        .by(on -> new SlotRounds(new Smd(on, Smd.Servers.EQUAL))),
                utility("PD-ORS (2021)")
                        .row(
                                "pd-ors",
                                "elastic: admits by exponential prices, schedules ahead in slots of 600 s, rejects")
                        .but(server
                                + "prices are bounded by the jobs seen so far; needs utilities, others get"
                                + " what is left")
                        .by((on, belief, seed) -> new SlotRounds(new PdOrs(on, slot, PdOrs.Locality.KNOWN, seed))),
                utility("OASiS (INFOCOM 2018), as PD-ORS's baseline")
                        .row("oasis", "the same, with workers and servers taken to be on different machines")
                        .but(server + "PD-ORS without locality in place of OASiS's own programme")
                        .by((on, belief, seed) -> new SlotRounds(new PdOrs(on, slot, PdOrs.Locality.IGNORED, seed))),
                new Origin("DRF (NSDI 2011), Dorm (ICDCS 2017)", OUR_READING, PREEMPTIVE, NETWORK_AWARE, ELASTIC)
                        .row("drf", "elastic: equal shares of GPUs in slots of 600 s")
                        .but("simplified: GPUs are the one resource; no limit on changes")
                        .by(on -> new SlotRounds(new DominantShares())));
    }

    private static Origin utility(String source) {
        return new Origin(source, OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC);
    }

    private static List<Entry> rounds() {
        return List.of(
                new Origin("Gavel (OSDI 2020)", OUR_READING, PREEMPTIVE, NETWORK_AWARE)
                        .row(
                                "gavel",
                                "rounds of 360 s; least effective throughput over GPU types as large as can be (Gavel)")
                        .but("simplified: throughputs are predicted, not measured; equal weights; jobs do not share"
                                + " GPUs")
                        .by(Gavel::on),
                new Origin("AlloX (EuroSys 2020)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE)
                        .row("allox", "least sum of completion times over GPU types, by a matching (AlloX)")
                        .but("simplified: GPU types in place of CPUs and GPUs; no profiling; a gang counts as one"
                                + " job on one GPU for its GPU time; the 64 oldest jobs; no fairness")
                        .by(on -> new AlloXQueue(on, new BestFit())),
                new Origin("Optimus (EuroSys 2018)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC)
                        .row("optimus", "elastic: GPUs to whose remaining time shrinks most")
                        .but("simplified: remaining work from predictions and analytic throughput, neither fitted"
                                + " online; rings instead of parameter servers")
                        .by(Optimus::on),
                new Origin("Pollux (OSDI 2021)", OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC)
                        .row(
                                "pollux",
                                "elastic: largest harmonic mean of goodput; of throughput where batches are constant")
                        .but("simplified: where batches are constant, a greedy allocation that stops no job;"
                                + " goodput is known, not fitted online")
                        .by((on, belief, seed) -> new Pollux(on, seed)),
                icefrog()
                        .row(
                                "icefrog",
                                "elastic: as pollux, with frozen layers as a second knob and effective progress for"
                                        + " goodput")
                        .but("reconstructed: the paper's formulas are not known to us")
                        .by((on, belief, seed) -> IceFrog.on(on, seed)));
    }

    private static Origin icefrog() {
        return new Origin("IceFrog (TPDS 2025)", OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC);
    }

    /** Rows that are not listed: ablations. */
    static List<Entry> ablations() {
        return List.of(icefrog()
                .row("icefrog:k=0", "icefrog that freezes nothing: scheduling alone")
                .but("equals pollux")
                .by((on, belief, seed) -> IceFrog.withoutFreezing(on, seed)));
    }
}
