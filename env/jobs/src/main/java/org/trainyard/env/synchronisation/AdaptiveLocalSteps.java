package org.trainyard.env.synchronisation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * ADACOMM's number of local steps between two barriers: the best of a few at first, then fewer as the loss falls.
 *
 * <p>Source: J. Wang, G. Joshi: Adaptive communication strategies to achieve the best error-runtime trade-off in
 * local-update SGD, MLSys 2019, as in ADSP's code. Our reading: (1) the first number is the candidate with most
 * effective steps per second.
 */
final class AdaptiveLocalSteps {
    private static final int[] CANDIDATES = {1, 5, 10, 20, 40, 60, 80, 100};
    /** The course of a training, from a loss of 0.6 to one of 0.2 in 8 effective steps; only its shape counts. */
    private static final LossCurve SHAPE = new LossCurve(1, 2, 0.1);

    private static final double SHAPE_STEPS = SHAPE.reaches(0.2);
    private static final int SLICES = 64;

    private final int first;
    private final double firstLoss;
    private int now;

    AdaptiveLocalSteps(UnevenWorkers workers, StatisticalEfficiency efficiency, double firstLoss) {
        first = first(workers, efficiency);
        now = first;
        this.firstLoss = firstLoss;
    }

    static int first(UnevenWorkers workers, StatisticalEfficiency efficiency) {
        return Arrays.stream(CANDIDATES)
                .boxed()
                .max(Comparator.comparingDouble(
                        steps -> pace(steps, workers, efficiency).effectiveStepsPerSecond()))
                .orElseThrow();
    }

    static Pace pace(int localSteps, UnevenWorkers workers, StatisticalEfficiency efficiency) {
        return new SynchronisationModel.FixedAdacomm(localSteps).pace(workers, efficiency);
    }

    /** The most that any number of local steps up to the largest candidate gives. */
    static double mostEffectiveSteps(UnevenWorkers workers, StatisticalEfficiency efficiency) {
        return IntStream.rangeClosed(1, CANDIDATES[CANDIDATES.length - 1])
                .mapToDouble(steps -> pace(steps, workers, efficiency).effectiveStepsPerSecond())
                .max()
                .orElseThrow();
    }

    int now() {
        return now;
    }

    /** The next period: in proportion to the root of the loss if that is less than now, else half of now. */
    void next(double loss) {
        double wanted = Math.sqrt(loss / firstLoss) * first;
        now = (int) Math.ceil(wanted < now ? wanted : now / 2.0);
    }

    /**
     * The mean over a training of so many periods that the loss hardly falls in one: the numbers then follow the root
     * of the loss.
     */
    static Pace meanPace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
        int first = first(workers, efficiency);
        double seconds = 0;
        double steps = 0;
        double commits = 0;
        for (int slice = 0; slice < SLICES; slice++) {
            double loss = SHAPE.at((slice + 0.5) / SLICES * SHAPE_STEPS);
            Pace pace = pace((int) Math.ceil(first * Math.sqrt(loss / SHAPE.at(0))), workers, efficiency);
            double took = 1 / pace.effectiveStepsPerSecond();
            seconds += took;
            steps += pace.stepsPerSecond() * took;
            commits += pace.commitsPerSecond() * took;
        }
        return new Pace(steps / seconds, commits / seconds, SLICES / steps);
    }
}
