package org.trainyard.env.topology;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.Invalid;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;

/**
 * Interiors of servers by name.
 *
 * <p>Which GPUs are linked, and by how many links, is published for every one of them; GB/s are partly ours:
 *
 * <ul>
 *   <li>{@code uniform}: NVLink through switches (HGX, DGX-2). 130 GB/s for any set: ours, of the class of an A100.
 *   <li>{@code dgx1v}: the hybrid cube mesh of eight V100s as {@code nvidia-smi topo -m} prints it. 22 GB/s for a link
 *       is ours, between the line rate of 25 and the 20 that NCCL's tests reach; PCIe of 12, 12 and 10 too.
 *   <li>{@code pairs}: A100s or H100s on PCIe with bridges on every two. 208 GB/s on a bridge and 20 on more GPUs:
 *       figures of users of NCCL's tests (its issue 178).
 *   <li>{@code pcie}: no NVLink, PCIe 4: 24 within a switch, 20 within a socket, 10 between sockets, all ours.
 *   <li>{@code pcie3}: no NVLink, PCIe 3: 12, 10 and 6, all ours.
 *   <li>{@code mi250x}: the eight dies of four MI250X, joined by four, two or one links. 37 GB/s for a link of 50 and
 *       30 for dies without one are ours.
 *   <li>{@code minsky}: IBM's S822LC with four P100s: two NVLinks of 20 GB/s between the GPUs of a socket (published);
 *       20 GB/s over the processors' bus is ours, about half its line rate.
 * </ul>
 */
public final class Interiors {
    public static final List<String> NAMES = List.of("uniform", "dgx1v", "pairs", "pcie", "pcie3", "mi250x", "minsky");

    private static final double DGX_LINK = 22;
    private static final double MI_LINK = 37;

    private static final int[][] DGX_1V = {
        {0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2}, {2, 6, 1}, {3, 7, 1},
        {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}
    };
    private static final int[][] MI250X = {
        {0, 1, 4}, {2, 3, 4}, {4, 5, 4}, {6, 7, 4}, {0, 6, 2}, {1, 3, 2}, {2, 4, 2}, {5, 7, 2}, {0, 2, 1}, {1, 5, 1},
        {3, 7, 1}, {4, 6, 1}
    };

    private Interiors() {}

    /** The interior of a name with its usual number of GPUs: eight, four for {@code minsky}. */
    public static ServerInterior named(String name) {
        return named(name, name.equals("minsky") ? 4 : 8);
    }

    public static ServerInterior named(String name, int gpus) {
        return switch (name) {
            case "uniform" -> ServerInterior.uniform(name, board(gpus), 130, new Pcie(24, 20, 10));
            case "dgx1v" -> linked(name, check(name, gpus, 8), new Pcie(12, 12, 10), DGX_LINK, DGX_1V);
            case "pairs" -> linked(name, board(gpus), Pcie.flat(20), 208, pairs(gpus));
            case "pcie" -> linked(name, board(gpus), new Pcie(24, 20, 10), 1);
            case "pcie3" -> linked(name, board(gpus), new Pcie(12, 10, 6), 1);
            case "mi250x" -> linked(name, check(name, gpus, 8), Pcie.flat(30), MI_LINK, MI250X);
            case "minsky" -> {
                check(name, gpus, 4);
                yield linked(name, new Board(4, 4, 2, 0), Pcie.flat(20), 40, pairs(4));
            }
            default -> throw new IllegalArgumentException("(%s) is none of the interiors %s".formatted(name, NAMES));
        };
    }

    private static Board check(String name, int gpus, int expected) {
        Invalid.when(gpus != expected, "interior (%s) has %d GPUs, not (%d)", name, expected, gpus);
        return board(gpus);
    }

    /** Two sockets and two GPUs on a switch, as far as the number of GPUs divides. */
    private static Board board(int gpus) {
        int sockets = gpus % 2 == 0 ? 2 : 1;
        return new Board(gpus, gpus % 4 == 0 ? gpus / 2 : sockets, sockets, 0);
    }

    private static int[][] pairs(int gpus) {
        int[][] pairs = new int[gpus / 2][];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = new int[] {2 * i, 2 * i + 1, 1};
        }
        return pairs;
    }

    private static ServerInterior linked(String name, Board board, Pcie pcie, double linkBandwidth, int[]... widths) {
        List<NvLink> links = new ArrayList<>();
        for (int[] width : widths) {
            links.add(new NvLink(width[0], width[1], width[2] * linkBandwidth));
        }
        return ServerInterior.of(name, board, pcie, links.toArray(NvLink[]::new));
    }
}
