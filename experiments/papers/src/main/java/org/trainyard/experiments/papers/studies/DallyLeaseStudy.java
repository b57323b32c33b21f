package org.trainyard.experiments.papers.studies;

import static org.trainyard.experiments.papers.dally.DallyStudy.CONSOLIDATED;
import static org.trainyard.experiments.papers.dally.DallyStudy.CORRECTED_TIRESIAS;
import static org.trainyard.experiments.papers.dally.DallyStudy.GANDIVA;
import static org.trainyard.experiments.papers.dally.DallyStudy.RANDOM;
import static org.trainyard.experiments.papers.dally.DallyStudy.TIRESIAS;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.trainyard.env.Counted;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.dally.DallyStudy;
import org.trainyard.experiments.papers.dally.DallyStudy.Jobs;
import org.trainyard.experiments.papers.dally.DallyStudy.Network;

/**
 * Dally (2024): mean JCT, makespan and communication against its rivals. The paper claims "up to", so a row has the
 * setting of most effect, and its remark those of all.
 */
record DallyLeaseStudy(String system) implements Study {
    private static final String DALLY = "dally";

    /** Jobs on racks of 32 GPUs. */
    private record Setting(Network network, Jobs jobs, int racks) {
        @Override
        public String toString() {
            return Counted.say(
                    "%s on %d GPUs%s",
                    jobs == Jobs.BATCH ? "500 jobs at once" : "411 jobs of a week",
                    32 * racks,
                    network == Network.ALONE ? " alone on links" : "");
        }
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        Map<Setting, List<List<DallyStudy.Row>>> batches = new LinkedHashMap<>();
        for (int racks : run.isQuick() ? List.of(2, 4) : List.of(2, 4, 8)) {
            add(run, batches, new Setting(Network.CONGESTED, Jobs.BATCH, racks));
        }
        if (!run.isQuick()) {
            add(run, batches, new Setting(Network.ALONE, Jobs.BATCH, 2));
        }
        Map<Setting, List<List<DallyStudy.Row>>> all = new LinkedHashMap<>(batches);
        if (!run.isQuick()) {
            add(run, all, new Setting(Network.CONGESTED, Jobs.WEEK, 4));
        }
        for (String rival : List.of(TIRESIAS, CORRECTED_TIRESIAS, GANDIVA, CONSOLIDATED)) {
            add(rows, all, "mean JCT up to 83 % below", rival, DallyStudy.Row::meanJctHours, -83, "mean JCT");
            add(rows, all, "makespan up to 69 % below", rival, DallyStudy.Row::makespanHours, -69, "makespan");
        }
        String communication = "communication up to 98 % less: than";
        add(rows, batches, communication, RANDOM, DallyStudy.Row::communicationHours, -98, "communication");
    }

    private static void add(StudyRun run, Map<Setting, List<List<DallyStudy.Row>>> all, Setting of) {
        all.put(
                of,
                LongStream.rangeClosed(1, run.few(2, 5))
                        .mapToObj(seed -> DallyStudy.run(of.network, of.jobs, of.racks, List.of(seed)))
                        .toList());
    }

    private static void add(
            StudyRun.Rows rows,
            Map<Setting, List<List<DallyStudy.Row>>> all,
            String claim,
            String rival,
            ToDoubleFunction<DallyStudy.Row> metric,
            double claimed,
            String unit) {
        Map<Setting, double[]> percent = new LinkedHashMap<>();
        all.forEach((setting, seeds) -> percent.put(setting, percent(seeds, metric, rival)));
        double[] most = percent.values().stream()
                .min(Comparator.comparingDouble(Statistics::mean))
                .orElseThrow();
        rows.addReduction(
                "%s %s".formatted(claim, rival),
                most,
                claimed,
                "%% of %s, at most".formatted(unit),
                percent.entrySet().stream()
                        .map(one -> String.format(
                                Locale.ROOT, "%+.1f %% with %s", Statistics.mean(one.getValue()), one.getKey()))
                        .collect(Collectors.joining("; ", "of ", "")));
    }

    private static double[] percent(
            List<List<DallyStudy.Row>> seeds, ToDoubleFunction<DallyStudy.Row> metric, String rival) {
        return seeds.stream()
                .mapToDouble(rows ->
                        100 * (metric.applyAsDouble(row(rows, DALLY)) / metric.applyAsDouble(row(rows, rival)) - 1))
                .toArray();
    }

    private static DallyStudy.Row row(List<DallyStudy.Row> rows, String scheduler) {
        return rows.stream()
                .filter(row -> row.scheduler().equals(scheduler))
                .findFirst()
                .orElseThrow();
    }
}
