package org.trainyard.interference.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * Reads the rates alone on one GPU from published throughput tables: Gavel's JSON (D. Narayanan et al., OSDI 2020),
 * and folders {@code NAME_GPUTYPE} of ElasticFlow's CSV files (D. Gu et al., ASPLOS 2023), one for each model, with
 * a line for each global batch and a column for each number of GPUs. Rates of 0 mean "not measured".
 */
final class RateTables {
    private static final Pattern LABEL = Pattern.compile("\\('(.+?)(?: \\(batch size (\\d+)\\))?', 1\\)");
    private static final String EXPECTED =
            "Gavel's throughputs, or a folder such as throughputs_A100 with ElasticFlow's CSV files";

    private final List<MeasuredRate> rates = new ArrayList<>();
    private final TreeSet<String> unknown = new TreeSet<>();

    /** Reads a file or folder. */
    void read(Path source) {
        int before = rates.size();
        if (Files.isDirectory(source)) {
            readFolder(source);
        } else {
            readGavel(source);
        }
        if (rates.size() == before) {
            throw InputException.at("--data", source, EXPECTED);
        }
    }

    List<MeasuredRate> rates() {
        return rates;
    }

    /** Measured models that the catalogue lacks. */
    List<String> unknown() {
        return List.copyOf(unknown);
    }

    private void readGavel(Path file) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(Datasets.text(file));
        } catch (JsonProcessingException e) {
            throw InputException.at("--data", file, EXPECTED);
        }
        root.properties().forEach(worker -> {
            GpuType type = GpuType.parse(worker.getKey().toUpperCase(Locale.ROOT));
            if (type != null) {
                worker.getValue()
                        .properties()
                        .forEach(job -> addGavel(
                                type, job.getKey(), job.getValue().path("null").asDouble()));
            }
        });
    }

    private void addGavel(GpuType type, String label, double perSecond) {
        Matcher matcher = LABEL.matcher(label);
        if (matcher.matches()) {
            double batch = matcher.group(2) == null ? 1 : Double.parseDouble(matcher.group(2));
            add(matcher.group(1), type, batch, perSecond);
        }
    }

    private void add(String name, GpuType type, double batch, double iterationsPerSecond) {
        ModelProfile model = ModelCatalog.standard().find(name);
        if (model == null) {
            unknown.add(name);
        } else if (iterationsPerSecond > 0) {
            rates.add(new MeasuredRate(model.name(), type.name(), batch, batch * iterationsPerSecond));
        }
    }

    private void readFolder(Path folder) {
        String name = String.valueOf(folder.getFileName());
        GpuType type = GpuType.parse(name.substring(name.lastIndexOf('_') + 1));
        if (type == null) {
            throw InputException.at("--data", folder, EXPECTED);
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(".csv")).sorted().forEach(file -> readScaling(file, type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readScaling(Path file, GpuType type) {
        String model = String.valueOf(file.getFileName()).replaceFirst("\\.csv$", "");
        try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(Datasets.text(file))) {
            for (NamedCsvRecord row : csv) {
                String place = "%s:%d".formatted(file, row.getStartingLineNumber());
                add(model, type, number(row, "global_batch_size", place), number(row, "1", place));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double number(NamedCsvRecord row, String column, String place) {
        @Nullable String cell = row.findField(column).orElse(null);
        try {
            double number = cell == null ? Double.NaN : Double.parseDouble(cell.strip());
            if (number >= 0 && !Double.isInfinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw InputException.at(place + ", " + column, String.valueOf(cell), "a number, not negative");
    }
}
