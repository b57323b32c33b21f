package org.trainyard.env.workload.adaptive;

import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.Labelled;

/**
 * A training run whose batch size may change on the way: its run time alone, and its speed at any moment.
 *
 * <p>A larger batch means fewer and slower steps, and an epoch that takes less time; the epochs stay as many. The batch
 * size is a function of the epoch, so the run time does not depend on when the job runs.
 *
 * <p>Source: the simulator of P. Zheng et al.: Shockwave, NSDI 2023. As there, a job runs in leases of 120 s of whole
 * steps; after each it looks whether its method wants another batch size, runs one more lease at the old one, and goes
 * on at the new one from the next full epoch. What is approximated: (1) the epochs at which GNS doubles are profiles,
 * not gradient noise; (2) leases are counted from the job's own start, while there a lease in which the job resumes
 * does less; (3) rates are those of one kind of server.
 */
public final class AdaptiveTrainingRun {
    /** How a job chooses its batch size. */
    public enum Mode implements Labelled {
        STATIC,
        ACCORDION,
        GNS;
    }

    private static final Pattern TYPE = Pattern.compile("([^,()]{1,40}) \\(batch size ([1-9]\\d{0,6})\\)");
    private static final double LEASE_SECONDS = 120;
    /** 139 days. */
    private static final int MOST_LEASES = 100_000;

    private final String model;
    private final int firstBatchSize;
    private final int gpus;
    private final Mode mode;
    private final long allSteps;

    /**
     * By stretch of one batch size: when it begins in seconds of the run, its rate, and the steps left then at that
     * size.
     */
    private double[] beginsAt = new double[4];

    private double[] rates = new double[4];
    private long[] stepsLeft = new long[4];
    private int stretches;
    private double seconds;

    private AdaptiveTrainingRun(String model, int firstBatchSize, int gpus, Mode mode, long allSteps) {
        this.model = model;
        this.firstBatchSize = firstBatchSize;
        this.gpus = gpus;
        this.mode = mode;
        this.allSteps = allSteps;
    }

    /** Whether this is the type of a job, such as {@code LM (batch size 20)}. */
    public static boolean isType(String type) {
        return TYPE.matcher(type).matches();
    }

    public static String modelOf(String type) {
        return type.substring(0, type.indexOf(" ("));
    }

    /**
     * The run of a job, or null when its type is none, when there are no rates for it, or when it is longer than 139
     * days.
     *
     * @param type model and first batch size, such as {@code LM (batch size 20)}
     * @param steps at the first batch size
     */
    public static @Nullable AdaptiveTrainingRun of(String type, Mode mode, long steps, int gpus) {
        Matcher matcher = TYPE.matcher(type);
        if (!matcher.matches()) {
            return null;
        }
        String model = Objects.requireNonNull(matcher.group(1));
        int batchSize = Integer.parseInt(Objects.requireNonNull(matcher.group(2)));
        if (!BatchSizes.knows(model, batchSize, gpus)) {
            return null;
        }
        AdaptiveTrainingRun run = new AdaptiveTrainingRun(model, batchSize, gpus, mode, steps);
        return run.train() ? run : null;
    }

    /** Simulates the run lease by lease; false when it takes longer than 139 days. */
    private boolean train() {
        int batchSize = firstBatchSize;
        int wanted = firstBatchSize;
        long steps = allSteps;
        long done = 0;
        begin(batchSize, steps);
        for (int lease = 0; lease < MOST_LEASES; lease++) {
            double rate = rates[stretches - 1];
            long stepsOfLease = (long) (rate * LEASE_SECONDS);
            if (stepsOfLease >= steps - done) {
                seconds += (steps - done) / rate;
                return true;
            }
            done += stepsOfLease;
            seconds += LEASE_SECONDS;
            if (wanted != batchSize) {
                long oldEpoch = BatchSizes.stepsPerEpoch(model, batchSize);
                long newEpoch = BatchSizes.stepsPerEpoch(model, wanted);
                steps = rescaled(steps, batchSize, wanted);
                done = Math.min(ceilDiv(done, oldEpoch) * newEpoch, steps);
                batchSize = wanted;
                begin(batchSize, steps - done);
                if (done == steps) {
                    return true;
                }
            }
            wanted = wanted(batchSize, ceilDiv(done, BatchSizes.stepsPerEpoch(model, batchSize)));
        }
        return false;
    }

    /**
     * The number of steps after a change of batch size: in proportion, or in full epochs where proportion changes their
     * number.
     */
    private long rescaled(long steps, int from, int to) {
        long epochs = ceilDiv(steps, BatchSizes.stepsPerEpoch(model, from));
        long perEpoch = BatchSizes.stepsPerEpoch(model, to);
        long proportional = ceilDiv(steps * from, to);
        return ceilDiv(proportional, perEpoch) == epochs ? proportional : epochs * perEpoch;
    }

    /**
     * The next batch size by the job's method, at most one doubling with GNS; the present one when the next has no
     * measured rate.
     */
    private int wanted(int batchSize, long epoch) {
        int most = BatchSizes.largest(model);
        int next = batchSize;
        if (mode == Mode.GNS) {
            // The epoch after this one counts: it will have begun when the change is made.
            next = BatchSizes.gns(model, firstBatchSize, gpus, epoch + 1) > batchSize ? 2 * batchSize : batchSize;
        } else if (mode == Mode.ACCORDION) {
            next = BatchSizes.isCritical(model, firstBatchSize, epoch) ? firstBatchSize : most;
        }
        return BatchSizes.knows(model, next, gpus) ? next : batchSize;
    }

    private void begin(int batchSize, long left) {
        if (stretches == rates.length) {
            beginsAt = Arrays.copyOf(beginsAt, 2 * stretches);
            rates = Arrays.copyOf(rates, 2 * stretches);
            stepsLeft = Arrays.copyOf(stepsLeft, 2 * stretches);
        }
        beginsAt[stretches] = seconds;
        rates[stretches] = BatchSizes.stepsPerSecond(model, batchSize, gpus);
        stepsLeft[stretches++] = left;
    }

    private static long ceilDiv(long a, long b) {
        return -Math.floorDiv(-a, b);
    }

    /** Run time without interruption, seconds. */
    public double seconds() {
        return seconds;
    }

    /** How many times it changes its batch size. */
    public int changes() {
        return stretches - 1;
    }

    /** Steps per second after it has run for so long. */
    public double stepsPerSecond(double afterSeconds) {
        return rates[stretchAt(afterSeconds)];
    }

    /** Steps left after it has run for so long, counted at the batch size of that moment as if it stayed. */
    public double stepsLeft(double afterSeconds) {
        int at = stretchAt(afterSeconds);
        double left = stepsLeft[at] - Math.max(0, afterSeconds - beginsAt[at]) * rates[at];
        return Math.max(left, 1);
    }

    private int stretchAt(double afterSeconds) {
        int at = stretches - 1;
        while (at > 0 && beginsAt[at] > afterSeconds) {
            at--;
        }
        return at;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AdaptiveTrainingRun run && toString().equals(run.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return Counted.say(
                "%s (batch size %d), %s, %d steps on %d GPUs", model, firstBatchSize, mode.label(), allSteps, gpus);
    }
}
