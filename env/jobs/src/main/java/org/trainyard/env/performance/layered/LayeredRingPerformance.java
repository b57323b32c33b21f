package org.trainyard.env.performance.layered;

import java.util.List;
import java.util.function.ToIntFunction;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.UndisturbedPerformance;
import org.trainyard.env.performance.layered.LayeredRings.Level;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * Compute, then {@link LayeredRings} over the sockets, servers and racks of the placement, without interference.
 *
 * <p>The model of ArtISt-sim, the simulator behind Dally (A. Sharma et al.: GPU cluster scheduling for
 * network-sensitive deep learning, 2024), where a socket is a slot. Our deviation: (1) the closed form instead of its
 * network simulator; (2) nested rings where units have unequal numbers of GPUs: a level takes as long as its longest
 * ring, so that one GPU more changes little, where its one ring of all GPUs falls off a cliff.
 */
public final class LayeredRingPerformance implements UndisturbedPerformance {
    /** The links between the GPUs of a socket, the sockets of a server, the servers of a rack, and racks. */
    public record Links(Link socket, Link server, Link rack, Link core) {
        /** The latest configuration of Dally's authors; units of GB/s and ns are the convention of their simulator. */
        public static final Links DALLY =
                new Links(Link.of(600, 0), Link.of(600, 0.5), Link.of(200, 5), Link.of(400, 50));

        /** Links so fast that all placements are practically equal. */
        public static final Links FREE =
                new Links(Link.of(1e12, 0), Link.of(1e12, 0), Link.of(1e12, 0), Link.of(1e12, 0));
    }

    private final Topology topology;
    private final Links links;
    private final ToIntFunction<ModelProfile> layers;

    /** @param layers number of layers of a model that are all-reduced one by one, above zero */
    public LayeredRingPerformance(Topology topology, Links links, ToIntFunction<ModelProfile> layers) {
        this.topology = topology;
        this.links = links;
        this.layers = layers;
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        ModelProfile model = job.model();
        double communication = rings(placement).allReduceSeconds(layers.applyAsInt(model), model.gradientBytes());
        return 1 / (model.computeSeconds() + communication);
    }

    LayeredRings rings(Placement placement) {
        int servers = placement.serverCount();
        int perSocket = 0;
        int perServer = 0;
        int racks = 0;
        int inRack = 0;
        int perRack = 0;
        for (int i = 0; i < servers; i++) {
            int onServer = Long.bitCount(placement.socketsOn(i));
            boolean isNewRack =
                    i == 0 || topology.rackOf(placement.server(i)) != topology.rackOf(placement.server(i - 1));
            racks += isNewRack ? 1 : 0;
            inRack = isNewRack ? 1 : inRack + 1;
            perRack = Math.max(perRack, inRack);
            perServer = Math.max(perServer, onServer);
            perSocket = Math.max(perSocket, mostOnSocket(placement, i));
        }
        return new LayeredRings(List.of(
                new Level(perSocket, links.socket()),
                new Level(perServer, links.server()),
                new Level(perRack, links.rack()),
                new Level(racks, links.core())));
    }

    /** The largest number of GPUs on one socket of the i-th server used. */
    private int mostOnSocket(Placement placement, int i) {
        int server = placement.server(i);
        int perSocket = topology.gpusOn(server) / topology.server(server).sockets();
        long socket = perSocket == Long.SIZE ? -1 : (1L << perSocket) - 1;
        int most = 0;
        for (long left = placement.maskOn(i); left != 0; left = perSocket == Long.SIZE ? 0 : left >>> perSocket) {
            most = Math.max(most, Long.bitCount(left & socket));
        }
        return most;
    }

    @Override
    public PerformanceModel copy() {
        return this;
    }
}
