package org.trainyard.experiments.papers.studies;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.dally.DallyStudy;
import org.trainyard.experiments.papers.dally.DallyStudy.Jobs;
import org.trainyard.experiments.papers.dally.DallyStudy.Network;

/** Dally (2024): makespan, mean JCT and communication of a batch against consolidation and random placement. */
record DallyLeaseStudy() implements Study {
    private static final String DALLY = "dally";

    @Override
    public String system() {
        return DALLY;
    }

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        add(
                rows,
                seeds(run, Network.CONGESTED, Jobs.BATCH),
                "",
                "a batch of 500 jobs on 64 GPUs, links of the authors' earlier configuration, shared by all jobs");
        if (!run.isQuick()) {
            add(
                    rows,
                    seeds(run, Network.CONGESTED, Jobs.WEEK),
                    ", jobs of a week",
                    "411 jobs that come over a week on 64 GPUs, links shared by all jobs");
            add(
                    rows,
                    seeds(run, Network.ALONE, Jobs.BATCH),
                    ", jobs alone on links",
                    "the authors' last links, on which each job is alone, as in their simulator");
        }
        return rows.all();
    }

    private static List<List<DallyStudy.Row>> seeds(StudyRun run, Network network, Jobs jobs) {
        return LongStream.rangeClosed(1, run.few(2, 5))
                .mapToObj(seed -> DallyStudy.run(network, jobs, List.of(seed)))
                .toList();
    }

    private static void add(StudyRun.Rows rows, List<List<DallyStudy.Row>> seeds, String where, String world) {
        add(rows, seeds, "mean JCT up to 83 % below", DallyStudy.Row::meanJctHours, -83, "% of mean JCT", where, world);
        add(
                rows,
                seeds,
                "makespan up to 69 % below",
                DallyStudy.Row::makespanHours,
                -69,
                "% of makespan",
                where,
                world);
        if (seeds.get(0).stream().anyMatch(row -> row.scheduler().equals(DallyStudy.RANDOM))) {
            rows.addReduction(
                    "communication up to 98 % less: than random placement" + where,
                    percent(seeds, DallyStudy.Row::communicationHours, DallyStudy.RANDOM),
                    -98,
                    "% of communication",
                    world + "; the paper's reference is not known, GPUs drawn one by one favour Dally most");
        }
    }

    private static void add(
            StudyRun.Rows rows,
            List<List<DallyStudy.Row>> seeds,
            String claim,
            ToDoubleFunction<DallyStudy.Row> metric,
            double claimed,
            String unit,
            String where,
            String world) {
        rows.addReduction(
                "%s consolidation: Tiresias%s".formatted(claim, where),
                percent(seeds, metric, DallyStudy.TIRESIAS),
                claimed,
                unit,
                "%s; where each job waits for its best level, jobs hold %.0f %% less GPU time than under Tiresias, and better places save no more; Tiresias takes the job with least service first, which is nearly the shortest"
                        .formatted(
                                world,
                                -Statistics.mean(percent(
                                        seeds,
                                        DallyStudy.Row::gpuHours,
                                        DallyStudy.CONSOLIDATED,
                                        DallyStudy.TIRESIAS))));
        rows.addReduction(
                "%s consolidation alone in Dally's order%s".formatted(claim, where),
                percent(seeds, metric, DallyStudy.CONSOLIDATED),
                claimed,
                unit,
                world + "; leases end every hour, so that a job seldom waits for the best level");
    }

    private static double[] percent(
            List<List<DallyStudy.Row>> seeds, ToDoubleFunction<DallyStudy.Row> metric, String than) {
        return percent(seeds, metric, DALLY, than);
    }

    private static double[] percent(
            List<List<DallyStudy.Row>> seeds, ToDoubleFunction<DallyStudy.Row> metric, String ours, String than) {
        return seeds.stream()
                .mapToDouble(rows ->
                        100 * (metric.applyAsDouble(row(rows, ours)) / metric.applyAsDouble(row(rows, than)) - 1))
                .toArray();
    }

    private static DallyStudy.Row row(List<DallyStudy.Row> rows, String scheduler) {
        return rows.stream()
                .filter(row -> row.scheduler().equals(scheduler))
                .findFirst()
                .orElseThrow();
    }
}
