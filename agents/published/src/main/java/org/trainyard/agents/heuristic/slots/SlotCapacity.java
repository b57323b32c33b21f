package org.trainyard.agents.heuristic.slots;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/** Capacity for the jobs of a slot: the GPUs that are free or theirs, and the links of the topology. */
public final class SlotCapacity {
    private SlotCapacity() {}

    /** GPUs by server. */
    public static int[] gpus(SimView view, SlotJobs jobs) {
        int[] gpus = new int[view.topology().servers()];
        Arrays.setAll(gpus, server -> view.cluster().freeOn(server));
        for (int job = jobs.firstHolder(); job != SimView.NONE; job = jobs.nextHolder(job)) {
            Placement placement = view.placement(job);
            for (int i = 0; i < placement.serverCount(); i++) {
                gpus[placement.server(i)] += placement.gpusOn(i);
            }
        }
        return gpus;
    }

    /** Returns the GPUs by server and the links as an empty network, in which GPUs are the one resource. */
    public static SlotNetwork network(SimView view, SlotJobs jobs) {
        return network(view, jobs, false);
    }

    /** Returns the network with thousandths of a core and MiB of hosts as resources, free or of these jobs. */
    public static SlotNetwork networkWithHosts(SimView view, SlotJobs jobs) {
        return network(view, jobs, true);
    }

    private static SlotNetwork network(SimView view, SlotJobs jobs, boolean hosts) {
        Topology topology = view.topology();
        int[] gpus = gpus(view, jobs);
        double[][] capacity = new double[gpus.length][];
        int[] rackOf = new int[gpus.length];
        double[] cards = new double[gpus.length];
        double[] uplinks = new double[topology.racks()];
        for (int server = 0; server < gpus.length; server++) {
            capacity[server] = hosts
                    ? new double[] {
                        gpus[server],
                        view.cluster().freeCpuMilli(server),
                        view.cluster().freeMemoryMib(server)
                    }
                    : new double[] {gpus[server]};
            rackOf[server] = topology.rackOf(server);
            cards[server] = topology.nic(server).bytesPerSecond();
        }
        if (hosts) {
            addHeld(view, jobs, capacity);
        }
        for (int rack = 0; rack < uplinks.length; rack++) {
            uplinks[rack] = topology.links().bytesPerSecond(topology.links().rackLink(rack));
        }
        return new SlotNetwork(capacity, rackOf, cards, uplinks);
    }

    private static void addHeld(SimView view, SlotJobs jobs, double[][] capacity) {
        for (int job = jobs.firstHolder(); job != SimView.NONE; job = jobs.nextHolder(job)) {
            Placement placement = view.placement(job);
            for (int i = 0; i < placement.serverCount(); i++) {
                double[] server = capacity[placement.server(i)];
                server[1] += view.job(job).demand().cpuMilliOf(placement.gpusOn(i));
                server[2] += view.job(job).demand().memoryMibOf(placement.gpusOn(i));
            }
        }
    }
}
