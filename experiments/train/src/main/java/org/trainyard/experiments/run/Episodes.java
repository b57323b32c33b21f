package org.trainyard.experiments.run;

import java.util.List;
import java.util.function.LongFunction;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;

/**
 * Training, validation and test episodes of an experiment; no job is in episodes of two kinds.
 */
public sealed interface Episodes permits TraceEpisodes, PooledEpisodes, Episodes.Generated {
    /**
     * The jobs of an episode, sorted by submission; the first is submitted at zero.
     *
     * @param warm number of jobs, the first, that ran or waited when the episode begins; they make its congestion,
     *     and no result counts them
     */
    record Jobs(List<TraceJob> jobs, int warm) {}

    /**
     * The training episode of this index; there are infinitely many.
     *
     * @throws org.trainyard.env.InputException when no share of the trace is for training
     */
    Jobs train(long index);

    /** The validation episode, {@code 0 <= index < validationCount()}. */
    Jobs validation(int index);

    /** The test episode, {@code 0 <= index < testCount()}. */
    Jobs test(int index);

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
     * @param trainShare share of the trace's time span for training, from its start; 0 where nothing is trained
     * @param validationShare share of the span for validation, after that; the rest is for test episodes
     * @param isWarm whether episodes begin with what ran and waited then
     */
    record Split(
            int jobs,
            double trainShare,
            double validationShare,
            int validationEpisodes,
            int testEpisodes,
            boolean isWarm) {}

    /**
     * Splits a trace by time. Validation and test episodes are evenly spaced windows of their parts; training
     * episodes start at random in theirs.
     *
     * @param trace sorted by submission
     */
    static Episodes ofTrace(List<TraceJob> trace, Split split, long seed) {
        return TraceEpisodes.of(trace, split, seed);
    }

    /**
     * Splits a pool of workloads, which share no jobs, into training, validation and test episodes at random.
     *
     * @param pool each sorted by submission
     * @param split shares are those of the workloads; an episode has all jobs of its workload
     */
    static Episodes ofPool(List<List<TraceJob>> pool, Split split, long seed) {
        return PooledEpisodes.of(pool, split, seed);
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
        public Jobs train(long index) {
            return draw(seed, "train", TraceEpisodes.requireIndex(index, Long.MAX_VALUE));
        }

        @Override
        public Jobs validation(int index) {
            return draw(seed, "validation", TraceEpisodes.requireIndex(index, validationCount));
        }

        @Override
        public Jobs test(int index) {
            return draw(testSeed, "test", TraceEpisodes.requireIndex(index, testCount));
        }

        private Jobs draw(long root, String part, long index) {
            return new Jobs(generator.apply(RandomStreams.derive(root, part + "/" + index)), 0);
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
