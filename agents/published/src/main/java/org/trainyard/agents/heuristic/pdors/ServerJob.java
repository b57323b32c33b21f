package org.trainyard.agents.heuristic.pdors;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * A job with parameter servers that is admitted or rejected.
 *
 * @param workerDemand of one worker, by resource
 * @param serverDemand of one server, by resource
 * @param fewestWorkers in a slot in which it trains
 * @param workersPerServer at least 1
 * @param samplesInside that a worker trains in a slot when the job is on one machine
 * @param samplesAcross the same when it is spread
 * @param utility of a completion at the end of a slot, by the slots since the one of the submission; does not increase
 */
@SuppressWarnings("ArrayRecordComponent") // numbers of a solver, never compared
record ServerJob(
        double[] workerDemand,
        double[] serverDemand,
        int fewestWorkers,
        int mostWorkers,
        int workersPerServer,
        double samplesInside,
        double samplesAcross,
        double samples,
        DoubleUnaryOperator utility) {
    private static final double ROUNDING = 1e-9;

    /** Workers that train so many samples in a slot. */
    int workers(double wanted, boolean isInside) {
        double each = isInside ? samplesInside : samplesAcross;
        return Math.max(fewestWorkers, (int) Math.ceil(wanted / each - ROUNDING));
    }

    boolean hasServers() {
        return Arrays.stream(serverDemand).anyMatch(amount -> amount > 0);
    }

    int servers(int workers) {
        return -Math.floorDiv(-workers, workersPerServer);
    }
}
