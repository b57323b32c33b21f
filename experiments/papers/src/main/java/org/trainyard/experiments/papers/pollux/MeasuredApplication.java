package org.trainyard.experiments.papers.pollux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.workload.goodput.BatchLimits;
import org.trainyard.env.workload.goodput.GradientNoise;
import org.trainyard.env.workload.goodput.ThroughputParameters;

/**
 * An application measured for Pollux: step times by placement and local batch on T4 servers, progress and gradient
 * noise by batch and epoch.
 *
 * <p>Between measured batches everything is linear. Placements on more than four servers were measured by number of
 * servers and GPUs; between those, times are linear along placements with as many GPUs on each server, where the
 * artifact triangulates.
 */
final class MeasuredApplication {
    /** Times of one step, seconds. */
    record StepTime(double step, double sync) {}

    /** The record of the end of an epoch of a training run. */
    private record Epoch(double progress, double iteration, double squaredNorm, double variance) {
        static Epoch of(String... cells) {
            return new Epoch(
                    Double.parseDouble(cells[0]),
                    Double.parseDouble(cells[1]),
                    Double.parseDouble(cells[3]),
                    Double.parseDouble(cells[4]));
        }
    }

    final String name;
    final BatchLimits limits;
    final int epochs;
    private final Map<String, NavigableMap<Integer, StepTime>> byPlacement = new HashMap<>();
    /** By servers, GPUs and local batch. */
    private final NavigableMap<Integer, NavigableMap<Integer, NavigableMap<Integer, StepTime>>> bySize =
            new TreeMap<>();

    private final NavigableMap<Integer, List<Epoch>> runs = new TreeMap<>();
    private final Map<String, StepTime> known = new HashMap<>();
    private final Map<List<ThroughputFit.Measurement>, ThroughputParameters> fitted = new HashMap<>();

    /**
     * An application.
     *
     * @param files rows of the measurements, by file in the folder
     * @param mostLocal largest local batch, or 0 for the largest measured
     */
    MeasuredApplication(String name, String folder, Map<String, List<String[]>> files, int epochs, int mostLocal) {
        this.name = name;
        this.epochs = epochs;
        readPlacements(of(files, folder + "placements.csv"));
        readSizes(of(files, folder + "scalability.csv"));
        files.forEach((file, rows) -> {
            if (file.startsWith(folder + "validation-")) {
                int batch = Integer.parseInt(file.substring((folder + "validation-").length(), file.length() - 4));
                runs.put(batch, rows.stream().map(Epoch::of).toList());
            }
        });
        int least = Collections.min(
                byPlacement.values().stream().map(NavigableMap::firstKey).toList());
        int most = Collections.max(
                byPlacement.values().stream().map(NavigableMap::lastKey).toList());
        limits = new BatchLimits(runs.firstKey(), runs.lastKey(), least, mostLocal > 0 ? mostLocal : most);
    }

    private static <K, V> V of(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key), () -> "no " + key);
    }

    private void readPlacements(List<String[]> rows) {
        Map<List<Integer>, List<StepTime>> sizes = new HashMap<>();
        for (String[] row : rows) {
            int batch = Integer.parseInt(row[1]);
            StepTime time = new StepTime(Double.parseDouble(row[2]), Double.parseDouble(row[3]));
            byPlacement.computeIfAbsent(row[0], placement -> new TreeMap<>()).put(batch, time);
            int gpus = row[0].chars().map(digit -> digit - '0').sum();
            sizes.computeIfAbsent(List.of(row[0].length(), gpus, batch), size -> new ArrayList<>())
                    .add(time);
        }
        sizes.forEach((size, times) -> put(
                size.get(0),
                size.get(1),
                size.get(2),
                new StepTime(
                        times.stream().mapToDouble(StepTime::step).average().orElseThrow(),
                        times.stream().mapToDouble(StepTime::sync).average().orElseThrow())));
    }

    private void readSizes(List<String[]> rows) {
        for (String[] row : rows) {
            put(
                    Integer.parseInt(row[0]),
                    Integer.parseInt(row[1]),
                    Integer.parseInt(row[2]),
                    new StepTime(Double.parseDouble(row[3]), Double.parseDouble(row[4])));
        }
    }

    private void put(int nodes, int gpus, int batch, StepTime time) {
        bySize.computeIfAbsent(nodes, n -> new TreeMap<>())
                .computeIfAbsent(gpus, g -> new TreeMap<>())
                .put(batch, time);
    }

    /** The fit to these measurements, made once. */
    ThroughputParameters fit(List<ThroughputFit.Measurement> measurements) {
        return fitted.computeIfAbsent(measurements, ThroughputFit::to);
    }

    /** Every size that was measured, as input of a fit. */
    List<ThroughputFit.Measurement> measurements() {
        List<ThroughputFit.Measurement> measurements = new ArrayList<>();
        bySize.forEach((nodes, byGpus) ->
                byGpus.forEach((gpus, byBatch) -> byBatch.forEach((batch, time) -> measurements.add(
                        new ThroughputFit.Measurement(nodes, gpus, batch, time.step() - time.sync(), time.step())))));
        return measurements;
    }

    /** The global batches of the training runs. */
    Set<Integer> measuredBatches() {
        return runs.keySet();
    }

    /** Progress at the end of an epoch, iterations at the initial batch. */
    double progress(int epoch) {
        return epoch == 0
                ? 0
                : runs.values().stream()
                        .mapToDouble(run -> run.get(epoch - 1).progress())
                        .min()
                        .orElseThrow();
    }

    /** Noise at a global batch in an epoch. */
    GradientNoise noise(int batch, int epoch) {
        return new GradientNoise(
                between(batch, run -> run.get(epoch).squaredNorm()),
                between(batch, run -> run.get(epoch).variance()));
    }

    /** Iterations at a global batch until the end of an epoch. */
    double iterations(int batch, int epoch) {
        return between(batch, run -> run.get(epoch).iteration());
    }

    private double between(int batch, ToDoubleFunction<List<Epoch>> value) {
        int below = runs.floorKey(batch);
        int above = runs.ceilingKey(batch);
        double low = value.applyAsDouble(of(runs, below));
        return below == above
                ? low
                : low + (value.applyAsDouble(of(runs, above)) - low) * (batch - below) / (above - below);
    }

    /** Step and synchronisation time with a local batch on so many GPUs of each server. */
    StepTime stepTime(int[] placement, int localBatch) {
        return known.computeIfAbsent(Arrays.toString(placement) + localBatch, key -> lookUp(placement, localBatch));
    }

    private StepTime lookUp(int[] placement, int localBatch) {
        NavigableMap<Integer, StepTime> measured = byPlacement.get(leastRotation(placement));
        if (measured != null) {
            return at(measured, localBatch);
        }
        int nodes = Math.min(placement.length, bySize.lastKey());
        double gpus = Arrays.stream(placement).sum();
        int fewer = bySize.floorKey(nodes);
        int more = bySize.ceilingKey(nodes);
        StepTime low = ofSize(of(bySize, fewer), gpus * fewer / nodes, localBatch);
        return fewer == more
                ? low
                : mixed(
                        low,
                        ofSize(of(bySize, more), gpus * more / nodes, localBatch),
                        (double) (nodes - fewer) / (more - fewer));
    }

    private static StepTime ofSize(
            NavigableMap<Integer, NavigableMap<Integer, StepTime>> byGpus, double gpus, int batch) {
        double inside = Math.max(byGpus.firstKey(), Math.min(byGpus.lastKey(), gpus));
        int fewer = byGpus.floorKey((int) Math.floor(inside + 1e-9));
        int more = byGpus.ceilingKey((int) Math.ceil(inside - 1e-9));
        StepTime low = at(of(byGpus, fewer), batch);
        return fewer == more ? low : mixed(low, at(of(byGpus, more), batch), (inside - fewer) / (more - fewer));
    }

    private static StepTime at(NavigableMap<Integer, StepTime> byBatch, int batch) {
        int inside = Math.max(byBatch.firstKey(), Math.min(byBatch.lastKey(), batch));
        int below = byBatch.floorKey(inside);
        int above = byBatch.ceilingKey(inside);
        return below == above
                ? of(byBatch, below)
                : mixed(of(byBatch, below), of(byBatch, above), (double) (inside - below) / (above - below));
    }

    private static StepTime mixed(StepTime a, StepTime b, double weight) {
        return new StepTime(a.step() + weight * (b.step() - a.step()), a.sync() + weight * (b.sync() - a.sync()));
    }

    private static String leastRotation(int[] placement) {
        StringBuilder digits = new StringBuilder();
        Arrays.stream(placement).forEach(digits::append);
        String least = digits.toString();
        for (int i = 1; i < placement.length; i++) {
            String rotated = digits.substring(i) + digits.substring(0, i);
            least = rotated.compareTo(least) < 0 ? rotated : least;
        }
        return least;
    }
}
