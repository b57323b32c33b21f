package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.Yardstick;

/** A-SRPT (INFOCOM 2025): mean JCT of recurring mixed-parallel jobs against its five baselines and FIFO. */
record ASrptStudy(String system) implements Study {
    private static final List<String> BASELINES =
            List.of("wcs-subtime", "wcs-duration", "wcs-workload", "spjf", "spwf");
    private static final String OURS = "a-srpt";
    private static final String BLOCKING = "a-srpt/blocking";
    private static final String UNIT = "% of mean JCT";

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        List<String> predictors = run.isQuick()
                ? List.of("{type: Forest}")
                : List.of("{type: Forest}", "{type: Oracle}", "{type: Lognormal, sigma: 0.3}");
        for (String predictor : predictors) {
            for (String load : List.of("0.7", "0.9", "1.1")) {
                add(rows, run, load, predictor);
            }
        }
    }

    private static void add(StudyRun.Rows rows, StudyRun run, String load, String predictor) {
        List<String> schedulers = new ArrayList<>(List.of(OURS, BLOCKING, "fifo"));
        schedulers.addAll(BASELINES);
        StudyRun.Figures seconds = run.episodes(
                "papers/a-srpt.yaml",
                List.of(
                        "workload.generator.offered_load=" + load,
                        "runtime=" + predictor,
                        "episodes.jobs=" + run.few(1000, 2000),
                        "episodes.test=" + run.few(2, 5)),
                StudyRun.Metric.MEAN_JCT,
                schedulers);
        String best = BASELINES.get(0);
        for (String baseline : BASELINES) {
            best = Statistics.mean(seconds.of(baseline)) < Statistics.mean(seconds.of(best)) ? baseline : best;
        }
        String where = ", load %s, %s"
                .formatted(load, predictor.replaceAll("[{}]|type: ", "").toLowerCase(Locale.ROOT));
        rows.addReduction(
                "mean JCT below the best of five baselines%s".formatted(where),
                StudyRun.percent(seconds.of(OURS), seconds.of(best)),
                Yardstick.NO_FIGURE,
                UNIT,
                "%s is best; the paper's figures and settings are not known, jobs and cluster are ours"
                        .formatted(best));
        rows.addFigure(
                "not in the paper: the head of the queue blocks%s".formatted(where),
                Statistics.mean(StudyRun.percent(seconds.of(BLOCKING), seconds.of(best))),
                UNIT + " of " + best,
                StudyRun.interval(StudyRun.percent(seconds.of(BLOCKING), seconds.of(best))),
                "the scheduler a-srpt/blocking, which also scatters gangs that are not heavy");
    }
}
