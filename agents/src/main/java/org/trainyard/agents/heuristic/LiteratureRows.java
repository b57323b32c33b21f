package org.trainyard.agents.heuristic;

import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.ELASTIC;
import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.NETWORK;
import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREDICTS;
import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREEMPTIVE;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.trainyard.agents.heuristic.SchedulerCatalog.Trait;
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
import org.trainyard.agents.heuristic.lease.Dally;
import org.trainyard.agents.heuristic.lease.Gandiva;
import org.trainyard.agents.heuristic.lease.Themis;
import org.trainyard.agents.heuristic.lease.Tiresias;
import org.trainyard.agents.heuristic.packing.HivedCells;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.agents.heuristic.rounds.AdaptiveTrainingRuns;
import org.trainyard.agents.heuristic.rounds.GavelRounds;
import org.trainyard.agents.heuristic.rounds.MaxMinFairness;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.agents.heuristic.sjfbco.SjfBco;
import org.trainyard.agents.heuristic.sjfbco.SjfBcoPlan;
import org.trainyard.env.scheduling.placement.BestFit;

/** The rows of the catalogue that are schedulers of the literature, in our own world. */
final class LiteratureRows {
    private LiteratureRows() {}

    static List<SchedulerCatalog.Entry> all() {
        List<SchedulerCatalog.Entry> rows = new ArrayList<>();
        rows.addAll(aSrpt());
        rows.addAll(dally());
        rows.addAll(rivalsOfDally());
        rows.addAll(policies());
        rows.addAll(sjfBco());
        rows.addAll(packing());
        rows.addAll(rounds());
        return rows;
    }

    private static SchedulerCatalog.Entry row(
            String name, String what, SchedulerCatalog.Factory factory, Trait... traits) {
        return new SchedulerCatalog.Entry(name, what, Set.of(traits), null, factory);
    }

    /** A-SRPT as its paper has it and as we do, and what it is compared with. */
    private static List<SchedulerCatalog.Entry> aSrpt() {
        return List.of(
                row(
                        "a-srpt",
                        "released by a virtual machine under SRPT; the head blocks",
                        (on, belief, seed) -> {
                            return new ASrpt(on, ASrpt.Settings.PAPER);
                        },
                        PREDICTS,
                        NETWORK),
                row(
                        "a-srpt-tuned",
                        "the same, slower machine, longer delay; who fits may pass",
                        (on, belief, seed) -> {
                            return new ASrpt(on, ASrpt.Settings.TUNED);
                        },
                        PREDICTS,
                        NETWORK),
                row(
                        "spwf-delay",
                        "smallest predicted work first; heavy jobs wait for few servers",
                        (on, belief, seed) -> {
                            return new SpwfWithDelay(on);
                        },
                        PREDICTS,
                        NETWORK),
                row(
                        "spjf",
                        "shortest predicted run time first; the head blocks",
                        queue(PredictedQueue.Key.DURATION, false),
                        PREDICTS,
                        NETWORK),
                row(
                        "spwf",
                        "smallest predicted work first; the head blocks",
                        queue(PredictedQueue.Key.WORKLOAD, false),
                        PREDICTS,
                        NETWORK),
                row(
                        "wcs-duration",
                        "shortest predicted run time first; who fits may pass",
                        queue(PredictedQueue.Key.DURATION, true),
                        PREDICTS,
                        NETWORK),
                row(
                        "wcs-workload",
                        "smallest predicted work first; who fits may pass",
                        queue(PredictedQueue.Key.WORKLOAD, true),
                        PREDICTS,
                        NETWORK),
                row(
                        "wcs-subtime",
                        "first in, first out; who fits may pass",
                        queue(PredictedQueue.Key.SUBMISSION, true),
                        NETWORK));
    }

    private static SchedulerCatalog.Factory queue(PredictedQueue.Key key, boolean skips) {
        return (on, belief, seed) -> new PredictedQueue(key, skips, new BestFit());
    }

    private static List<SchedulerCatalog.Entry> dally() {
        Dally.Settings published = Dally.Settings.PUBLISHED;
        return List.of(
                dally("dally", "leases, network sensitivity, tuned delay timers", published),
                dally("dally-renew", "Dally; leases go on while nobody minds", published.renewingLeases()),
                dally("dally-no-wait", "Dally; takes any offer", published.with(Dally.FixedTimers.NO_WAIT)),
                dally("dally-manual", "Dally; timers of 12 and 24 leases", published.with(Dally.FixedTimers.MANUAL)),
                dally(
                        "dally-fully-consolidated",
                        "Dally; waits for the best level",
                        published.with(Dally.FixedTimers.FULLY_CONSOLIDATED)));
    }

    private static SchedulerCatalog.Entry dally(String name, String what, Dally.Settings settings) {
        return row(name, what, (on, belief, seed) -> new Dally(on, settings), PREEMPTIVE, NETWORK);
    }

    /** Those that Dally is compared with. */
    private static List<SchedulerCatalog.Entry> rivalsOfDally() {
        return List.of(
                row(
                        "tiresias",
                        "attained GPU service in queues, promotion, skewed models together",
                        (on, belief, seed) -> new Tiresias(on, Tiresias.Within.SUBMISSION),
                        PREEMPTIVE,
                        NETWORK),
                row(
                        "tiresias-gittins",
                        "the same; within a queue by Gittins index",
                        (on, belief, seed) -> new Tiresias(on, Tiresias.Within.GITTINS),
                        PREEMPTIVE,
                        NETWORK),
                row(
                        "gandiva",
                        "turns of 30 min, migration, packing of parts of GPUs",
                        (on, belief, seed) -> new Gandiva(on, seed),
                        PREEMPTIVE),
                row(
                        "themis",
                        "leases of 20 min to those worst off by finish-time fairness",
                        (on, belief, seed) -> new Themis(),
                        PREEMPTIVE,
                        PREDICTS,
                        NETWORK));
    }

    /** The placement policies on their own, except that {@code random} is taken. */
    private static List<SchedulerCatalog.Entry> policies() {
        return PlacementPolicies.entries().stream()
                .filter(policy -> !policy.name().equals("random"))
                .map(policy -> row(policy.name(), "who fits may pass; " + policy.description(), (on, belief, seed) -> {
                    return new Fifo(true, policy.create(on, null, seed));
                }))
                .toList();
    }

    private static List<SchedulerCatalog.Entry> sjfBco() {
        return List.of(
                row(
                        "sjf-bco",
                        "fewest GPUs first; small jobs where servers are in use, large ones on the least busy (SJF-BCO)",
                        (on, belief, seed) -> SjfBco.on(on),
                        PREDICTS),
                row(
                        "sjf-bco-plan",
                        "SJF-BCO, hourly plans of who gets which GPUs",
                        plan(BatchPlanner.Policy.SJF_BCO),
                        PREDICTS),
                row(
                        "ls-plan",
                        "the same, on the GPUs booked for least time (LS)",
                        plan(BatchPlanner.Policy.LS),
                        PREDICTS),
                row("ff-plan", "the same, on the first GPUs (FF)", plan(BatchPlanner.Policy.FF), PREDICTS),
                row("rand-plan", "the same, on random GPUs (RAND)", plan(BatchPlanner.Policy.RAND), PREDICTS));
    }

    private static SchedulerCatalog.Factory plan(BatchPlanner.Policy policy) {
        return (on, belief, seed) -> new SjfBcoPlan(policy, SjfBcoPlan.Settings.DEFAULT, seed);
    }

    private static List<SchedulerCatalog.Entry> packing() {
        ComposedSettings lif = ComposedSettings.of(ComposedSettings.Order.FIFO, ComposedSettings.Placement.LIF);
        return List.of(
                row(
                        "lif",
                        "who fits may pass; where jobs disturb each other least, as predicted",
                        (on, belief, seed) -> new ComposedScheduler(lif, on, belief),
                        NETWORK),
                row(
                        "load-balancing",
                        "who fits may pass; each worker on the least loaded server",
                        (on, belief, seed) -> new Fifo(true, new LoadBalancing())),
                row(
                        "tetris",
                        "best alignment of demand and free resources, little work left first",
                        (on, belief, seed) -> new Tetris(on),
                        PREDICTS,
                        NETWORK),
                row(
                        "hived",
                        "who fits may pass; buddy cells of GPUs, servers and racks (HiveD)",
                        (on, belief, seed) -> new Fifo(true, new HivedCells()),
                        NETWORK),
                row(
                        "lucid",
                        "least predicted GPU time; two jobs on a GPU where little interference is predicted",
                        (on, belief, seed) -> new Lucid(belief),
                        PREDICTS,
                        NETWORK));
    }

    private static List<SchedulerCatalog.Entry> rounds() {
        return List.of(
                row(
                        "gavel",
                        "rounds of 360 s; smallest share of GPU time as large as can be (Gavel)",
                        (on, belief, seed) -> {
                            return new GavelRounds(
                                    new MaxMinFairness(),
                                    GavelRounds.Renewal.AT_ONCE,
                                    360,
                                    new AdaptiveTrainingRuns(0),
                                    new BestFit());
                        },
                        PREEMPTIVE,
                        NETWORK),
                row(
                        "optimus",
                        "elastic: GPUs to whose remaining time shrinks most",
                        (on, belief, seed) -> Optimus.on(on),
                        PREDICTS,
                        NETWORK,
                        ELASTIC),
                row(
                        "pollux",
                        "elastic: largest harmonic mean of speed-ups",
                        (on, belief, seed) -> Pollux.on(on),
                        PREDICTS,
                        NETWORK,
                        ELASTIC));
    }
}
