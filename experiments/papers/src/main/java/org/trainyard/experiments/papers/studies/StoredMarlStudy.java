package org.trainyard.experiments.papers.studies;

import java.nio.file.Path;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.papers.claims.ClaimTable;

/**
 * Multi-agent scheduling with graph networks (2021): the rows of the last full run that ships, because a run trains for
 * hours; {@code trainyard reproduce marl} makes them anew.
 */
record StoredMarlStudy(String system) implements Study {
    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        rows.all().addAll(ClaimTable.read(InputFiles.text(file(run.configs()))));
    }

    private static Path file(Path configs) {
        return configs.resolveSibling("docs").resolve("science/marl.json");
    }
}
