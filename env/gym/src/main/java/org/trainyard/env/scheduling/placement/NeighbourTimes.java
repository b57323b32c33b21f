package org.trainyard.env.scheduling.placement;

import java.util.Arrays;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;

/**
 * Estimated remaining times of the jobs of every server, each read once an instant. O(servers x jobs on a server)
 * memory.
 */
final class NeighbourTimes {
    private final Rank remaining;
    private final int width;
    /** By server and place in its list of jobs. */
    private final double[] seconds;
    /** By server, the instant at which its times were read. */
    private final long[] readNanos;
    /** The {@link ServerContents#version} then. */
    private final long[] readVersion;

    /** @param width most jobs of a server whose times are kept */
    NeighbourTimes(int servers, int width, Rank remaining) {
        this.remaining = remaining;
        this.width = width;
        seconds = new double[servers * width];
        readNanos = new long[servers];
        readVersion = new long[servers];
        Arrays.fill(readVersion, -1);
    }

    /**
     * Index in {@link #seconds} at which the times of the server's jobs begin.
     *
     * @param version of the contents of the server
     */
    int at(SimView view, int server, long version) {
        int at = server * width;
        if (readVersion[server] != version || readNanos[server] != view.nowNanos()) {
            readVersion[server] = version;
            readNanos[server] = view.nowNanos();
            int jobs = view.cluster().jobsOn(server);
            for (int n = 0; n < jobs; n++) {
                seconds[at + n] = remaining.of(view, view.cluster().jobOn(server, n));
            }
        }
        return at;
    }

    double seconds(int at) {
        return seconds[at];
    }
}
