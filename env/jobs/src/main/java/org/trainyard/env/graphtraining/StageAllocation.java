package org.trainyard.env.graphtraining;

import java.util.function.IntToDoubleFunction;

/**
 * Resource isolation of BGL: the cores and PCIe bandwidth of each stage such that the slowest stage is as fast as
 * possible.
 *
 * <p>Source: BGL (T. Liu et al., NSDI 2023, 2112.08541), section on resource isolation: {@code min max of the stage
 * times} under limits on the cores of graph stores and of the worker and on PCIe bandwidth. The three limits share no
 * stage, so that the program is three of two stages each, which are solved by trying every division: O(cores + units).
 * Not isolated is our reading of an ablation without it: all stages of a resource contend, and CPU stages lose
 * {@value #CONTENTION} of their speed by it.
 *
 * @param requestCores of a graph store, for each worker
 * @param buildCores of a graph store, for each worker
 * @param graphUnits of PCIe bandwidth
 * @param featureUnits of PCIe bandwidth
 * @param seconds time of the slowest stage
 * @param bottleneck that stage, 1 to 8; the first of equals
 */
public record StageAllocation(
        int requestCores,
        int buildCores,
        int processCores,
        int lookUpCores,
        int graphUnits,
        int featureUnits,
        double seconds,
        int bottleneck) {
    private static final double CONTENTION = 0.05;

    /** The best allocation for a job that has this share of a server for itself. */
    public static StageAllocation of(Stages stages, ServerShare share) {
        MiniBatch batch = stages.batch();
        int request = best(
                stages.storeCores(),
                cores -> batch.requestCoreSeconds() / cores,
                cores -> batch.buildCoreSeconds() / cores);
        int process = best(share.cores(), stages::process, stages::lookUp);
        double unit = share.bytesPerSecondPerUnit();
        int graph = best(
                share.pcieUnits(), units -> stages.moveGraph(units * unit), units -> stages.moveFeatures(units * unit));
        int build = stages.storeCores() - request;
        int lookUp = share.cores() - process;
        int features = share.pcieUnits() - graph;
        double[] times = {
            batch.requestCoreSeconds() / request,
            batch.buildCoreSeconds() / build,
            stages.networkBytes() / share.nicBytesPerSecond(),
            stages.process(process),
            stages.moveGraph(graph * unit),
            stages.lookUp(lookUp),
            stages.moveFeatures(features * unit),
            stages.gpuSeconds()
        };
        int slowest = 0;
        for (int stage = 1; stage < times.length; stage++) {
            slowest = times[stage] > times[slowest] ? stage : slowest;
        }
        return new StageAllocation(request, build, process, lookUp, graph, features, times[slowest], slowest + 1);
    }

    /**
     * The first division of {@code total} at which the slower of two stages is fastest: the part of the first stage.
     */
    private static int best(int total, IntToDoubleFunction first, IntToDoubleFunction second) {
        int best = 1;
        double least = Double.POSITIVE_INFINITY;
        for (int part = 1; part < total; part++) {
            double slower = Math.max(first.applyAsDouble(part), second.applyAsDouble(total - part));
            if (slower < least) {
                least = slower;
                best = part;
            }
        }
        return best;
    }

    /** Time of the slowest resource when nobody divides the share among stages, seconds. */
    public static double contendedSeconds(Stages stages, ServerShare share) {
        MiniBatch batch = stages.batch();
        double store = (batch.requestCoreSeconds() + batch.buildCoreSeconds()) / stages.storeCores();
        double worker = stages.process(share.cores()) + stages.lookUp(share.cores()) - batch.lookUpSeconds();
        double bandwidth = share.pcieUnits() * share.bytesPerSecondPerUnit();
        double longest = Math.max((1 + CONTENTION) * store, (1 + CONTENTION) * worker + batch.lookUpSeconds());
        longest = Math.max(longest, stages.networkBytes() / share.nicBytesPerSecond());
        longest = Math.max(longest, stages.moveGraph(bandwidth) + stages.moveFeatures(bandwidth));
        return Math.max(longest, stages.gpuSeconds());
    }
}
