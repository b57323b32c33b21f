package org.trainyard.interference.tables;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.measured.DeepShareReader;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.measured.SourceFile;

/**
 * DeepShare's isolated_thp.csv: rates alone, from which follows how each job type scales over GPUs and servers.
 *
 * @param scaling by label: logarithm of its rate over that of the first type of its architecture in the file
 */
public record ScalingTable(
        Map<String, Double> scaling, @Nullable SourceFile source) {
    static final ScalingTable NONE = new ScalingTable(Map.of(), null);
    /** File name in the published campaign. */
    static final String FILE = "isolated_thp.csv";

    private static final String HEADER = ",isol_thp";

    static boolean recognises(String text) {
        return text.lines().findFirst().orElse("").equals(HEADER);
    }

    static ScalingTable read(String file, String sha256, String text) {
        Map<String, Double> first = new LinkedHashMap<>();
        Map<String, Double> scaling = new LinkedHashMap<>();
        for (CsvRecord line : lines(text)) {
            String place = "%s:%d".formatted(file, line.getStartingLineNumber());
            JobType type = DeepShareReader.type(place, line.getField(0));
            double rate = rate(place, line.getFieldCount() == 2 ? line.getField(1) : "");
            first.putIfAbsent(type.architecture(), rate);
            scaling.put(type.label(), Math.log(rate / first.getOrDefault(type.architecture(), rate)));
        }
        return new ScalingTable(
                scaling,
                new SourceFile(
                        file,
                        sha256,
                        "DeepShare, ICPADS 2023; gajagajago/deepshare",
                        "Apache-2.0",
                        0,
                        List.of("rates alone of %d job types: how they scale".formatted(scaling.size()))));
    }

    private static List<CsvRecord> lines(String text) {
        try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(text)) {
            return reader.stream().skip(1).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double rate(String place, String cell) {
        try {
            double rate = Double.parseDouble(cell);
            if (rate > 0 && !Double.isInfinite(rate)) {
                return rate;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw InputException.at(place, cell, "a rate above 0");
    }

    /** The table, its job types with their scaling added. */
    MeasurementTable addTo(MeasurementTable table) {
        if (source == null) {
            return table;
        }
        List<SourceFile> sources = new ArrayList<>(table.sources());
        sources.add(source);
        return new MeasurementTable(
                table.rows().stream()
                        .map(row -> new Measurement(
                                known(row.victim()),
                                known(row.neighbour()),
                                row.scope(),
                                row.hardware(),
                                row.slowdown(),
                                row.source(),
                                row.weight(),
                                row.capped()))
                        .toList(),
                sources);
    }

    private JobType known(JobType type) {
        Double value = scaling.get(type.label());
        return value == null ? type : type.with(Map.of(Trait.SCALING, value));
    }
}
