package org.trainyard.experiments.run;

import java.util.List;
import java.util.function.LongFunction;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * Training, validation and test episodes of an experiment; no job is in episodes of two kinds.
 */
public sealed interface Episodes permits TraceEpisodes, Episodes.Generated {
    /** The training episode of this index; there are infinitely many. */
    List<TraceJob> train(long index);

    /** The validation episode, {@code 0 <= index < validationCount()}. */
    List<TraceJob> validation(int index);

    /** The test episode, {@code 0 <= index < testCount()}. */
    List<TraceJob> test(int index);

    int validationCount();

    int testCount();

    /** Whether test episodes share jobs, so that they are not independent. */
    boolean testsOverlap();

    /** Notes for the user on shorter, fewer or overlapping episodes; a sentence each. */
    List<String> remarks();

    /**
     * How a trace is split into episodes.
     *
     * @param jobs jobs of an episode, at least 2
     * @param trainShare share of the trace's time span for training, from its start
     * @param validationShare share of the span for validation, after that; the rest is for test episodes
     * @param validationEpisodes number of validation episodes
     * @param testEpisodes number of test episodes
     */
    record Split(int jobs, double trainShare, double validationShare, int validationEpisodes, int testEpisodes) {}

    /**
     * Splits a trace by time. Validation and test episodes are evenly spaced windows of their parts; training episodes start at random in theirs.
     *
     * @param trace sorted by submission
     */
    static Episodes ofTrace(List<TraceJob> trace, Split split, long seed) {
        return TraceEpisodes.of(trace, split, seed);
    }

    /**
     * Generated episodes, each with its own seed.
     *
     * @param generator from a seed to the jobs of an episode, sorted by submission
     * @param seed root seed of training and validation episodes
     * @param testSeed root seed of test episodes
     */
    static Episodes ofGenerator(
            LongFunction<List<TraceJob>> generator,
            int validationEpisodes,
            int testEpisodes,
            long seed,
            long testSeed) {
        TraceEpisodes.requireEpisodes(validationEpisodes, testEpisodes);
        return new Generated(generator, validationEpisodes, testEpisodes, seed, testSeed);
    }

    /** See {@link #ofGenerator}. */
    record Generated(
            LongFunction<List<TraceJob>> generator, int validationCount, int testCount, long seed, long testSeed)
            implements Episodes {
        @Override
        public List<TraceJob> train(long index) {
            return draw(seed, "train", TraceEpisodes.requireIndex(index, Long.MAX_VALUE));
        }

        @Override
        public List<TraceJob> validation(int index) {
            return draw(seed, "validation", TraceEpisodes.requireIndex(index, validationCount));
        }

        @Override
        public List<TraceJob> test(int index) {
            return draw(testSeed, "test", TraceEpisodes.requireIndex(index, testCount));
        }

        private List<TraceJob> draw(long root, String part, long index) {
            return generator.apply(RandomStreams.derive(root, part + "/" + index));
        }

        @Override
        public boolean testsOverlap() {
            return false;
        }

        @Override
        public List<String> remarks() {
            return List.of();
        }
    }
}
