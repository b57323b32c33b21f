package org.trainyard.env.simulation;

import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.env.Invalid;
import org.trainyard.env.workload.JobSpec;

/** The {@link MaintenanceWindow maintenance} that a run still has before it, beside its clock. */
final class Maintenance {
    private final List<MaintenanceWindow> windows;
    /** Spans in which all servers are out of service, apart and in order. */
    private final Outage[] ofAll;
    /** By server its spans, apart and in order; empty where every window is of all servers. */
    private final Outage[][] byServer;

    private final long endNanos;
    private long nowNanos;
    /** Begin of the first span of all servers that has not ended; the largest number for none. */
    private long nextNanos;

    /** @throws IllegalArgumentException when a window names a server that the cluster lacks */
    Maintenance(Outages outages, int servers) {
        windows = Outages.maintenanceOf(outages);
        for (MaintenanceWindow window : windows) {
            int last = window.servers().get(window.servers().size() - 1);
            Invalid.when(last >= servers, "maintenance of server (%d): the cluster has (%d) servers", last, servers);
        }
        ofAll = Outages.Maintained.apart(windows.stream()
                .filter(window -> window.servers().size() == servers)
                .map(MaintenanceWindow::span));
        boolean isOfAll = windows.stream().allMatch(window -> window.servers().size() == servers);
        byServer = IntStream.range(0, isOfAll ? 0 : servers)
                .mapToObj(server -> Outages.Maintained.apart(Outages.Maintained.of(windows, server)))
                .toArray(Outage[][]::new);
        endNanos = windows.stream()
                .mapToLong(window -> window.span().untilNanos())
                .max()
                .orElse(0);
        moveTo(0);
    }

    /** Moves the clock. O(log windows). */
    void moveTo(long nanos) {
        nowNanos = nanos;
        int next = next(ofAll);
        nextNanos = next < ofAll.length ? ofAll[next].fromNanos() : Long.MAX_VALUE;
    }

    List<MaintenanceWindow> windows() {
        return windows;
    }

    /** Whether a window has not ended. */
    boolean isToCome() {
        return nowNanos < endNanos;
    }

    /** Whether jobs of different limits are treated differently. */
    boolean isPlanned() {
        return !windows.isEmpty();
    }

    /** The job; where windows are of some servers, with a demand that keeps it from those that its limit crosses. */
    JobSpec bound(JobSpec job) {
        long limit = job.askedLimitNanos();
        return byServer.length == 0 || limit == 0
                ? job
                : job.demanding(job.demand().lasting(limit));
    }

    /** Whether a job that starts now crosses a window of all servers; one without a limit never does. O(1). */
    boolean crossesAll(JobSpec job) {
        long limit = job.askedLimitNanos();
        return limit > 0 && nextNanos < Long.MAX_VALUE && nextNanos - nowNanos < limit;
    }

    /** Whether a server is out of service at some time from now on for so long. O(log windows). */
    boolean crosses(int server, long nanos) {
        return byServer.length > 0 && crosses(byServer[server], nanos);
    }

    private boolean crosses(Outage[] spans, long nanos) {
        int next = next(spans);
        return next < spans.length && spans[next].fromNanos() - nowNanos < nanos;
    }

    /** The first span that has not ended. */
    private int next(Outage[] spans) {
        int low = 0;
        int high = spans.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans[middle].untilNanos() <= nowNanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
