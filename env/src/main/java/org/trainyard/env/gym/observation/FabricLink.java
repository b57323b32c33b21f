package org.trainyard.env.gym.observation;

import org.trainyard.env.topology.Links;

/**
 * What never changes of a bundle of links, ready to be written as {@link ObservationSpace#LINK} floats.
 *
 * @param all bandwidth of the bundle, bytes per second; infinite when nothing ever leaves by it
 * @param one what one ring gets at most, bytes per second
 * @param bandwidth {@code all} as it is written
 * @param ringBandwidth {@code one} as it is written
 * @param oversubscription how many times more can come from below, an eighth of it, at most 1
 */
record FabricLink(double all, double one, float bandwidth, float ringBandwidth, float oversubscription) {
    private static final double MOST_OVERSUBSCRIPTION = 8;

    private static FabricLink of(double all, double one, double oversubscription) {
        if (Double.isInfinite(all)) {
            return new FabricLink(all, one, 0, 0, 0);
        }
        return new FabricLink(all, one, FabricFeatures.bandwidth(all), FabricFeatures.bandwidth(one), (float)
                (Math.min(MOST_OVERSUBSCRIPTION, oversubscription) / MOST_OVERSUBSCRIPTION));
    }

    static FabricLink of(Links links, int link) {
        return of(links.bytesPerSecond(link), links.linkBytesPerSecond(link), links.oversubscription(link));
    }

    /** Neighbouring links as one: bandwidths add up, the widest single link and the mean oversubscription stand for all. */
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
        int i = at;
        out[i++] = 1; // there is a link
        out[i++] = bandwidth;
        out[i++] = ringBandwidth;
        out[i++] = oversubscription;
        out[i++] = (float) (Math.log1p(rings) / 4);
        // What one ring more would get, of what it gets when alone.
        out[i] = Double.isInfinite(all) ? 1 : (float) Math.min(1, all / ((rings + 1) * one));
    }
}
