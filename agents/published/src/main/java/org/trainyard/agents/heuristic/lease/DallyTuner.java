package org.trainyard.agents.heuristic.lease;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Locality;

/**
 * Dally's auto-tuner: delay timers per GPU demand, from the waits of earlier jobs of that demand for one server and for
 * one rack.
 *
 * <p>It keeps waits of at least a lease that ended on one server, or in one rack, for a window of time. With mean
 * {@code m} and population standard deviation {@code s} of the kept waits, 1 and 0 when there are none, the timers are,
 * in leases, {@code min(ceil(0.8 window), max(6, ceil(m + 2s)))} for a server and {@code min(window, max(12, ceil(m' +
 * 2s')))} for a rack.
 *
 * <p>Source: the code of A. Sharma's cluster simulator for Dally, as of its last state. Our deviation: (1) all expired
 * entries are dropped; there some are skipped.
 */
final class DallyTuner {
    private static final double LEAST_SERVER_LEASES = 6;
    private static final double LEAST_RACK_LEASES = 12;
    private static final double SERVER_PART_OF_WINDOW = 0.8;

    /** How long jobs accept only one server, and in all at most one rack, leases. */
    record Timers(double serverLeases, double rackLeases) {}

    private record Wait(long atNanos, BigInteger nanos) {}

    /**
     * The waits kept for one demand and level, with the sums of their lengths and squares, which are exact because they
     * are whole nanoseconds.
     */
    private final class History {
        private final Deque<Wait> waits = new ArrayDeque<>();
        private BigInteger sum = BigInteger.ZERO;
        private BigInteger sumOfSquares = BigInteger.ZERO;
        private double delay = 1;

        void add(Wait wait) {
            waits.add(wait);
            sum = sum.add(wait.nanos());
            sumOfSquares = sumOfSquares.add(wait.nanos().pow(2));
            delay = freshDelay();
        }

        void forgetBefore(long oldestNanos) {
            if (waits.isEmpty() || waits.getFirst().atNanos() >= oldestNanos) {
                return;
            }
            while (!waits.isEmpty() && waits.getFirst().atNanos() < oldestNanos) {
                Wait wait = waits.removeFirst();
                sum = sum.subtract(wait.nanos());
                sumOfSquares = sumOfSquares.subtract(wait.nanos().pow(2));
            }
            delay = freshDelay();
        }

        /** Mean and two standard deviations, in leases, rounded up; 1 without waits. */
        private double freshDelay() {
            if (waits.isEmpty()) {
                return 1;
            }
            BigInteger count = BigInteger.valueOf(waits.size());
            BigInteger squares = count.multiply(sumOfSquares).subtract(sum.pow(2));
            if (squares.signum() == 0) {
                // All are equal: their mean is one of them, not a rounded sum over a count.
                return Math.ceil(waits.getFirst().nanos().doubleValue() / leaseNanos);
            }
            double scale = (double) waits.size() * leaseNanos;
            return Math.ceil(sum.doubleValue() / scale + 2 * Math.sqrt(squares.doubleValue()) / scale);
        }
    }

    private final long leaseNanos;
    private final int windowLeases;
    private final Map<Integer, History> onServer = new HashMap<>();
    private final Map<Integer, History> inRack = new HashMap<>();

    /** @param windowLeases time for which a wait is kept, leases */
    DallyTuner(long leaseNanos, int windowLeases) {
        this.leaseNanos = leaseNanos;
        this.windowLeases = windowLeases;
    }

    /** Records the wait of a job of so many GPUs that starts within that span, of a server at most or of a rack. */
    void record(int gpus, Locality span, long nowNanos, long waitedNanos) {
        if (waitedNanos >= leaseNanos && span.compareTo(Locality.RACK) <= 0) {
            Map<Integer, History> histories = span == Locality.RACK ? inRack : onServer;
            histories
                    .computeIfAbsent(gpus, none -> new History())
                    .add(new Wait(nowNanos, BigInteger.valueOf(waitedNanos)));
        }
    }

    /** The timers of jobs of so many GPUs. Constant time, but for each wait recorded or forgotten. */
    Timers timers(int gpus, long nowNanos) {
        double server = Math.max(LEAST_SERVER_LEASES, delay(onServer.get(gpus), nowNanos));
        double rack = Math.max(LEAST_RACK_LEASES, delay(inRack.get(gpus), nowNanos));
        return new Timers(
                Math.min(Math.ceil(SERVER_PART_OF_WINDOW * windowLeases), server), Math.min(windowLeases, rack));
    }

    private double delay(@Nullable History history, long nowNanos) {
        if (history == null) {
            return 1;
        }
        history.forgetBefore(nowNanos - windowLeases * leaseNanos);
        return history.delay;
    }
}
