package org.trainyard.agents.linkestimates;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;

/**
 * Source of a scheduler's estimates of the bandwidth of a set of GPUs inside a server; the simulator keeps its truth.
 */
public enum Bandwidths {
    /** The cluster, which has measured every set. */
    TRUTH("the cluster tells"),
    /** The formula of the narrowest link of the widest ring. */
    RINGS("the formula of the best ring"),
    /** MAPA's regression on the kinds of the links of a ring, as its authors fitted it on a DGX-1V. */
    MAPA("MAPA's regression"),
    /** Two layers over the links in a row, trained on drawn interiors. */
    FLAT("a flat network on the links"),
    /** Messages between the GPUs of a set, trained on the same interiors. */
    GRAPH("a graph network on the links"),
    /** No estimate: a server has NVLink or not, and all of its GPUs are alike. */
    NONE("nobody tells");

    /** How the name of a scheduler with one of these begins. */
    public static final String PREFIX = "bandwidths=";

    public static final List<String> NAMES =
            Arrays.stream(values()).map(Bandwidths::key).toList();

    private final String description;

    Bandwidths(String description) {
        this.description = description;
    }

    /** The name in configs and before schedulers. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Description of the belief in lists. */
    public String description() {
        return description;
    }

    /** A data centre as a scheduler with these estimates sees it, whatever was believed of it before. */
    public Topology seen(Topology topology) {
        if (topology.truth().inside().arePlain()) {
            return topology;
        }
        return switch (this) {
            case TRUTH -> topology.truth();
            case RINGS -> topology.believed(BestRing.FORMULA);
            case MAPA -> topology.believed(MapaPrediction::belief);
            case FLAT -> topology.believed(IntraNodeEncoder.flat());
            case GRAPH -> topology.believed(IntraNodeEncoder.graph());
            case NONE -> topology.untold();
        };
    }

    /**
     * The one of this name.
     *
     * @param place of the name in messages
     */
    public static Bandwidths named(String place, String name) {
        int at = NAMES.indexOf(name);
        if (at < 0) {
            throw InputException.at(place, name, "one of " + String.join(", ", NAMES));
        }
        return values()[at];
    }
}
