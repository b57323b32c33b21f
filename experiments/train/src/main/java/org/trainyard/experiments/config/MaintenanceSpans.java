package org.trainyard.experiments.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.topology.Topology;

/**
 * Planned maintenance in a configuration: {@code [from, until, nodes]}, where the times are seconds since the first
 * submission, and the nodes {@code all}, or servers by index or name and ranges of indices, {@code 0-3,7}.
 */
final class MaintenanceSpans {
    private static final String FORM = "[from, until, nodes], such as [432000, 460800, all]";
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    private MaintenanceSpans() {}

    /** @throws InvalidFieldException of the component {@code maintenance} */
    static void check(List<List<String>> entries) {
        entries.forEach(MaintenanceSpans::span);
    }

    private static Outage span(List<String> entry) {
        if (entry.size() != 3) {
            throw new InvalidFieldException("maintenance", entry, "entries " + FORM);
        }
        long from = nanos(entry, 0);
        long until = nanos(entry, 1);
        if (until <= from) {
            throw new InvalidFieldException("maintenance", entry, "an end after the begin in " + FORM);
        }
        return new Outage(from, until);
    }

    private static long nanos(List<String> entry, int at) {
        try {
            BigDecimal nanos = new BigDecimal(entry.get(at).strip()).movePointRight(9);
            if (nanos.signum() >= 0 && nanos.precision() - nanos.scale() < 18) {
                return nanos.longValue();
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new InvalidFieldException("maintenance", entry, "seconds since the first submission in " + FORM);
    }

    /** The windows of a cluster. */
    static List<MaintenanceWindow> windows(List<List<String>> entries, Topology topology) {
        return entries.stream()
                .map(entry -> new MaintenanceWindow(span(entry), servers(entry.get(2), topology)))
                .toList();
    }

    private static List<Integer> servers(String text, Topology topology) {
        List<Integer> servers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String name = part.strip();
            Matcher range = RANGE.matcher(name);
            if (name.equals("all")) {
                IntStream.range(0, topology.servers()).forEach(servers::add);
            } else if (range.matches()) {
                int first = Integer.parseInt(range.group(1));
                int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
                if (last >= topology.servers() || last < first) {
                    throw unknown(text, topology);
                }
                IntStream.rangeClosed(first, last).forEach(servers::add);
            } else {
                servers.add(IntStream.range(0, topology.servers())
                        .filter(server -> topology.serverName(server).equals(name))
                        .findFirst()
                        .orElseThrow(() -> unknown(text, topology)));
            }
        }
        return servers;
    }

    private static InputException unknown(String text, Topology topology) {
        return InputException.at(
                "physics.maintenance",
                text,
                "all, or servers of %s by name or by index from 0 to %d"
                        .formatted(topology.name(), topology.servers() - 1));
    }
}
