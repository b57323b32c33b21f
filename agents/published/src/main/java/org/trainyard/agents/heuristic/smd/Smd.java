package org.trainyard.agents.heuristic.smd;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.slots.LeftOverGpus;
import org.trainyard.agents.heuristic.slots.PredictedUtility;
import org.trainyard.agents.heuristic.slots.QuotaBudget;
import org.trainyard.agents.heuristic.slots.SlotAllocation;
import org.trainyard.agents.heuristic.slots.SlotAllocator;
import org.trainyard.agents.heuristic.slots.SlotCapacity;
import org.trainyard.agents.heuristic.slots.SlotJobs;
import org.trainyard.agents.heuristic.slots.SlotNetwork;
import org.trainyard.agents.heuristic.slots.WorkerSpeed;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.synchronisation.ServerHosts;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.JobSpec;

/**
 * SMD: in every interval the workers and servers of each job with its shortest iteration, then the jobs whose utilities
 * at their predicted completions add up to most, as a knapsack.
 *
 * <p>Source: SMD (INFOCOM 2021, 2105.13855). Our deviations: (1) those of {@link WorkerChoice} and
 * {@link FriezeClarke}, with sets of one, or of none from {@value #MANY} jobs on; (2) a job's limit is its most GPUs
 * and the host CPU and memory that come with them, and its parameter servers stand evenly beside its workers; (3)
 * without {@link ServerHosts} servers cost nothing and count in the knapsack and in the predicted iteration only, a
 * machine has as many places for servers as GPUs, and gradients count by sample, as in the plan's own time; (4) jobs
 * are placed in the order of their utilities, on few servers; (5) a job without parameter servers takes as many GPUs as
 * it can; (6) jobs that the knapsack leaves out get the GPUs that are left, and the servers that they were submitted
 * with; (7) exchanges hide behind backward passes only where a job has {@link ServerHosts#layers}.
 */
public final class Smd implements SlotAllocator {
    /** How workers and servers are chosen. */
    public enum Servers {
        /** The numbers of both with the shortest iteration. */
        BEST,
        /** A server for each worker: the baseline ESW. */
        EQUAL
    }

    private static final double[] ONE_GPU = {1};
    private static final double[] WORKER = {1, 0};
    private static final double[] SERVER = {0, 1};
    private static final int MANY = 200;
    /** Workers from which on the choice is on a grid, at most {@link #EPSILON} longer. */
    private static final int WIDE = 64;

    private static final double EPSILON = 0.01;

    /** @param hosts of all workers and servers; nothing where these cost nothing */
    private record Item(int workers, int servers, HostShare hosts, double value) {
        double[] demand() {
            HostShare each = perWorker();
            return takesHosts() ? new double[] {1, each.cpuMilli(), each.memoryMib()} : ONE_GPU;
        }

        boolean takesHosts() {
            return hosts.cpuMilli() > 0;
        }

        /** Rounded down, so that no server has too little for its workers together. */
        HostShare perWorker() {
            return hosts.part(workers);
        }
    }

    private record Limited(ParameterServer plan, int most, HostShare perGpu) {}

    private final Servers servers;
    private final Map<Limited, WorkerChoice.Choice> choices = new HashMap<>();
    private final WorkerSpeed speed;
    /** Host share for each GPU over all servers together; changes with outages alone. */
    private HostShare perGpu = HostShare.NONE;

    public Smd(Topology topology, Servers servers) {
        this.servers = servers;
        speed = new WorkerSpeed(topology);
    }

    @Override
    public SlotAllocation allocate(SimView view, SlotJobs jobs, long slot) {
        SlotNetwork network = SlotCapacity.networkWithHosts(view, jobs);
        double gpus = network.total(0);
        perGpu = new HostShare((long) network.total(1), (long) network.total(2)).part((int) Math.max(1, gpus));
        List<Item> items = new ArrayList<>();
        QuotaBudget quotas = new QuotaBudget(view, jobs);
        IntArrayList all = jobs.all();
        for (int i = 0; i < all.size(); i++) {
            int job = all.getInt(i);
            Demand demand = view.job(job).demand();
            int most = quotas.claim(job, Math.min(demand.maxGpus(), (int) gpus), demand.minGpus());
            items.add(item(view, job, most));
        }
        boolean[] packed = packed(items, network);
        List<@Nullable GpusByServer> rows = new ArrayList<>();
        for (int i = 0; i < packed.length; i++) {
            rows.add(null);
        }
        place(items, packed, rows, network);
        SlotAllocation allocation = new SlotAllocation();
        for (int i = 0; i < all.size(); i++) {
            GpusByServer row = rows.get(i);
            if (row != null) {
                allocation.give(all.getInt(i), row, items.get(i).perWorker());
            }
        }
        return LeftOverGpus.deal(view, jobs, allocation, network);
    }

    private static boolean[] packed(List<Item> items, SlotNetwork network) {
        double[] values = items.stream().mapToDouble(Item::value).toArray();
        double gpus = network.total(0);
        boolean takesHosts = items.stream().anyMatch(Item::takesHosts);
        double[][] sizes = items.stream()
                .map(item -> takesHosts
                        ? new double[] {
                            item.workers(),
                            item.hosts().cpuMilli() / 1e3,
                            item.hosts().memoryMib() / 1e3
                        }
                        : new double[] {item.workers(), item.servers()})
                .toArray(double[][]::new);
        double[] capacity = takesHosts
                ? new double[] {gpus, network.total(1) / 1e3, network.total(2) / 1e3}
                : new double[] {gpus, gpus};
        return new FriezeClarke(values, sizes, capacity).pack(values.length < MANY ? 1 : 0);
    }

    private static void place(
            List<Item> items, boolean[] packed, List<@Nullable GpusByServer> rows, SlotNetwork network) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < packed.length; i++) {
            if (packed[i]) {
                order.add(i);
            }
        }
        order.sort((a, b) -> Double.compare(items.get(b).value(), items.get(a).value()));
        for (int i : order) {
            GpusByServer row = network.embed(items.get(i).demand(), items.get(i).workers(), 0);
            if (row != null) {
                network.take(items.get(i).demand(), row, 0);
                rows.set(i, row);
            }
        }
    }

    private Item item(SimView view, int job, int most) {
        JobSpec spec = view.job(job);
        int fewest = spec.demand().minGpus();
        if (most < fewest) {
            return new Item(0, 0, HostShare.NONE, 0);
        }
        int workers = most;
        int needed = 0;
        HostShare share = HostShare.NONE;
        double left = 0;
        if (spec.plan() instanceof ParameterServer plan) {
            WorkerChoice.Choice choice = choice(plan, most);
            workers = Math.max(fewest, choice.workers());
            needed = choice.servers();
            ServerHosts hosts = limitedHosts(plan);
            if (hosts != null) {
                share = hosts.of(workers, needed);
                double ideal = view.submitted(job).idealIterationsPerSecond();
                left = view.predictedRemainingSeconds(job)
                        * ideal
                        * ServerIteration.of(plan).seconds(workers, needed);
            }
        }
        left = share.cpuMilli() > 0 ? left : speed.secondsLeft(view, job, workers, false);
        double value = PredictedUtility.ofCompletion(view, job, PredictedUtility.ageSeconds(view, job) + left);
        return new Item(workers, needed, share, value);
    }

    /** Null where workers and servers of the plan take nothing of a host, or hosts have no limit. */
    private @Nullable ServerHosts limitedHosts(ParameterServer plan) {
        return perGpu.cpuMilli() < ServerSpec.UNLIMITED / 64.0 ? plan.hosts() : null;
    }

    private WorkerChoice.Choice choice(ParameterServer plan, int most) {
        return choices.computeIfAbsent(new Limited(plan, most, perGpu), limited -> chosen(plan, most));
    }

    private WorkerChoice.Choice chosen(ParameterServer plan, int most) {
        ServerIteration iteration = ServerIteration.of(plan);
        ServerHosts hosts = limitedHosts(plan);
        HostShare limit = perGpu.times(most, HostShare.NONE, 0);
        WorkerChoice.Choice best = null;
        if (servers == Servers.BEST) {
            WorkerChoice choice = hosts == null
                    ? new WorkerChoice(iteration, WORKER, SERVER, new double[] {most, most})
                    : new WorkerChoice(
                            iteration,
                            new double[] {
                                1, hosts.worker().cpuMilli(), hosts.worker().memoryMib()
                            },
                            new double[] {
                                0, hosts.server().cpuMilli(), hosts.server().memoryMib()
                            },
                            new double[] {most, limit.cpuMilli(), limit.memoryMib()});
            best = most < WIDE ? choice.exact() : choice.onGrid(EPSILON);
        }
        int fitting = hosts == null ? most : (int) limit.over(hosts.of(1, 1));
        int equal = Math.max(1, Math.min(fitting, Math.min(most, plan.batch())));
        return best == null ? new WorkerChoice.Choice(equal, equal, iteration.seconds(equal, equal)) : best;
    }
}
