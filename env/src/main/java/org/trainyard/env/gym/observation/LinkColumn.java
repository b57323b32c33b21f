package org.trainyard.env.gym.observation;

import org.trainyard.env.ColumnMeaning;

/**
 * What an agent observes of the uplink of a server, domain, leaf switch or pod, which may be a bundle of parallel
 * links: the columns of the section {@code links}. Bandwidths and oversubscription are 0 for an uplink without
 * limit.
 */
public enum LinkColumn implements ObservationColumn {
    PRESENT("flag", "1 or 0", "1 when there is an uplink."),
    BANDWIDTH("GB/s", "log(1 + x) / log(901)", "Scaled bandwidth of the bundle."),
    RING_BANDWIDTH(
            "GB/s",
            "log(1 + x) / log(901)",
            "Scaled bandwidth of one link of it, which is the most that one ring gets."),
    OVERSUBSCRIPTION(
            "ratio", "min(x / 8, 1)", "Bandwidth from below over bandwidth upwards, an eighth of it; at most 1."),
    RINGS("rings", "log(1 + x) / 4", "Rings on the bundle: log(1 + rings) / 4."),
    NEXT_RING_SHARE("ratio", "min(x, 1)", "Bandwidth that one more ring would get over what it gets alone; at most 1.");

    /** The bandwidth that is scaled to 1: NVLink 4 of an H100, 900 GB/s by its data sheet. */
    private static final double BEST_GIGABYTES_PER_SECOND = 900;

    private final String unit;
    private final String scale;
    private final String text;

    LinkColumn(String unit, String scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale, text);
    }

    /**
     * A bandwidth as columns have it, log(1 + GB/s) / log(901): links of one data centre differ by a factor of a
     * hundred.
     */
    static float scaledBandwidth(double bytesPerSecond) {
        return (float) (Math.log1p(bytesPerSecond / 1e9) / Math.log1p(BEST_GIGABYTES_PER_SECOND));
    }
}
