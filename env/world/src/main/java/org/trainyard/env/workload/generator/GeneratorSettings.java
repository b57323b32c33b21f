package org.trainyard.env.workload.generator;

import java.util.List;
import org.trainyard.env.Counted;
import org.trainyard.env.Invalid;
import org.trainyard.env.workload.TraceLimits;

/**
 * The distributions from which a {@link TraceGenerator} draws jobs.
 *
 * @param offeredLoad work x GPUs over what the cluster could do in the time of the arrivals, above zero
 * @param demands GPUs asked for, with weights; the weights need not add up to one
 * @param maxGpus wider demands become this (or the cluster's size when that is less)
 * @param medianSeconds median run time of a job of one GPU
 * @param logSigma standard deviation of the natural logarithm of run times of equal demand
 * @param widthExponent run times grow with GPUs to this power
 * @param maxSeconds longer run times become this
 * @param dailyAmplitude arrivals at the peak hour are 1 + this times the mean rate, 0..0.95
 * @param peakHour hour of the day of most arrivals, 0..24; time zero is midnight
 * @param users how many; the k-th is 1/k as active as the first
 * @param recurringShare part of the jobs that are runs of a recurring group, 0..1
 * @param meanRuns mean runs of a group, at least {@value #LEAST_RUNS}
 * @param groupLogSigma standard deviation of the logarithm of run times inside a group, at most {@code logSigma}
 */
public record GeneratorSettings(
        double offeredLoad,
        List<Demand> demands,
        int maxGpus,
        double medianSeconds,
        double logSigma,
        double widthExponent,
        double maxSeconds,
        double dailyAmplitude,
        double peakHour,
        int users,
        double recurringShare,
        double meanRuns,
        double groupLogSigma) {

    /** A group that runs less often does not count as recurring in the PAI study (see {@link #DEFAULT}). */
    public static final int LEAST_RUNS = 5;

    /** GPUs asked for, and how often relative to the others. */
    public record Demand(int gpus, double weight) {
        public Demand {
            Invalid.when(gpus < 1 || gpus > TraceLimits.GPUS, "GPUs (%d) must be 1 to %d", gpus, TraceLimits.GPUS);
            finite(Counted.say("weight of %d GPUs", gpus), weight, 0, 1e9);
        }
    }

    /**
     * Between the public traces. What they say, as we measured it (run times in seconds):
     *
     * <table>
     *   <caption>Fits</caption>
     *   <tr><th>trace</th><th>jobs</th><th>median</th><th>mean</th><th>p99</th><th>log sigma</th><th>width
     *   exponent</th><th>one GPU</th><th>8 GPUs</th><th>more</th><th>daily amplitude</th></tr>
     *   <tr><td>ITP, 8 clusters (Gu et al., ASPLOS
     *   2023)</td><td>53,641</td><td>11,379</td><td>16,835</td><td>138,222</td><td>1.18 (short jobs
     *   cut)</td><td>0.36</td><td>87 %</td><td>8 %</td><td>1.3 %</td><td>0.08..0.83</td></tr>
     *   <tr><td>Philly (Jeon et al., ATC
     *   2019)</td><td>82,247</td><td>1,144</td><td>13,136</td><td>254,884</td><td>2.16</td><td>1.1</td><td>93
     *   %</td><td>2 %</td><td>0.4 %</td><td>0.29</td></tr>
     *   <tr><td>Helios Venus, 2 tenants (Hu et al., SC
     *   2021)</td><td>1,867</td><td>93</td><td>5,651</td><td>163,796</td><td>2.45</td><td>-0.42</td><td>4
     *   %</td><td>37 %</td><td>47 %</td><td>0.60</td></tr>
     * </table>
     *
     * <p>So: median 3,600 s and sigma 1.7 (for one GPU a mean of 15,300 s, between ITP's and Philly's), width exponent
     * 0.15, amplitude 0.4. The mean demands of the three are 62 % for one GPU, 3 % for 2, 4 % for 4, 16 % for 8, 4 %
     * for 16, 1 % for 32; the rest, Helios' widest, is given to 2 and 4 GPUs and to gangs of 3, 6, 12 and 20, which do
     * not align with servers: Philly (12) and Helios (3, 6, 40) have such, in fewer numbers. 65 % of jobs recur at
     * least five times, after the study of Alibaba's PAI (Q. Weng et al.: MLaaS in the wild, NSDI 2022); a spread of
     * 0.3 inside a group, ten runs and 40 users are our own choice.
     */
    public static final GeneratorSettings DEFAULT = new GeneratorSettings(
            0.9,
            List.of(
                    new Demand(1, 0.60),
                    new Demand(2, 0.06),
                    new Demand(3, 0.01),
                    new Demand(4, 0.08),
                    new Demand(6, 0.015),
                    new Demand(8, 0.16),
                    new Demand(12, 0.01),
                    new Demand(16, 0.045),
                    new Demand(20, 0.005),
                    new Demand(32, 0.015)),
            32,
            3600,
            1.7,
            0.15,
            1_728_000,
            0.4,
            15,
            40,
            0.65,
            10,
            0.3);

    public GeneratorSettings {
        demands = List.copyOf(demands);
        finite("offered load", offeredLoad, 1e-6, 1e6);
        finite(
                "sum of the demand weights",
                demands.stream().mapToDouble(Demand::weight).sum(),
                1e-9,
                1e15);
        whole("most GPUs", maxGpus, TraceLimits.GPUS);
        finite("median", medianSeconds, 0.001, 1e8);
        finite("sigma", logSigma, 0, 10);
        finite("width exponent", widthExponent, -5, 5);
        finite("longest run time", maxSeconds, medianSeconds, 1e9);
        finite("daily amplitude", dailyAmplitude, 0, 0.95);
        finite("peak hour", peakHour, 0, 24);
        whole("users", users, 1_000_000);
        finite("recurring share", recurringShare, 0, 1);
        finite("mean runs", meanRuns, LEAST_RUNS, 1e6);
        finite("sigma inside a group", groupLogSigma, 0, logSigma);
    }

    static void whole(String name, int value, int most) {
        Invalid.when(value < 1 || value > most, "%s (%d) must be 1 to %d", name, value, most);
    }

    private static void finite(String name, double value, double least, double most) {
        Invalid.when(!(value >= least && value <= most), "%s (%s) must be %s to %s", name, value, least, most);
    }

    /** Returns a copy with another offered load and another limit on the GPUs of a job. */
    public GeneratorSettings with(double newOfferedLoad, int newMaxGpus) {
        return new GeneratorSettings(
                newOfferedLoad,
                demands,
                newMaxGpus,
                medianSeconds,
                logSigma,
                widthExponent,
                maxSeconds,
                dailyAmplitude,
                peakHour,
                users,
                recurringShare,
                meanRuns,
                groupLogSigma);
    }
}
