package org.trainyard.experiments.config;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.topology.Topology;

/**
 * Reads outages from a CSV file with the columns {@code server,gpu,from_s,until_s}: index of the server, index of the
 * GPU within the server (empty: the whole server), start and end in seconds of simulated time (empty end: never
 * repaired).
 */
final class OutageLog {
    private static final List<String> COLUMNS = List.of("server", "gpu", "from_s", "until_s");

    private OutageLog() {}

    static Outages read(Path file, Topology topology) {
        List<Outages.Recorded.Entry> entries = new ArrayList<>();
        try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : csv) {
                if (!row.getHeader().containsAll(COLUMNS)) {
                    throw InputException.at(
                            file + ":1", String.join(",", row.getHeader()), "the columns " + String.join(",", COLUMNS));
                }
                entries.add(entry(row, file + ":" + row.getStartingLineNumber(), topology));
            }
            return new Outages.Recorded(entries);
        } catch (CsvParseException e) {
            throw InputException.at(file.toString(), "a damaged file", "comma-separated values");
        } catch (IllegalArgumentException e) {
            throw new InputException("%s: %s".formatted(file, e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Outages.Recorded.Entry entry(NamedCsvRecord row, String place, Topology topology) {
        int server = index(row, "server", place, topology.servers());
        int unit = server;
        if (!row.getField("gpu").isBlank()) {
            unit = topology.servers() + topology.firstGpu(server) + index(row, "gpu", place, topology.gpusOn(server));
        }
        long from = nanos(row, "from_s", place);
        long until = row.getField("until_s").isBlank() ? Long.MAX_VALUE : nanos(row, "until_s", place);
        if (until <= from) {
            throw InputException.at(place + ", until_s", row.getField("until_s"), "later than from_s");
        }
        return new Outages.Recorded.Entry(unit, new Outage(from, until));
    }

    private static int index(NamedCsvRecord row, String column, String place, int count) {
        try {
            int index = Integer.parseInt(row.getField(column).strip());
            if (index >= 0 && index < count) {
                return index;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw InputException.at(place + ", " + column, row.getField(column), "an index from 0 to " + (count - 1));
    }

    private static long nanos(NamedCsvRecord row, String column, String place) {
        try {
            BigDecimal nanos = new BigDecimal(row.getField(column).strip()).movePointRight(9);
            if (nanos.signum() >= 0 && nanos.precision() - nanos.scale() < 18) {
                return nanos.longValue();
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw InputException.at(place + ", " + column, row.getField(column), "seconds, not negative");
    }
}
