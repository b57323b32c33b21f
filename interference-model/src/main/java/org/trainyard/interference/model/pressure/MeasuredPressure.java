package org.trainyard.interference.model.pressure;

import java.util.Arrays;
import java.util.List;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * Pressure times sensitivity: {@code -ln ratio = sum over k of sensitivity_k(victim) x pressure_k(neighbour)}.
 *
 * <p>Both are sums of parts none of which is negative: one of everybody, one of the architecture, one of the job type and one per trait, so a type
 * never seen is known by its traits. Several neighbours' pressures add up. Immutable.
 *
 * @param domains the fit of each domain
 */
public record MeasuredPressure(List<Fit> domains) implements PairModel {
    /**
     * What was fitted for one domain.
     *
     * @param sensitivity for each kind k, a coefficient per column of {@link #columns}
     * @param pressure likewise
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
        if (domains.isEmpty()) {
            throw new IllegalArgumentException("a pressure model needs at least one domain");
        }
    }

    static int width(PairEncoder encoder) {
        return 1
                + encoder.architectures().size()
                + encoder.labels().size()
                + 2 * encoder.traits().size();
    }

    /** A type in numbers of 0..1: a one, its architecture, itself, and for each trait how high and how low it is. */
    static double[] columns(PairEncoder encoder, JobType type) {
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

    /** A one in the name's column; a new name is an even mixture of all, for with nothing it would press and mind too little. */
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
