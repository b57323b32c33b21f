package org.trainyard.env.workload.trace.slurm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.env.workload.log.TraceFieldException;

/** Reads what {@code scontrol show reservation} prints, with {@code -o} or without. */
public final class SlurmReservations {
    private static final Pattern KEY = Pattern.compile("(?:^|\\s)([A-Z][A-Za-z]*)=(\\S*)");
    private static final long DAY_NANOS = 86_400_000_000_000L;

    /**
     * A reservation of whole nodes.
     *
     * @param startNanos its begin, since 1970
     * @param endNanos its end, since 1970
     * @param nodes names of its nodes; null for all
     * @param isMaintenance whether it has the flag MAINT
     * @param periodNanos until it comes again; 0 for once
     */
    public record Reservation(
            String name,
            long startNanos,
            long endNanos,
            @Nullable List<String> nodes,
            boolean isMaintenance,
            long periodNanos) {}

    private SlurmReservations() {}

    /**
     * The reservations of a listing.
     *
     * @param clock of its times, as of those of the log
     * @throws InputException when it is no such listing
     */
    public static List<Reservation> read(String file, String text, LogClock clock) {
        List<Reservation> found = new ArrayList<>();
        Map<String, String> values = new HashMap<>();
        int line = 0;
        int begun = 0;
        for (String one : text.split("\n", -1)) {
            line++;
            if (one.startsWith("ReservationName=")) {
                add(file, begun, values, clock, found);
                begun = line;
            } else if (begun == 0 && !one.isBlank() && !one.startsWith("No reservations")) {
                throw InputException.at(
                        "%s:%d".formatted(file, line), one.strip(), "what `scontrol show reservation` prints");
            }
            Matcher key = KEY.matcher(one);
            while (key.find()) {
                values.put(key.group(1), key.group(2));
            }
        }
        add(file, begun, values, clock, found);
        return found;
    }

    private static void add(
            String file, int line, Map<String, String> values, LogClock clock, List<Reservation> found) {
        if (!values.isEmpty()) {
            String place = "%s:%d".formatted(file, line);
            long start = time(place, "StartTime", values, clock);
            long end = time(place, "EndTime", values, clock);
            if (end <= start) {
                throw InputException.at(
                        place + ", EndTime", values.getOrDefault("EndTime", ""), "a time after StartTime");
            }
            Set<String> flags = Set.of(
                    values.getOrDefault("Flags", "").toUpperCase(Locale.ROOT).split(",", -1));
            String nodes = values.getOrDefault("Nodes", "(null)");
            boolean isOfAll = flags.contains("ALL_NODES") || nodes.equals("ALL");
            found.add(new Reservation(
                    values.getOrDefault("ReservationName", ""),
                    start,
                    end,
                    isOfAll ? null : nodes.equals("(null)") ? List.of() : HostList.expand(place + ", Nodes", nodes),
                    flags.contains("MAINT"),
                    flags.contains("WEEKLY") ? 7 * DAY_NANOS : flags.contains("DAILY") ? DAY_NANOS : 0));
        }
        values.clear();
    }

    private static long time(String place, String key, Map<String, String> values, LogClock clock) {
        String text = values.getOrDefault(key, "");
        try {
            return clock.nanos(key, text, 0);
        } catch (TraceFieldException e) {
            throw InputException.at(place + ", " + e.field(), e.value(), e.expected());
        }
    }
}
