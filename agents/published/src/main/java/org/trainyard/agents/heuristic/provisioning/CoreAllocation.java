package org.trainyard.agents.heuristic.provisioning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.trainyard.env.graphtraining.GraphTraining;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * The host CPU and memory of running jobs that train on graphs: each job gives up those without which it is as fast as
 * with its whole demand, and the jobs that gain most by more get the rest on their servers.
 *
 * <p>Ours, after the idea of Synergy (J. Mohan et al., OSDI 2022): CPU and memory go from jobs that lose nothing to
 * jobs that gain. Differences: (1) the rate by cores and memory is that of BGL's pipeline for the job alone, not
 * profiled; (2) nothing is taken from a job that would lose; (3) placements are those of another scheduler; (4) a job
 * gets whole cores, and GiB, for each worker; (5) on a server where a job has a part of the cores that no job holds, no
 * job gets more cores; (6) jobs on servers without limits keep theirs.
 */
final class CoreAllocation {
    private static final long CORE = 1000;
    private static final long GIB = 1024;
    private static final double ROUNDING = 1 - 1e-12;

    private final Topology topology;
    private final PerformanceModel alone;
    private final boolean pools;

    /** A running job that trains on a graph, with the demand that is planned for it. */
    private static final class Tenant {
        private final JobSpec spec;
        private final Placement placement;
        private Demand planned;
        /** How many times as fast it is with all that is left on its servers. */
        private double gain;

        Tenant(JobSpec spec, Placement placement) {
            this.spec = spec;
            this.placement = placement;
            planned = spec.demand();
        }
    }

    /**
     * @param pools whether all jobs divide all cores in place of holding some, and keep the memory that they asked for
     */
    CoreAllocation(Topology topology, boolean pools) {
        this.topology = topology;
        this.pools = pools;
        alone = new RingPerformance(topology, InterferenceModel.NONE);
    }

    /**
     * Decisions by which all jobs get their planned demands, those that free resources first.
     *
     * @param extendsJobs whether any job gets more than it asked for
     */
    List<Decision> changes(SimView view, boolean extendsJobs) {
        List<Tenant> tenants = tenants(view);
        tenants.forEach(this::trim);
        if (extendsJobs) {
            extend(view, tenants);
        }
        List<Decision> changes = new ArrayList<>();
        List<Decision> rises = new ArrayList<>();
        for (Tenant tenant : tenants) {
            Demand now = view.job(tenant.spec.id()).demand();
            Demand next = tenant.planned;
            Demand less = now.withHost(
                    Math.min(now.cpuMilli(), next.cpuMilli()), Math.min(now.memoryMib(), next.memoryMib()));
            addChange(tenant, now, less, changes);
            addChange(tenant, less, next, rises);
        }
        changes.addAll(rises);
        return changes;
    }

    private static void addChange(Tenant tenant, Demand from, Demand to, List<Decision> changes) {
        if (!from.equals(to)) {
            changes.add(new Decision.Provision(tenant.spec.id(), to.cpuMilli(), to.memoryMib()));
        }
    }

    private List<Tenant> tenants(SimView view) {
        List<Tenant> tenants = new ArrayList<>();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            JobSpec spec = view.submitted(job);
            if (spec.plan() instanceof GraphTraining && isLimited(view.placement(job))) {
                tenants.add(new Tenant(spec, view.placement(job)));
            }
        }
        tenants.sort(Comparator.comparingInt(tenant -> tenant.spec.id()));
        return tenants;
    }

    private boolean isLimited(Placement placement) {
        for (int i = 0; i < placement.serverCount(); i++) {
            ServerSpec server = topology.server(placement.server(i));
            if (server.cpuMilli() == ServerSpec.UNLIMITED || server.memoryMib() == ServerSpec.UNLIMITED) {
                return false;
            }
        }
        return placement.gpuCount() > 0;
    }

    private double rate(Tenant tenant, Demand demand) {
        return alone.aloneRate(tenant.spec.demanding(demand), tenant.placement);
    }

    /** Plans the least demand of the job: the least part of its own with which it is as fast, or memory alone. */
    private void trim(Tenant tenant) {
        Demand asked = tenant.spec.demand();
        tenant.planned = pools ? asked.withHost(0, asked.memoryMib()) : least(tenant, asked);
    }

    /**
     * The least whole cores and GiB for each worker, or all of a demand, with which the job is as fast as with that
     * demand.
     */
    private Demand least(Tenant tenant, Demand most) {
        double needed = rate(tenant, most) * ROUNDING;
        long core = CORE * most.gpus();
        long gib = GIB * most.gpus();
        long cores = most.cpuMilli() == 0
                ? 0
                : least(
                        fewestCores(tenant.placement),
                        most.cpuMilli() / core + 1,
                        n -> rate(tenant, most.withHost(Math.min(n * core, most.cpuMilli()), most.memoryMib()))
                                >= needed);
        Demand fewer = most.withHost(Math.min(cores * core, most.cpuMilli()), most.memoryMib());
        long gibs = least(
                0,
                most.memoryMib() / gib + 1,
                n -> rate(tenant, fewer.withHost(fewer.cpuMilli(), Math.min(n * gib, most.memoryMib()))) >= needed);
        return fewer.withHost(fewer.cpuMilli(), Math.min(gibs * gib, most.memoryMib()));
    }

    /** Cores for each worker with which both CPU stages have one on every server. */
    private static int fewestCores(Placement placement) {
        int fewest = 1;
        for (int i = 0; i < placement.serverCount(); i++) {
            fewest = placement.gpusOn(i) == 1 ? 2 : fewest;
        }
        return fewest;
    }

    /** The least number that suffices; {@code most} does. */
    private static long least(long fewest, long most, LongPredicate suffices) {
        long low = fewest;
        long high = most;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (suffices.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Gives the rest first to the job that gains most by all that is left on its servers. */
    private void extend(SimView view, List<Tenant> tenants) {
        FreeHosts free = new FreeHosts(view, tenants);
        for (Tenant tenant : tenants) {
            tenant.gain = rate(tenant, free.most(tenant, view)) / rate(tenant, tenant.planned);
        }
        List<Tenant> byGain = new ArrayList<>(tenants);
        byGain.sort(Comparator.comparingDouble((Tenant tenant) -> -tenant.gain)
                .thenComparingInt(tenant -> tenant.spec.id()));
        for (Tenant tenant : byGain) {
            Demand more = free.most(tenant, view);
            if (rate(tenant, more) * ROUNDING > rate(tenant, tenant.planned)) {
                free.exchange(tenant, least(tenant, more), view);
            }
        }
    }

    /** CPU and memory that will be left on a server. */
    private static final class Host {
        private long cpuMilli;
        private long memoryMib;
        /** Whether a job has a part of the cores that no job holds. */
        private boolean isPooled;
    }

    /** The CPU and memory that will be left on the servers of some jobs. */
    private static final class FreeHosts {
        private final Map<Integer, Host> hosts = new HashMap<>();

        FreeHosts(SimView view, List<Tenant> tenants) {
            for (Tenant tenant : tenants) {
                Demand now = view.job(tenant.spec.id()).demand();
                add(tenant, now, 1, view);
                add(tenant, tenant.planned, -1, view);
            }
        }

        /** Puts another planned demand of a job in place of its present one. */
        void exchange(Tenant tenant, Demand next, SimView view) {
            add(tenant, tenant.planned, 1, view);
            tenant.planned = next;
            add(tenant, next, -1, view);
        }

        private void add(Tenant tenant, Demand demand, int sign, SimView view) {
            for (int i = 0; i < tenant.placement.serverCount(); i++) {
                int workers = tenant.placement.gpusOn(i);
                Host host = host(tenant.placement.server(i), view);
                host.cpuMilli += sign * demand.cpuMilliOf(workers);
                host.memoryMib += sign * demand.memoryMibOf(workers);
                host.isPooled |= tenant.planned.cpuMilli() == 0;
            }
        }

        private Host host(int server, SimView view) {
            return hosts.computeIfAbsent(server, any -> {
                Host host = new Host();
                host.cpuMilli = view.cluster().freeCpuMilli(server);
                host.memoryMib = view.cluster().freeMemoryMib(server);
                return host;
            });
        }

        /**
         * Planned demand of the job with all whole cores and GiB for each worker that are left on every server of it.
         */
        Demand most(Tenant tenant, SimView view) {
            long cores = Long.MAX_VALUE;
            long gibs = Long.MAX_VALUE;
            for (int i = 0; i < tenant.placement.serverCount(); i++) {
                Host host = host(tenant.placement.server(i), view);
                int workers = tenant.placement.gpusOn(i);
                cores = host.isPooled ? 0 : Math.min(cores, host.cpuMilli / CORE / workers);
                gibs = Math.min(gibs, host.memoryMib / GIB / workers);
            }
            Demand planned = tenant.planned;
            return planned.withHost(
                    planned.cpuMilli() + cores * CORE * planned.gpus(),
                    planned.memoryMib() + gibs * GIB * planned.gpus());
        }
    }
}
