package org.trainyard.env.scheduling.order;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;

/**
 * Estimates the remaining time of jobs as their Gittins rank, from predicted run times, ages, and the errors of earlier
 * predictions.
 *
 * <p>There is one distribution of errors ({@link GittinsIndex}) for each class of jobs, by the number of finished jobs
 * of the same group at submission: predictions of recurring jobs are good, others hardly better than none. The
 * estimator reads the journal of a {@link SimView} and uses only what any scheduler may know: predictions and the run
 * times of finished jobs. An instance serves one run.
 *
 * <p>An estimator that reads the time limit has another quantum of service to choose: what is left until the limit on
 * run times that finished jobs show ({@link TimeLimit}), at which a job ends with certainty. So its ranks are at most
 * that.
 */
public final class RemainingTimeEstimator implements BoundedRank {
    /** 0, 1, 2, 3-4, 5-8 and more finished jobs of the group. */
    private static final int CLASSES = 6;

    private final Map<String, Integer> finishedOfGroup = new HashMap<>();
    private final GittinsIndex[] ranks = new GittinsIndex[CLASSES];
    /** Null for ranks that know of none. */
    private final @Nullable TimeLimit limit;

    private byte[] errorClass = new byte[0];
    /** By job, the cached rank. */
    private double[] known = new double[0];
    /** The age for which it holds. */
    private double[] knownAge = new double[0];
    /** The number of errors for which it holds; -1 when there is none. */
    private int[] knownErrors = new int[0];

    private int journalRead;
    private int finished;
    private int renewalAt = 1;

    /** An estimator that reads no time limit. */
    public RemainingTimeEstimator() {
        this(false);
    }

    /**
     * @param readsTimeLimit whether ranks are at most what is left until the limit on run times that finished jobs show
     */
    public RemainingTimeEstimator(boolean readsTimeLimit) {
        limit = readsTimeLimit ? new TimeLimit() : null;
        Arrays.setAll(ranks, i -> new GittinsIndex());
    }

    @Override
    public double of(SimView view, int job) {
        update(view, view.journalSize());
        return seconds(view, job);
    }

    /** Reads the events before the given entry of the journal. */
    public void update(SimView view, int journalEnd) {
        for (; journalRead < journalEnd; journalRead++) {
            switch (view.journalKind(journalRead)) {
                case ARRIVE -> arrived(view, view.journalJob(journalRead));
                case FINISH -> finished(view, view.journalJob(journalRead));
                case START,
                        PREEMPT,
                        KILL,
                        FORWARD,
                        RESIZE,
                        DOWN,
                        UP,
                        REJECT,
                        FREEZE,
                        HOST_CPU,
                        HOST_MEMORY,
                        HOLD,
                        TIMEOUT -> {}
            }
        }
    }

    private void arrived(SimView view, int job) {
        if (job >= errorClass.length) {
            int jobs = errorClass.length;
            errorClass = Arrays.copyOf(errorClass, Math.max(job + 64, 2 * jobs));
            known = Arrays.copyOf(known, errorClass.length);
            knownAge = Arrays.copyOf(knownAge, errorClass.length);
            knownErrors = Arrays.copyOf(knownErrors, errorClass.length);
            Arrays.fill(knownErrors, jobs, errorClass.length, -1);
        }
        @Nullable String group = view.job(job).group();
        errorClass[job] = (byte) classOf(group == null ? 0 : finishedOfGroup.getOrDefault(group, 0));
    }

    private static int classOf(int finished) {
        return finished <= 2 ? finished : finished <= 4 ? 3 : finished <= 8 ? 4 : 5;
    }

    private void finished(SimView view, int job) {
        if (view.firstStartNanos(job) < 0 || view.progressSeconds(job) == 0) {
            // Rejected, cancelled, or killed before it did any work: it tells nothing of run times.
            return;
        }
        finished++;
        @Nullable String group = view.job(job).group();
        if (group != null) {
            finishedOfGroup.merge(group, 1, Integer::sum);
        }
        if (limit != null) {
            limit.add(view.progressSeconds(job));
        }
        ranks[errorClass[job]].add(Math.log(view.progressSeconds(job) / view.predictedSeconds(job)));
    }

    /**
     * Whether waiting jobs are to be ranked anew, once each time: whenever the number of finished jobs has grown by a
     * twentieth. Their ranks change with every finished job alone, by less and less; so each is renewed O(log jobs)
     * times.
     */
    public boolean isRenewalDue() {
        boolean isDue = finished >= renewalAt;
        renewalAt = isDue ? finished + 1 + finished / 20 : renewalAt;
        return isDue;
    }

    /**
     * The Gittins rank of the job now by the events read so far, seconds; cached while neither its age nor the errors
     * of its class change.
     */
    public double seconds(SimView view, int job) {
        double age = view.progressSeconds(job);
        int errors = ranks[errorClass[job]].errors();
        if (knownErrors[job] != errors || knownAge[job] != age) {
            knownErrors[job] = errors;
            knownAge[job] = age;
            known[job] = rankAtAge(view, job, age);
        }
        return atMostLimit(known[job], age);
    }

    @Override
    public double atMost(SimView view, int job, double untilSeconds) {
        double predicted = view.predictedSeconds(job);
        GittinsIndex index = ranks[errorClass[job]];
        return predicted * index.atMost(view.progressSeconds(job) / predicted, untilSeconds / predicted);
    }

    @Override
    public long bounds(SimView view) {
        update(view, view.journalSize());
        long bounds = 0;
        for (GittinsIndex index : ranks) {
            bounds += index.bounds();
        }
        return bounds;
    }

    /** The rank of a job that has run so long at its ideal rate. */
    double secondsAtAge(SimView view, int job, double ageSeconds) {
        return atMostLimit(rankAtAge(view, job, ageSeconds), ageSeconds);
    }

    private double rankAtAge(SimView view, int job, double ageSeconds) {
        double predicted = view.predictedSeconds(job);
        return predicted * ranks[errorClass[job]].of(ageSeconds / predicted);
    }

    private double atMostLimit(double rank, double ageSeconds) {
        return limit == null ? rank : Math.min(rank, limit.leftSeconds(ageSeconds));
    }
}
