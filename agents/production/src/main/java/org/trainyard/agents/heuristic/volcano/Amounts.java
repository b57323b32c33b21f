package org.trainyard.agents.heuristic.volcano;

/**
 * Amounts of the resources that queues share; infinite where there is no end of one.
 *
 * @param cpuMilli thousandths of a core
 */
record Amounts(double gpus, double cpuMilli, double memoryMib) {
    static final Amounts NONE = new Amounts(0, 0, 0);
    static final Amounts ALL =
            new Amounts(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    private static final double SMALL = 1e-6;

    /** Returns the sum of these amounts and {@code times} the others. */
    Amounts plus(Amounts others, double times) {
        return new Amounts(
                sum(gpus, others.gpus, times),
                sum(cpuMilli, others.cpuMilli, times),
                sum(memoryMib, others.memoryMib, times));
    }

    private static double sum(double a, double b, double times) {
        return b == 0 || times == 0 ? a : a + b * times;
    }

    Amounts min(Amounts others) {
        return new Amounts(
                Math.min(gpus, others.gpus),
                Math.min(cpuMilli, others.cpuMilli),
                Math.min(memoryMib, others.memoryMib));
    }

    Amounts max(Amounts others) {
        return new Amounts(
                Math.max(gpus, others.gpus),
                Math.max(cpuMilli, others.cpuMilli),
                Math.max(memoryMib, others.memoryMib));
    }

    /** Whether none is more than a limit. */
    boolean isWithin(Amounts limit) {
        return gpus <= limit.gpus + SMALL && cpuMilli <= limit.cpuMilli + SMALL && memoryMib <= limit.memoryMib + SMALL;
    }

    /** The resources that others have some of; of all else, nothing. */
    Amounts of(Amounts others) {
        return new Amounts(
                others.gpus > 0 ? gpus : 0, others.cpuMilli > 0 ? cpuMilli : 0, others.memoryMib > 0 ? memoryMib : 0);
    }

    boolean isEmpty() {
        return isWithin(NONE);
    }

    /** The greatest part of what is deserved; of nothing deserved, 1 where there is some. */
    double share(Amounts deserved) {
        return Math.max(
                part(gpus, deserved.gpus),
                Math.max(part(cpuMilli, deserved.cpuMilli), part(memoryMib, deserved.memoryMib)));
    }

    private static double part(double has, double deserved) {
        return deserved > 0 ? has / deserved : has > 0 ? 1 : 0;
    }
}
