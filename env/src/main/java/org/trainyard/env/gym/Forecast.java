package org.trainyard.env.gym;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;

/**
 * How soon each job is worth running, given its predicted run time, how long it has run, and how wrong such predictions have been so far.
 *
 * <p>Errors are counted by how many jobs of the same group had finished when a job arrived: predictions of jobs that recur are good, of
 * others hardly better than none. A job's {@link #seconds} are its prediction times the {@link GittinsRank}. Nothing is known here that
 * any scheduler could not know: predictions, and run times of what has finished.
 */
final class Forecast {
    /** Groups of which 0, 1, 2, 3-4, 5-8 and more jobs had finished. */
    private static final int CLASSES = 6;
    /** Before anything has finished, errors count as if that many jobs had been wrong by a factor of e. */
    private static final double PRIOR_JOBS = 3;

    private final SimView view;
    private final Map<String, Integer> finishedOfGroup = new HashMap<>();
    private final double[] squares = new double[CLASSES];
    private final double[] counts = new double[CLASSES];
    private final double[] sigma = new double[CLASSES];
    private byte[] kind = new byte[64];
    /** Answers, and the instant they are of: the same is asked again and again. */
    private double[] seconds = new double[64];

    private long[] saidAt = new long[64];

    Forecast(SimView view) {
        this.view = view;
        Arrays.fill(squares, PRIOR_JOBS);
        Arrays.fill(counts, PRIOR_JOBS);
        Arrays.fill(sigma, 1);
    }

    void arrived(int job) {
        if (job >= kind.length) {
            kind = Arrays.copyOf(kind, Math.max(job + 1, 2 * kind.length));
            seconds = Arrays.copyOf(seconds, kind.length);
            saidAt = Arrays.copyOf(saidAt, kind.length);
        }
        @Nullable String group = view.job(job).group();
        kind[job] = (byte) classOf(group == null ? 0 : finishedOfGroup.getOrDefault(group, 0));
    }

    private static int classOf(int finished) {
        return finished <= 2 ? finished : finished <= 4 ? 3 : finished <= 8 ? 4 : 5;
    }

    void finished(int job) {
        @Nullable String group = view.job(job).group();
        if (group != null) {
            finishedOfGroup.merge(group, 1, Integer::sum);
        }
        double error = Math.log(view.progressSeconds(job) / view.predictedSeconds(job));
        int of = kind[job];
        squares[of] += error * error;
        counts[of]++;
        sigma[of] = Math.sqrt(squares[of] / counts[of]);
    }

    /** Standard deviation of the natural logarithm of run time over prediction, of jobs like this one. */
    double sigma(int job) {
        return sigma[kind[job]];
    }

    /** Rank of the job now, seconds: less is sooner. */
    double seconds(int job) {
        long now = view.nowNanos() + 1; // never zero
        if (saidAt[job] != now) {
            saidAt[job] = now;
            double predicted = view.predictedSeconds(job);
            seconds[job] = predicted * GittinsRank.of(view.progressSeconds(job) / predicted, sigma(job));
        }
        return seconds[job];
    }
}
