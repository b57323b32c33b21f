package org.trainyard.interference.measured;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.Trait;

/**
 * Reads DeepShare's matrix: pairs of distributed jobs that share the network cards of four servers.
 *
 * <p>J. Kim, H. Cho et al.: DeepShare, ICPADS 2023. A row is a victim, a column a neighbour, a cell the victim's rate
 * beside the neighbour over its rate alone; labels are {@code Model,GPUs,servers}. An empty cell is unknown.
 */
public final class DeepShareReader {
    /** File name of the matrix in the published campaign. */
    public static final String FILE = "shared_thp_ratio.csv";

    private static final Pattern LABEL = Pattern.compile("(.+),(\\d{1,4}),(\\d{1,4})");
    private static final String HARDWARE = "4x8 InfiniBand 40 Gb/s";

    private DeepShareReader() {}

    public static boolean recognises(String text) {
        return text.startsWith(",\"")
                && LABEL.matcher(text.lines().findFirst().orElse("").split("\"", -1)[1])
                        .matches();
    }

    public static MeasurementTable read(String file, String sha256, String text) {
        List<CsvRecord> lines = lines(file, text);
        List<String> header = lines.get(0).getFields();
        List<JobType> neighbours = new ArrayList<>();
        for (String label : header.subList(1, header.size())) {
            neighbours.add(type(file + ":1", label));
        }
        List<Measurement> rows = new ArrayList<>();
        int unknown = 0;
        int capped = 0;
        for (CsvRecord line : lines.subList(1, lines.size())) {
            String place = "%s:%d".formatted(file, line.getStartingLineNumber());
            if (line.getFieldCount() != header.size()) {
                throw InputException.at(place, line.getFieldCount() + " cells", header.size() + " cells");
            }
            JobType victim = type(place, line.getField(0));
            for (int i = 0; i < neighbours.size(); i++) {
                String cell = line.getField(i + 1).strip();
                if (cell.isEmpty()) {
                    unknown++;
                    continue;
                }
                double ratio = ratio(place, cell);
                capped += ratio >= 1 ? 1 : 0;
                rows.add(new Measurement(
                        victim,
                        neighbours.get(i),
                        Scope.NIC,
                        HARDWARE,
                        1 / Math.min(1, ratio),
                        "deepshare",
                        1,
                        ratio >= 1));
            }
        }
        return new MeasurementTable(
                rows,
                List.of(new SourceFile(
                        file,
                        sha256,
                        "DeepShare, ICPADS 2023; gajagajago/deepshare",
                        "Apache-2.0",
                        rows.size(),
                        List.of(
                                "%d empty cells: unknown".formatted(unknown),
                                "%d ratios of 1 or more: taken as no slowdown and marked".formatted(capped)))));
    }

    private static List<CsvRecord> lines(String file, String text) {
        try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(text)) {
            return reader.stream().toList();
        } catch (CsvParseException e) {
            throw new InputException(
                    "%s: is not CSV: expected a matrix of throughput ratios with equally many cells in every line"
                            .formatted(file));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static double ratio(String place, String cell) {
        try {
            double ratio = Double.parseDouble(cell);
            if (ratio > 0 && ratio <= 2) {
                return ratio;
            }
        } catch (NumberFormatException e) {
            // Reported below, as any other bad cell.
        }
        throw InputException.at(place, cell, "a throughput ratio above 0 and at most 2, or nothing");
    }

    /** The type of a label such as {@code FSDP,4,2}; {@code place} is the option or file that holds the label. */
    public static JobType type(String place, String label) {
        Matcher matcher = LABEL.matcher(label.strip());
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) < 1 || Integer.parseInt(matcher.group(3)) < 1) {
            throw InputException.at(place, label, "a label Model,GPUs,servers such as FSDP,4,2");
        }
        double gpus = log2(matcher.group(2));
        double servers = log2(matcher.group(3));
        Map<Trait, Double> traits = new EnumMap<>(Trait.class);
        traits.put(Trait.GPUS, gpus);
        traits.put(Trait.SERVERS, servers);
        traits.put(Trait.GPUS_PER_SERVER, gpus - servers);
        return new JobType(label.strip(), ArchitectureResources.canonical(matcher.group(1)), traits)
                .with(PublishedArchitectures.resources(matcher.group(1)));
    }

    /** Whether a name is such a label. */
    public static boolean isLabel(String name) {
        return LABEL.matcher(name.strip()).matches();
    }

    private static double log2(String count) {
        return Math.log(Integer.parseInt(count)) / Math.log(2);
    }
}
