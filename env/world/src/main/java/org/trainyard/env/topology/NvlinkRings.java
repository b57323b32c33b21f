package org.trainyard.env.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Rings of NVLink over a set of GPUs that share no link, chosen for the largest total bandwidth: a search over the
 * closed paths through all GPUs of the set, the widest first, in which every path takes all that its narrowest link has
 * left, or one lane: the bandwidth of the set's narrowest link. It ends when the GPU with the least links has no more
 * to give, or after a bounded number of paths, so that the answer for many GPUs with many links may be below the best;
 * for the interiors that have a name it is exact.
 */
final class NvlinkRings {
    private static final int MOST_PATHS = 5_040;
    private static final int MOST_LOOKS = 400_000;

    private final double[] left;
    private final int stride;
    private final int[] gpus;
    private final double lane;
    private final List<int[]> paths = new ArrayList<>();
    private int looks;
    private double best;

    private NvlinkRings(double[] links, int stride, int[] gpus) {
        left = links.clone();
        this.stride = stride;
        this.gpus = gpus;
        double least = Double.POSITIVE_INFINITY;
        for (int a : gpus) {
            for (int b : gpus) {
                least = left[a * stride + b] > 0 ? Math.min(least, left[a * stride + b]) : least;
            }
        }
        lane = least;
    }

    /**
     * The total bandwidth of the rings in both directions, GB/s; of a pair, that of its link; 0 without a ring.
     *
     * @param links bandwidth of the links in one direction, a row of {@code stride} for every GPU
     * @param mask the set, at least two GPUs
     */
    static double bandwidth(double[] links, int stride, int mask) {
        int[] gpus = new int[Integer.bitCount(mask)];
        for (int i = 0, rest = mask; rest != 0; rest &= rest - 1) {
            gpus[i++] = Integer.numberOfTrailingZeros(rest);
        }
        if (gpus.length == 2) {
            return links[gpus[0] * stride + gpus[1]];
        }
        NvlinkRings rings = new NvlinkRings(links, stride, gpus);
        int[] path = gpus.clone();
        rings.collect(path, 1);
        rings.paths.sort(Comparator.comparingDouble((int[] found) -> -rings.width(found)));
        rings.search(0, 0);
        return rings.best;
    }

    /** Adds the closed paths that begin with the first {@code fixed} GPUs of {@code path}, each in one direction. */
    private void collect(int[] path, int fixed) {
        if (paths.size() >= MOST_PATHS) {
            return;
        }
        if (fixed == path.length) {
            if (path[1] < path[fixed - 1] && left[path[fixed - 1] * stride + path[0]] > 0) {
                paths.add(path.clone());
            }
            return;
        }
        for (int i = fixed; i < path.length; i++) {
            if (left[path[fixed - 1] * stride + path[i]] > 0) {
                swap(path, fixed, i);
                collect(path, fixed + 1);
                swap(path, fixed, i);
            }
        }
    }

    private static void swap(int[] path, int i, int j) {
        int gpu = path[i];
        path[i] = path[j];
        path[j] = gpu;
    }

    private double width(int[] path) {
        double least = left[path[path.length - 1] * stride + path[0]];
        for (int i = 1; i < path.length && least > 0; i++) {
            least = Math.min(least, left[path[i - 1] * stride + path[i]]);
        }
        return least;
    }

    /** Adds rings from the {@code from}-th path on to those taken, whose total is {@code total}. */
    private void search(int from, double total) {
        best = Math.max(best, total);
        if (total + bound() <= best) {
            return;
        }
        for (int i = from; i < paths.size() && looks < MOST_LOOKS; i++) {
            looks++;
            double width = width(paths.get(i));
            if (width > 0) {
                search(i, total, width);
                if (width > lane) {
                    search(i, total, lane);
                }
                if (total + bound() <= best) {
                    return;
                }
            }
        }
    }

    private void search(int from, double total, double width) {
        take(paths.get(from), width);
        search(from, total + 2 * width);
        take(paths.get(from), -width);
    }

    /** The bandwidth that more rings can have at most: a ring of width w takes 2 w of the links of every GPU. */
    private double bound() {
        double least = Double.POSITIVE_INFINITY;
        for (int gpu : gpus) {
            double sum = 0;
            for (int other : gpus) {
                sum += left[gpu * stride + other];
            }
            least = Math.min(least, sum);
        }
        return least;
    }

    private void take(int[] path, double width) {
        for (int i = 0; i < path.length; i++) {
            int a = path[i];
            int b = path[(i + 1) % path.length];
            left[a * stride + b] -= width;
            left[b * stride + a] -= width;
        }
    }
}
