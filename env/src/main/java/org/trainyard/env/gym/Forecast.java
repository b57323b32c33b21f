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

    private final SimView view;
    private final Map<String, Integer> finishedOfGroup = new HashMap<>();
    private final GittinsRank[] ranks = new GittinsRank[CLASSES];
    private byte[] kind = new byte[64];

    Forecast(SimView view) {
        this.view = view;
        Arrays.setAll(ranks, i -> new GittinsRank());
    }

    void arrived(int job) {
        if (job >= kind.length) {
            kind = Arrays.copyOf(kind, Math.max(job + 1, 2 * kind.length));
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
        ranks[kind[job]].add(Math.log(view.progressSeconds(job) / view.predictedSeconds(job)));
    }

    /** Rank of the job now, seconds: less is sooner. */
    double seconds(int job) {
        return secondsAtAge(job, view.progressSeconds(job));
    }

    /** The same for a job that has run so long at its ideal rate. */
    double secondsAtAge(int job, double ageSeconds) {
        double predicted = view.predictedSeconds(job);
        return predicted * ranks[kind[job]].of(ageSeconds / predicted);
    }
}
