package org.trainyard.experiments.run;

import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;

/** Training, validation and test episodes of an experiment; no job is in episodes of two kinds. */
public interface Episodes {
    /**
     * The jobs of an episode, sorted by submission; the first is submitted at zero.
     *
     * @param warm number of jobs, the first, that ran or waited when the episode begins; they make its congestion, and
     *     no result counts them
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
        requireEpisodes(validationEpisodes, testEpisodes);
        return new Generated(generator, validationEpisodes, testEpisodes, seed, testSeed);
    }

    /** Refuses fewer than one of each. */
    static void requireEpisodes(int validation, int test) {
        if (validation < 1) {
            throw InputException.at("validation episodes", validation, "at least 1");
        }
        if (test < 1) {
            throw InputException.at("test episodes", test, "at least 1");
        }
    }

    /** See {@link #ofGenerator}. */
    record Generated(
            LongFunction<List<TraceJob>> generator, int validationCount, int testCount, long seed, long testSeed)
            implements Episodes {
        @Override
        public Jobs train(long index) {
            return draw(seed, "train", Objects.checkIndex(index, Long.MAX_VALUE));
        }

        @Override
        public Jobs validation(int index) {
            return draw(seed, "validation", Objects.checkIndex(index, validationCount));
        }

        @Override
        public Jobs test(int index) {
            return draw(testSeed, "test", Objects.checkIndex(index, testCount));
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
