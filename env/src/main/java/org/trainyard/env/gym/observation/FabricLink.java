package org.trainyard.env.gym.observation;

import org.trainyard.env.topology.Links;

/**
 * The constant part of the {@link LinkColumn}s of one bundle of links.
 *
 * @param all bandwidth of the bundle, bytes per second; infinite when nothing ever leaves by it
 * @param one bandwidth of one link of it, bytes per second
 * @param bandwidth {@code all}, scaled
 * @param ringBandwidth {@code one}, scaled
 * @param oversubscription bandwidth from below over {@code all}, an eighth of it, at most 1
 */
record FabricLink(double all, double one, float bandwidth, float ringBandwidth, float oversubscription) {
    private static final double MOST_OVERSUBSCRIPTION = 8;

    private static FabricLink of(double all, double one, double oversubscription) {
        if (Double.isInfinite(all)) {
            return new FabricLink(all, one, 0, 0, 0);
        }
        return new FabricLink(all, one, LinkColumn.scaledBandwidth(all), LinkColumn.scaledBandwidth(one), (float)
                (Math.min(MOST_OVERSUBSCRIPTION, oversubscription) / MOST_OVERSUBSCRIPTION));
    }

    static FabricLink of(Links links, int link) {
        return of(links.bytesPerSecond(link), links.linkBytesPerSecond(link), links.oversubscription(link));
    }

    /** Neighbouring links as one: the sum of bandwidths, the widest single link, the mean oversubscription. */
    static FabricLink ofAll(Links links, int first, int last) {
        double all = 0;
        double one = 0;
        double oversubscription = 0;
        for (int link = first; link <= last; link++) {
            all += links.bytesPerSecond(link);
            one = Math.max(one, links.linkBytesPerSecond(link));
            oversubscription += links.oversubscription(link) / (last - first + 1);
        }
        return of(all, one, oversubscription);
    }

    void write(int rings, float[] out, int at) {
        set(out, at, LinkColumn.PRESENT, 1);
        set(out, at, LinkColumn.BANDWIDTH, bandwidth);
        set(out, at, LinkColumn.RING_BANDWIDTH, ringBandwidth);
        set(out, at, LinkColumn.OVERSUBSCRIPTION, oversubscription);
        set(out, at, LinkColumn.RINGS, (float) (Math.log1p(rings) / 4));
        set(
                out,
                at,
                LinkColumn.NEXT_RING_SHARE,
                Double.isInfinite(all) ? 1 : (float) Math.min(1, all / ((rings + 1) * one)));
    }

    private static void set(float[] out, int at, LinkColumn column, float value) {
        out[at + column.index()] = value;
    }
}
