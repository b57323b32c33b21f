package org.trainyard.env.gym.auction;

import java.util.Arrays;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Writes the rows of {@link ClusterGraph}: of each server by its jobs, then of its rack and of the core by the sums
 * over their servers.
 */
final class ServerRows {
    private static final double HOUR_SECONDS = 3600;

    private final Topology topology;
    private final GpuSpeeds speeds;
    private final Sums server = new Sums();
    private final Sums rack = new Sums();
    private final Sums core = new Sums();

    /** Sums over some servers. */
    private static final class Sums {
        final double[] pressure = new double[3];
        final double[] sensitivity = new double[3];
        int servers;
        int gpus;
        int inOrder;
        int free;
        int freeInAnHour;
        int empty;
        int jobs;
        double speed;
        double first;
        double last;
        double ends;

        void clear() {
            Arrays.fill(pressure, 0);
            Arrays.fill(sensitivity, 0);
            servers = 0;
            gpus = 0;
            inOrder = 0;
            free = 0;
            freeInAnHour = 0;
            empty = 0;
            jobs = 0;
            speed = 0;
            first = Double.POSITIVE_INFINITY;
            last = 0;
            ends = 0;
        }

        void add(Sums part) {
            for (int resource = 0; resource < pressure.length; resource++) {
                pressure[resource] += part.pressure[resource];
                sensitivity[resource] += part.sensitivity[resource];
            }
            servers += part.servers;
            gpus += part.gpus;
            inOrder += part.inOrder;
            free += part.free;
            freeInAnHour += part.freeInAnHour;
            empty += part.empty;
            jobs += part.jobs;
            speed += part.speed;
            first = Math.min(first, part.first);
            last = Math.max(last, part.last);
            ends += part.ends;
        }
    }

    ServerRows(Topology topology) {
        this.topology = topology;
        speeds = new GpuSpeeds(topology);
    }

    void beginCluster() {
        core.clear();
    }

    void beginRack() {
        rack.clear();
    }

    /** Writes a server's row and adds the server to its rack. */
    void write(SimView view, int index, float[] row) {
        int gpus = topology.gpusOn(index);
        int free = view.cluster().freeOn(index);
        server.clear();
        server.servers = 1;
        server.gpus = gpus;
        server.free = free;
        server.freeInAnHour = free;
        server.jobs = view.cluster().jobsOn(index);
        server.empty = gpus > 0 && free == gpus ? 1 : 0;
        server.inOrder = view.cluster().down() == 0
                ? gpus
                : topology.gpusOn(index) - view.cluster().downOn(index);
        server.speed = gpus * speeds.of(index);
        int rings = 0;
        for (int i = 0; i < server.jobs; i++) {
            int job = view.cluster().jobOn(index, i);
            Placement placement = view.placement(job);
            boolean isGang = placement.serverCount() > 1;
            rings += isGang ? 1 : 0;
            addPressures(view.job(job).model(), isGang);
            if (placement.gpuCount() > 0) {
                addEnd(ResidualTimeFloor.seconds(view, job), placement.gpusOn(placement.indexOf(index)));
            }
        }
        fill(server, rings, row);
        rack.add(server);
    }

    private void addPressures(ModelProfile model, boolean isGang) {
        server.pressure[0] += model.pressure().socket();
        server.pressure[1] += model.pressure().pcie();
        server.pressure[2] += isGang ? model.pressure().nic() : 0;
        server.sensitivity[0] =
                Math.max(server.sensitivity[0], model.sensitivity().socket());
        server.sensitivity[1] =
                Math.max(server.sensitivity[1], model.sensitivity().pcie());
        server.sensitivity[2] =
                Math.max(server.sensitivity[2], isGang ? model.sensitivity().nic() : 0);
    }

    private void addEnd(double seconds, int gpusHere) {
        double scaled = BidColumn.scaledTime(seconds);
        server.first = Math.min(server.first, scaled);
        server.last = Math.max(server.last, scaled);
        server.ends += gpusHere * scaled;
        server.freeInAnHour += seconds < HOUR_SECONDS ? gpusHere : 0;
    }

    /** Writes the rack's row and adds the rack to the core. */
    void writeRack(int rings, float[] row) {
        fill(rack, rings, row);
        core.add(rack);
    }

    /** Writes the core's row. */
    void writeCore(SimView view, ClusterSummary summary, float[] row) {
        core.jobs = view.runningCount();
        fill(core, summary.gangsAcrossRacks(), row);
        set(row, NodeColumn.WAITING, view.waitingCount());
        set(row, NodeColumn.WAITING_GPUS, (double) summary.waitingGpus() / topology.gpus());
    }

    private static void fill(Sums sums, int rings, float[] row) {
        Arrays.fill(row, 0);
        double gpus = Math.max(1, sums.gpus);
        double count = Math.max(1, sums.servers);
        set(row, NodeColumn.IN_ORDER, sums.inOrder / gpus);
        set(row, NodeColumn.GPUS, gpus);
        set(row, NodeColumn.FREE, sums.free / gpus);
        set(row, NodeColumn.EMPTY, sums.empty / count);
        set(row, NodeColumn.SPEED, sums.speed / gpus);
        set(row, NodeColumn.JOBS, sums.jobs);
        set(row, NodeColumn.RINGS, rings);
        set(row, NodeColumn.PRESSURE_SOCKET, sums.pressure[0] / count);
        set(row, NodeColumn.PRESSURE_PCIE, sums.pressure[1] / count);
        set(row, NodeColumn.PRESSURE_NIC, sums.pressure[2] / count);
        set(row, NodeColumn.SENSITIVITY_SOCKET, sums.sensitivity[0] / count);
        set(row, NodeColumn.SENSITIVITY_PCIE, sums.sensitivity[1] / count);
        set(row, NodeColumn.SENSITIVITY_NIC, sums.sensitivity[2] / count);
        set(row, NodeColumn.FREE_IN_AN_HOUR, sums.freeInAnHour / gpus);
        int busy = sums.inOrder - sums.free;
        if (busy > 0 && sums.last > 0) {
            set(row, NodeColumn.FIRST_END, rounded(sums.first));
            set(row, NodeColumn.MEAN_END, rounded(sums.ends / busy));
            set(row, NodeColumn.LAST_END, rounded(sums.last));
        }
    }

    private static double rounded(double scaledTime) {
        return (double) Math.round(scaledTime * NodeColumn.TIME_STEPS) / NodeColumn.TIME_STEPS;
    }

    private static void set(float[] row, NodeColumn column, double quantity) {
        row[column.index()] = (float) column.value(quantity);
    }
}
