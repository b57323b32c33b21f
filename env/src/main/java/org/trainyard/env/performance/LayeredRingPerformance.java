package org.trainyard.env.performance;

import java.util.List;
import java.util.function.ToIntFunction;
import org.trainyard.env.performance.LayeredRings.Level;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * Compute, then {@link LayeredRings} over the sockets, servers and racks of the placement; nobody disturbs anybody.
 *
 * <p>The world of ArtISt-sim, the simulator behind Dally (A. Sharma et al.: GPU cluster scheduling for network-sensitive deep learning,
 * 2024), where a socket is a slot. Our deviation: (1) the closed form instead of its network simulator.
 */
public final class LayeredRingPerformance implements PerformanceModel {
    /**
     * What joins the GPUs of a socket, the sockets of a server, the servers of a rack, and the racks.
     */
    public record Links(Link socket, Link server, Link rack, Link core) {
        /** As Dally's authors configured them last; that its figures are GB/s and ns is the convention of the simulator they used. */
        public static final Links DALLY =
                new Links(Link.of(600, 0), Link.of(600, 0.5), Link.of(200, 5), Link.of(400, 50));

        /** A network that costs nothing worth the name: every placement is as good as any other. */
        public static final Links FREE =
                new Links(Link.of(1e12, 0), Link.of(1e12, 0), Link.of(1e12, 0), Link.of(1e12, 0));
    }

    private final Topology topology;
    private final Links links;
    private final ToIntFunction<ModelProfile> layers;

    /** @param layers how many layers of a model are all-reduced one by one, above zero */
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

    /** The rings within rings of a placement; one flat ring on the widest level it spans when units do not divide evenly. */
    LayeredRings rings(Placement placement) {
        int gpus = placement.gpuCount();
        int sockets = 0;
        int racks = 0;
        int lastRack = -1;
        for (int i = 0; i < placement.serverCount(); i++) {
            sockets += Long.bitCount(placement.socketsOn(i));
            int rack = topology.rackOf(placement.server(i));
            racks += rack == lastRack ? 0 : 1;
            lastRack = rack;
        }
        int servers = placement.serverCount();
        boolean isEven = gpus % sockets == 0
                && sockets % servers == 0
                && servers % racks == 0
                && isEven(placement, gpus / sockets, sockets / servers, servers / racks);
        if (!isEven) {
            Link widest = racks > 1 ? links.core() : servers > 1 ? links.rack() : links.server();
            return new LayeredRings(List.of(new Level(gpus, widest)));
        }
        return new LayeredRings(List.of(
                new Level(gpus / sockets, links.socket()),
                new Level(sockets / servers, links.server()),
                new Level(servers / racks, links.rack()),
                new Level(racks, links.core())));
    }

    private boolean isEven(Placement placement, int perSocket, int socketsPerServer, int serversPerRack) {
        int inRack = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            boolean startsRack =
                    i == 0 || topology.rackOf(placement.server(i)) != topology.rackOf(placement.server(i - 1));
            if (startsRack && i > 0 && inRack != serversPerRack) {
                return false;
            }
            inRack = startsRack ? 1 : inRack + 1;
            if (Long.bitCount(placement.socketsOn(i)) != socketsPerServer
                    || placement.gpusOn(i) != perSocket * socketsPerServer) {
                return false;
            }
        }
        for (int i = 0; i < placement.gpuCount(); i++) {
            // GPUs are sorted, so those of one socket follow one another.
            int first = i - i % perSocket;
            if (topology.serverOf(placement.gpu(i)) != topology.serverOf(placement.gpu(first))
                    || topology.socketOf(placement.gpu(i)) != topology.socketOf(placement.gpu(first))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        return 1;
    }

    @Override
    public boolean interferes() {
        return false;
    }

    @Override
    public PerformanceModel copy() {
        return this;
    }
}
