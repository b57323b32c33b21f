package org.trainyard.experiments.papers.sjfbco;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner.Policy;
import org.trainyard.agents.heuristic.sjfbco.SjfBco;
import org.trainyard.agents.heuristic.sjfbco.SjfBcoPlan;
import org.trainyard.env.scheduling.placement.FirstFit;
import org.trainyard.env.scheduling.placement.RandomFit;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * The random experiments of SJF-BCO's paper on many batches, and the paper's numbers beside ours.
 *
 * <p>M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters with communication
 * contention, MobiHoc 2022. The published numbers are measured in the figures of the PDF, of one batch whose contention and job
 * parameters it does not state.
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

    /** Who decides, on a cluster, with a seed of the batch. */
    private interface Decider {
        Scheduler on(Topology topology, long seed);
    }

    private final SjfBcoConfig config;

    public SjfBcoExperiment(SjfBcoConfig config) {
        this.config = config;
    }

    /** All rows, figure by figure; the first of each setting is the one that the others are compared with. */
    public List<SjfBcoRow> run() {
        List<SjfBcoRow> rows = new ArrayList<>();
        rows.add(tried("4", "plan", config.servers(), config.horizonSeconds(), FIG_4.get(Policy.SJF_BCO)));
        for (Policy policy : Policy.values()) {
            rows.add(planned("4", "plan", policy, config.servers(), config.horizonSeconds(), FIG_4::get));
        }
        rows.add(row("-", "online", "SJF-BCO", config.servers(), null, (on, seed) -> SjfBco.on(on)));
        rows.add(row("-", "online", "LS", config.servers(), null, (on, seed) -> new SjfBco(1, 1)));
        rows.add(row("-", "online", "FF", config.servers(), null, (on, seed) -> new SjfBco(new FirstFit())));
        rows.add(row("-", "online", "RAND", config.servers(), null, (on, seed) -> {
            return new SjfBco(new RandomFit(on, seed));
        }));
        for (int kappa : config.kappas()) {
            rows.add(row("5", "kappa " + kappa, "SJF-BCO", config.servers(), makespan(FIG_5.get(kappa)), (on, seed) -> {
                return plan(Policy.SJF_BCO, config.horizonSeconds(), 1, kappa, seed);
            }));
        }
        for (int servers : config.fewerServers()) {
            Map<Policy, Double> published = FIG_6.getOrDefault(servers, Map.of());
            SjfBcoRow.Published best = makespan(published.get(Policy.SJF_BCO));
            rows.add(tried("6", servers + " servers", servers, config.fewerHorizonSeconds(), best));
            for (Policy policy : Policy.values()) {
                rows.add(planned("6", servers + " servers", policy, servers, config.fewerHorizonSeconds(), of -> {
                    return makespan(published.get(of));
                }));
            }
        }
        for (int lambda : config.lambdas()) {
            rows.add(row(
                    "7", "lambda " + lambda, "SJF-BCO", config.servers(), makespan(FIG_7.get(lambda)), (on, seed) -> {
                        return plan(Policy.SJF_BCO, config.horizonSeconds(), lambda, 1, seed);
                    }));
        }
        return rows;
    }

    private static SjfBcoRow.@Nullable Published makespan(@Nullable Double slots) {
        return slots == null ? null : SjfBcoRow.Published.makespan(slots);
    }

    private SjfBcoRow planned(
            String figure,
            String setting,
            Policy policy,
            int servers,
            double horizonSeconds,
            Function<Policy, SjfBcoRow.@Nullable Published> published) {
        String name = policy.name().replace('_', '-');
        return row(figure, setting, name, servers, published.apply(policy), (on, seed) -> {
            return plan(policy, horizonSeconds, 1, EVERY_KAPPA, seed);
        });
    }

    private Scheduler plan(Policy policy, double horizonSeconds, double lambda, int kappa, long seed) {
        BatchPlanner.Order order = policy == Policy.SJF_BCO ? config.order() : config.baselines();
        BatchPlanner.Settings planner =
                new BatchPlanner.Settings(SjfBcoBatch.SLOT, horizonSeconds, lambda, kappa, order);
        return new SjfBcoPlan(
                policy, new SjfBcoPlan.Settings(planner, 1, Double.POSITIVE_INFINITY, Integer.MAX_VALUE), seed);
    }

    /** SJF-BCO with the kappa whose plan, carried out, has the shortest makespan, where {@link #planned} goes by the planned one. */
    private SjfBcoRow tried(
            String figure, String setting, int servers, double horizonSeconds, SjfBcoRow.@Nullable Published paper) {
        List<SjfBcoRow.Outcome> best = new ArrayList<>();
        for (int index = 0; index < config.batches(); index++) {
            SjfBcoBatch batch = new SjfBcoBatch(config, index, servers);
            best.add(config.batch().sizes().stream()
                    .map(kappa -> batch.run(plan(Policy.SJF_BCO, horizonSeconds, 1, kappa, config.seed())))
                    .map(SjfBcoRow.Outcome::of)
                    .min(Comparator.comparingDouble(SjfBcoRow.Outcome::makespan))
                    .orElseThrow());
        }
        return new SjfBcoRow(figure, setting, "SJF-BCO, kappa tried", best, paper);
    }

    private SjfBcoRow row(
            String figure,
            String setting,
            String policy,
            int servers,
            SjfBcoRow.@Nullable Published paper,
            Decider decider) {
        List<SjfBcoRow.Outcome> outcomes = new ArrayList<>();
        for (int index = 0; index < config.batches(); index++) {
            SjfBcoBatch batch = new SjfBcoBatch(config, index, servers);
            Scheduler scheduler = decider.on(batch.topology(), config.seed() + index);
            outcomes.add(SjfBcoRow.Outcome.of(batch.run(scheduler)));
        }
        return new SjfBcoRow(figure, setting, policy, outcomes, paper);
    }
}
