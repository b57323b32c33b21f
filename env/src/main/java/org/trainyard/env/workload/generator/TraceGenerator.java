package org.trainyard.env.workload.generator;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * Draws traces: recurring and single jobs, log-normal run times, daily arrivals at a given load.
 *
 * <p>Jobs are drawn first, and the span of their arrivals follows from their work, so that the offered load is met but for the
 * randomness of the arrivals. All runs of a group share a user, a model and a demand.
 */
public final class TraceGenerator {
    private static final long MILLI = 1_000_000L;
    private static final double LONGEST_SPAN_SECONDS = 1e9;

    /** The attributes that all runs of a group share. */
    private record Identity(@Nullable String group, String user, String model, int gpus, double logSeconds) {}

    /** The streams of one trace. */
    private static final class Streams {
        private final RandomGenerator groups;
        private final RandomGenerator demands;
        private final RandomGenerator durations;
        private final RandomGenerator users;
        private final RandomGenerator models;
        private final RandomGenerator order;
        private final RandomGenerator arrivals;

        Streams(long seed) {
            groups = RandomStreams.stream(seed, "trace groups");
            demands = RandomStreams.stream(seed, "trace demands");
            durations = RandomStreams.stream(seed, "trace durations");
            users = RandomStreams.stream(seed, "trace users");
            models = RandomStreams.stream(seed, "trace models");
            order = RandomStreams.stream(seed, "trace order");
            arrivals = RandomStreams.stream(seed, "trace arrivals");
        }
    }

    private static final int MOST_JOBS = 10_000_000;

    private final GeneratorSettings settings;
    private final int jobs;
    private final ModelCatalog catalog;

    /** A generator of traces of so many jobs. */
    public TraceGenerator(GeneratorSettings settings, int jobs, ModelCatalog catalog) {
        GeneratorSettings.whole("jobs", jobs, MOST_JOBS);
        this.settings = settings;
        this.jobs = jobs;
        this.catalog = catalog;
    }

    /** A trace sorted by submission. Equal seeds give equal traces. Times are whole milliseconds; time zero is midnight. */
    public List<TraceJob> generate(long seed, int clusterGpus) {
        List<TraceJob> trace = new ArrayList<>(jobs);
        stream(seed, clusterGpus).forEachRemaining(trace::add);
        return trace;
    }

    /** The jobs of {@link #generate}, made one by one: until then a job is its run time and a reference to what it shares with its group. */
    public Iterator<TraceJob> stream(long seed, int clusterGpus) {
        if (clusterGpus < 1) {
            throw new IllegalArgumentException("a cluster has at least one GPU, not (%d)".formatted(clusterGpus));
        }
        Streams random = new Streams(seed);
        List<Identity> who = identities(random, Math.min(settings.maxGpus(), clusterGpus));
        shuffle(who, random.order);
        long[] durations = new long[who.size()];
        double gpuSeconds = 0;
        for (int i = 0; i < durations.length; i++) {
            durations[i] = durationNanos(who.get(i), random.durations);
            gpuSeconds += durations[i] / 1e9 * who.get(i).gpus();
        }
        double span = gpuSeconds / (settings.offeredLoad() * clusterGpus);
        if (span > LONGEST_SPAN_SECONDS) {
            throw new IllegalArgumentException(
                    "the jobs would arrive over (%.3g) s, more than (%.0e) s.\nMaybe the offered load (%s) is too low."
                            .formatted(span, LONGEST_SPAN_SECONDS, settings.offeredLoad()));
        }
        return arriving(who, durations, span, random.arrivals);
    }

    private List<Identity> identities(Streams random, int mostGpus) {
        int recurring = (int) Math.round(settings.recurringShare() * jobs);
        List<Identity> who = new ArrayList<>(jobs);
        for (int group = 0; who.size() < recurring; group++) {
            int left = recurring - who.size();
            int runs = Math.min(left, runs(random.groups));
            if (left - runs < GeneratorSettings.LEAST_RUNS) {
                runs = left;
            }
            Identity identity = identity(String.format(Locale.ROOT, "g%04d", group), random, mostGpus);
            for (int i = 0; i < runs; i++) {
                who.add(identity);
            }
        }
        while (who.size() < jobs) {
            who.add(identity(null, random, mostGpus));
        }
        return who;
    }

    /** Five, and a geometric number more. */
    private int runs(RandomGenerator random) {
        double meanMore = settings.meanRuns() - GeneratorSettings.LEAST_RUNS;
        if (meanMore == 0) {
            return GeneratorSettings.LEAST_RUNS;
        }
        double stop = 1 / (1 + meanMore);
        double more = Math.floor(Math.log(1 - random.nextDouble()) / Math.log(1 - stop));
        return GeneratorSettings.LEAST_RUNS + (int) Math.min(more, jobs);
    }

    private Identity identity(@Nullable String group, Streams random, int mostGpus) {
        int gpus = Math.min(mostGpus, demand(random.demands));
        double sigma = settings.logSigma();
        double inside = settings.groupLogSigma();
        // What a run adds later and what its group has now make up the whole spread.
        double own = group == null ? 0 : Math.sqrt(sigma * sigma - inside * inside);
        return new Identity(
                group,
                String.format(Locale.ROOT, "u%03d", user(random.users)),
                catalog.draw(random.models).name(),
                gpus,
                Math.log(settings.medianSeconds())
                        + settings.widthExponent() * Math.log(gpus)
                        + own * random.durations.nextGaussian());
    }

    private int demand(RandomGenerator random) {
        List<GeneratorSettings.Demand> demands = settings.demands();
        double sum =
                demands.stream().mapToDouble(GeneratorSettings.Demand::weight).sum();
        double left = random.nextDouble() * sum;
        int last = 0;
        for (int i = 0; i < demands.size(); i++) {
            if (demands.get(i).weight() > 0) {
                last = i;
                left -= demands.get(i).weight();
                if (left < 0) {
                    break;
                }
            }
        }
        return demands.get(last).gpus();
    }

    private int user(RandomGenerator random) {
        double sum = 0;
        for (int user = 1; user <= settings.users(); user++) {
            sum += 1.0 / user;
        }
        double left = random.nextDouble() * sum;
        int user = 1;
        while (user < settings.users() && left >= 1.0 / user) {
            left -= 1.0 / user++;
        }
        return user;
    }

    private long durationNanos(Identity who, RandomGenerator random) {
        double sigma = who.group() == null ? settings.logSigma() : settings.groupLogSigma();
        double seconds = Math.exp(who.logSeconds() + sigma * random.nextGaussian());
        return MILLI * Math.max(1, Math.round(1000 * Math.min(settings.maxSeconds(), seconds)));
    }

    private static void shuffle(List<Identity> who, RandomGenerator random) {
        for (int i = who.size() - 1; i > 0; i--) {
            who.set(i, who.set(random.nextInt(i + 1), who.get(i)));
        }
    }

    private Iterator<TraceJob> arriving(List<Identity> who, long[] durations, double span, RandomGenerator random) {
        DailyArrivals arrivals = new DailyArrivals(settings.dailyAmplitude(), settings.peakHour(), who.size(), span);
        return new Iterator<>() {
            private int made;
            private double at;

            @Override
            public boolean hasNext() {
                return made < durations.length;
            }

            @Override
            public TraceJob next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("all (%d) jobs have been made".formatted(made));
                }
                at = arrivals.next(at, random);
                Identity identity = who.get(made);
                return new TraceJob(
                        String.format(Locale.ROOT, "j%06d", made),
                        MILLI * Math.round(1000 * at),
                        identity.gpus(),
                        durations[made++],
                        identity.model(),
                        identity.user(),
                        identity.group(),
                        null);
            }
        };
    }
}
