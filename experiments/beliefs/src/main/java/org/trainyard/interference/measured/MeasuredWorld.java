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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.measured.MeasuredInterference.Shared;
import org.trainyard.interference.model.InterferenceFiles;

/**
 * Reads an interference model from measured pairs of models: a table of the user's own with the columns
 * {@code model_a,model_b,hardware,sharing,slowdown}, or the {@code measurements.csv} that a fit wrote beside its
 * predictor. Models of the simulator are interpolated between measured ones by their resources. One law holds for all
 * servers, so the rows are of one hardware: a row of the user's of another is an error, and published rows of others
 * are left out.
 */
public final class MeasuredWorld {
    private static final List<String> OWN = List.of("model_a", "model_b", "hardware", "sharing", "slowdown");
    private static final List<String> FITTED =
            List.of("victim_architecture", "neighbour_architecture", "hardware", "scope", "slowdown");
    /** The hardware of published measurements whose rows are the law. */
    private static final List<String> USUAL = List.of("v100", "power8 nvlink");

    private static final double MOST = 1000;

    private final Path file;
    private final boolean isStrict;
    private final List<MeasuredInterference.Row> rows = new ArrayList<>();
    /** Hardware of the user's rows, all but those of the network card. */
    private @Nullable String own;
    /** Numbers of published rows of one server by hardware, those that are the law and others. */
    private final Map<String, Integer> used = new TreeMap<>();

    private final Map<String, Integer> leftOut = new TreeMap<>();
    private String firstLeftOut = "";

    private MeasuredWorld(Path file, boolean isStrict) {
        this.file = file;
        this.isStrict = isStrict;
    }

    /**
     * The interference model of a file, and a remark where it has rows of hardware whose rows are not the law.
     *
     * @throws InputException when the file has another format, or a row of the user's that would not be used
     */
    public static InterferenceFiles.Law read(Path file) {
        MeasuredWorld world = new MeasuredWorld(file, true);
        world.read();
        if (world.rows.isEmpty() && !world.leftOut.isEmpty()) {
            throw InputException.at(
                    world.firstLeftOut + ", hardware",
                    String.join(", ", world.leftOut.keySet()),
                    "%s, or the columns %s for measurements of other hardware"
                            .formatted(String.join(" or ", USUAL), String.join(",", OWN)));
        }
        if (world.rows.isEmpty()) {
            throw InputException.at(
                    file.toString(), "no rows", "measurements with the columns " + String.join(",", OWN));
        }
        return new InterferenceFiles.Law(new MeasuredInterference(world.rows), world.remarks());
    }

    /** Interference of a {@code measurements.csv}, without rows of other hardware or unknown architectures. */
    public static MeasuredInterference readFitted(Path file) {
        MeasuredWorld world = new MeasuredWorld(file, false);
        world.read();
        return new MeasuredInterference(world.rows);
    }

    private List<String> remarks() {
        return leftOut.isEmpty()
                ? List.of()
                : List.of("%s: the law is of %s; left out: %s".formatted(file, counts(used), counts(leftOut)));
    }

    private static String counts(Map<String, Integer> rows) {
        return rows.entrySet().stream()
                .map(one -> Counted.of(one.getValue(), "row") + " of " + one.getKey())
                .collect(Collectors.joining(", "));
    }

    private void read() {
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
                take(row, isOwn, file + ":" + row.getStartingLineNumber());
            }
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw InputException.at(file.toString(), "a damaged file", "comma-separated values");
        }
    }

    private void take(NamedCsvRecord row, boolean isOwn, String place) {
        List<String> columns = isOwn ? OWN : FITTED;
        Shared shared = shared(row, columns.get(3), place);
        String on = row.getField("hardware").strip().toLowerCase(Locale.ROOT);
        if (shared != Shared.NIC && !(isOwn ? isOfOne(on, place) : isUsual(on, place))) {
            return;
        }
        ModelProfile victim = model(row, columns.get(0), place, isStrict);
        ModelProfile neighbour = model(row, columns.get(1), place, isStrict);
        if (victim != null && neighbour != null) {
            rows.add(new MeasuredInterference.Row(victim, neighbour, shared, slowdown(row, place, isOwn)));
        }
    }

    private boolean isOfOne(String on, String place) {
        if (own != null && !on.equals(own)) {
            throw InputException.at(
                    place + ", hardware", on, "%s as above, for one law holds for all servers".formatted(own));
        }
        own = on;
        return true;
    }

    /** Counts a published row; returns whether it is of hardware whose rows are the law. */
    private boolean isUsual(String on, String place) {
        boolean isUsual = USUAL.contains(on);
        if (!isUsual && leftOut.isEmpty()) {
            firstLeftOut = place;
        }
        (isUsual ? used : leftOut).merge(on, 1, Integer::sum);
        return isUsual;
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
