package org.trainyard.env.gym.decentralised;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.env.gym.domain.DomainSummary;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.ClusterCopy;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.JobList;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSlots;

/**
 * View of the agent of one domain: the servers of the domain, the jobs that run there and those that wait for it, and
 * nothing else. Servers and GPUs are counted within the domain.
 *
 * <p>Of a job that runs in several domains an agent sees that its GPUs here are taken, as if they were out of order.
 */
final class DomainView extends DelegatingView {
    private final Topology topology;
    private final int firstGpu;
    private final ClusterCopy copy;
    private final ClusterCopy empty;
    /** By demand that is not plain; several agents ask at once. */
    private final Map<Demand, Boolean> couldRun = new ConcurrentHashMap<>();

    private final JobList running = new JobList(JobSlots.ofNumbers());
    /** By job that runs here, its GPUs within the domain. */
    private final Int2ObjectOpenHashMap<Placement> placements = new Int2ObjectOpenHashMap<>();

    private final double[] speedOf;
    /** Whether all servers are as fast as the fastest of the data centre. */
    private final boolean isUniform;

    private final double fastest;

    DomainView(SimView whole, int firstServer, int endServer, String name) {
        super(whole);
        Topology all = whole.topology();
        firstGpu = all.firstGpu(firstServer);
        topology = DomainTopology.of(all, firstServer, endServer, name);
        copy = new ClusterCopy(topology, whole.cluster(), firstServer);
        empty = new ClusterCopy(topology);
        GpuSpeeds speeds = new GpuSpeeds(all);
        speedOf = new double[topology.servers()];
        Arrays.setAll(speedOf, server -> speeds.of(firstServer + server));
        isUniform = Arrays.stream(speedOf).allMatch(speed -> speed == 1);
        fastest = Arrays.stream(speedOf).max().orElse(1);
    }

    @Override
    double fastest() {
        return fastest;
    }

    /** Whether the demand fits into the empty domain. */
    boolean couldRun(Demand demand) {
        if (demand.isPlain()) {
            return demand.gpus() <= topology.gpus();
        }
        return couldRun.computeIfAbsent(demand, asked -> {
            int room = 0;
            for (int server = 0; server < topology.servers() && room < asked.gpus(); server++) {
                room += empty.cluster().room(asked, server);
            }
            return room >= asked.gpus();
        });
    }

    /** The GPUs of a placement in the whole data centre that lie here, within the domain. */
    Placement within(Placement placement) {
        int end = firstGpu + topology.gpus();
        int[] gpus = new int[placement.gpuCount()];
        int count = 0;
        for (int i = 0; i < gpus.length; i++) {
            if (placement.gpu(i) >= firstGpu && placement.gpu(i) < end) {
                gpus[count++] = placement.gpu(i) - firstGpu;
            }
        }
        return Placement.of(topology, Arrays.copyOf(gpus, count));
    }

    /** The placement in the whole data centre of one within the domain. */
    Placement outside(Placement placement) {
        int[] gpus = new int[placement.gpuCount()];
        for (int i = 0; i < gpus.length; i++) {
            gpus[i] = placement.gpu(i) + firstGpu;
        }
        return Placement.of(whole.topology(), gpus);
    }

    /** A job starts on GPUs within the domain, from the queue or from elsewhere. */
    void start(int job, Placement there) {
        if (waiting.contains(job)) {
            unqueue(job);
        }
        placements.put(job, there);
        copy.allocate(job, whole.job(job).demand(), there);
        running.append(job);
        noteStart(job);
    }

    /** A job of the domain runs here no more. */
    void stop(int job) {
        Placement there = Objects.requireNonNull(placements.remove(job));
        copy.release(job, whole.job(job).demand(), there);
        running.remove(job);
    }

    /** A waiting job is no longer for this domain. */
    void leave(int job) {
        unqueue(job);
        note(EventKind.REJECT, job);
    }

    void block(int job, Placement there) {
        copy.block(whole.job(job).demand(), there);
        note(EventKind.DOWN, NONE);
    }

    void unblock(int job, Placement there) {
        copy.unblock(whole.job(job).demand(), there);
        note(EventKind.UP, NONE);
    }

    /** Takes over which GPUs are out of order; those of jobs in several domains must not be taken now. */
    void copyOutages() {
        boolean isChanged = false;
        for (int gpu = 0; gpu < topology.gpus(); gpu++) {
            boolean isDown = whole.cluster().owner(firstGpu + gpu) == Cluster.DOWN;
            if (isDown != (copy.cluster().owner(gpu) == Cluster.DOWN)) {
                copy.setDown(gpu, isDown);
                isChanged = true;
            }
        }
        if (isChanged) {
            note(EventKind.DOWN, NONE);
        }
    }

    /** Summary of the domain for the other agents, now. O(1), with GPUs of several speeds O(servers). */
    DomainSummary summary() {
        Cluster cluster = copy.cluster();
        FreeGpuIndex index = cluster.byFreeGpus();
        double speed = isUniform && cluster.free() > 0 ? 1 : 0;
        for (int server = 0; server < topology.servers() && !isUniform; server++) {
            speed = cluster.freeOn(server) > 0 ? Math.max(speed, speedOf[server]) : speed;
        }
        return new DomainSummary(
                topology.gpus(),
                cluster.free(),
                (double) index.empty() / topology.servers(),
                index.largestHole(),
                Math.max(index.most(), index.emptyGpus()),
                speed,
                fastest,
                waitingCount(),
                waitingGpus(),
                runningCount());
    }

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public Cluster cluster() {
        return copy.cluster();
    }

    @Override
    public JobState state(int job) {
        if (waiting.contains(job)) {
            return JobState.WAITING;
        }
        if (running.contains(job)) {
            return JobState.RUNNING;
        }
        return whole.state(job) == JobState.DONE ? JobState.DONE : JobState.FUTURE;
    }

    @Override
    public int runningCount() {
        return running.size();
    }

    @Override
    public int firstRunning() {
        return running.first();
    }

    @Override
    public int nextRunning(int job) {
        return running.next(job);
    }

    @Override
    public Placement placement(int job) {
        return Objects.requireNonNull(placements.get(job));
    }
}
