package org.trainyard.experiments.papers.sjfbco;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.placing.RandomFit;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner.Policy;
import org.trainyard.agents.heuristic.sjfbco.SjfBco;
import org.trainyard.agents.heuristic.sjfbco.SjfBcoPlan;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;

/**
 * The experiments of the SJF-BCO paper on many random batches, and the paper's results beside ours.
 *
 * <p>M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters with
 * communication contention, MobiHoc 2022. The published numbers are read off the figures of the paper, which show one
 * batch and state neither its contention nor its job parameters.
 */
public final class SjfBcoExperiment {
    private static final int EVERY_KAPPA = 0;

    private static final Map<Policy, SjfBcoRow.Published> FIG_4 = Map.of(
            Policy.SJF_BCO, new SjfBcoRow.Published(535, 178, 14),
            Policy.LS, new SjfBcoRow.Published(595, 187, 14),
            Policy.FF, new SjfBcoRow.Published(719, 452, 16),
            Policy.RAND, new SjfBcoRow.Published(1128, 261, 16));
    private static final Map<Integer, Double> FIG_5 =
            Map.of(1, 626.0, 2, 564.0, 4, 541.0, 8, 535.0, 10, 700.0, 16, 749.0, 32, 736.0);
    private static final Map<Integer, Map<Policy, Double>> FIG_6 = Map.of(
            10, Map.of(Policy.SJF_BCO, 939.0, Policy.LS, 1160.0, Policy.FF, 1404.0, Policy.RAND, 1488.0),
            15, Map.of(Policy.SJF_BCO, 715.0, Policy.LS, 870.0, Policy.FF, 963.0, Policy.RAND, 1260.0),
            20, Map.of(Policy.SJF_BCO, 535.0, Policy.LS, 595.0, Policy.FF, 719.0, Policy.RAND, 1128.0));
    private static final Map<Integer, Double> FIG_7 = Map.of(1, 1043.0, 2, 882.0, 4, 730.0, 8, 538.0);

    /** Makes the scheduler of one batch. */
    private interface Maker {
        Scheduler on(Topology topology, long seed);
    }

    /** All batches on clusters of so many servers. */
    private final class Batches {
        private final List<SjfBcoBatch> batches;
        private final EvaluationRunner runner;

        Batches(int servers, ThreadWorkerPool workers) {
            batches = IntStream.range(0, config.batches())
                    .mapToObj(index -> new SjfBcoBatch(config, index, servers))
                    .toList();
            runner = new EvaluationRunner(
                    batches.stream().map(SjfBcoBatch::workload).toList(),
                    index -> batches.get(index).world(),
                    workers);
        }

        private SchedulerFactory scheduler(String name, Maker maker) {
            return SchedulerFactory.heuristic(
                    name, index -> maker.on(batches.get(index).topology(), config.seed() + index));
        }

        SjfBcoRow row(String figure, String setting, String name, SjfBcoRow.@Nullable Published paper, Maker maker) {
            return new SjfBcoRow(
                    figure, setting, name, runner.run(scheduler(name, maker), SjfBcoExperiment::outcome), paper);
        }

        /** The plan of a policy, with the kappa whose plan has the shortest makespan. */
        SjfBcoRow planned(
                String figure,
                String setting,
                Policy policy,
                double horizonSeconds,
                SjfBcoRow.@Nullable Published paper) {
            String name = policy.name().replace('_', '-');
            return row(figure, setting, name, paper, (on, seed) -> {
                return plan(policy, horizonSeconds, 1, EVERY_KAPPA, seed);
            });
        }

        /** SJF-BCO with the kappa whose run has the shortest makespan, where {@link #planned} compares plans. */
        SjfBcoRow tried(String figure, String setting, double horizonSeconds, SjfBcoRow.@Nullable Published paper) {
            List<SchedulerFactory> kappas = config.batch().sizes().stream()
                    .map(kappa -> scheduler("SJF-BCO", (on, seed) -> {
                        return plan(Policy.SJF_BCO, horizonSeconds, 1, kappa, config.seed());
                    }))
                    .toList();
            List<List<SjfBcoRow.Outcome>> outcomes = runner.run(kappas, SjfBcoExperiment::outcome, () -> {});
            List<SjfBcoRow.Outcome> best = IntStream.range(0, batches.size())
                    .mapToObj(index -> outcomes.stream()
                            .map(ofKappa -> ofKappa.get(index))
                            .min(Comparator.comparingDouble(SjfBcoRow.Outcome::makespan))
                            .orElseThrow())
                    .toList();
            return new SjfBcoRow(figure, setting, "SJF-BCO, kappa tried", best, paper);
        }
    }

    private final SjfBcoConfig config;

    public SjfBcoExperiment(SjfBcoConfig config) {
        this.config = config;
    }

    /** All rows, figure by figure; the first of each setting is the one that the others are compared with. */
    public List<SjfBcoRow> run() {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            return run(workers);
        }
    }

    private List<SjfBcoRow> run(ThreadWorkerPool workers) {
        Batches all = new Batches(config.servers(), workers);
        double horizon = config.horizonSeconds();
        List<SjfBcoRow> rows = new ArrayList<>();
        rows.add(all.tried("4", "plan", horizon, FIG_4.get(Policy.SJF_BCO)));
        for (Policy policy : Policy.values()) {
            rows.add(all.planned("4", "plan", policy, horizon, FIG_4.get(policy)));
        }
        rows.add(all.row("-", "online", "SJF-BCO", null, (on, seed) -> SjfBco.on(on)));
        rows.add(all.row("-", "online", "LS", null, (on, seed) -> new SjfBco(1, 1)));
        rows.add(all.row("-", "online", "FF", null, (on, seed) -> new SjfBco(new FirstFit())));
        rows.add(all.row("-", "online", "RAND", null, (on, seed) -> new SjfBco(new RandomFit(on, seed))));
        for (int kappa : config.kappas()) {
            rows.add(all.row("5", "kappa " + kappa, "SJF-BCO", makespan(FIG_5.get(kappa)), (on, seed) -> {
                return plan(Policy.SJF_BCO, horizon, 1, kappa, seed);
            }));
        }
        for (int servers : config.fewerServers()) {
            Batches fewer = new Batches(servers, workers);
            Map<Policy, Double> published = FIG_6.getOrDefault(servers, Map.of());
            String setting = servers + " servers";
            double fewerHorizon = config.fewerHorizonSeconds();
            rows.add(fewer.tried("6", setting, fewerHorizon, makespan(published.get(Policy.SJF_BCO))));
            for (Policy policy : Policy.values()) {
                rows.add(fewer.planned("6", setting, policy, fewerHorizon, makespan(published.get(policy))));
            }
        }
        for (int lambda : config.lambdas()) {
            rows.add(all.row("7", "lambda " + lambda, "SJF-BCO", makespan(FIG_7.get(lambda)), (on, seed) -> {
                return plan(Policy.SJF_BCO, horizon, lambda, 1, seed);
            }));
        }
        return rows;
    }

    private static SjfBcoRow.@Nullable Published makespan(@Nullable Double slots) {
        return slots == null ? null : SjfBcoRow.Published.makespan(slots);
    }

    private static SjfBcoRow.Outcome outcome(Simulator simulator, Scheduler scheduler) {
        return SjfBcoRow.Outcome.of(simulator.run(scheduler));
    }

    private Scheduler plan(Policy policy, double horizonSeconds, double lambda, int kappa, long seed) {
        BatchPlanner.Order order = policy == Policy.SJF_BCO ? config.order() : config.baselines();
        BatchPlanner.Settings planner =
                new BatchPlanner.Settings(SjfBcoBatch.SLOT, horizonSeconds, lambda, kappa, order);
        return new SjfBcoPlan(
                policy, new SjfBcoPlan.Settings(planner, 1, Double.POSITIVE_INFINITY, Integer.MAX_VALUE), seed);
    }
}
