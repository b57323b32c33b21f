package org.trainyard.env.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * The links between the GPUs of one server, and the bandwidth that a ring over any set of them has. Immutable.
 *
 * <p>The rule is NCCL's: a set communicates over as many rings of NVLink as its links give room for, each ring both
 * ways round; a pair uses its link. A set without such a ring uses PCIe, whose narrowest stretch counts: within a
 * switch, between the switches of a socket, or between sockets. Links within the set alone count: a ring does not pass
 * through a GPU that another job holds. Sets are bit masks of GPUs counted within the server. Bandwidths are in GB/s
 * (1e9 bytes/s). A set's bandwidth is computed when it is first asked for and kept.
 */
public final class ServerInterior {
    /** The most GPUs of a server whose NVLink is irregular: every set has a place in a table. */
    public static final int MOST_GPUS = 16;

    private static final double WIDER = 1.1;

    /**
     * Bandwidth of PCIe, GB/s in one direction.
     *
     * @param withinSwitch between two GPUs of a switch
     * @param withinSocket between two switches of a socket: the uplink of a switch
     */
    public record Pcie(double withinSwitch, double withinSocket, double acrossSockets) {
        public Pcie {
            for (double bandwidth : new double[] {withinSwitch, withinSocket, acrossSockets}) {
                check(bandwidth > 0 && bandwidth < Double.POSITIVE_INFINITY, "PCIe", bandwidth);
            }
        }

        /** Equal bandwidth between any two GPUs. */
        public static Pcie flat(double bandwidth) {
            return new Pcie(bandwidth, bandwidth, bandwidth);
        }
    }

    /**
     * Where GPUs and the NIC are attached. GPUs are spread evenly and in order over the switches, switches over the
     * sockets.
     *
     * @param gpus number of GPUs, a multiple of {@code switches}
     * @param switches number of PCIe switches, a multiple of {@code sockets}
     * @param sockets number of CPU sockets
     */
    public record Board(int gpus, int switches, int sockets, int nicSocket) {
        public Board {
            Invalid.when(gpus < 0 || gpus > 64, "an interior has 0 to 64 GPUs, not (%d)", gpus);
            if (switches < 1 || gpus % switches != 0) {
                throw new IllegalArgumentException(
                        "switches (%d) must divide the server's GPUs (%d)".formatted(switches, gpus));
            }
            if (sockets < 1 || switches % sockets != 0) {
                throw new IllegalArgumentException(
                        "sockets (%d) must divide the server's switches (%d)".formatted(sockets, switches));
            }
            if (nicSocket < 0 || nicSocket >= sockets) {
                throw new IllegalArgumentException(
                        "the NIC's socket (%d) must be one of the %d sockets".formatted(nicSocket, sockets));
            }
        }
    }

    private final String name;
    private final PcieTree pcie;
    /** Bandwidth of the NVLink of every ordered pair, GB/s; one value when all pairs have the same. */
    private final double[] nvlinks;

    private final boolean isSwitched;
    /** Null for the truth. */
    private final @Nullable RingBelief belief;
    /** Null where the truth of a switch needs none. */
    private final @Nullable RingTable rings;

    private ServerInterior(
            String name,
            PcieTree pcie,
            double[] nvlinks,
            boolean isSwitched,
            @Nullable RingBelief belief,
            @Nullable RingTable rings) {
        this.name = name;
        this.pcie = pcie;
        this.nvlinks = nvlinks;
        this.isSwitched = isSwitched;
        this.belief = belief;
        this.rings = rings;
    }

    /** NVLink through a switch that gives every set of GPUs the same bandwidth; without it when that is 0. */
    public static ServerInterior uniform(String name, Board board, double nvlink, Pcie pcie) {
        check(nvlink >= 0 && nvlink < Double.POSITIVE_INFINITY, "NVLink", nvlink);
        return new ServerInterior(name, new PcieTree(board, pcie), new double[] {nvlink}, true, null, null);
    }

    /** NVLinks between some pairs of GPUs, at most {@value #MOST_GPUS}. */
    public static ServerInterior of(String name, Board board, Pcie pcie, NvLink... links) {
        int gpus = board.gpus;
        Invalid.when(gpus > MOST_GPUS, "an interior with links by pair has at most %d GPUs, not (%d)", MOST_GPUS, gpus);
        double[] nvlinks = new double[gpus * gpus];
        for (NvLink link : links) {
            if (link.b >= gpus || link.a >= gpus) {
                throw new IllegalArgumentException(
                        "link (%d-%d) must join two of the GPUs 0 to %d".formatted(link.a, link.b, gpus - 1));
            }
            Invalid.when(nvlinks[link.a * gpus + link.b] != 0, "link (%d-%d) appears twice", link.a, link.b);
            nvlinks[link.a * gpus + link.b] = link.bandwidth;
            nvlinks[link.b * gpus + link.a] = link.bandwidth;
        }
        PcieTree tree = new PcieTree(board, pcie);
        RingTable truth = RingTable.bySet(gpus, set -> {
            double nvlink = NvlinkRings.bandwidth(nvlinks, gpus, (int) set);
            return nvlink > 0 ? nvlink : -tree.narrowest(set);
        });
        return new ServerInterior(name, tree, nvlinks, false, null, truth);
    }

    /**
     * Returns this interior with believed bandwidths; a ring that is believed wider than PCIe by a tenth counts as
     * NVLink. Without NVLink and switches of PCIe that differ there is nothing to believe.
     */
    ServerInterior believed(RingBelief newBelief) {
        if (isSwitched && nvlinks[0] == 0) {
            return this;
        }
        LongToDoubleFunction bandwidths = newBelief.of(this);
        LongToDoubleFunction signed = set -> {
            double bandwidth = bandwidths.applyAsDouble(set);
            check(bandwidth > 0 && bandwidth < Double.POSITIVE_INFINITY, "a ring", bandwidth);
            return bandwidth > WIDER * pcie.narrowest(set) ? bandwidth : -bandwidth;
        };
        RingTable table = isSwitched ? RingTable.bySize(gpus(), signed) : RingTable.bySet(gpus(), signed);
        return new ServerInterior(name, pcie, nvlinks, isSwitched, newBelief, table);
    }

    /**
     * The NVLinks between two GPUs.
     *
     * @param a one GPU
     * @param b the other
     * @param bandwidth of all of them in one direction, GB/s
     */
    public record NvLink(int a, int b, double bandwidth) {
        public NvLink {
            Invalid.when(a < 0 || b < 0 || a == b, "link (%d-%d) must join two different GPUs", a, b);
            check(bandwidth > 0 && bandwidth < Double.POSITIVE_INFINITY, "NVLink", bandwidth);
        }
    }

    private static void check(boolean holds, String what, double bandwidth) {
        Invalid.when(!holds, "bandwidth of %s (%s GB/s) must be finite and above zero", what, bandwidth);
    }

    public String name() {
        return name;
    }

    public Board board() {
        return pcie.board();
    }

    /** The tiers of PCIe. */
    public Pcie pcie() {
        return pcie.pcie();
    }

    public int gpus() {
        return pcie.board().gpus;
    }

    /** The PCIe switch of a GPU, counted within the server. */
    public int switchOf(int gpu) {
        return pcie.switchOf(gpu);
    }

    /** The CPU socket of a GPU. */
    public int socketOf(int gpu) {
        return pcie.socketOf(gpu);
    }

    /** The CPU socket of the NIC. */
    public int nicSocket() {
        return pcie.board().nicSocket;
    }

    /** Whether a switch gives all sets of GPUs the same bandwidth over NVLink; if there is any. */
    public boolean isSwitched() {
        return isSwitched;
    }

    /** The NVLinks by pair, in the order of their GPUs; none behind a switch. */
    public List<NvLink> links() {
        List<NvLink> links = new ArrayList<>();
        for (int i = 0; !isSwitched && i < nvlinks.length; i++) {
            if (nvlinks[i] > 0 && i / gpus() < i % gpus()) {
                links.add(new NvLink(i / gpus(), i % gpus(), nvlinks[i]));
            }
        }
        return links;
    }

    /** Whether NVLink joins any GPUs. */
    public boolean hasNvlink() {
        return Arrays.stream(nvlinks).anyMatch(bandwidth -> bandwidth > 0);
    }

    /** Whether all sets of GPUs of a size have the same bandwidth. */
    public boolean isUniform() {
        return isSwitched
                && (nvlinks[0] > 0
                        || (pcie().withinSwitch == pcie().withinSocket && pcie().withinSocket == pcie().acrossSockets));
    }

    /** Bandwidth in one direction of the NVLinks between two different GPUs; 0 without. */
    public double nvlink(int a, int b) {
        return isSwitched ? nvlinks[0] : nvlinks[a * gpus() + b];
    }

    /** Bandwidth in one direction between two different GPUs without NVLink. */
    public double pcie(int a, int b) {
        return pcie.between(a, b);
    }

    /** The narrowest stretch of PCIe that a ring over a set of at least two GPUs must pass. */
    public double narrowestPcie(long set) {
        return pcie.narrowest(set);
    }

    /** Bandwidth of a ring all-reduce over a set of at least two GPUs. */
    public double ring(long mask) {
        return Math.abs(signed(mask));
    }

    /** Whether a set of at least two GPUs communicates over NVLink. */
    public boolean overNvlink(long mask) {
        return signed(mask) > 0;
    }

    /** The set of so many GPUs, at least two, with the widest ring: the first in the order of masks. */
    public long widest(int size) {
        return extreme(size, 1);
    }

    /** The set of so many GPUs, at least two, with the narrowest ring: the first in the order of masks. */
    public long narrowest(int size) {
        return extreme(size, -1);
    }

    private long extreme(int size, int sign) {
        if (isSwitched) {
            return -1L >>> (64 - size);
        }
        long best = 0;
        for (long mask = 0; mask < 1L << gpus(); mask++) {
            if (Long.bitCount(mask) == size && (best == 0 || sign * (ring(mask) - ring(best)) > 0)) {
                best = mask;
            }
        }
        return best;
    }

    private double signed(long mask) {
        if (Long.bitCount(mask) < 2 || (gpus() < 64 && mask >>> gpus() != 0)) {
            throw new IllegalArgumentException("a ring joins at least 2 of the server's %d GPUs, not (%s)"
                    .formatted(gpus(), Long.toBinaryString(mask)));
        }
        if (rings == null) {
            return nvlinks[0] > 0 ? nvlinks[0] : -pcie.narrowest(mask);
        }
        return rings.signed(mask);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServerInterior that
                && name.equals(that.name)
                && pcie.equals(that.pcie)
                && isSwitched == that.isSwitched
                && Objects.equals(belief, that.belief)
                && Arrays.equals(nvlinks, that.nvlinks);
    }

    @Override
    public int hashCode() {
        return 31 * pcie.hashCode() + Arrays.hashCode(nvlinks);
    }

    @Override
    public String toString() {
        return name;
    }

    /** The tiers of PCIe between the GPUs of a server: its switches, their uplinks, and the link between sockets. */
    private record PcieTree(ServerInterior.Board board, ServerInterior.Pcie pcie) {
        int switchOf(int gpu) {
            return gpu / (board.gpus() / board.switches());
        }

        int socketOf(int gpu) {
            return gpu / (board.gpus() / board.sockets());
        }

        /** Bandwidth in one direction between two different GPUs, GB/s. */
        double between(int a, int b) {
            if (switchOf(a) == switchOf(b)) {
                return pcie.withinSwitch();
            }
            return socketOf(a) == socketOf(b) ? pcie.withinSocket() : pcie.acrossSockets();
        }

        /** The narrowest stretch that a ring over the set must pass, GB/s. */
        double narrowest(long set) {
            double least = Double.POSITIVE_INFINITY;
            for (long left = set; left != 0; left &= left - 1) {
                int a = Long.numberOfTrailingZeros(left);
                for (long others = left & (left - 1); others != 0; others &= others - 1) {
                    least = Math.min(least, between(a, Long.numberOfTrailingZeros(others)));
                }
            }
            return least;
        }
    }
}
