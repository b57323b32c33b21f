package org.trainyard.experiments.papers.studies;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;

/**
 * Multi-agent scheduling with graph networks (2021): the rows of the last full run that ships, because a run trains
 * for hours; {@code trainyard reproduce marl} makes them anew.
 */
record StoredMarlStudy() implements Study {
    /** The rows against the paper's baselines at every event, which come first. */
    private static final int BASELINES = 5;

    @Override
    public String system() {
        return "marl";
    }

    /** The weakest row against a baseline first, as the claim is about all of them. */
    @Override
    public List<ClaimRow> rows(StudyRun run) {
        List<ClaimRow> rows = ClaimTable.read(InputFiles.text(file(run.configs())));
        return Studies.weakestFirst(rows, rows.subList(0, Math.min(BASELINES, rows.size())));
    }

    private static Path file(Path configs) {
        return configs.resolveSibling("docs").resolve("science/marl.json");
    }
}
