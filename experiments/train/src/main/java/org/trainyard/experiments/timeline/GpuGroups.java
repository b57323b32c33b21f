package org.trainyard.experiments.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** The groups by which GPUs held are counted: racks, and the virtual clusters of the jobs where there are several. */
final class GpuGroups {
    /** More racks than these are counted together, neighbour by neighbour; more virtual clusters are not counted. */
    private static final int MOST = 16;

    private final Topology topology;
    private final int racksPerGroup;
    private final List<String> names = new ArrayList<>();
    private final int[] tenantOf;

    GpuGroups(Topology topology, Workload workload) {
        this.topology = topology;
        racksPerGroup = (topology.racks() + MOST - 1) / MOST;
        for (int rack = 0; rack < topology.racks(); rack += racksPerGroup) {
            int last = Math.min(topology.racks(), rack + racksPerGroup);
            names.add(
                    racksPerGroup == 1 ? "gpus_held_rack_" + last : "gpus_held_racks_%d-%d".formatted(rack + 1, last));
        }
        tenantOf = tenants(workload);
    }

    private int[] tenants(Workload workload) {
        TreeMap<String, Integer> tenants = new TreeMap<>();
        for (int job = 0; job < workload.size() && tenants.size() <= MOST; job++) {
            String tenant = workload.job(job).virtualCluster();
            if (tenant != null) {
                tenants.put(tenant, 0);
            }
        }
        if (tenants.size() < 2 || tenants.size() > MOST) {
            return new int[0];
        }
        tenants.replaceAll((name, index) -> names.size() + tenants.headMap(name).size());
        tenants.keySet().forEach(tenant -> names.add("gpus_held_vc_" + tenant));
        int[] groups = new int[workload.size()];
        for (int job = 0; job < groups.length; job++) {
            String tenant = workload.job(job).virtualCluster();
            groups[job] = tenant == null ? -1 : tenants.getOrDefault(tenant, -1);
        }
        return groups;
    }

    /** Their names, as columns. */
    List<String> names() {
        return names;
    }

    /** The group of the racks of a server. */
    int ofServer(int server) {
        return topology.rackOf(server) / racksPerGroup;
    }

    /** The group of the virtual cluster of a job, or -1. */
    int ofJob(int job) {
        return job < tenantOf.length ? tenantOf[job] : -1;
    }
}
