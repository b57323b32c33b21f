package org.trainyard.env.graphtraining;

/**
 * The part of a server that a job may divide among its stages.
 *
 * @param cores whole cores, at least 2
 * @param pcieUnits of bandwidth of the PCIe tree, at least 2
 * @param bytesPerSecondPerUnit bandwidth of such a unit
 * @param nicBytesPerSecond bandwidth of the network card
 */
public record ServerShare(int cores, int pcieUnits, double bytesPerSecondPerUnit, double nicBytesPerSecond) {
    public ServerShare {
        if (cores < 2 || pcieUnits < 2) {
            throw new IllegalArgumentException(
                    "cores (%d) and units of PCIe bandwidth (%d) must be at least 2".formatted(cores, pcieUnits));
        }
        if (!(bytesPerSecondPerUnit > 0) || !(nicBytesPerSecond > 0)) {
            throw new IllegalArgumentException("bandwidths (%s, %s bytes/s) must be above zero"
                    .formatted(bytesPerSecondPerUnit, nicBytesPerSecond));
        }
    }

    /** An even part among so many jobs; no less than 2 cores and 2 units, which then are more than there are. */
    public ServerShare among(int jobs) {
        return new ServerShare(
                Math.max(2, cores / jobs),
                Math.max(2, pcieUnits / jobs),
                bytesPerSecondPerUnit,
                nicBytesPerSecond / jobs);
    }

    /** Returns this share with another number of cores. */
    public ServerShare withCores(int others) {
        return new ServerShare(others, pcieUnits, bytesPerSecondPerUnit, nicBytesPerSecond);
    }
}
