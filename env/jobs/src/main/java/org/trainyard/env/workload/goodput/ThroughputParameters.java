package org.trainyard.env.workload.goodput;

/**
 * The parameters of Pollux' throughput model: the time of one iteration of data-parallel training by servers, replicas
 * and local batch.
 *
 * <p>Gradients of a local batch take {@code alphaCompute + betaCompute x batch} seconds. Their synchronisation takes
 * {@code alpha + beta x (replicas - 2)} seconds, with one pair of parameters for replicas on one server and one for
 * replicas on several; one replica synchronises nothing. A step is {@code (compute^gamma + sync^gamma)^(1/gamma)}: with
 * a gamma of 1 nothing overlaps, with a large one everything does. Accumulation steps before it compute without
 * synchronisation.
 *
 * <p>Source: A. Qiao et al.: Pollux: co-adaptive cluster scheduling for goodput-optimized deep learning, OSDI 2021,
 * section 3.2.
 *
 * @param alphaCompute constant part of compute, seconds
 * @param betaCompute compute per sample, seconds
 * @param alphaNode synchronisation of two replicas on several servers, seconds
 * @param betaNode its growth with every further replica, seconds
 * @param alphaLocal synchronisation of two replicas on one server, seconds
 * @param betaLocal its growth with every further replica, seconds
 * @param gamma overlap of compute and synchronisation, 1 to 10
 */
public record ThroughputParameters(
        double alphaCompute,
        double betaCompute,
        double alphaNode,
        double betaNode,
        double alphaLocal,
        double betaLocal,
        double gamma) {
    public static final double MOST_OVERLAP = 10;

    public ThroughputParameters {
        boolean areTimes = alphaCompute >= 0
                && betaCompute >= 0
                && alphaCompute + betaCompute > 0
                && alphaNode >= 0
                && betaNode >= 0
                && alphaLocal >= 0
                && betaLocal >= 0;
        if (!areTimes || !(gamma >= 1 && gamma <= MOST_OVERLAP)) {
            throw new IllegalArgumentException(
                    "times (compute %s + %s, servers %s + %s, server %s + %s s) must not be negative, compute above zero, gamma (%s) 1 to 10"
                            .formatted(alphaCompute, betaCompute, alphaNode, betaNode, alphaLocal, betaLocal, gamma));
        }
    }

    /** Time of the gradients of one local batch, seconds. */
    public double computeSeconds(double localBatch) {
        return alphaCompute + betaCompute * localBatch;
    }

    /** Time of one synchronisation, seconds; zero for one replica. */
    public double syncSeconds(int nodes, int replicas) {
        if (replicas < 2) {
            return 0;
        }
        double further = replicas - 2.0;
        return nodes > 1 ? alphaNode + betaNode * further : alphaLocal + betaLocal * further;
    }

    /** Time of a step that computes and synchronises, seconds. */
    public double stepSeconds(int nodes, int replicas, double localBatch) {
        return overlapped(computeSeconds(localBatch), syncSeconds(nodes, replicas));
    }

    /** Time of an iteration: accumulation steps, then a step that synchronises, seconds. */
    public double iterationSeconds(int nodes, int replicas, double localBatch, int accumulationSteps) {
        double compute = computeSeconds(localBatch);
        return accumulationSteps * compute + overlapped(compute, syncSeconds(nodes, replicas));
    }

    private double overlapped(double compute, double sync) {
        double longer = Math.max(compute, sync);
        double ratio = Math.min(compute, sync) / longer;
        return ratio == 0 ? longer : longer * Math.pow(1 + Math.pow(ratio, gamma), 1 / gamma);
    }
}
