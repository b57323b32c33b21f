package org.trainyard.env.synchronisation;

import org.trainyard.env.Invalid;

/**
 * The time that a job takes until its loss reaches a goal, check period by check period, with the periods in which ADSP
 * searches and those in which ADACOMM adapts.
 *
 * <p>The loss falls by effective steps as a {@link LossCurve}. ADSP evaluates commit rates at the start of every epoch,
 * each for a check period, by the curve through the losses at its start, middle and end.
 */
public final class TimeToTarget {
    /** ADSP's epoch, seconds. */
    private static final double EPOCH_SECONDS = 600;

    private final UnevenWorkers workers;
    private final StatisticalEfficiency efficiency;
    private final LossCurve curve;
    private final double goalSteps;
    private final double goal;
    private double seconds;
    private double effectiveSteps;

    private TimeToTarget(UnevenWorkers workers, StatisticalEfficiency efficiency, LossCurve curve, double goal) {
        this.workers = workers;
        this.efficiency = efficiency;
        this.curve = curve;
        this.goal = goal;
        goalSteps = curve.reaches(goal);
        Invalid.when(Double.isInfinite(goalSteps), "the loss never falls to (%s), only to (%s)", goal, curve.c());
    }

    /**
     * Seconds until a training reaches its goal.
     *
     * @param curve the loss by effective steps
     */
    public static double of(
            SynchronisationModel model,
            UnevenWorkers workers,
            StatisticalEfficiency efficiency,
            LossCurve curve,
            double goal) {
        if (model instanceof SynchronisationModel.OurWorth ours) {
            return of(ours.model(), workers, StatisticalEfficiency.OURS, curve, goal);
        }
        TimeToTarget training = new TimeToTarget(workers, efficiency, curve, goal);
        UnevenWorkers tuned = workers.withTunedBatches();
        if (model instanceof SynchronisationModel.Adsp adsp && adsp.commits() == 0) {
            training.searching();
        } else if (model instanceof SynchronisationModel.Adacomm) {
            training.adapting(workers);
        } else if (model instanceof SynchronisationModel.BatchTune tune
                && tune.barriers() instanceof SynchronisationModel.Adacomm) {
            training.adapting(tuned);
        } else {
            training.run(model.pace(workers, efficiency), Double.POSITIVE_INFINITY);
        }
        return training.seconds;
    }

    private boolean isDone() {
        return effectiveSteps >= goalSteps;
    }

    private double loss() {
        return curve.at(effectiveSteps);
    }

    /** Trains at one pace for so long, or until the goal. */
    private void run(Pace pace, double most) {
        double left = (goalSteps - effectiveSteps) / pace.effectiveStepsPerSecond();
        boolean isLast = left <= most;
        double took = isLast ? left : most;
        seconds += took;
        effectiveSteps = isLast ? goalSteps : effectiveSteps + pace.effectiveStepsPerSecond() * took;
    }

    private void adapting(UnevenWorkers gang) {
        AdaptiveLocalSteps steps = new AdaptiveLocalSteps(gang, efficiency, loss());
        while (!isDone()) {
            run(AdaptiveLocalSteps.pace(steps.now(), gang, efficiency), SynchronisationModel.CHECK_SECONDS);
            steps.next(loss());
        }
    }

    private void searching() {
        int most = CommitRateSearch.most(workers, SynchronisationModel.CHECK_SECONDS);
        while (!isDone()) {
            double end = seconds + EPOCH_SECONDS;
            int commits = CommitRateSearch.climb(most, this::evaluated);
            if (!isDone()) {
                run(
                        SynchronisationModel.Adsp.at(commits, workers, efficiency),
                        Math.max(SynchronisationModel.CHECK_SECONDS, end - seconds));
            }
        }
    }

    /**
     * Trains a check period with so many commits; the reward by its losses. Nothing, when the goal is reached
     * meanwhile.
     */
    private double evaluated(int commits) {
        if (isDone()) {
            return 0;
        }
        Pace pace = SynchronisationModel.Adsp.at(commits, workers, efficiency);
        double half = SynchronisationModel.CHECK_SECONDS / 2;
        double start = loss();
        run(pace, half);
        double middle = loss();
        run(pace, half);
        return isDone() ? 0 : LossCurve.through(half, start, middle, loss()).reward(goal);
    }
}
