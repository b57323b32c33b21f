package org.trainyard.experiments.simulation;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.ModelTerms;
import org.trainyard.env.workload.StreamedJob;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * The jobs of a trace that is read once, job by job, as {@link WorkloadBuilder} makes them of a whole trace: their true
 * work lets each run, alone on its ideal placement, as long as in the trace.
 *
 * <p>Jobs must be in order of submission, train models of the catalogue on rings, and fit the data centre.
 */
public final class StreamedTrace implements Iterator<StreamedJob> {
    private final Iterator<TraceJob> trace;
    private final ModelCatalog catalog;
    private final PerformanceModel typical;
    private final IdealPlacement ideal;
    private final Map<WorkloadBuilder.Shape, Double> rates = new HashMap<>();
    private int read;

    /** @param performance provides rates of jobs that run alone */
    public StreamedTrace(
            Iterator<TraceJob> trace, Topology topology, ModelCatalog catalog, PerformanceModel performance) {
        this.trace = trace;
        this.catalog = catalog;
        typical = performance.typical();
        ideal = new IdealPlacement(topology);
    }

    @Override
    public boolean hasNext() {
        return trace.hasNext();
    }

    @Override
    public StreamedJob next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the trace ends after (%d) jobs".formatted(read));
        }
        TraceJob job = trace.next();
        @Nullable ModelProfile model = job.model() == null ? null : catalog.find(job.model());
        boolean isOnRing = job.plan() instanceof TrainingPlan.RingAllReduce;
        if (model == null || !isOnRing || job.of(ModelTerms.class) != null || !ideal.fits(job.demand())) {
            throw new IllegalArgumentException(
                    "streamed job %s of (%d) GPUs must fit, and train a model of the catalogue (%s) on a ring without frozen layers"
                            .formatted(job.id(), job.gpus(), job.model()));
        }
        double perSecond = rates.computeIfAbsent(
                new WorkloadBuilder.Shape(model, job.demand(), job.plan()),
                shape -> ideal.bestRate(WorkloadBuilder.spec(0, job, 0, model, 1), typical));
        JobSpec spec = WorkloadBuilder.spec(read++, job, job.submitNanos(), model, perSecond);
        return new StreamedJob(spec, job.durationNanos() / 1e9 * perSecond);
    }
}
