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
 * consolidation accept one server when they fit on one, the others any placement, the tightest part of the data
 * centre first.
 *
 * <p>Source: the class of that name in the public simulator of A. Sharma et al.: GPU cluster scheduling for
 * network-sensitive deep learning, 2024; after J. Gu et al.: Tiresias, NSDI 2019. Our deviations: (1) there
 * consolidation is silently dropped whenever more GPUs are free than a server has, because the test compares the
 * wrong number; here it compares the job's demand, as intended; (2) and (3) as {@link Dally}'s (1) and (2). Needs
 * no predictions.
 */
public final class LeasedTiresias implements Scheduler {
    private final LeaseScheduler rule;

    /**
     * @param leaseSeconds length of a lease, seconds
     * @param consolidates selects the models that accept only one server
     */
    public LeasedTiresias(Topology topology, long leaseSeconds, Predicate<ModelProfile> consolidates) {
        int serverGpus = topology.widestServer();
        DelayPolicy delays = (view, job, span) -> {
            boolean isConsolidated = view.job(job).gpus() <= serverGpus
                    && consolidates.test(view.job(job).model());
            return isConsolidated && span.compareTo(Locality.SERVER) > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
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
