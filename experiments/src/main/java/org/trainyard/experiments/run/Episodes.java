package org.trainyard.experiments.run;

import java.util.List;
import java.util.function.LongFunction;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * The episodes of an experiment: those a policy trains on, those that choose the best of it, and those that judge it. No job of one
 * kind is ever seen in another.
 */
public sealed interface Episodes permits TraceEpisodes, Episodes.Generated {
    /** The training episode of this index; there is no last one. */
    List<TraceJob> train(long index);

    /** The validation episode, {@code 0 <= index < validationCount()}. */
    List<TraceJob> validation(int index);

    /** The test episode, {@code 0 <= index < testCount()}. */
    List<TraceJob> test(int index);

    int validationCount();

    int testCount();

    /** What the user should know: shorter, fewer or overlapping episodes. One sentence each. */
    List<String> remarks();

    /**
     * How a trace becomes episodes.
     *
     * @param jobs jobs of an episode, at least 2
     * @param trainShare part of the trace's span that trains, from its start
     * @param validationShare part of the span that validates, after that; the rest tests
     * @param validationEpisodes how many validate
     * @param testEpisodes how many test
     */
    record Split(int jobs, double trainShare, double validationShare, int validationEpisodes, int testEpisodes) {}

    /**
     * Cuts a trace by time. Windows that validate or test lie evenly in their part; windows that train start anywhere in theirs.
     *
     * @param trace sorted by submission
     */
    static Episodes ofTrace(List<TraceJob> trace, Split split, long seed) {
        return TraceEpisodes.of(trace, split, seed);
    }

    /**
     * Episodes drawn one by one, each from a seed of its own.
     *
     * @param generator from a seed to the jobs of an episode, sorted by submission
     */
    static Episodes ofGenerator(
            LongFunction<List<TraceJob>> generator, int validationEpisodes, int testEpisodes, long seed) {
        TraceEpisodes.requireEpisodes(validationEpisodes, testEpisodes);
        return new Generated(generator, validationEpisodes, testEpisodes, seed);
    }

    /** See {@link #ofGenerator}. */
    record Generated(LongFunction<List<TraceJob>> generator, int validationCount, int testCount, long seed)
            implements Episodes {
        @Override
        public List<TraceJob> train(long index) {
            return draw("train", TraceEpisodes.requireIndex(index, Long.MAX_VALUE));
        }

        @Override
        public List<TraceJob> validation(int index) {
            return draw("validation", TraceEpisodes.requireIndex(index, validationCount));
        }

        @Override
        public List<TraceJob> test(int index) {
            return draw("test", TraceEpisodes.requireIndex(index, testCount));
        }

        private List<TraceJob> draw(String part, long index) {
            return generator.apply(RandomStreams.derive(seed, part + "/" + index));
        }

        @Override
        public List<String> remarks() {
            return List.of();
        }
    }
}
