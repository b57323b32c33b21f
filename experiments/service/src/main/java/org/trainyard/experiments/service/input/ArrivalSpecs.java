package org.trainyard.experiments.service.input;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * Makes the specifications of jobs one by one as they arrive at a live cluster: the same as {@link WorkloadBuilder}
 * makes of a trace.
 *
 * <p>A job without a model gets one that is drawn by its group, else its user, else its name; one whose model the
 * catalogue does not know gets the neutral model.
 */
public final class ArrivalSpecs {
    private final ModelCatalog catalog;
    private final long seed;
    private final IdealPlacement ideal;
    private final PerformanceModel typical;
    private final Map<WorkloadBuilder.Shape, Double> rates = new HashMap<>();

    /**
     * @param seed for drawing models
     * @param performance provides rates of jobs that run alone
     */
    public ArrivalSpecs(Topology topology, ModelCatalog catalog, long seed, PerformanceModel performance) {
        this.catalog = catalog;
        this.seed = seed;
        ideal = new IdealPlacement(topology);
        typical = performance.typical();
    }

    /** Whether the catalogue knows a model by this name. */
    public boolean knows(String model) {
        return catalog.find(model) != null;
    }

    /** Whether the demand can be met on the empty cluster. */
    public boolean fits(Demand demand) {
        return ideal.fits(demand);
    }

    /**
     * The specification of the next job.
     *
     * @param job its duration is not read
     */
    public JobSpec of(int id, TraceJob job) {
        ModelProfile model = model(job);
        double rate = rates.computeIfAbsent(
                new WorkloadBuilder.Shape(model, job.demand(), job.plan()),
                shape -> ideal.bestRate(WorkloadBuilder.spec(0, job, 0, model, 1), typical));
        return WorkloadBuilder.spec(id, job, job.submitNanos(), model, rate);
    }

    private ModelProfile model(TraceJob job) {
        if (job.model() == null) {
            return catalog.drawFor(job, seed);
        }
        @Nullable ModelProfile known = catalog.find(job.model());
        return known == null ? catalog.neutral() : known;
    }
}
