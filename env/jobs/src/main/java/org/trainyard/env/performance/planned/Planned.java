package org.trainyard.env.performance.planned;

import java.util.Map;
import java.util.Set;
import org.trainyard.env.Invalid;
import org.trainyard.env.performance.ring.RateLaw;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.OwnModel;

/** Parallelism that depends on the layers of the model and on the GPUs the job gets. */
public sealed interface Planned extends OwnModel, RateLaw permits Pipeline, Mixed {
    /** Micro-batches of an iteration of a job whose trace does not say. */
    int MICRO_BATCHES = 8;

    /**
     * Profiles are coarsened to so many layers where plans are made during a simulation, so that planning takes
     * milliseconds.
     */
    int MOST_LAYERS = 16;

    /** The widest gang that is planned during a simulation, for the same reason. */
    int MOST_GPUS = 64;

    /** By name of a layer profile, the model of the catalogue that loads the hardware most alike. */
    Map<String, String> RESEMBLES =
            Map.of("bert-large", "bert", "xlnet-large", "bert", "gpt2-xl", "gpt2", "gnmt", "lstm");

    LayerProfile profile();

    int microBatches();

    /** Compute time of an iteration on one GPU of speed 1, seconds. */
    default double computeSeconds() {
        return microBatches() * profile().computeSeconds();
    }

    @Override
    default String layers() {
        return profile().name();
    }

    @Override
    default int leastGpus() {
        return 1;
    }

    @Override
    default int mostGpus() {
        return MOST_GPUS;
    }

    /**
     * Per GPU an even part of the computation, all parameters as gradients, and the pressures of the model of the
     * catalogue that is most like it.
     */
    @Override
    default ModelProfile model(ModelCatalog catalog, int gpus) {
        LayerProfile layers = profile();
        ModelProfile known = catalog.find(RESEMBLES.getOrDefault(layers.name(), layers.name()));
        ModelProfile like = known == null ? catalog.neutral() : known;
        return new ModelProfile(
                layers.name() + " " + label(),
                computeSeconds() / gpus,
                layers.parameterBytes(),
                (long) (2 * layers.parameterBytes() / gpus + layers.activationBytes(0, layers.size())),
                like.pressure(),
                like.sensitivity());
    }

    @Override
    default boolean isSeenAsRing() {
        return true;
    }

    @Override
    default double aloneRate(JobSpec job, Placement placement, RingPerformance rings) {
        return 1 / (iterations(rings).seconds(this, placement) * rings.straggling(job, placement.gpuCount()));
    }

    /** Every GPU computes all the time, and none waits for a transfer. */
    @Override
    default double mostIterationsPerSecond(JobSpec job, int workers, Set<ServerSpec> servers) {
        return Math.max(1, workers) * RateLaw.fastest(job, servers) / computeSeconds();
    }

    @Override
    default double stretch(JobSpec job, Placement placement, double alone, double now, RingPerformance rings) {
        PlannedIterations iterations = iterations(rings);
        return iterations.seconds(this, placement, now) / iterations.seconds(this, placement);
    }

    private static PlannedIterations iterations(RingPerformance rings) {
        return rings.kept(PlannedIterations.class, PlannedIterations::on);
    }

    static void requireMicroBatches(int microBatches) {
        Invalid.when(microBatches < 1, "micro-batches (%d) must be at least 1", microBatches);
    }
}
