package org.trainyard.env.workload.generator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.random.RandomGenerator;
import org.trainyard.env.Invalid;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;

/**
 * Draws traces: recurring and single jobs, log-normal run times, daily arrivals at a given load.
 *
 * <p>Jobs are drawn first, and the span of their arrivals follows from their work, so that the offered load is met but
 * for the randomness of the arrivals. All runs of a group share a user, a model and a demand.
 */
public final class TraceGenerator {
    private static final long MILLI = 1_000_000L;
    private static final double LONGEST_SPAN_SECONDS = 1e9;
    private static final String DURATIONS = "trace durations";

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
            durations = RandomStreams.stream(seed, DURATIONS);
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

    /**
     * A trace sorted by submission. Equal seeds give equal traces. Times are whole milliseconds; time zero is midnight.
     */
    public List<TraceJob> generate(long seed, int clusterGpus) {
        List<TraceJob> trace = new ArrayList<>(jobs);
        stream(seed, clusterGpus).forEachRemaining(trace::add);
        return trace;
    }

    /**
     * The jobs of {@link #generate}, made one by one: until then a job is a reference to the properties that it shares
     * with its group. Run times are drawn twice: for the span of the arrivals, and with each job.
     */
    public Iterator<TraceJob> stream(long seed, int clusterGpus) {
        Invalid.when(clusterGpus < 1, "a cluster has at least one GPU, not (%d)", clusterGpus);
        Streams random = new Streams(seed);
        JobIdentities who = identities(random, Math.min(settings.maxGpus(), clusterGpus));
        who.shuffle(random.order);
        double gpuSeconds = 0;
        for (int job = 0; job < who.jobs(); job++) {
            gpuSeconds += durationNanos(who, job, random.durations) / 1e9 * who.gpus(job);
        }
        double span = gpuSeconds / (settings.offeredLoad() * clusterGpus);
        if (span > LONGEST_SPAN_SECONDS) {
            throw new IllegalArgumentException(
                    "the jobs would arrive over (%.3g) s, more than (%.0e) s.\nMaybe the offered load (%s) is too low."
                            .formatted(span, LONGEST_SPAN_SECONDS, settings.offeredLoad()));
        }
        return arriving(who, durationsAgain(seed, who), span, random.arrivals);
    }

    private JobIdentities identities(Streams random, int mostGpus) {
        int recurring = (int) Math.round(settings.recurringShare() * jobs);
        JobIdentities who = new JobIdentities(jobs);
        for (int made = 0; made < recurring; ) {
            int left = recurring - made;
            int runs = Math.min(left, runs(random.groups));
            if (left - runs < GeneratorSettings.LEAST_RUNS) {
                runs = left;
            }
            addIdentity(who, runs, true, random, mostGpus);
            made += runs;
        }
        for (int job = recurring; job < jobs; job++) {
            addIdentity(who, 1, false, random, mostGpus);
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

    private void addIdentity(JobIdentities who, int runs, boolean recurs, Streams random, int mostGpus) {
        int gpus = Math.min(mostGpus, demand(random.demands));
        double sigma = settings.logSigma();
        double inside = settings.groupLogSigma();
        // The spread that a run adds later and that which its group has now make up the whole spread.
        double own = recurs ? Math.sqrt(sigma * sigma - inside * inside) : 0;
        int user = user(random.users);
        String model = catalog.draw(random.models).name();
        double logSeconds = Math.log(settings.medianSeconds())
                + settings.widthExponent() * Math.log(gpus)
                + own * random.durations.nextGaussian();
        if (recurs) {
            who.addGroup(runs, user, model, gpus, logSeconds);
        } else {
            who.addSingle(user, model, gpus, logSeconds);
        }
    }

    /** The stream of run times from where those of the first job begin: behind the draws for groups and single jobs. */
    private static RandomGenerator durationsAgain(long seed, JobIdentities who) {
        RandomGenerator durations = RandomStreams.stream(seed, DURATIONS);
        for (int identity = 0; identity < who.count(); identity++) {
            durations.nextGaussian();
        }
        return durations;
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

    private long durationNanos(JobIdentities who, int job, RandomGenerator random) {
        double sigma = who.isRecurring(job) ? settings.groupLogSigma() : settings.logSigma();
        double seconds = Math.exp(who.logSeconds(job) + sigma * random.nextGaussian());
        return MILLI * Math.max(1, Math.round(1000 * Math.min(settings.maxSeconds(), seconds)));
    }

    private Iterator<TraceJob> arriving(
            JobIdentities who, RandomGenerator durations, double span, RandomGenerator random) {
        DailyArrivals arrivals = new DailyArrivals(settings.dailyAmplitude(), settings.peakHour(), who.jobs(), span);
        String[] users = new String[settings.users() + 1];
        Arrays.setAll(users, user -> JobIdentities.numbered("u", user, 3));
        return new Iterator<>() {
            private int made;
            private double at;

            @Override
            public boolean hasNext() {
                return made < who.jobs();
            }

            @Override
            public TraceJob next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("all (%d) jobs have been made".formatted(made));
                }
                at = arrivals.next(at, random);
                int job = made++;
                return new TraceJob(
                        JobIdentities.numbered("j", job, 6),
                        MILLI * Math.round(1000 * at),
                        who.gpus(job),
                        durationNanos(who, job, durations),
                        who.model(job),
                        users[who.user(job)],
                        who.group(job),
                        null);
            }
        };
    }

    /**
     * A Poisson process thinned by a daily curve: {@code rate(t) = base x (1 + a cos(2 pi (t - peak) / day))}, midnight
     * at zero (P. Lewis, G. Shedler: Simulation of nonhomogeneous Poisson processes by thinning, 1979).
     */
    private static final class DailyArrivals {
        private static final double DAY = 86_400;

        private final double amplitude;
        private final double peakSeconds;
        private final double basePerSecond;

        /** Arrivals at a rate by which {@code count} of them are expected in the first {@code spanSeconds}. */
        DailyArrivals(double amplitude, double peakHour, int count, double spanSeconds) {
            this.amplitude = amplitude;
            peakSeconds = peakHour * 3600;
            basePerSecond = count / (integral(spanSeconds) - integral(0));
        }

        private double integral(double seconds) {
            return seconds + amplitude * DAY / (2 * Math.PI) * Math.sin(2 * Math.PI * (seconds - peakSeconds) / DAY);
        }

        /** The next arrival after an instant. */
        double next(double seconds, RandomGenerator random) {
            double most = basePerSecond * (1 + amplitude);
            double at = seconds;
            do {
                at -= Math.log(1 - random.nextDouble()) / most;
            } while (random.nextDouble() * most >= rate(at));
            return at;
        }

        private double rate(double seconds) {
            return basePerSecond * (1 + amplitude * Math.cos(2 * Math.PI * (seconds - peakSeconds) / DAY));
        }
    }
}
