package org.trainyard.agents.heuristic.lease;

import java.util.function.Predicate;
import org.trainyard.agents.heuristic.placing.SocketFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Tiresias as Dally's evaluation has it: least attained GPU time first, without queues; leases; models that need
 * consolidation accept one server when they fit on one, the others any placement, the tightest part of the data centre
 * first.
 *
 * <p>Source: the class of that name in the public simulator of A. Sharma et al.: GPU cluster scheduling for
 * network-sensitive deep learning, 2024; after J. Gu et al.: Tiresias, NSDI 2019. Our deviations: (1) and (2) are those
 * of {@link Dally}; (3) the first server and rack that fit are the tightest here. Needs no predictions.
 */
public final class LeasedTiresias implements Scheduler {
    /** The test by which a model that needs consolidation may leave its server. */
    public enum Consolidation {
        /** A job whose demand is above a server's GPUs may have any placement. */
        INTENDED,
        /**
         * The public simulator's test, which compares the number of free GPUs: one rack wherever a server's GPUs are
         * free, any placement where the demand is above a rack's GPUs.
         */
        RELEASED
    }

    private final LeaseScheduler rule;

    /**
     * @param leaseSeconds length of a lease, seconds
     * @param consolidates selects the models that accept only one server
     */
    public LeasedTiresias(
            Topology topology, long leaseSeconds, Predicate<ModelProfile> consolidates, Consolidation consolidation) {
        int serverGpus = topology.widestServer();
        int rackGpus = Tiresias.widestRack(topology);
        DelayPolicy delays = (view, job, span) -> {
            int gpus = view.job(job).gpus();
            Locality widest = Locality.SERVER;
            if (!consolidates.test(view.job(job).model())) {
                widest = Locality.CLUSTER;
            } else if (consolidation == Consolidation.INTENDED) {
                widest = gpus > serverGpus ? Locality.CLUSTER : Locality.SERVER;
            } else if (gpus > rackGpus) {
                widest = Locality.CLUSTER;
            } else if (view.cluster().free() >= serverGpus) {
                widest = Locality.RACK;
            }
            return span.compareTo(widest) > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
        };
        rule = new LeaseScheduler(
                topology,
                LeasedTiresias::attainedGpuSeconds,
                new SocketFit(),
                delays,
                new LeaseScheduler.Terms(Math.multiplyExact(leaseSeconds, 1_000_000_000L), false));
    }

    static double attainedGpuSeconds(SimView view, int job) {
        return view.runNanos(job) / 1e9 * Math.max(1, view.job(job).gpus());
    }

    @Override
    public Decision decide(SimView view) {
        return rule.decide(view);
    }
}
