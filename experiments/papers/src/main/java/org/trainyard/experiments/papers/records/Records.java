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

/** All records, and the rows that are kept of them. */
public final class Records {
    private static final List<RecordStudy> ALL = List.of(
            new PolluxRecord("pollux"),
            new FgdRecord("fgd"),
            new RlTuneRecord("rltune"),
            new ShockwaveRecord("shockwave"),
            new MuriRecord("muri"),
            new TwinRecord("twin"));

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

    /** The rows as CSV, in the order of the records. */
    public static String csv(Map<String, List<ClaimRow>> rows) {
        return ClaimTable.csvOfRecords(ALL.stream()
                .flatMap(record -> rows.getOrDefault(record.system(), List.of()).stream())
                .toList());
    }
}
