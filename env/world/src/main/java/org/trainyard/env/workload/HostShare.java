package org.trainyard.env.workload;

/**
 * An amount of the resources of hosts.
 *
 * @param cpuMilli thousandths of a core, 0 or more
 * @param memoryMib 0 or more
 */
public record HostShare(long cpuMilli, long memoryMib) {
    /** A share of nothing. */
    public static final HostShare NONE = new HostShare(0, 0);

    public HostShare {
        if (cpuMilli < 0 || memoryMib < 0) {
            throw new IllegalArgumentException("thousandths of a core (%d) and MiB (%d) of a host must be 0 or more"
                    .formatted(cpuMilli, memoryMib));
        }
    }

    /** This share so many times, and another so many times. */
    public HostShare times(int count, HostShare other, int others) {
        return new HostShare(count * cpuMilli + others * other.cpuMilli, count * memoryMib + others * other.memoryMib);
    }

    /** An equal part of this share, rounded down; {@link #NONE} for no parts. */
    public HostShare part(int parts) {
        return parts == 0 ? NONE : new HostShare(cpuMilli / parts, memoryMib / parts);
    }

    /** An equal part of this share, rounded up. */
    public HostShare wholePart(int parts) {
        return new HostShare(-Math.floorDiv(-cpuMilli, parts), -Math.floorDiv(-memoryMib, parts));
    }

    /** How many times another fits into this. */
    public long over(HostShare other) {
        return Math.min(
                other.cpuMilli == 0 ? Long.MAX_VALUE : cpuMilli / other.cpuMilli,
                other.memoryMib == 0 ? Long.MAX_VALUE : memoryMib / other.memoryMib);
    }
}
