package org.trainyard.experiments.papers.records;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.pollux.PolluxRecord;
import org.trainyard.experiments.papers.rltune.RlTuneRecord;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.Studies;

/** All records, the rows that are kept of them, and their page. */
public final class Records {
    private static final List<RecordStudy> ALL = List.of(
            new PolluxRecord(),
            new FgdRecord(),
            new RlTuneRecord(),
            new ShockwaveRecord(),
            new MuriRecord(),
            new TwinRecord());

    private static final String HEAD = """
            # The record book

            The board has two tabs: [tasks that do not change](benchmark.md), and published claims, this page.

            Published figures of schedulers beside ours, on the same public data. *The paper's* rules are those under which the figure was
            published. Every row has the SHA-256 of the run's event logs or job times.

                ./trainyard records pollux --verify --json --data ../shared/data

            computes the rows of a record again, prints a line for each that differs from the row kept beside this page (`records.json`,
            full hashes), and exits with code 1 if one does. Without `--verify` the command prints the rows that are kept, without a name
            those of all records. `--data` is a folder of public data; a record whose files it lacks is not checked, and a line says so.
            `--update` computes rows again and writes both files. Intervals are 95 % intervals of the mean. *Fair* rules: nothing is fitted on the
            jobs of the test, and nobody knows a run time; each record says what that means there.

            To enter fgd or rltune, name a scheduler, also of a jar (`--plugin`) or a Python file (`python:FILE`, which may run an ONNX export), or write
            both into a file; `bench` plays it on the jobs of *fair* and prints its row with the hash, by which anybody can check it:

                ./trainyard bench --task rltune --scheduler easy --data ../shared/data
                ./trainyard bench submit experiments/examples/bench/submission.yaml --data ../shared/data
            """;

    private Records() {}

    /** The names, in the order of the page. */
    public static List<String> names() {
        return ALL.stream().map(RecordStudy::system).toList();
    }

    /** The record of this name, or all. */
    public static List<RecordStudy> chosen(String name) {
        return Studies.chosen("records", ALL, name);
    }

    /** The rows of a file, by record. */
    public static Map<String, List<ClaimRow>> kept(Path file) {
        Map<String, List<ClaimRow>> rows = new LinkedHashMap<>();
        names().forEach(name -> rows.put(name, new ArrayList<>()));
        for (ClaimRow row : ClaimTable.read(InputFiles.text(file))) {
            rows.computeIfAbsent(row.system(), name -> new ArrayList<>()).add(row);
        }
        return rows;
    }

    /** A line for each row that another run does not have alike. */
    public static List<String> differences(List<ClaimRow> kept, List<ClaimRow> now) {
        List<String> lines = new ArrayList<>();
        Map<String, Evidence> found = new LinkedHashMap<>();
        now.forEach(row -> found.put(row.claim(), evidence(row)));
        for (ClaimRow row : kept) {
            Evidence other = found.remove(row.claim());
            if (other == null) {
                lines.add("%s, %s: is kept, but was not computed".formatted(row.system(), row.claim()));
            } else if (!other.sha256().equals(evidence(row).sha256())) {
                lines.add("%s, %s: kept %s, computed %s"
                        .formatted(row.system(), row.claim(), evidence(row).sha256(), other.sha256()));
            }
        }
        found.keySet().forEach(claim -> lines.add("%s: was computed, but is not kept".formatted(claim)));
        return lines;
    }

    private static Evidence evidence(ClaimRow row) {
        return Objects.requireNonNull(row.evidence(), row::claim);
    }

    /** The page of these rows. */
    public static String page(Map<String, List<ClaimRow>> rows) {
        StringBuilder page = new StringBuilder(HEAD);
        for (RecordStudy record : ALL) {
            List<ClaimRow> all = rows.getOrDefault(record.system(), List.of());
            page.append("\n## %s\n\n    ./trainyard records %s --verify\n\n%s\n"
                    .formatted(record.title(), record.system(), record.rules()));
            page.append(
                    all.isEmpty()
                            ? "No row is kept yet: nobody has run it to its end here. It needs %s.\n"
                                    .formatted(String.join(", ", record.needs()))
                            : ClaimTable.markdownOfRecords(all));
        }
        return page.toString();
    }
}
