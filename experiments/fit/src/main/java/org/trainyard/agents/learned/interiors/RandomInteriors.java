package org.trainyard.agents.learned.interiors;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;

/**
 * Draws interiors of servers of 4, 6 or 8 GPUs: without NVLink, with a switch for all GPUs, with bridges on pairs, or
 * with links of one to four lanes between GPUs of a limited number of ports, more of them within sockets or not.
 */
public final class RandomInteriors {
    private static final int[] GPUS = {4, 6, 8, 8, 8, 8, 8, 8};
    private static final int WIDEST_LINK = 4;

    private final RandomGenerator random;

    RandomInteriors(RandomGenerator random) {
        this.random = random;
    }

    /** The next interior. */
    ServerInterior draw() {
        int gpus = GPUS[random.nextInt(GPUS.length)];
        int sockets = random.nextInt(5) == 0 ? 1 : 2;
        List<Integer> possible = new ArrayList<>();
        for (int switches = sockets; switches <= gpus; switches += sockets) {
            if (gpus % switches == 0) {
                possible.add(switches);
            }
        }
        Board board = new Board(gpus, possible.get(random.nextInt(possible.size())), sockets, 0);
        double withinSwitch = logarithmic(8, 60);
        double withinSocket = withinSwitch * part(0.5);
        Pcie pcie = new Pcie(withinSwitch, withinSocket, withinSocket * part(0.4));
        double kind = random.nextDouble();
        if (kind < 0.15) {
            return ServerInterior.of("drawn", board, pcie);
        }
        if (kind < 0.25) {
            return ServerInterior.uniform("drawn", board, logarithmic(30, 400), pcie);
        }
        return ServerInterior.of("drawn", board, pcie, kind < 0.4 ? bridges(board) : links(board));
    }

    private double logarithmic(double least, double most) {
        return Math.exp(random.nextDouble(Math.log(least), Math.log(most)));
    }

    /** The number 1 as often as not, else a part. */
    private double part(double least) {
        return random.nextBoolean() ? 1 : random.nextDouble(least, 1);
    }

    private NvLink[] bridges(Board board) {
        double bandwidth = logarithmic(30, 400);
        NvLink[] links = new NvLink[board.gpus() / 2];
        for (int i = 0; i < links.length; i++) {
            links[i] = new NvLink(2 * i, 2 * i + 1, bandwidth);
        }
        return links;
    }

    /** Links between pairs in random order, as wide as drawn and as both have ports left. */
    private NvLink[] links(Board board) {
        int gpus = board.gpus();
        double lane = logarithmic(10, 60);
        int most = 1 + random.nextInt(WIDEST_LINK);
        double acrossSockets = random.nextDouble(0.2, 1);
        int ports = 3 + random.nextInt(6);
        int[] left = new int[gpus];
        List<int[]> pairs = new ArrayList<>();
        for (int a = 0; a < gpus; a++) {
            left[a] = ports;
            for (int b = a + 1; b < gpus; b++) {
                boolean isAcross = board.sockets() == 2 && (a < gpus / 2) != (b < gpus / 2);
                if (!isAcross || random.nextDouble() < acrossSockets) {
                    pairs.add(new int[] {a, b});
                }
            }
        }
        for (int i = pairs.size() - 1; i > 0; i--) {
            Collections.swap(pairs, i, random.nextInt(i + 1));
        }
        List<NvLink> links = new ArrayList<>();
        for (int[] pair : pairs) {
            int lanes = Math.min(1 + random.nextInt(most), Math.min(left[pair[0]], left[pair[1]]));
            if (lanes > 0) {
                left[pair[0]] -= lanes;
                left[pair[1]] -= lanes;
                links.add(new NvLink(pair[0], pair[1], lanes * lane));
            }
        }
        return links.toArray(NvLink[]::new);
    }
}
