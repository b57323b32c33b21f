package org.trainyard.experiments.sweep;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.trainyard.env.InvalidFieldException;

/** A key of a config and the values that a sweep tries. */
public sealed interface SweptKey {
    /** Path of the key, such as {@code learner.learning_rate}. */
    String key();

    /** A value at random, as YAML. */
    String draw(RandomGenerator random);

    /**
     * A key with values to try.
     *
     * @param values as YAML, each once
     */
    record Values(String key, List<String> values) implements SweptKey {
        public Values {
            values = List.copyOf(values);
            if (values.isEmpty() || values.stream().distinct().count() < values.size()) {
                throw new InvalidFieldException("values", values, "at least one value, each once");
            }
        }

        @Override
        public String draw(RandomGenerator random) {
            return values.get(random.nextInt(values.size()));
        }
    }

    /**
     * A range of numbers, for a random search.
     *
     * @param log whether the logarithm is uniform rather than the number
     */
    record Range(String key, double from, double to, boolean log) implements SweptKey {
        public Range {
            if (log && !(from > 0)) {
                throw new InvalidFieldException("from", from, "a number above 0, whose logarithm is drawn");
            }
            if (!(to > from)) {
                throw new InvalidFieldException("to", to, "a number above from (%s)".formatted(from));
            }
        }

        @Override
        public String draw(RandomGenerator random) {
            double at = random.nextDouble();
            double value = log ? from * Math.pow(to / from, at) : from + (to - from) * at;
            return String.format(Locale.ROOT, "%.6g", value);
        }
    }
}
