package org.trainyard.experiments.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.Workload;

/** Computes the {@link Series} of a run from its events. An event costs O(GPUs of its job). */
final class SeriesRecorder implements EventSink {
    private static final int QUEUE = 0;
    private static final int PENDING = 1;
    private static final int RUNNING = 2;
    private static final int HELD = 3;
    private static final int FRAGMENTATION = 4;
    private static final int GROUPS = 5;
    private static final int[] NO_GPUS = {};

    private final Topology topology;
    private final Workload workload;
    private final GpuGroups groups;
    private final StepMeans means;
    /** The GPUs of running jobs; null for others. */
    private final int[] @Nullable [] gpusOf;

    private final int[] jobsOnGpu;
    private final int[] outagesOfGpu;
    private final int[] heldOn;
    private final int[] freeOn;
    private int free;
    private int freeOnPartlyUsed;

    /** @param mostPoints an even number */
    SeriesRecorder(Topology topology, Workload workload, int mostPoints) {
        this.topology = topology;
        this.workload = workload;
        groups = new GpuGroups(topology, workload);
        means = new StepMeans(GROUPS + groups.names().size(), mostPoints);
        gpusOf = new int[workload.size()][];
        jobsOnGpu = new int[topology.gpus()];
        outagesOfGpu = new int[topology.gpus()];
        heldOn = new int[topology.servers()];
        freeOn = new int[topology.servers()];
        for (int server = 0; server < freeOn.length; server++) {
            freeOn[server] = topology.gpusOn(server);
        }
        free = topology.gpus();
    }

    @Override
    public void event(long timeNanos, EventKind kind, int job, int argument, @Nullable Placement placement) {
        means.to(timeNanos);
        switch (kind) {
            case ARRIVE -> queue(job, 1);
            case START -> {
                queue(job, -1);
                hold(job, placement);
            }
            case FINISH, TIMEOUT -> release(job);
            case PREEMPT, KILL -> {
                release(job);
                queue(job, 1);
            }
            case RESIZE -> {
                release(job);
                hold(job, placement);
            }
            case DOWN, UP -> outage(job, argument, kind == EventKind.DOWN ? 1 : -1);
            case REJECT -> queue(job, -1);
            case FORWARD, FREEZE, HOST_CPU, HOST_MEMORY, HOLD -> {}
        }
        means.set(FRAGMENTATION, free == 0 ? 0 : (double) freeOnPartlyUsed / free);
    }

    private void queue(int job, int sign) {
        means.add(QUEUE, sign);
        means.add(PENDING, sign * gpus(job, workload.job(job).gpus()));
    }

    /** GPUs of a job that holds so many, of which it may need a part each. */
    private double gpus(int job, int count) {
        return count * (workload.job(job).demand().gpuMilli() / (double) Demand.WHOLE);
    }

    private void hold(int job, @Nullable Placement placement) {
        int[] gpus = gpus(placement);
        gpusOf[job] = gpus;
        means.add(RUNNING, 1);
        change(job, gpus, 1);
    }

    private static int[] gpus(@Nullable Placement placement) {
        if (placement == null) {
            return NO_GPUS;
        }
        int[] gpus = new int[placement.gpuCount()];
        for (int i = 0; i < gpus.length; i++) {
            gpus[i] = placement.gpu(i);
        }
        return gpus;
    }

    private void release(int job) {
        int[] gpus = gpusOf[job];
        if (gpus != null) {
            gpusOf[job] = null;
            means.add(RUNNING, -1);
            change(job, gpus, -1);
        }
    }

    private void change(int job, int[] gpus, int sign) {
        double each = sign * gpus(job, 1);
        for (int gpu : gpus) {
            means.add(GROUPS + groups.ofServer(topology.serverOf(gpu)), each);
            change(gpu, sign, 0);
        }
        means.add(HELD, each * gpus.length);
        if (groups.ofJob(job) >= 0) {
            means.add(GROUPS + groups.ofJob(job), each * gpus.length);
        }
    }

    private void outage(int server, int gpu, int sign) {
        if (server < 0) {
            change(gpu, 0, sign);
            return;
        }
        for (int i = 0; i < topology.gpusOn(server); i++) {
            change(topology.firstGpu(server) + i, 0, sign);
        }
    }

    /** A GPU is taken or given back, fails or is repaired. */
    private void change(int gpu, int jobs, int outages) {
        int server = topology.serverOf(gpu);
        freeOnPartlyUsed -= heldOn[server] > 0 ? freeOn[server] : 0;
        int wasHeld = jobsOnGpu[gpu] > 0 ? 1 : 0;
        int wasFree = isFree(gpu);
        jobsOnGpu[gpu] += jobs;
        outagesOfGpu[gpu] += outages;
        heldOn[server] += (jobsOnGpu[gpu] > 0 ? 1 : 0) - wasHeld;
        int freed = isFree(gpu) - wasFree;
        freeOn[server] += freed;
        free += freed;
        freeOnPartlyUsed += heldOn[server] > 0 ? freeOn[server] : 0;
    }

    private int isFree(int gpu) {
        return jobsOnGpu[gpu] == 0 && outagesOfGpu[gpu] == 0 ? 1 : 0;
    }

    /** The metrics up to the last event. */
    Series series() {
        List<String> names = new ArrayList<>(
                List.of(Series.QUEUE, Series.PENDING, Series.RUNNING, Series.HELD, Series.FRAGMENTATION));
        names.addAll(groups.names());
        return means.series(names.toArray(new String[0]));
    }

    /**
     * The groups by which GPUs held are counted: racks, and the virtual clusters of the jobs where there are several.
     */
    private static final class GpuGroups {
        /** The most groups: more racks are counted together in order, more virtual clusters not at all. */
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
                        racksPerGroup == 1
                                ? "gpus_held_rack_" + last
                                : "gpus_held_racks_%d-%d".formatted(rack + 1, last));
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
            tenants.replaceAll(
                    (name, index) -> names.size() + tenants.headMap(name).size());
            tenants.keySet().forEach(tenant -> names.add("gpus_held_vc_" + tenant));
            int[] groups = new int[workload.size()];
            for (int job = 0; job < groups.length; job++) {
                String tenant = workload.job(job).virtualCluster();
                groups[job] = tenant == null ? -1 : tenants.getOrDefault(tenant, -1);
            }
            return groups;
        }

        /** Names of the groups, as columns. */
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
}
