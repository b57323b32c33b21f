package org.trainyard.env.graphtraining;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Labelled;
import org.trainyard.env.performance.ring.RateLaw;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.OwnModel;

/**
 * Data parallelism on a graph whose mini-batches are prepared by CPUs, network and PCIe. An iteration is a mini-batch
 * of every worker the job was submitted for; host CPU and memory of the demand prepare and cache.
 */
public record GraphTraining(GraphDataset dataset, HitRatio cache) implements OwnModel, RateLaw {
    static final String PREFIX = "gnn:";

    @Override
    public String label() {
        return PREFIX + dataset.name() + ":" + cache.label();
    }

    static @Nullable GraphTraining parse(String label) {
        String[] parts = label.substring(PREFIX.length()).split(":", -1);
        GraphDataset dataset = GraphDataset.find(parts[0]);
        HitRatio cache = parts.length == 2 ? Labelled.parse(HitRatio.class, parts[1]) : null;
        return dataset == null || cache == null ? null : new GraphTraining(dataset, cache);
    }

    @Override
    public boolean usesHosts() {
        return true;
    }

    @Override
    public boolean isForgettable() {
        return false;
    }

    @Override
    public int leastGpus() {
        return 1;
    }

    /** The computation of a mini-batch, and the pressures of the mean of the mix. */
    @Override
    public ModelProfile model(ModelCatalog catalog, int gpus) {
        return new ModelProfile(
                "gnn " + dataset.name() + " " + cache.label(),
                dataset.batch().gpuSeconds(),
                dataset.gradientBytes(),
                dataset.deviceBytes(),
                catalog.neutral().pressure(),
                catalog.neutral().sensitivity());
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement, RingPerformance rings) {
        return placement.gpuCount() == 0
                ? rings.ringRate(job, placement)
                : new GraphTrainingRates(rings).iterationsPerSecond(job, this, placement);
    }

    /** No stage but that of the fastest GPU takes time. */
    @Override
    public double mostIterationsPerSecond(JobSpec job, int workers, Set<ServerSpec> servers) {
        double alone = 1 / job.model().computeSeconds();
        return workers == 0
                ? alone
                : workers
                        * RateLaw.fastest(job, servers)
                        / (job.gpus() * job.model().computeSeconds());
    }
}
