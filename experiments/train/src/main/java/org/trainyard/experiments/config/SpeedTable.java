package org.trainyard.experiments.config;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * Reads measured speeds of models from a CSV file with the columns {@code model,gpu_type,speed}: a model of the
 * catalogue, a GPU type, and how fast the model trains on it relative to the V100.
 */
public final class SpeedTable {
    private static final List<String> COLUMNS = List.of("model", "gpu_type", "speed");
    private static final double MOST = 1000;

    private SpeedTable() {}

    /**
     * The speeds by model and GPU type.
     *
     * @throws InputException when the file has another format, an unknown model or type, or no row
     */
    public static Map<String, Map<String, Double>> read(Path file) {
        Map<String, Map<String, Double>> speeds = new TreeMap<>();
        try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : csv) {
                if (!row.getHeader().containsAll(COLUMNS)) {
                    throw InputException.at(
                            file + ":1", String.join(",", row.getHeader()), "the columns " + String.join(",", COLUMNS));
                }
                add(row, file + ":" + row.getStartingLineNumber(), speeds);
            }
        } catch (CsvParseException e) {
            throw InputException.at(file.toString(), "a damaged file", "comma-separated values");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (speeds.isEmpty()) {
            throw InputException.at(file.toString(), "no rows", "speeds of models");
        }
        return speeds;
    }

    private static void add(NamedCsvRecord row, String place, Map<String, Map<String, Double>> speeds) {
        String model = row.getField("model").strip();
        String type = row.getField("gpu_type").strip();
        if (ModelCatalog.standard().find(model) == null) {
            throw InputException.at(place + ", model", model, "a model of the catalogue");
        }
        if (GpuType.parse(type) == null) {
            throw InputException.at(place + ", gpu_type", type, "a GPU type, such as V100");
        }
        Map<String, Double> ofModel = speeds.computeIfAbsent(model, name -> new TreeMap<>());
        if (ofModel.put(type, speed(row, place)) != null) {
            throw InputException.at(place, model + "," + type, "one row for each model and GPU type");
        }
    }

    private static double speed(NamedCsvRecord row, String place) {
        try {
            double speed = Double.parseDouble(row.getField("speed").strip());
            if (speed > 0 && speed <= MOST) {
                return speed;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw InputException.at(place + ", speed", row.getField("speed"), "a number above 0, at most " + MOST);
    }
}
