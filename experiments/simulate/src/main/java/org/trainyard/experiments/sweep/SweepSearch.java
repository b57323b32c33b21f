package org.trainyard.experiments.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.RandomStreams;

/** Which combinations of values a sweep tries. */
public sealed interface SweepSearch {
    /** Runs of a sweep, at most. */
    int MOST = 100_000;

    /** The values of all runs, in the order of the keys. */
    List<List<String>> points(List<SweptKey> keys);

    /** Every combination, the last key fastest. */
    record Grid() implements SweepSearch {
        @Override
        public List<List<String>> points(List<SweptKey> keys) {
            List<List<String>> points = List.of(List.of());
            for (SweptKey key : keys) {
                if (!(key instanceof SweptKey.Values values)) {
                    throw InputException.at(
                            "keys", key.key(), "values for a grid; a range needs search {type: Random, ...}");
                }
                if ((long) points.size() * values.values().size() > MOST) {
                    throw new InputException(
                            "keys: more than %d combinations: expected fewer values, or search {type: Random, ...}"
                                    .formatted(MOST));
                }
                points = points.stream()
                        .flatMap(point -> values.values().stream().map(value -> with(point, value)))
                        .toList();
            }
            return points;
        }

        private static List<String> with(List<String> point, String value) {
            List<String> longer = new ArrayList<>(point);
            longer.add(value);
            return List.copyOf(longer);
        }
    }

    /**
     * Values drawn at random, those of every key independently.
     *
     * @param samples runs
     * @param seed of the draws
     */
    record Random(int samples, long seed) implements SweepSearch {
        public Random {
            if (samples < 1 || samples > MOST) {
                throw new InvalidFieldException("samples", samples, "a whole number, 1 to %d".formatted(MOST));
            }
        }

        @Override
        public List<List<String>> points(List<SweptKey> keys) {
            List<List<String>> points = new ArrayList<>();
            for (int sample = 0; sample < samples; sample++) {
                RandomGenerator random = RandomStreams.stream(seed, "sweep/" + sample);
                points.add(keys.stream().map(key -> key.draw(random)).toList());
            }
            return points;
        }
    }
}
