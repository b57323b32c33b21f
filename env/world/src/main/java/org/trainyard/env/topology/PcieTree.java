package org.trainyard.env.topology;

/** The tiers of PCIe between the GPUs of a server: its switches, their uplinks, and the link between sockets. */
record PcieTree(ServerInterior.Board board, ServerInterior.Pcie pcie) {
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
