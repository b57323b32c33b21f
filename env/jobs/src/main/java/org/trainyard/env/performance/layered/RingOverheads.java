package org.trainyard.env.performance.layered;

import java.util.function.IntConsumer;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * A performance model with the costs of a ring all-reduce beside its transfers: reduction of {@code (w-1)/w} of the
 * gradients on the GPU, and a constant per server of the job. Interference stretches neither.
 *
 * <p>The terms {@code (m/w)(w-1)/C} and {@code xi2 x servers} of the iteration time in M. Yu, B. Ji, H. Rajan, J. Liu:
 * On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters with communication contention, MobiHoc 2022;
 * {@link RingPerformance} with {@link Contention.SjfBco} has the others. A job on one server has the second term too,
 * as there.
 */
public final class RingOverheads implements PerformanceModel {
    private final PerformanceModel rings;
    private final double secondsPerServer;
    private final double reducedBytesPerSecond;

    /**
     * @param rings the model without these costs
     * @param secondsPerServer start-up and negotiation per iteration and server, 0 or more
     * @param reducedBytesPerSecond speed of reduction on a GPU, above zero; may be infinite
     */
    public RingOverheads(PerformanceModel rings, double secondsPerServer, double reducedBytesPerSecond) {
        if (!(secondsPerServer >= 0) || Double.isInfinite(secondsPerServer) || !(reducedBytesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "overhead (%s s for each server) must be finite and 0 or more, reduction (%s bytes/s) above zero"
                            .formatted(secondsPerServer, reducedBytesPerSecond));
        }
        this.rings = rings;
        this.secondsPerServer = secondsPerServer;
        this.reducedBytesPerSecond = reducedBytesPerSecond;
    }

    private double seconds(JobSpec job, Placement placement) {
        int workers = Math.max(1, placement.gpuCount());
        double reduced = job.model().gradientBytes() / workers * (workers - 1);
        return secondsPerServer * placement.serverCount() + reduced / reducedBytesPerSecond;
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        return 1 / (1 / rings.aloneRate(job, placement) + seconds(job, placement));
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        return dilute(rings.slowdown(job, placement, occupancy), job, placement);
    }

    private double dilute(double slowdown, JobSpec job, Placement placement) {
        double iteration = 1 / rings.aloneRate(job, placement);
        double added = seconds(job, placement);
        return (slowdown * iteration + added) / (iteration + added);
    }

    @Override
    public boolean isLocal() {
        return rings.isLocal();
    }

    @Override
    public boolean isLocal(JobSpec job) {
        return rings.isLocal(job);
    }

    @Override
    public double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy) {
        return dilute(rings.slowdownOn(i, job, placement, occupancy), job, placement);
    }

    @Override
    public boolean interferes() {
        return rings.interferes();
    }

    @Override
    public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {
        rings.touch(placement, occupancy, touched);
    }

    @Override
    public PerformanceModel typical() {
        return new RingOverheads(rings.typical(), secondsPerServer, reducedBytesPerSecond);
    }

    @Override
    public PerformanceModel copy() {
        return new RingOverheads(rings.copy(), secondsPerServer, reducedBytesPerSecond);
    }
}
