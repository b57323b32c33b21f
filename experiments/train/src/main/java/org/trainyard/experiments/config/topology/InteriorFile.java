package org.trainyard.experiments.config.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerInterior;

/**
 * The links between the GPUs of a server in a topology file: a name of {@link Interiors}, or all keys but
 * {@code named}.
 *
 * @param named null when the other keys say the links
 * @param links two GPUs of the server and the bandwidth between them over NVLink, GB/s in one direction
 * @param switches number of PCIe switches, over which GPUs are spread evenly
 * @param pcie bandwidth within a switch, between switches of a socket, and between sockets, GB/s
 * @param nicSocket socket of the network card; null for the first
 */
record InteriorFile(
        @OptionalKey @Nullable String named,
        List<List<Double>> links,
        int switches,
        List<Double> pcie,
        @OptionalKey @Nullable Integer nicSocket) {
    /** The interior that a server has without this key. */
    static final String UNIFORM = "uniform";

    InteriorFile {
        if (named != null && !Interiors.NAMES.contains(named)) {
            throw new InvalidFieldException(
                    "named", named, Nearest.oneOf(named, Interiors.NAMES) + ", or the keys links, switches and pcie");
        }
        Set<Set<Double>> pairs = new HashSet<>();
        for (List<Double> link : links) {
            if (link.size() != 3
                    || link.get(0) % 1 != 0
                    || link.get(1) % 1 != 0
                    || link.get(0).equals(link.get(1))) {
                throw new InvalidFieldException("links", link, "two different GPUs and GB/s, as in [0, 1, 50]");
            }
            InvalidFieldException.within(0, ServerInterior.MOST_GPUS - 1, "links", link.get(0));
            InvalidFieldException.within(0, ServerInterior.MOST_GPUS - 1, "links", link.get(1));
            InvalidFieldException.above(0, "links", link.get(2));
            if (!pairs.add(Set.of(link.get(0), link.get(1)))) {
                throw new InvalidFieldException("links", link, "every pair of GPUs once");
            }
        }
        InvalidFieldException.within(1, ServerInterior.MOST_GPUS, "switches", switches);
        if (pcie.size() != 3) {
            throw new InvalidFieldException(
                    "pcie", pcie, "GB/s within a switch, between switches and between sockets, as in [24, 20, 10]");
        }
        for (double bandwidth : pcie) {
            InvalidFieldException.above(0, "pcie", bandwidth);
        }
    }

    InteriorFile(String named) {
        this(named, List.of(), 1, List.of(1.0, 1.0, 1.0), null);
    }

    /** The interior of a server; null for the uniform one of its fabric. */
    @Nullable ServerInterior build(int gpus, int sockets) {
        if (named != null) {
            return named.equals(UNIFORM) ? null : Interiors.named(named, gpus);
        }
        List<ServerInterior.NvLink> built = new ArrayList<>();
        for (List<Double> link : links) {
            built.add(new ServerInterior.NvLink(
                    link.get(0).intValue(), link.get(1).intValue(), link.get(2)));
        }
        return ServerInterior.of(
                "of links",
                new ServerInterior.Board(gpus, switches, sockets, nicSocket == null ? 0 : nicSocket),
                new ServerInterior.Pcie(pcie.get(0), pcie.get(1), pcie.get(2)),
                built.toArray(ServerInterior.NvLink[]::new));
    }
}
