package org.trainyard.experiments.config;

import java.util.List;
import org.trainyard.env.workload.generator.GeneratorSettings;

/**
 * What generated jobs are like: {@link GeneratorSettings} without the number of jobs, which {@code episodes} says.
 *
 * @param offeredLoad work x GPUs over what the cluster could do in the time of the arrivals
 * @param demands GPUs asked for, with weights
 * @param maxGpus wider demands become this (or the cluster's size when that is less)
 * @param medianSeconds median run time of a job of one GPU
 * @param logSigma standard deviation of the natural logarithm of run times of equal demand
 * @param widthExponent run times grow with GPUs to this power
 * @param maxSeconds longer run times become this
 * @param dailyAmplitude arrivals at the peak hour are 1 + this times the mean rate
 * @param peakHour hour of the day of most arrivals
 * @param users how many; the k-th is 1/k as active as the first
 * @param recurringShare part of the jobs that are runs of a recurring group
 * @param meanRuns mean runs of a group
 * @param groupLogSigma standard deviation of the logarithm of run times inside a group
 */
public record GeneratorConfig(
        double offeredLoad,
        List<GeneratorSettings.Demand> demands,
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
    public GeneratorConfig {
        demands = List.copyOf(demands);
        new GeneratorSettings(
                1,
                offeredLoad,
                demands,
                maxGpus,
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

    /** The generator's settings for so many jobs. */
    public GeneratorSettings settings(int jobs) {
        return new GeneratorSettings(
                jobs,
                offeredLoad,
                demands,
                maxGpus,
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
