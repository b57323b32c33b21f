package org.trainyard.interference.runtimes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.TraceJob;

/**
 * The jobs of a log in order of submission, with run time and completion time.
 *
 * <p>Logs record run times but seldom queueing delays, so (1) a job is taken to complete its run time after its
 * submission. Jobs that really waited count as finished a little too early, for all predictors alike.
 */
public final class RuntimeLog {
    /** A group with fewer runs does not count as recurring, as in Q. Weng et al.: MLaaS in the wild, NSDI 2022. */
    private static final int RECURRING_RUNS = 5;

    private static final String NO_MODEL = "";

    private final List<JobSpec> jobs = new ArrayList<>();
    private final double[] seconds;
    private final boolean[] recurring;

    private RuntimeLog(List<TraceJob> logged) {
        List<TraceJob> sorted = new ArrayList<>(logged);
        sorted.sort(Comparator.comparingLong(TraceJob::submitNanos));
        seconds = new double[sorted.size()];
        recurring = new boolean[sorted.size()];
        Map<String, Integer> runs = new HashMap<>();
        for (int i = 0; i < seconds.length; i++) {
            TraceJob job = sorted.get(i);
            jobs.add(job(i, job));
            seconds[i] = job.durationNanos() / 1e9;
            if (job.group() != null) {
                runs.merge(job.group(), 1, Integer::sum);
            }
        }
        for (int i = 0; i < seconds.length; i++) {
            String group = jobs.get(i).group();
            recurring[i] = group != null && runs.getOrDefault(group, 0) >= RECURRING_RUNS;
        }
    }

    /** The jobs of one or several traces of the same cluster and clock. */
    public static RuntimeLog of(List<TraceJob> logged) {
        return new RuntimeLog(logged);
    }

    /** The specification of a logged job; its rate is unknown and set to one. */
    public static JobSpec job(int id, TraceJob job) {
        Pressure none = new Pressure(0, 0, 0);
        String model = job.model() == null ? NO_MODEL : job.model();
        ModelProfile trained = new ModelProfile(model, 1, 0, 0, none, none);
        return new JobSpec(id, job.id(), job.submitNanos(), job.demand(), trained, 1)
                .by(job.user(), job.group(), job.virtualCluster());
    }

    public int size() {
        return seconds.length;
    }

    JobSpec job(int job) {
        return jobs.get(job);
    }

    double seconds(int job) {
        return seconds[job];
    }

    long endNanos(int job) {
        return jobs.get(job).submitNanos() + Math.round(seconds[job] * 1e9);
    }

    /**
     * Whether the job is a run of a group that has at least {@value #RECURRING_RUNS} in the log; hindsight, used in
     * tables only.
     */
    boolean isRecurring(int job) {
        return recurring[job];
    }
}
