package org.trainyard.env.workload.goodput;

/**
 * The goodput of a job at one time of its training: samples per second times their statistical efficiency, at the best
 * batch.
 *
 * <p>Candidates are 50 global batches in geometric progression, each split evenly over the replicas and, where a local
 * batch would exceed the memory of a GPU, over accumulation steps. One replica beyond the initial batch accumulates at
 * least once, because noise cannot be measured on a single gradient.
 *
 * <p>Source: adaptdl, the implementation of A. Qiao et al.: Pollux: co-adaptive cluster scheduling for
 * goodput-optimized deep learning, OSDI 2021, as of its artifact. Our deviations: (1) one replica synchronises in no
 * time, there in 10 ns; (2) where no batch is allowed the goodput is zero.
 *
 * @param throughput predicts the time of an iteration
 * @param noise determines the efficiency of a batch
 * @param limits the batches that are allowed
 */
public record GoodputModel(ThroughputParameters throughput, GradientNoise noise, BatchLimits limits) {
    private static final int CANDIDATES = 50;
    /** Tolerance when a quotient is rounded up. */
    private static final double ROUNDING = 1e-8;

    /** Goodput with a given batch, samples per second at the worth of the initial batch. */
    public double goodput(int nodes, int replicas, int localBatch, int accumulationSteps) {
        double batch = (double) replicas * localBatch * (accumulationSteps + 1);
        double seconds = throughput.iterationSeconds(nodes, replicas, localBatch, accumulationSteps);
        return batch / seconds * noise.efficiency(batch / limits.initial());
    }

    /** The batch with the highest goodput; the first of equals. */
    public BatchChoice best(int nodes, int replicas) {
        double least = Math.max(limits.initial(), (double) limits.leastLocal() * replicas);
        BatchChoice best = new BatchChoice(0, 0, 0);
        if (least > limits.most()) {
            return best;
        }
        double growth = Math.pow(limits.most() / least, 1.0 / (CANDIDATES - 1));
        double batch = least;
        int lastLocal = 0;
        int lastSteps = 0;
        for (int i = 0; i < CANDIDATES; i++, batch = i == CANDIDATES - 1 ? limits.most() : batch * growth) {
            int steps = accumulationSteps(batch, replicas);
            int local = roundedUp(batch / replicas / (steps + 1));
            if ((local == lastLocal && steps == lastSteps)
                    || local < limits.leastLocal()
                    || local > limits.mostLocal()) {
                continue;
            }
            lastLocal = local;
            lastSteps = steps;
            double goodput = goodput(nodes, replicas, local, steps);
            if (goodput > best.goodput()) {
                best = new BatchChoice(local, steps, goodput);
            }
        }
        return best;
    }

    private int accumulationSteps(double batch, int replicas) {
        double local = batch / replicas;
        int steps = roundedUp(local / limits.mostLocal()) - 1;
        return replicas == 1 && local > limits.initial() + ROUNDING ? Math.max(1, steps) : steps;
    }

    private static int roundedUp(double value) {
        return (int) Math.ceil(value - ROUNDING);
    }
}
