package org.trainyard.experiments.papers.rltune;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.training.CrossEntropy;
import org.trainyard.experiments.papers.rltune.PhillyWindows.Window;

/**
 * Training of a learned {@link Priority} on windows of Philly: what is minimised is the mean wait of a window over
 * that of first come, first served.
 */
public final class PriorityTraining {
    private static final CrossEntropy.Settings SEARCH = new CrossEntropy.Settings(25, 24, 6, 0.7, 0.05);
    private static final int POOL = 96;
    private static final int TRAINED = 10;
    private static final int VALIDATED = 40;

    /** Where the windows come from, and what the policy knows and does. */
    enum Course {
        /** Windows from anywhere in the trace, those that are judged among them; run times are not read. */
        ANYWHERE(false, false, false, true),
        /** Windows of the first half of the trace; run times are not read. */
        BEFORE(true, false, false, true),
        /** The same, with true run times. */
        BEFORE_TRUE(true, true, false, true),
        /** The same, with predicted run times. */
        BEFORE_PREDICTED(true, true, true, true),
        /** The same, where jobs that do not fit are passed over. */
        BEFORE_PASSING(true, true, true, false);

        private final boolean isBefore;
        private final boolean readsTime;
        private final boolean isPredicted;
        private final boolean holdsUp;

        Course(boolean isBefore, boolean readsTime, boolean isPredicted, boolean holdsUp) {
            this.isBefore = isBefore;
            this.readsTime = readsTime;
            this.isPredicted = isPredicted;
            this.holdsUp = holdsUp;
        }

        /** The scheduler of weights of this course. */
        OneByOne scheduler(double[] weights) {
            return new OneByOne(Priority.learned(weights, readsTime), holdsUp);
        }

        /**
         * The weights before the first update, under which all jobs cost the same: the first that arrived goes first.
         */
        double[] untrained() {
            return new double[PriorityNetwork.size(readsTime ? PriorityNetwork.COLUMNS : PriorityNetwork.COLUMNS - 1)];
        }
    }

    private final PhillyWindows windows;

    public PriorityTraining(Path data) {
        windows = new PhillyWindows(data);
    }

    private double relative(Course course, double[] weights, Window window) {
        return PhillyWindows.waitSeconds(windows.run(window, course.isPredicted, course.scheduler(weights)))
                / PhillyWindows.waitSeconds(window.fcfs());
    }

    private double mean(Course course, double[] weights, List<Window> of) {
        return of.stream()
                .mapToDouble(window -> relative(course, weights, window))
                .average()
                .orElseThrow();
    }

    /** Trains all courses and tells the weights of each. */
    public void run(long seed, Consumer<String> told) {
        for (Course course : Course.values()) {
            told.accept("%s %s".formatted(course, Arrays.toString(run(course, seed, told))));
        }
    }

    /** The weights of the generation that is best on validation windows, which come from where those of training do. */
    private double[] run(Course course, long seed, Consumer<String> told) {
        int end = course.isBefore ? windows.size() / 2 : windows.size();
        List<Window> pool = windows.draw(seed, "training", POOL, 0, end);
        List<Window> validation = windows.draw(0, "validation", VALIDATED, 0, end);
        CrossEntropy.Found best = new CrossEntropy(SEARCH, seed)
                .best(
                        course.untrained(),
                        (weights, generation) -> mean(course, weights, some(pool, generation)),
                        (weights, generation) -> mean(course, weights, validation));
        told.accept("%s: %.4f of the wait on validation windows".formatted(course, best.cost()));
        return best.weights();
    }

    private static List<Window> some(List<Window> pool, int generation) {
        return IntStream.range(0, TRAINED)
                .mapToObj(i -> pool.get((generation * TRAINED + i) % pool.size()))
                .toList();
    }
}
