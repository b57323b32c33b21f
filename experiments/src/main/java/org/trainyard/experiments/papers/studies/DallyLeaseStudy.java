package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.performance.ring.LayeredRingPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.dally.DallyStudy;

/** Dally (2024): makespan, mean JCT and communication of a batch against consolidation and random placement. */
record DallyLeaseStudy() implements Study {
    private static final String REASON =
            "\"up to\" of the paper, on its congested network; here a batch of 500 jobs whose links do not contend, on 64 GPUs";

    @Override
    public String system() {
        return "dally";
    }

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        Topology topology = Clusters.resolve("cluster", "2x4x8");
        List<List<DallyStudy.Row>> seeds = new ArrayList<>();
        for (long seed = 1; seed <= run.few(2, 5); seed++) {
            seeds.add(DallyStudy.run(
                    topology, DallyStudy.Jobs.BATCH, LayeredRingPerformance.Uneven.NESTED, List.of(seed)));
        }
        String tiresias = "tiresias with leases";
        String waiting = "dally-fully-consolidated";
        String random = "random placement";
        rows.addReduction(
                "mean JCT up to 83 % below consolidation: Tiresias",
                percent(seeds, DallyStudy.Row::meanJctHours, tiresias),
                -83,
                "% of mean JCT",
                REASON + "; least attained service approximates the shortest job first, network sensitivity does not");
        rows.addReduction(
                "mean JCT up to 83 % below consolidation alone in Dally's order",
                percent(seeds, DallyStudy.Row::meanJctHours, waiting), -83, "% of mean JCT", REASON);
        rows.addReduction(
                "makespan up to 69 % below consolidation: Tiresias",
                percent(seeds, DallyStudy.Row::makespanHours, tiresias), -69, "% of makespan", REASON);
        rows.addReduction(
                "makespan up to 69 % below consolidation alone in Dally's order",
                percent(seeds, DallyStudy.Row::makespanHours, waiting), -69, "% of makespan", REASON);
        rows.addReduction(
                "communication up to 98 % less: than random placement",
                percent(seeds, DallyStudy.Row::communicationHours, random),
                -98,
                "% of communication",
                "the paper's reference is not known; GPUs drawn one by one favour Dally most");
        return rows.all();
    }

    private static double[] percent(
            List<List<DallyStudy.Row>> seeds, ToDoubleFunction<DallyStudy.Row> metric, String than) {
        return seeds.stream()
                .mapToDouble(rows -> {
                    DallyStudy.Row theirs = rows.stream()
                            .filter(row -> row.scheduler().equals(than))
                            .findFirst()
                            .orElseThrow();
                    return 100 * (metric.applyAsDouble(rows.get(0)) / metric.applyAsDouble(theirs) - 1);
                })
                .toArray();
    }
}
