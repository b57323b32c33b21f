package org.trainyard.experiments.papers.records;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.trainyard.env.InputException;
import org.trainyard.experiments.benchmark.EntryTasks;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** The records as tasks of {@code bench}. */
public final class RecordTasks implements EntryTasks {
    @Override
    public List<String> names() {
        return Records.names();
    }

    @Override
    public List<String> play(String task, List<String> schedulers, Path data, PrintWriter out) {
        Path configs = Path.of(System.getProperty("trainyard.root", "."), "experiments", "configs");
        List<String> hashes = new ArrayList<>();
        for (RecordStudy study : Records.chosen(task)) {
            String absent = study.missing(data);
            if (absent != null) {
                throw InputException.at("--data", absent, "a file that the record %s needs".formatted(task));
            }
            List<ClaimRow> rows = study.entries(new StudyRun(false, configs, data), schedulers);
            ClaimTable.ofRecords(rows).print(out);
            rows.forEach(
                    row -> hashes.add(Objects.requireNonNull(row.evidence()).sha256()));
        }
        return hashes;
    }
}
