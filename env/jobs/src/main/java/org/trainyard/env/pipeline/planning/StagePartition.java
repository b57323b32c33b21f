package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.trainyard.env.pipeline.LayerProfile;

/**
 * Partition of layers into stages on runs of an ordered list of GPUs, by dynamic programming over the smallest
 * bottleneck: the longest stage, with its all-reduce spread over the micro-batches, or transfer between neighbouring
 * stages.
 *
 * <p>Source: PRM of Z. Luo et al.: Efficient pipeline planning for expedited distributed DNN training (SPP), INFOCOM
 * 2022; the term of the all-reduce is our reading. PipeDream's partitioning has the same recurrence. O(stages x
 * layers^2 x GPUs^3) at worst, much less with pruning.
 */
final class StagePartition {
    private static final double NONE = Double.POSITIVE_INFINITY;

    private final LayerProfile profile;
    private final int[] order;
    private final int layers;
    private final int gpus;
    private final double microBatches;
    /** Sum of the speeds of the first GPUs. */
    private final double[] speed;
    /** By end and length of a run, all-reduce seconds per byte. */
    private final double[][] allReduce;
    /** By boundary, length of the run before and of the run behind it, seconds per byte there and back. */
    private final double[][][] channel;
    /** By stages, layers, GPUs and replicas of the last stage. */
    private final double[][][][] best;
    /** The least of {@link #best} over replicas. */
    private final double[][][] least;
    /** Layers before the last stage times (GPUs + 1) plus replicas of the stage before. */
    private final int[][][][] choice;

    private int computed;

    StagePartition(LayerProfile profile, Devices devices, int[] order, int microBatches, int mostStages) {
        this.profile = profile;
        this.order = order.clone();
        this.microBatches = microBatches;
        layers = profile.size();
        gpus = order.length;
        speed = new double[gpus + 1];
        for (int i = 0; i < gpus; i++) {
            speed[i + 1] = speed[i] + devices.speed(order[i]);
        }
        allReduce = new double[gpus + 1][];
        channel = new double[gpus + 1][][];
        for (int i = 1; i <= gpus; i++) {
            allReduce[i] = new double[i + 1];
            for (int r = 1; r <= i; r++) {
                allReduce[i][r] = devices.allReduceSeconds(run(i - r, i), 1);
            }
            channel[i] = new double[i + 1][gpus - i + 1];
            for (int a = 1; a <= i; a++) {
                for (int b = 1; b <= gpus - i; b++) {
                    int[] before = run(i - a, i);
                    int[] behind = run(i, i + b);
                    channel[i][a][b] =
                            devices.transferSeconds(before, behind, 1) + devices.transferSeconds(behind, before, 1);
                }
            }
        }
        best = new double[mostStages + 1][][][];
        least = new double[mostStages + 1][][];
        choice = new int[mostStages + 1][][][];
    }

    private int[] run(int from, int to) {
        return Arrays.copyOfRange(order, from, to);
    }

    private double stageSeconds(int first, int end, int i, int r) {
        return profile.computeSeconds(first, end) / (speed[i] - speed[i - r])
                + profile.parameterBytes(first, end) * allReduce[i][r] / microBatches;
    }

    /** The smallest bottleneck of so many stages, seconds per micro-batch. */
    double bottleneckSeconds(int count) {
        while (computed < count) {
            fill(++computed);
        }
        return least[count][layers][gpus];
    }

    /** The stages with the smallest bottleneck, for so many stages, at most as many as layers and GPUs. */
    List<PipelineStage> stages(int count) {
        double bottleneck = bottleneckSeconds(count);
        int i = gpus;
        int end = layers;
        int r = 1;
        while (best[count][end][i][r] > bottleneck) {
            r++;
        }
        List<PipelineStage> stages = new ArrayList<>();
        for (int stage = count; stage > 1; stage--) {
            int code = choice[stage][end][i][r];
            int first = code / (gpus + 1);
            stages.add(new PipelineStage(first, end, run(i - r, i)));
            i -= r;
            end = first;
            r = code % (gpus + 1);
        }
        stages.add(new PipelineStage(0, end, run(0, i)));
        Collections.reverse(stages);
        return stages;
    }

    private void fill(int stages) {
        best[stages] = new double[layers + 1][gpus + 1][];
        least[stages] = new double[layers + 1][gpus + 1];
        choice[stages] = new int[layers + 1][gpus + 1][];
        for (int end = 0; end <= layers; end++) {
            for (int i = 0; i <= gpus; i++) {
                best[stages][end][i] = new double[gpus + 1];
                choice[stages][end][i] = new int[gpus + 1];
                Arrays.fill(best[stages][end][i], NONE);
                least[stages][end][i] = NONE;
                if (end < stages || i < stages) {
                    continue;
                }
                for (int r = stages == 1 ? i : 1; r <= i - stages + 1; r++) {
                    double value = stages == 1 ? stageSeconds(0, end, i, i) : last(stages, end, i, r);
                    best[stages][end][i][r] = value;
                    least[stages][end][i] = Math.min(least[stages][end][i], value);
                }
            }
        }
    }

    /** The smallest bottleneck when the last stage ends with layer {@code end - 1} on the last r of i GPUs. */
    private double last(int stages, int end, int i, int r) {
        int boundary = i - r;
        double smallest = NONE;
        int chosen = 0;
        for (int first = end - 1; first >= stages - 1; first--) {
            double own = stageSeconds(first, end, i, r);
            if (own >= smallest) {
                break;
            }
            if (least[stages - 1][first][boundary] >= smallest) {
                continue;
            }
            double bytes = profile.cutBytes(first);
            for (int a = 1; a <= boundary; a++) {
                double value =
                        Math.max(Math.max(best[stages - 1][first][boundary][a], own), bytes * channel[boundary][a][r]);
                if (value < smallest) {
                    smallest = value;
                    chosen = first * (gpus + 1) + a;
                }
            }
        }
        choice[stages][end][i][r] = chosen;
        return smallest;
    }
}
