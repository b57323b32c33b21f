package org.trainyard.agents.linkestimates;

import java.util.List;
import org.trainyard.agents.learned.inside.LinkEstimates;
import org.trainyard.env.topology.Topology;

/** {@link Bandwidths} by their names. */
public final class NamedBandwidths implements LinkEstimates {
    @Override
    public List<String> names() {
        return Bandwidths.NAMES;
    }

    @Override
    public Topology seen(String place, String name, Topology topology) {
        return Bandwidths.named(place, name).seen(topology);
    }
}
