package org.trainyard.experiments.papers.records;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.arrivals.Arrivals;
import org.trainyard.experiments.arrivals.ArrivalsRun;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;
import org.trainyard.experiments.simulation.ArrivalsSimulation;

/** The six placement policies of the FGD paper on ten draws of openb's pods. */
record FgdRecord(String system) implements RecordStudy {
    private static final double INFLATION = 1.3;
    private static final long FIRST_SEED = 42;
    private static final int SEEDS = 10;
    private static final int FULL = 100;
    private static final int LAST = 130;

    private record Published(String policy, String theirs) {}

    private static final List<Published> POLICIES = List.of(
            new Published("fgd", "FGD"),
            new Published("best-fit", "BestFit"),
            new Published("gpu-packing", "GpuPacking"),
            new Published("gpu-clustering", "GpuClustering"),
            new Published("dot-product", "DotProd"),
            new Published("random", "Random"));

    @Override
    public List<String> needs() {
        return OpenbData.FILES;
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        OpenbData data = new OpenbData(run.data());
        List<TraceJob> pods = data.pods().jobs();
        List<Arrivals> draws = draws(data, pods, pods);
        for (Published one : POLICIES) {
            double[] published = data.expected("expected_analysis_allo_discrete.csv.gz", one.theirs());
            List<ArrivalsRun> runs = runs(draws, Objects.requireNonNull(PlacementPolicies.named(one.policy())));
            String remark = String.format(Locale.ROOT, ", published %.2f", published[FULL]);
            add(rows, one.policy(), runs, new Evidence(published[LAST], Evidence.THEIRS, hash(runs)), remark);
        }
        List<Arrivals> later = later(data);
        for (Published one : POLICIES) {
            fair(rows, later, Objects.requireNonNull(PlacementPolicies.named(one.policy())));
        }
    }

    @Override
    public List<ClaimRow> entries(StudyRun run, List<String> schedulers) {
        OpenbData data = new OpenbData(run.data());
        StudyRun.Rows rows = run.rows(this);
        List<Arrivals> later = later(data);
        ArrivalsSimulation.policies(schedulers).forEach(policy -> fair(rows, later, policy));
        return rows.all();
    }

    /** Draws of the pods of the later half, where policies know the demands of the earlier half. */
    private static List<Arrivals> later(OpenbData data) {
        return draws(data, data.half(false), data.half(true));
    }

    private static void fair(StudyRun.Rows rows, List<Arrivals> later, PlacementPolicies.Entry policy) {
        List<ArrivalsRun> runs = runs(later, policy);
        add(rows, policy.name() + ", later pods", runs, new Evidence(Double.NaN, Evidence.FAIR, hash(runs)), "");
    }

    private static List<Arrivals> draws(OpenbData data, List<TraceJob> pods, List<TraceJob> known) {
        Topology cluster = data.gpuNodes();
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> Arrivals.of(pods, known, cluster, INFLATION, FIRST_SEED + seed))
                .toList();
    }

    private static List<ArrivalsRun> runs(List<Arrivals> draws, PlacementPolicies.Entry policy) {
        return draws.parallelStream().map(draw -> draw.run(policy, null)).toList();
    }

    private static String hash(List<ArrivalsRun> runs) {
        return Sha256.of(runs.stream().map(one -> one.eventLogSha256() + "\n").collect(Collectors.joining()));
    }

    private static void add(StudyRun.Rows rows, String name, List<ArrivalsRun> runs, Evidence evidence, String remark) {
        double[] last = at(runs, LAST);
        rows.add(
                name,
                Statistics.mean(last),
                "% of GPUs",
                StudyRun.interval(last),
                String.format(Locale.ROOT, "at 100 %% of demand %.2f%s", Statistics.mean(at(runs, FULL)), remark),
                evidence);
    }

    private static double[] at(List<ArrivalsRun> runs, int percent) {
        return runs.stream()
                .mapToDouble(run -> run.allocatedPercent().get(percent))
                .toArray();
    }
}
