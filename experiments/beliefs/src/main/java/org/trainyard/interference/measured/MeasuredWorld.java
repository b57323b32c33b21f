package org.trainyard.interference.measured;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.measured.MeasuredInterference.Shared;

/**
 * Reads an interference model from measured pairs of models: a table of the user's own with the columns
 * {@code model_a,model_b,hardware,sharing,slowdown}, or the {@code measurements.csv} that a fit wrote beside its predictor.
 * Models of the simulator are interpolated between measured ones by their resources. A row of the user's that would not
 * be used is an error: one law holds for all servers, so the rows are of one hardware.
 */
public final class MeasuredWorld {
    private static final List<String> OWN = List.of("model_a", "model_b", "hardware", "sharing", "slowdown");
    private static final List<String> FITTED =
            List.of("victim_architecture", "neighbour_architecture", "hardware", "scope", "slowdown");
    /** The hardware of published measurements whose rows are the law. */
    private static final List<String> USUAL = List.of("v100", "power8 nvlink");

    private static final double MOST = 1000;

    private MeasuredWorld() {}

    /**
     * The interference model of a file.
     *
     * @throws InputException when the file has another format, or a row that would not be used
     */
    public static MeasuredInterference read(Path file) {
        return read(file, true);
    }

    /** Interference of a {@code measurements.csv}, without rows of other hardware or unknown architectures. */
    public static MeasuredInterference readFitted(Path file) {
        return read(file, false);
    }

    private static MeasuredInterference read(Path file, boolean isStrict) {
        List<MeasuredInterference.Row> rows = new ArrayList<>();
        String hardware = null;
        try (CsvReader<NamedCsvRecord> reader = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : reader) {
                boolean isOwn = row.getHeader().containsAll(OWN);
                if (!isOwn && !row.getHeader().containsAll(FITTED)) {
                    throw InputException.at(
                            file + ":1",
                            String.join(",", row.getHeader()),
                            "the columns %s, or the measurements that 'fit interference' wrote"
                                    .formatted(String.join(",", OWN)));
                }
                String place = file + ":" + row.getStartingLineNumber();
                List<String> columns = isOwn ? OWN : FITTED;
                Shared shared = shared(row, columns.get(3), place);
                String on = row.getField("hardware").strip().toLowerCase(Locale.ROOT);
                if (isOwn && shared != Shared.NIC) {
                    if (hardware != null && !on.equals(hardware)) {
                        throw InputException.at(
                                place + ", hardware",
                                on,
                                "%s as above, for one law holds for all servers".formatted(hardware));
                    }
                    hardware = on;
                }
                boolean isUsual = isOwn || USUAL.contains(on) || shared == Shared.NIC;
                if (isStrict && !isUsual) {
                    throw InputException.at(
                            place + ", hardware",
                            on,
                            "%s, or the columns %s for measurements of other hardware"
                                    .formatted(String.join(" or ", USUAL), String.join(",", OWN)));
                }
                ModelProfile victim = model(row, columns.get(0), place, isStrict);
                ModelProfile neighbour = model(row, columns.get(1), place, isStrict);
                if (victim != null && neighbour != null && isUsual) {
                    rows.add(new MeasuredInterference.Row(victim, neighbour, shared, slowdown(row, place, isOwn)));
                }
            }
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw InputException.at(file.toString(), "a damaged file", "comma-separated values");
        }
        if (isStrict && rows.isEmpty()) {
            throw InputException.at(
                    file.toString(), "no rows", "measurements with the columns " + String.join(",", OWN));
        }
        return new MeasuredInterference(rows);
    }

    private static Shared shared(NamedCsvRecord row, String column, String place) {
        String text = row.getField(column).strip();
        for (Shared one : Shared.values()) {
            if (one.name().equalsIgnoreCase(text)) {
                return one;
            }
        }
        throw InputException.at(place + ", " + column, text, "gpu, socket or nic");
    }

    private static @Nullable ModelProfile model(NamedCsvRecord row, String column, String place, boolean isStrict) {
        String name = row.getField(column).strip();
        ModelProfile model = PublishedArchitectures.simulated(name);
        if (model == null && isStrict) {
            throw InputException.at(
                    place + ", " + column,
                    name,
                    "a model of the catalogue: "
                            + String.join(
                                    ", ",
                                    ModelCatalog.standard().profiles().stream()
                                            .map(ModelProfile::name)
                                            .toList()));
        }
        return model;
    }

    /** Slowdown in a row, at least 1; published rows below it are noise. */
    private static double slowdown(NamedCsvRecord row, String place, boolean isOwn) {
        String text = row.getField("slowdown").strip();
        try {
            double slowdown = Double.parseDouble(text);
            if (slowdown <= MOST && slowdown >= (isOwn ? 1 : 0)) {
                return Math.max(1, slowdown);
            }
        } catch (NumberFormatException wrong) {
            // Refused below.
        }
        throw InputException.at(
                place + ", slowdown", text, "speed alone over speed beside the other, from 1 to %.0f".formatted(MOST));
    }
}
