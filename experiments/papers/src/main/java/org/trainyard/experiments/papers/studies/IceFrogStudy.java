package org.trainyard.experiments.papers.studies;

import java.util.List;

/** IceFrog (TPDS 2025): mean JCT against schedulers that freeze no layers. */
record IceFrogStudy(String system) implements Study {
    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        StudyRun.Figures seconds = run.episodes(
                "papers/freezing.yaml",
                List.of("episodes.test=" + run.few(2, 5)),
                StudyRun.Metric.MEAN_JCT,
                List.of("icefrog", "tiresias", "optimus", "pollux"));
        for (String baseline : List.of("tiresias", "optimus", "pollux")) {
            rows.addReduction(
                    "mean JCT 36 to 48 %% shorter: than %s".formatted(baseline),
                    StudyRun.percent(seconds.of("icefrog"), seconds.of(baseline)),
                    -36,
                    "% of mean JCT",
                    "reconstructed from the abstract; only BERT has measured gradients of layers");
        }
    }
}
