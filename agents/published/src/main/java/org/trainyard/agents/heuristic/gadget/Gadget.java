package org.trainyard.agents.heuristic.gadget;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.List;
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
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * GADGET: in every slot the greedy embedding of elastic rings that gains most utility for the resources and the
 * bandwidth it reserves.
 *
 * <p>Source: GADGET (INFOCOM 2022, 2202.01158). Our deviations: (1) {@link GreedyEmbedding}'s; (2) jobs are embedded
 * anew in every slot, and a job that moves pays the simulator's restart cost; (3) a ring reserves a quarter of a
 * network card, a job with parameter servers the bandwidth of its plan; (4) a utility of time counts as proportional
 * fairness ({@link PredictedUtility}); (5) jobs whose horizon has passed get the GPUs that are left.
 */
public final class Gadget implements SlotAllocator {
    private static final double[] ONE_GPU = {1};
    private static final double CARD_PART = 0.25;

    private final WorkerSpeed speed;
    private final double slotSeconds;

    /** @param slotSeconds length of a slot */
    public Gadget(Topology topology, double slotSeconds) {
        speed = new WorkerSpeed(topology);
        this.slotSeconds = slotSeconds;
    }

    @Override
    public SlotAllocation allocate(SimView view, SlotJobs jobs, long slot) {
        SlotNetwork network = SlotCapacity.network(view, jobs);
        List<GreedyEmbedding.RingJob> rings = new ArrayList<>();
        QuotaBudget quotas = new QuotaBudget(view, jobs);
        IntArrayList all = jobs.all();
        for (int i = 0; i < all.size(); i++) {
            rings.add(ring(view, all.getInt(i), quotas));
        }
        List<GpusByServer> rows = GreedyEmbedding.of(network, rings);
        SlotAllocation allocation = new SlotAllocation();
        for (int i = 0; i < all.size(); i++) {
            if (rows.get(i).total() > 0) {
                allocation.give(all.getInt(i), rows.get(i));
            }
        }
        return LeftOverGpus.deal(view, jobs, allocation, network);
    }

    private GreedyEmbedding.RingJob ring(SimView view, int job, QuotaBudget quotas) {
        JobSpec spec = view.job(job);
        Demand demand = spec.demand();
        double seconds = Math.min(slotSeconds, PredictedUtility.secondsToHorizon(view, job));
        double trained = view.progressSeconds(job);
        double before = PredictedUtility.ofTraining(view, job, trained);
        double bandwidth = spec.plan() instanceof ParameterServer servers
                ? servers.acrossBytesPerSecond()
                : CARD_PART * view.topology().fabric().nic().bytesPerSecond();
        int most = quotas.claim(job, Math.min(demand.maxGpus(), view.topology().gpus()), demand.minGpus());
        return new GreedyEmbedding.RingJob(
                ONE_GPU,
                demand.minGpus(),
                most,
                bandwidth,
                (workers, inside) ->
                        PredictedUtility.ofTraining(view, job, trained + speed.progress(spec, workers, inside, seconds))
                                - before);
    }
}
