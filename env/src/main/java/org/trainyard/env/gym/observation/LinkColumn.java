package org.trainyard.env.gym.observation;

/**
 * What an agent observes of the uplink of a server, domain, leaf switch or pod, which may be a bundle of parallel links: the columns of
 * the section {@code links}. Bandwidths and oversubscription are 0 for an uplink without limit.
 */
public enum LinkColumn implements ObservationColumn {
    /** 1: there is an uplink. */
    PRESENT,
    /** Scaled bandwidth of the bundle. */
    BANDWIDTH,
    /** Scaled bandwidth of one link of it, which is the most that one ring gets. */
    RING_BANDWIDTH,
    /** Bandwidth from below over bandwidth upwards, an eighth of it; at most 1. */
    OVERSUBSCRIPTION,
    /** Rings on the bundle: log(1 + rings) / 4. */
    RINGS,
    /** Bandwidth that one more ring would get over what it gets alone; at most 1. */
    NEXT_RING_SHARE;

    /** The bandwidth that is scaled to 1: NVLink 4 of an H100, 900 GB/s by its data sheet. */
    private static final double BEST_GIGABYTES_PER_SECOND = 900;

    /** A bandwidth as columns have it, log(1 + GB/s) / log(901): links of one data centre differ by a factor of a hundred. */
    static float scaledBandwidth(double bytesPerSecond) {
        return (float) (Math.log1p(bytesPerSecond / 1e9) / Math.log1p(BEST_GIGABYTES_PER_SECOND));
    }
}
