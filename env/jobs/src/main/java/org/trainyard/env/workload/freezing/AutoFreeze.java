package org.trainyard.env.workload.freezing;

import java.util.Arrays;
import org.trainyard.env.Invalid;

/**
 * AutoFreeze's rule: all layers before the first active one whose gradients still change much are frozen.
 *
 * <p>The change of a layer is {@code |before - now| / before} of the L1 norms of its accumulated gradients; much is at
 * least a percentile of the changes of the active layers. Source: Y. Liu, S. Agarwal, S. Venkataraman: AutoFreeze:
 * automatically freezing model blocks to accelerate fine-tuning, 2021, with percentile 50, which is evaluated 10 to 20
 * times in a training.
 *
 * @param percentile of the changes, 0..100, between which values are interpolated linearly
 */
public record AutoFreeze(double percentile) {
    /** The percentile of the paper. */
    public static final AutoFreeze DEFAULT = new AutoFreeze(50);

    public AutoFreeze {
        Invalid.when(!(percentile >= 0 && percentile <= 100), "percentile (%s) must be 0 to 100", percentile);
    }

    /**
     * The number of front layers to freeze; at least those that are frozen.
     *
     * @param frozen layers that are frozen, fewer than all
     * @param before norms by layer one interval ago
     * @param now norms by layer
     */
    public int layers(int frozen, double[] before, double[] now) {
        double[] changes = new double[now.length];
        for (int layer = frozen; layer < now.length; layer++) {
            changes[layer] = now[layer] > 0 ? Math.abs(before[layer] - now[layer]) / before[layer] : 0;
        }
        double threshold = percentile(Arrays.copyOfRange(changes, frozen, changes.length));
        int first = frozen;
        while (changes[first] < threshold) {
            first++;
        }
        return first;
    }

    private double percentile(double[] values) {
        Arrays.sort(values);
        double at = percentile / 100 * (values.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, values.length - 1);
        return values[below] + (at - below) * (values[above] - values[below]);
    }
}
