package org.trainyard.interference.measured;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/**
 * Measured slowdowns of pairs of models; pairs that were not measured are interpolated between similar ones.
 *
 * <p>For use as the truth of a simulation, while predictors are fitted to the same kind of data: no parameters are
 * learned. A pair without a row gets the mean of all rows of its scope, each counting by {@code exp(-distance^2 / 2
 * h^2)} (E. A. Nadaraya: On estimating regression, 1964), the distance being that of the pressures and sensitivities of
 * both models. Several neighbours add their excess, where predictors multiply. Neutral, monotone and at least 1,
 * because every row is.
 */
public final class MeasuredInterference implements InterferenceModel {
    /** The resource that victim and neighbour shared in the measurement. */
    public enum Shared {
        GPU,
        SOCKET,
        NIC
    }

    /**
     * One measured pair.
     *
     * @param slowdown rate alone over rate beside the neighbour, at least 1
     */
    public record Row(ModelProfile victim, ModelProfile neighbour, Shared shared, double slowdown) {
        public Row {
            if (!(slowdown >= 1) || Double.isInfinite(slowdown)) {
                throw new IllegalArgumentException("slowdown (%s) of %s beside %s must be finite and at least 1"
                        .formatted(slowdown, victim.name(), neighbour.name()));
            }
        }
    }

    private record Key(String victim, String neighbour, Shared shared) {}

    /** The arguments of an interpolation. */
    private record Asked(Pressure victim, Pressure neighbour, Shared shared) {}

    /** Width of the kernel, in the unit of pressures. */
    private static final double WIDTH = 0.25;

    private final List<Row> rows;
    private final Map<Key, Double> measured = new HashMap<>();
    private final Map<Asked, Double> interpolated = new ConcurrentHashMap<>();

    /** The rows of each pair are averaged. */
    public MeasuredInterference(List<Row> rows) {
        this.rows = List.copyOf(rows);
        Map<Key, int[]> counts = new HashMap<>();
        for (Row row : rows) {
            Key key = new Key(row.victim().name(), row.neighbour().name(), row.shared());
            counts.computeIfAbsent(key, unused -> new int[1])[0]++;
            measured.merge(key, row.slowdown(), Double::sum);
        }
        measured.replaceAll((key, sum) -> sum / counts.getOrDefault(key, new int[] {1})[0]);
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        double excess = 0;
        for (int i = 0; i < place.count(); i++) {
            ModelProfile neighbour = place.model(i);
            if (place.sharesGpu(i)) {
                excess += pair(victim, neighbour, Shared.GPU) - 1;
            }
            if (place.sharesSocket(i)) {
                excess += pair(victim, neighbour, Shared.SOCKET) - 1;
            }
            if (place.victimSpansServers() && place.spansServers(i)) {
                excess += pair(victim, neighbour, Shared.NIC) - 1;
            }
        }
        return 1 + excess;
    }

    /** Slowdown of a pair; 1 without any measurement of the scope. O(rows) for the first interpolation of a pair. */
    public double pair(ModelProfile victim, ModelProfile neighbour, Shared shared) {
        Double known = measured.get(new Key(victim.name(), neighbour.name(), shared));
        return known != null
                ? known
                : interpolated.computeIfAbsent(
                        new Asked(victim.pressure(), neighbour.pressure(), shared),
                        asked -> interpolated(victim, neighbour, shared));
    }

    private double interpolated(ModelProfile victim, ModelProfile neighbour, Shared shared) {
        double sum = 0;
        double weights = 0;
        for (Row row : rows) {
            if (row.shared() == shared) {
                double squared = distance(row.victim(), victim) + distance(row.neighbour(), neighbour);
                // The floor gives pairs far from all measured ones the mean instead of a division by zero.
                double weight = Math.exp(-squared / (2 * WIDTH * WIDTH)) + 1e-9;
                sum += weight * row.slowdown();
                weights += weight;
            }
        }
        return weights == 0 ? 1 : sum / weights;
    }

    private static double distance(ModelProfile a, ModelProfile b) {
        return square(a.pressure().gpu() - b.pressure().gpu())
                + square(a.pressure().socket() - b.pressure().socket())
                + square(a.pressure().pcie() - b.pressure().pcie())
                + square(a.pressure().nic() - b.pressure().nic());
    }

    private static double square(double x) {
        return x * x;
    }
}
