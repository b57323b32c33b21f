package org.trainyard.interference.model.pressure;

import java.util.Arrays;
import java.util.List;
import org.trainyard.env.Invalid;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * Pressure times sensitivity: {@code -ln ratio = sum over k of sensitivity_k(victim) x pressure_k(neighbour)}.
 *
 * <p>Sensitivity and pressure are non-negative linear functions of {@link #columns}: a constant, the architecture, the
 * job type and the traits, so that a new type is described by its traits. The pressures of several neighbours add up.
 * Immutable.
 *
 * @param domains one fit per domain
 */
public record MeasuredPressure(List<Fit> domains) implements PairModel {
    /**
     * The coefficients of one domain.
     *
     * @param sensitivity for each kind k, a coefficient per column of {@link #columns}
     * @param pressure the same for the neighbour
     */
    public record Fit(Domain domain, PairEncoder encoder, List<List<Double>> sensitivity, List<List<Double>> pressure) {
        public Fit {
            for (List<List<Double>> side : List.of(sensitivity, pressure)) {
                for (List<Double> kind : side) {
                    if (kind.size() != width(encoder) || kind.stream().anyMatch(value -> !(value >= 0))) {
                        throw new IllegalArgumentException(
                                "coefficients of (%s) must be (%d) and not negative".formatted(domain, width(encoder)));
                    }
                }
            }
        }

        double logSlowdown(Pair pair) {
            double[] victim = columns(encoder, pair.victim());
            double[] neighbour = columns(encoder, pair.neighbour());
            double sum = 0;
            for (int k = 0; k < sensitivity.size(); k++) {
                sum += dot(sensitivity.get(k), victim) * dot(pressure.get(k), neighbour);
            }
            return sum;
        }

        private static double dot(List<Double> weights, double[] values) {
            double sum = 0;
            for (int i = 0; i < values.length; i++) {
                if (values[i] != 0) {
                    sum += weights.get(i) * values[i];
                }
            }
            return sum;
        }
    }

    public MeasuredPressure {
        domains = List.copyOf(domains);
        Invalid.when(domains.isEmpty(), "a pressure model needs at least one domain");
    }

    public static int width(PairEncoder encoder) {
        return 1
                + encoder.architectures().size()
                + encoder.labels().size()
                + 2 * encoder.traits().size();
    }

    /**
     * Features of a type, each 0..1: a one, one-hot architecture and type, and for each trait its height z and 1 - z.
     */
    public static double[] columns(PairEncoder encoder, JobType type) {
        double[] columns = new double[width(encoder)];
        columns[0] = 1;
        identify(columns, 1, encoder.architectures(), type.architecture());
        int at = 1 + encoder.architectures().size();
        identify(columns, at, encoder.labels(), type.label());
        at += encoder.labels().size();
        for (int i = 0; i < encoder.traits().size(); i++) {
            Trait trait = encoder.traits().get(i);
            double value = type.trait(trait);
            double z = Double.isNaN(value)
                    ? 0
                    : (value - encoder.means().get(i)) / encoder.spreads().get(i);
            double high = Math.max(0, Math.min(1, 0.5 + z / 4));
            columns[at + 2 * i] = high;
            columns[at + 2 * i + 1] = 1 - high;
        }
        return columns;
    }

    /**
     * One-hot; a new name is the even mixture of all, because zeros would underestimate its pressure and sensitivity.
     */
    private static void identify(double[] columns, int at, List<String> names, String name) {
        int index = names.indexOf(name);
        if (index >= 0) {
            columns[at + index] = 1;
        } else {
            Arrays.fill(columns, at, at + names.size(), 1.0 / names.size());
        }
    }

    @Override
    public double[] ratios(List<Pair> pairs) {
        return pairs.stream()
                .mapToDouble(
                        pair -> PairModel.limit(Math.exp(-fit(pair.domain()).logSlowdown(pair))))
                .toArray();
    }

    /** The fit of a domain, or of the first of its scope when that hardware was not measured. */
    private Fit fit(Domain domain) {
        Fit sameScope = null;
        for (Fit fit : domains) {
            if (fit.domain().equals(domain)) {
                return fit;
            }
            if (sameScope == null && fit.domain().scope() == domain.scope()) {
                sameScope = fit;
            }
        }
        if (sameScope == null) {
            throw new IllegalArgumentException("no fit for (%s)".formatted(domain));
        }
        return sameScope;
    }
}
