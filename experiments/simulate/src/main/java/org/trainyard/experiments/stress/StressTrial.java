package org.trainyard.experiments.stress;

import java.util.List;
import java.util.function.Supplier;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.World;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.simulation.SimulationSetup;

/**
 * Runs a scheduler and a reference scheduler on workloads of one world.
 *
 * @param fresh a new scheduler for one run
 * @param reference a new reference for one run
 * @param againstReference whether a workload is as hard as the scheduler is worse than the reference; otherwise than
 *     the lower bound
 */
public record StressTrial(
        World world,
        String name,
        Supplier<Scheduler> fresh,
        String referenceName,
        Supplier<Scheduler> reference,
        boolean againstReference) {
    /** Which schedulers can be stressed, and be a reference. */
    public static final String COMPLETES_EVERY_JOB =
            "a scheduler that completes every job, for mean JCTs of different jobs do not compare";

    /**
     * The outcome of one workload.
     *
     * @param meanJctSeconds under the scheduler
     * @param boundSeconds lower bound on the mean JCT under any scheduler
     * @param referenceSeconds mean JCT under the reference; NaN where it did not run
     */
    public record Outcome(double meanJctSeconds, double boundSeconds, double referenceSeconds) {
        /** Mean JCT over the lower bound. */
        public double overBound() {
            return meanJctSeconds / boundSeconds;
        }

        /** Mean JCT over that of the reference. */
        public double overReference() {
            return meanJctSeconds / referenceSeconds;
        }
    }

    /** How hard the workload is for the scheduler: the metric that the search raises. */
    double hardness(List<TraceJob> jobs) {
        Outcome outcome = outcome(jobs, againstReference);
        return againstReference ? outcome.overReference() : outcome.overBound();
    }

    /** The outcome under both schedulers. */
    Outcome outcome(List<TraceJob> jobs) {
        return outcome(jobs, true);
    }

    private Outcome outcome(List<TraceJob> jobs, boolean withReference) {
        Workload workload = world.workload(jobs);
        return new Outcome(
                meanJct(name, workload, fresh),
                SimulationSetup.bound(world, workload).seconds(),
                withReference ? meanJct(referenceName, workload, reference) : Double.NaN);
    }

    private double meanJct(String scheduler, Workload workload, Supplier<Scheduler> made) {
        RunResult result = world.simulator(workload).run(made.get());
        if (!result.rejected().isEmpty()) {
            throw InputException.at("stress", scheduler, COMPLETES_EVERY_JOB);
        }
        return result.meanJctSeconds();
    }
}
