package org.trainyard.env.workload.freezing;

import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * IceFrog's effective progress of a job that adapts its batch: goodput with frozen layers times the part of its progress that they leave.
 *
 * <p>Our reconstruction: see {@link FreezingProfile}. With no layer frozen it is Pollux' goodput exactly.
 *
 * @param goodput of the job with all layers active
 * @param freezing effect of its frozen layers
 */
public record EffectiveProgress(GoodputProfile goodput, FreezingProfile freezing) {
    /** Samples per second at the worth of the initial batch with all layers active, at the best batch for the frozen layers. */
    public double rate(int layers, double progress, int nodes, int replicas) {
        double done = progress * goodput.iterations();
        return freezing.frozen(goodput, layers)
                        .after(done)
                        .best(nodes, replicas)
                        .goodput()
                * freezing.progressLeft(layers, freezing.stage(progress));
    }
}
