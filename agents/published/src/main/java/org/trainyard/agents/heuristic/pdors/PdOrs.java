package org.trainyard.agents.heuristic.pdors;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.slots.LeftOverGpus;
import org.trainyard.agents.heuristic.slots.SlotAllocation;
import org.trainyard.agents.heuristic.slots.SlotAllocator;
import org.trainyard.agents.heuristic.slots.SlotCapacity;
import org.trainyard.agents.heuristic.slots.SlotJobs;
import org.trainyard.agents.heuristic.slots.SlotNetwork;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.utility.JobUtility;

/**
 * PD-ORS: at its first slot a job gets a complete schedule over the slots to come, or is rejected, by prices that grow
 * exponentially with the committed part of every machine in every slot.
 *
 * <p>Source: PD-ORS (2108.02917). Our deviations: (1) {@link SlotProblem}'s; (2) the bounds of prices are those of the
 * jobs submitted so far, not of all that will come; (3) a worker needs a GPU and one of two places for processes that a
 * server has for each GPU, a parameter server such a place, which the simulator does not know; where servers limit host
 * CPU a worker takes its own and its part of the servers', which stand where it is; (4) committed schedules are not
 * interrupted by outages: where a machine is lost, its workers are; (5) a thousandth of every slot is kept for
 * rounding; (6) a job whose schedule has ended without its completion, one without a utility, one under a quota, and
 * one that has started elsewhere get the GPUs that are left; (7) only the next {@value #MOST_SLOTS} slots are planned;
 * (8) samples are parted by the number that a job can train in a slot, not into twenty parts.
 *
 * <p>OASiS (INFOCOM 2018), PD-ORS's baseline, is the same with machines for workers and others for servers, so that
 * gradients always cross the network. As we recall both papers; that half of the machines hold servers is inferred from
 * OASiS's 50 and 50. The simulator knows no such servers: workers of such a job stand on two machines or more, which
 * has them train as slowly; one alone is as fast as beside its server. Where servers limit host CPU, servers stand
 * beside their workers here, too.
 */
public final class PdOrs implements SlotAllocator {
    /** Knowledge of the scheduler about locality. */
    public enum Locality {
        /** Workers and servers on one machine have the bandwidth inside. */
        KNOWN,
        /** Half of the machines are for workers, the others for servers, as in OASiS. */
        APART
    }

    static final int MOST_SLOTS = 100;
    private static final int QUANTA_PER_SLOT = 4;
    private static final int MOST_QUANTA = 500;
    private static final double[] ONE_GPU = {1};

    private final Ledger ledger;
    private final PriceBounds bounds = new PriceBounds();
    private final JobTerms terms;
    private final SchedulePlanner planner;
    /** Committed schedules, by job. */
    private final Int2ObjectOpenHashMap<SchedulePlanner.Schedule> schedules = new Int2ObjectOpenHashMap<>();

    public PdOrs(Topology topology, double slotSeconds, Locality locality, long seed) {
        ledger = new Ledger(
                JobTerms.capacity(topology, locality == Locality.APART),
                new ResourcePrice[] {ResourcePrice.NONE, ResourcePrice.NONE, ResourcePrice.NONE});
        terms = new JobTerms(topology, slotSeconds, locality == Locality.KNOWN);
        planner =
                new SchedulePlanner(ledger, locality == Locality.KNOWN, RandomStreams.stream(seed, "pd-ors rounding"));
    }

    @Override
    public SlotAllocation allocate(SimView view, SlotJobs jobs, long slot) {
        int now = Math.toIntExact(slot);
        ledger.forgetBefore(now);
        IntOpenHashSet rejected = new IntOpenHashSet();
        for (int i = 0; i < jobs.arrivals().size(); i++) {
            int job = jobs.arrivals().getInt(i);
            if (view.state(job) != JobState.DONE && isPriced(view, job) && !admit(view, job, now)) {
                rejected.add(job);
            }
        }
        schedules.keySet().removeIf(job -> view.state(job) == JobState.DONE);
        SlotNetwork network = SlotCapacity.network(view, jobs);
        return LeftOverGpus.deal(view, jobs, committed(view, network, now, rejected), network);
    }

    private static boolean isPriced(SimView view, int job) {
        return view.job(job).of(JobUtility.class) != null
                && view.firstStartNanos(job) < 0
                && view.tenant(job) == SimView.NONE;
    }

    private boolean admit(SimView view, int job, int now) {
        ServerJob wanted = terms.of(view, job, now);
        int last = Math.min(terms.lastSlot(view, job), now + MOST_SLOTS - 1);
        if (wanted.fewestWorkers() > wanted.mostWorkers() || last < now) {
            return false;
        }
        bounds.add(wanted, last - now);
        ledger.reprice(bounds.price());
        SchedulePlanner.Schedule schedule = planner.best(wanted, quanta(wanted), now, now, last);
        if (schedule == null || schedule.payoff() <= 0) {
            return false;
        }
        planner.commit(wanted, schedule);
        schedules.put(job, schedule);
        return true;
    }

    /** A quarter of the samples that its workers train in a slot, so that no slot is left part of the job's speed. */
    private static int quanta(ServerJob job) {
        double each = job.mostWorkers() * job.samplesAcross() / QUANTA_PER_SLOT;
        return (int) Math.min(MOST_QUANTA, Math.max(QUANTA_PER_SLOT, Math.ceil(job.samples() / each)));
    }

    /** Allocation of the jobs with a schedule for this slot, and the rejected jobs. */
    private SlotAllocation committed(SimView view, SlotNetwork network, int now, IntOpenHashSet rejected) {
        IntAVLTreeSet inOrder = new IntAVLTreeSet(rejected);
        inOrder.addAll(schedules.keySet());
        SlotAllocation allocation = new SlotAllocation();
        for (int job : inOrder) {
            GpusByServer row = committed(view, network, job, now);
            if (rejected.contains(job)) {
                allocation.reject(job);
            } else if (row != null) {
                network.take(ONE_GPU, row, 0);
                allocation.give(job, row, terms.perWorker(view.submitted(job)));
            }
        }
        return allocation;
    }

    /**
     * The workers of a committed schedule for which there still are GPUs, or none where these are too few; other jobs
     * than those of whole GPUs may hold some. Null when the job has no schedule for this slot.
     */
    private @Nullable GpusByServer committed(SimView view, SlotNetwork network, int job, int now) {
        SchedulePlanner.Schedule schedule = schedules.get(job);
        if (schedule == null || now > schedule.lastSlot()) {
            return null;
        }
        int[] workers = schedule.slots().get(now - schedule.firstSlot()).workers();
        int[] row = new int[workers.length];
        Arrays.setAll(row, server -> Math.min(workers[server], Math.max(0, network.room(server, ONE_GPU))));
        GpusByServer free = GpusByServer.of(row);
        return free.total() < view.job(job).demand().minGpus() ? GpusByServer.NONE : free;
    }

    /**
     * The least and the largest price of a unit of any resource, from the jobs that were submitted so far.
     *
     * <p>Source: PD-ORS (2108.02917): the largest utility for a unit, of a job that runs as fast as it can; the least,
     * of one that completes last, over twice its use of all resources together.
     */
    private static final class PriceBounds {
        /** A price above zero that is as good as none. */
        private static final double LEAST = 1e-9;

        private double least = Double.POSITIVE_INFINITY;
        private double most;

        /** Counts a job. */
        void add(ServerJob job, int lastSlot) {
            double fastest = Math.ceil(job.samples() / (job.samplesInside() * Math.max(1, job.mostWorkers())));
            double smallest = Double.POSITIVE_INFINITY;
            double all = 0;
            double workerSlots = Math.ceil(job.samples() / job.samplesAcross());
            for (int r = 0; r < job.workerDemand().length; r++) {
                double worker = job.workerDemand()[r];
                double server = job.serverDemand()[r];
                smallest = worker > 0 ? Math.min(smallest, worker) : smallest;
                smallest = server > 0 ? Math.min(smallest, server) : smallest;
                all += workerSlots * (worker + server);
            }
            most = Math.max(most, job.utility().applyAsDouble(Math.max(0, fastest - 1)) / smallest);
            least = Math.min(least, job.utility().applyAsDouble(lastSlot) / (2 * all));
        }

        ExponentialPrice price() {
            double low = Math.max(LEAST, least);
            return new ExponentialPrice(low, Math.max(low, most));
        }
    }
}
