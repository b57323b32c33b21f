package org.trainyard.experiments.papers.records;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.fgd.Arrivals;
import org.trainyard.experiments.papers.fgd.ArrivalsRun;
import org.trainyard.experiments.papers.fgd.OpenbData;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** The six placement policies of the FGD paper on ten draws of openb's pods. */
record FgdRecord() implements RecordStudy {
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
    public String system() {
        return "fgd";
    }

    @Override
    public String title() {
        return "FGD on openb (USENIX ATC 2023): GPUs allocated at 130 % of demand";
    }

    @Override
    public String rules() {
        return """
                8,152 pods of Alibaba's cluster on its 1,213 GPU servers, in random order and inflated by copies to 130 % of the GPUs; pods arrive,
                and none ends; each is placed at once or turned away. Policies know the mix of demands (FGD) and the state of
                every server. Ten draws, as many as the authors', but not theirs: means are compared. The hash is of the ten event logs' hashes,
                one a line; `simulate --inflate 1.3 --seed 42` to 51 prints them.
                """;
    }

    @Override
    public List<String> needs() {
        return OpenbData.FILES;
    }

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        OpenbData data = new OpenbData(run.data());
        StudyRun.Rows rows = run.rows(this);
        List<Arrivals> draws = IntStream.range(0, SEEDS)
                .mapToObj(seed -> Arrivals.of(data.pods().jobs(), data.gpuNodes(), INFLATION, FIRST_SEED + seed))
                .toList();
        for (Published one : POLICIES) {
            double[] published = data.expected("expected_analysis_allo_discrete.csv.gz", one.theirs());
            add(rows, one.policy(), draws, published);
        }
        return rows.all();
    }

    private static void add(StudyRun.Rows rows, String name, List<Arrivals> draws, double[] published) {
        PlacementPolicies.Entry policy = Objects.requireNonNull(PlacementPolicies.named(name));
        List<ArrivalsRun> runs =
                draws.parallelStream().map(draw -> draw.run(policy, null)).toList();
        double[] last = at(runs, LAST);
        rows.add(
                name,
                Statistics.mean(last),
                "% of GPUs",
                StudyRun.interval(last),
                String.format(
                        Locale.ROOT,
                        "at 100 %% of demand %.2f, published %.2f",
                        Statistics.mean(at(runs, FULL)),
                        published[FULL]),
                new Evidence(
                        published[LAST],
                        Evidence.THEIRS,
                        Sha256.of(runs.stream()
                                .map(one -> one.eventLogSha256() + "\n")
                                .collect(Collectors.joining()))));
    }

    private static double[] at(List<ArrivalsRun> runs, int percent) {
        return runs.stream()
                .mapToDouble(run -> run.allocatedPercent().get(percent))
                .toArray();
    }
}
