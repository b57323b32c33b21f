package org.trainyard.agents.learned.inside;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.topology.Topology;

/** Named sources of estimates of the bandwidths inside servers, which a module offers. */
public interface LinkEstimates {
    List<String> names();

    /**
     * A data centre as a scheduler with these estimates sees it.
     *
     * @param place of the name in messages
     */
    Topology seen(String place, String name, Topology topology);

    /** The sources that are here; null for none. */
    static @Nullable LinkEstimates installed() {
        return ServiceProviders.first(LinkEstimates.class).orElse(null);
    }
}
