package org.trainyard.experiments.papers.marl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.Counted;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.run.Experiment;

/**
 * How long a decision takes on a full cluster, of one agent that sees all of it and of sixteen that decide apart, on
 * one thread and on two.
 *
 * <p>{@value MarlRows#BAR} fills the cluster until {@value #QUEUE} jobs wait; then the policy decides, while jobs go on
 * arriving. A time is that of one call by the wall clock; the first {@value #WARM_UP} are not counted. Every run is
 * made three times, equal to the bit, and of the three times of a call the least counts, so that other programs count
 * less.
 */
final class MarlLatency {
    private static final int QUEUE = 1000;
    private static final int WARM_UP = 1000;
    private static final int CALLS = 4000;
    private static final int REPETITIONS = 3;
    private static final double[] PERCENTILES = {0.5, 0.99};

    private final MarlRuns runs;
    private final MarlRows rows;

    /** @param runs in a world whose jobs fill the cluster */
    MarlLatency(MarlRuns runs, MarlRows rows) {
        this.runs = runs;
        this.rows = rows;
    }

    /** The median and the 99th percentile of each. */
    List<ClaimRow> run() {
        List<ClaimRow> made = new ArrayList<>();
        made.addAll(rows("one view", ShippedMarl.ONE_VIEW, 1));
        made.addAll(rows("16 agents", ShippedMarl.APART, 1));
        made.addAll(rows("16 agents", ShippedMarl.APART, 2));
        return made;
    }

    private List<ClaimRow> rows(String agents, List<String> more, int threads) {
        String setting = Counted.say("%s on %d threads", agents, threads);
        // Of each percentile in microseconds, then the number of calls.
        double[] found = runs.kept(ShippedMarl.NAME + "-" + setting.replace(' ', '-'), () -> measure(more, threads));
        List<ClaimRow> made = new ArrayList<>();
        for (int i = 0; i < PERCENTILES.length; i++) {
            made.add(rows.figure(
                    "latency: %s, %.0fth percentile of a decision on %,d full servers"
                            .formatted(
                                    setting,
                                    100 * PERCENTILES[i],
                                    runs.topology().servers()),
                    found[i],
                    "microseconds",
                    null,
                    "%,.0f calls by the wall clock".formatted(found[PERCENTILES.length])));
        }
        return made;
    }

    private double[] measure(List<String> more, int threads) {
        double[] micros = {};
        BidPolicy policy = ShippedMarl.policy();
        try (Experiment experiment = new Experiment(runs.config(more));
                ThreadWorkerPool pool = new ThreadWorkerPool(threads)) {
            Deployment deployment = experiment.deployment();
            Deployment threaded = deployment.apart(deployment.apart(), workers(pool, threads));
            Workload workload = experiment.validation(0, 1);
            for (int run = 0; run < REPETITIONS; run++) {
                double[] least = micros;
                micros = calls(experiment, workload, policy.scheduler(threaded));
                for (int call = 0; call < least.length; call++) {
                    micros[call] = Math.min(micros[call], least[call]);
                }
            }
        }
        Arrays.sort(micros);
        double[] found = new double[PERCENTILES.length + 1];
        for (int i = 0; i < PERCENTILES.length; i++) {
            found[i] = micros.length == 0 ? Double.NaN : Statistics.percentile(micros, PERCENTILES[i]);
        }
        found[PERCENTILES.length] = micros.length;
        return found;
    }

    /** The times of the calls of one run, microseconds; none when the jobs do not fill the cluster. */
    private static double[] calls(Experiment experiment, Workload workload, Scheduler scheduler) {
        Simulator simulator = experiment.world().simulator(workload);
        Scheduler filling = experiment.scheduler(MarlRows.BAR, 0);
        boolean isGoingOn = simulator.advance();
        while (isGoingOn && simulator.view().waitingCount() < QUEUE) {
            simulator.decide(filling);
            isGoingOn = simulator.advance();
        }
        double[] micros = new double[WARM_UP + CALLS];
        int calls = 0;
        while (isGoingOn && calls < micros.length) {
            long start = System.nanoTime();
            Decision decision = scheduler.decide(simulator.view());
            micros[calls++] = (System.nanoTime() - start) / 1e3;
            simulator.apply(decision);
            if (decision instanceof Decision.Wait) {
                isGoingOn = simulator.advance();
            }
        }
        return Arrays.copyOfRange(micros, Math.min(WARM_UP, calls), calls);
    }

    /** A round in which one agent alone bids needs no other thread. */
    private static DecentralisedAgents.Workers workers(ThreadWorkerPool pool, int threads) {
        return (count, work) -> {
            if (threads == 1 || count == 1) {
                DecentralisedAgents.Workers.SEQUENTIAL.each(count, work);
            } else {
                pool.each(count, work);
            }
        };
    }
}
