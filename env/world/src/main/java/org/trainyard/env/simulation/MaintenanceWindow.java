package org.trainyard.env.simulation;

import java.util.List;

/**
 * A planned maintenance: a span of time in which servers are out of service, known from the start. A job does not start
 * on them when its time limit crosses the span, as beside a reservation of Slurm; a job without a limit is stopped by
 * the span and waits again.
 *
 * @param span its begin and end
 * @param servers indices of its servers; kept in ascending order, each once
 */
public record MaintenanceWindow(Outage span, List<Integer> servers) {
    public MaintenanceWindow {
        servers = servers.stream().distinct().sorted().toList();
        if (servers.isEmpty() || servers.get(0) < 0) {
            throw new IllegalArgumentException(
                    "maintenance needs at least one server, none negative, but has %s".formatted(servers));
        }
    }
}
