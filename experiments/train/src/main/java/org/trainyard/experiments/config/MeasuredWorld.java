package org.trainyard.experiments.config;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.MeasuredInterference;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.interference.data.ArchitectureResources;

/** Reads an interference model from the measurements that a fit wrote beside its predictor. */
public final class MeasuredWorld {
    private MeasuredWorld() {}

    /**
     * The interference model of a {@code measurements.csv}; models of the simulator are interpolated between
     * measured architectures by their resources, also of those that the model catalogue lacks.
     *
     * @throws InputException when the file has another format
     */
    public static MeasuredInterference read(Path file) {
        List<MeasuredInterference.Row> rows = new ArrayList<>();
        try (CsvReader<NamedCsvRecord> reader = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : reader) {
                ModelProfile victim = ArchitectureResources.simulated(row.getField("victim_architecture"));
                ModelProfile neighbour = ArchitectureResources.simulated(row.getField("neighbour_architecture"));
                boolean usual = List.of("v100", "power8 nvlink").contains(row.getField("hardware"))
                        || row.getField("scope").equals("nic");
                if (victim != null && neighbour != null && usual) {
                    rows.add(new MeasuredInterference.Row(
                            victim,
                            neighbour,
                            MeasuredInterference.Shared.valueOf(
                                    row.getField("scope").toUpperCase(Locale.ROOT)),
                            Math.max(1, Double.parseDouble(row.getField("slowdown")))));
                }
            }
        } catch (IOException
                | UncheckedIOException
                | CsvParseException
                | NoSuchElementException
                | IllegalArgumentException e) {
            throw new InputException(
                    "%s: cannot be read: expected the measurements that 'fit interference' wrote".formatted(file));
        }
        return new MeasuredInterference(rows);
    }
}
