package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.trainyard.env.Counted;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;

/**
 * Reasons why a log cannot be replayed on a cluster as it stands, found while its jobs go past, in memory that does not
 * grow with them: GPUs of a type of which more are asked for than there are, a log that holds fewer GPUs than the
 * cluster has, and times of which most jobs are missing. Loads are means over 240 parts of the log.
 */
public final class ReplayCheck implements Consumer<TraceJob> {
    private static final int PARTS = 240;
    /** Fewest jobs whose patterns are more than chance. */
    private static final int ENOUGH_JOBS = 50;
    /** Part of the jobs that counts as nearly none, and the part of the time for which that is strange. */
    private static final double FEW_JOBS = 0.01;

    private static final double LONG_TIME = 0.25;
    private static final double FEW_GPUS = 0.75;
    private static final int MOST_TYPES = 100;

    private final Topology topology;
    private final FitReason fit;
    private final LoadOverTime all = new LoadOverTime();
    private final LoadOverTime held = new LoadOverTime();
    /** GPUs in use if each job started at its submission, by the types that it asks for. */
    private final Map<String, LoadOverTime> asked = new TreeMap<>();

    private final Map<String, Integer> gpus = new TreeMap<>();
    private final Map<String, Double> hours = new TreeMap<>();
    private long jobs;
    private long ran;
    private long counted;

    public ReplayCheck(Topology topology) {
        this.topology = topology;
        fit = new FitReason(topology);
    }

    @Override
    public void accept(TraceJob job) {
        double wanted = job.gpus() * job.demand().gpuMilli() / 1000.0;
        long submit = job.submitNanos();
        jobs++;
        all.add(submit, submit, submit + job.durationNanos(), wanted);
        ran += job.past() == null ? 0 : 1;
        counted += held.hold(job) ? 1 : 0;
        List<String> types = fit.named(job.demand()).gpuTypes();
        String type = String.join(" or ", types);
        if (hours.containsKey(type) || hours.size() < MOST_TYPES) {
            hours.merge(type, job.gpuHours(), Double::sum);
        }
        if (!types.isEmpty() && (asked.containsKey(type) || asked.size() < MOST_TYPES)) {
            asked.computeIfAbsent(type, key -> new LoadOverTime())
                    .add(submit, submit, submit + job.durationNanos(), wanted);
            gpus.computeIfAbsent(type, key -> count(types));
        }
    }

    private int count(List<String> types) {
        int count = 0;
        for (int server = 0; server < topology.servers(); server++) {
            count += types.contains(topology.server(server).gpuType().name())
                    ? topology.server(server).gpus()
                    : 0;
        }
        return count;
    }

    /**
     * Demand for each type of GPU, where the cluster has several: GPU time of the jobs that ask for it as a part of
     * that of all GPUs of it; of jobs that ask for none, by an empty name, of all GPUs.
     *
     * @param spanSeconds from the first submission to the last
     */
    public Map<String, Double> loadByType(double spanSeconds) {
        long types = IntStream.range(0, topology.servers())
                .mapToObj(server -> topology.server(server).gpuType().name())
                .distinct()
                .count();
        Map<String, Double> loads = new TreeMap<>();
        if (types > 1 && spanSeconds > 0) {
            hours.forEach((type, sum) -> {
                int count = gpusOf(type);
                if (count > 0) {
                    loads.put(type, 3600 * sum / (count * spanSeconds));
                }
            });
        }
        return loads;
    }

    /** The GPUs of a type, as {@link #loadByType} names it. */
    public int gpusOf(String type) {
        return type.isEmpty() ? topology.gpus() : count(List.of(type.split(" or ", -1)));
    }

    /** A sentence for each reason; none for a log of fewer than 50 jobs. */
    public List<String> sentences() {
        List<String> found = new ArrayList<>();
        if (jobs < ENOUGH_JOBS) {
            return found;
        }
        asked.forEach((type, load) -> overload(found, load, gpus.getOrDefault(type, 0), " of type " + type));
        if (asked.size() != 1) {
            overload(found, all, topology.gpus(), "");
        }
        if (ran == jobs) {
            idle(found);
        }
        missing(found);
        return found;
    }

    /** Says when jobs that start at once keep more GPUs than there are, on the mean until the last submission. */
    private static void overload(List<String> found, LoadOverTime load, int count, String what) {
        int parts = load.parts(PARTS);
        long[] submissions = load.submissions(parts);
        int last = parts - 1;
        while (last > 0 && submissions[last] == 0) {
            last--;
        }
        double[] used = load.gpus(parts);
        double sum = 0;
        for (int part = 0; part <= last; part++) {
            sum += used[part];
        }
        double mean = sum / (last + 1);
        if (count > 0 && mean > count) {
            found.add(Counted.say(
                    "Jobs that start at their submission use %.0f %% of the %,d GPUs%s on the mean: a replay has a queue"
                            + " that grows until the last submission.",
                    100 * mean / count, count, what));
        }
    }

    private void idle(List<String> found) {
        double[] used = held.gpus(held.parts(PARTS));
        double most = held.mostGpus();
        long low =
                Arrays.stream(used).filter(here -> here < 0.4 * topology.gpus()).count();
        if (held.exceeds(topology.gpus())) {
            found.add(String.format(
                    Locale.ROOT,
                    "The log holds %,.0f GPUs at once, more than the %,d of %s: it is of another cluster.",
                    most,
                    topology.gpus(),
                    topology.name()));
        } else if (counted == jobs && most < FEW_GPUS * topology.gpus()) {
            found.add(Counted.say(
                    "The log never holds more than %.0f %% of the %,d GPUs of %s, and less than 40 %% for %.0f %% of its"
                            + " time: jobs may be missing, or the cluster was smaller.",
                    100 * most / topology.gpus(),
                    topology.gpus(),
                    topology.name(),
                    used.length == 0 ? 0 : 100.0 * low / used.length));
        }
    }

    /**
     * Says when the first or last quarter of the submissions' time, or more, has fewer than a hundredth of the jobs.
     */
    private void missing(List<String> found) {
        long[] counts = all.submissions(all.parts(PARTS));
        int end = counts.length;
        while (end > 0 && counts[end - 1] == 0) {
            end--;
        }
        int before = few(counts, 0, 1, end);
        int after = few(counts, end - 1, -1, end);
        sparse(found, counts, 0, before, end, "first");
        sparse(found, counts, end - after, end, end, "last");
    }

    /** The number of parts, from one on in a direction, that together have fewer than a hundredth of the jobs. */
    private int few(long[] counts, int from, int step, int end) {
        long sum = 0;
        int parts = 0;
        for (int part = from; part >= 0 && part < end; part += step, parts++) {
            sum += counts[part];
            if (sum >= FEW_JOBS * jobs) {
                break;
            }
        }
        return parts;
    }

    private void sparse(List<String> found, long[] counts, int from, int to, int end, String which) {
        if (to - from < LONG_TIME * end) {
            return;
        }
        long sum = 0;
        for (int part = from; part < to; part++) {
            sum += counts[part];
        }
        found.add(String.format(
                Locale.ROOT,
                "The %s %.0f %% of the time between the submissions has %.2f %% of the jobs: others seem to be missing.",
                which,
                100.0 * (to - from) / end,
                100.0 * sum / jobs));
    }
}
