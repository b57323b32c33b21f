package org.trainyard.env.scheduling.order;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;

/**
 * How soon each job is worth running, given its predicted run time, how long it has run, and how wrong such predictions have been so far.
 *
 * <p>Errors are counted by how many jobs of the same group had finished when a job arrived: predictions of jobs that recur are good, of
 * others hardly better than none. A job's {@link #seconds} are its prediction times the {@link GittinsIndex}. Nothing is known here that
 * any scheduler could not know: predictions, and run times of what has finished.
 */
public final class RemainingTimeEstimator {
    /** Groups of which 0, 1, 2, 3-4, 5-8 and more jobs had finished. */
    private static final int CLASSES = 6;

    private final SimView view;
    private final Map<String, Integer> finishedOfGroup = new HashMap<>();
    private final GittinsIndex[] ranks = new GittinsIndex[CLASSES];
    private byte[] kind = new byte[0];
    /** By job, what was last asked for: its rank, how long it had run, and how many errors had been seen, or -1. */
    private double[] known = new double[0];

    private double[] knownAge = new double[0];
    private int[] knownErrors = new int[0];
    private int journalRead;

    public RemainingTimeEstimator(SimView view) {
        this.view = view;
        Arrays.setAll(ranks, i -> new GittinsIndex());
    }

    /** Takes in all events so far. */
    public void update() {
        update(view.journalSize());
    }

    /** Takes in the events before the given entry of the journal. */
    public void update(int journalEnd) {
        for (; journalRead < journalEnd; journalRead++) {
            switch (view.journalKind(journalRead)) {
                case ARRIVE -> arrived(view.journalJob(journalRead));
                case FINISH -> finished(view.journalJob(journalRead));
                case START, PREEMPT, KILL, FORWARD, RESIZE, DOWN, UP -> {}
            }
        }
    }

    private void arrived(int job) {
        if (job >= kind.length) {
            int jobs = kind.length;
            kind = Arrays.copyOf(kind, Math.max(job + 64, 2 * jobs));
            known = Arrays.copyOf(known, kind.length);
            knownAge = Arrays.copyOf(knownAge, kind.length);
            knownErrors = Arrays.copyOf(knownErrors, kind.length);
            Arrays.fill(knownErrors, jobs, kind.length, -1);
        }
        @Nullable String group = view.job(job).group();
        kind[job] = (byte) classOf(group == null ? 0 : finishedOfGroup.getOrDefault(group, 0));
    }

    private static int classOf(int finished) {
        return finished <= 2 ? finished : finished <= 4 ? 3 : finished <= 8 ? 4 : 5;
    }

    private void finished(int job) {
        @Nullable String group = view.job(job).group();
        if (group != null) {
            finishedOfGroup.merge(group, 1, Integer::sum);
        }
        ranks[kind[job]].add(Math.log(view.progressSeconds(job) / view.predictedSeconds(job)));
    }

    /** Rank of the job now, seconds: less is sooner. Worked out once for all who ask at one instant. */
    public double seconds(int job) {
        double age = view.progressSeconds(job);
        int errors = ranks[kind[job]].errors();
        if (knownErrors[job] != errors || knownAge[job] != age) {
            knownErrors[job] = errors;
            knownAge[job] = age;
            known[job] = secondsAtAge(job, age);
        }
        return known[job];
    }

    /** The same for a job that has run so long at its ideal rate. */
    double secondsAtAge(int job, double ageSeconds) {
        double predicted = view.predictedSeconds(job);
        return predicted * ranks[kind[job]].of(ageSeconds / predicted);
    }
}
