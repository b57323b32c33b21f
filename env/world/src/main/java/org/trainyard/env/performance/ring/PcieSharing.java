package org.trainyard.env.performance.ring;

import java.util.function.IntToLongFunction;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.Topology;

/**
 * Equal shares of a server's PCIe among the rings inside it: all rings that leave a switch share its uplink, and all
 * that leave a socket share the link between sockets. NVLink belongs to the GPUs at its ends and is not shared. Ours:
 * rings always send, and jobs on several servers do not count. Servers without an interior of their own share nothing.
 */
final class PcieSharing {
    private final Topology topology;

    PcieSharing(Topology topology) {
        this.topology = topology;
    }

    /** Whether anything is ever shared. */
    boolean counts() {
        return !topology.inside().arePlain();
    }

    /**
     * Bandwidth of a ring over at least two GPUs of a server that it shares with other jobs.
     *
     * @param others number of other jobs on the server
     * @param gpusOf the GPUs of each of them that is on this server alone; none of another
     */
    double bytesPerSecond(int server, long set, int others, IntToLongFunction gpusOf) {
        double alone = topology.inside().bytesPerSecond(server, set);
        if (others == 0 || !topology.inside().hasOwn(server)) {
            return alone;
        }
        ServerInterior interior = topology.inside().of(server);
        long switches = interior.overNvlink(set) ? 0 : switches(interior, set);
        if (Long.bitCount(switches) < 2) {
            return alone;
        }
        boolean crosses = crosses(interior, switches);
        int[] onUplink = new int[interior.board().switches()];
        int onCrossing = 1;
        int most = 1;
        for (int i = 0; i < others; i++) {
            long other = gpusOf.applyAsLong(i);
            if (Long.bitCount(other) < 2 || interior.overNvlink(other)) {
                continue;
            }
            long used = switches(interior, other);
            if (Long.bitCount(used) > 1) {
                onCrossing += crosses(interior, used) ? 1 : 0;
                for (long both = used & switches; both != 0; both &= both - 1) {
                    most = Math.max(most, 1 + ++onUplink[Long.numberOfTrailingZeros(both)]);
                }
            }
        }
        double uplink = 1e9 * interior.pcie().withinSocket() / most;
        double crossing = crosses ? 1e9 * interior.pcie().acrossSockets() / onCrossing : Double.POSITIVE_INFINITY;
        return Math.min(alone, Math.min(uplink, crossing));
    }

    private static long switches(ServerInterior interior, long set) {
        long switches = 0;
        for (long left = set; left != 0; left &= left - 1) {
            switches |= 1L << interior.switchOf(Long.numberOfTrailingZeros(left));
        }
        return switches;
    }

    private static boolean crosses(ServerInterior interior, long switches) {
        int perSocket = interior.board().switches() / interior.board().sockets();
        return Long.numberOfTrailingZeros(switches) / perSocket
                != (Long.SIZE - 1 - Long.numberOfLeadingZeros(switches)) / perSocket;
    }
}
