package org.trainyard.env.performance.layered;

import java.util.function.IntConsumer;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * A performance model in slotted time: a job makes a whole number of iterations per slot, at least one, and loses the
 * rest of the slot.
 *
 * <p>The rate {@code floor(1 / tau)} of M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in
 * multi-tenant GPU clusters with communication contention, MobiHoc 2022. Only the rates are slotted; jobs start and end
 * at any time.
 */
public final class WholeIterations implements PerformanceModel {
    private final PerformanceModel exact;
    private final double slotSeconds;

    /** @param slotSeconds length of a slot, finite and above zero */
    public WholeIterations(PerformanceModel exact, double slotSeconds) {
        if (!(slotSeconds > 0) || Double.isInfinite(slotSeconds)) {
            throw new IllegalArgumentException("slot (%s s) must be finite and above zero".formatted(slotSeconds));
        }
        this.exact = exact;
        this.slotSeconds = slotSeconds;
    }

    private double whole(double rate) {
        // A quotient that is whole except for rounding counts as whole.
        return Math.max(1, Math.floor(rate * slotSeconds * (1 + 1e-12))) / slotSeconds;
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        return whole(exact.aloneRate(job, placement));
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        double alone = exact.aloneRate(job, placement);
        return whole(alone) / whole(alone / exact.slowdown(job, placement, occupancy));
    }

    @Override
    public boolean interferes() {
        return exact.interferes();
    }

    @Override
    public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {
        exact.touch(placement, occupancy, touched);
    }

    @Override
    public PerformanceModel typical() {
        return new WholeIterations(exact.typical(), slotSeconds);
    }

    @Override
    public PerformanceModel copy() {
        return new WholeIterations(exact.copy(), slotSeconds);
    }
}
