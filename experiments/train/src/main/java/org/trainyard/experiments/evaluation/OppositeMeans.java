package org.trainyard.experiments.evaluation;

import org.trainyard.env.Counted;

/**
 * A difference of mean JCTs, averaged over episodes and taken over all jobs, per cent; long episodes count more in the
 * second, so that the two may differ in sign.
 */
public record OppositeMeans(double overEpisodes, double overJobs) {
    /**
     * The words that follow the first figure where the second has another sign; empty where both have the same.
     *
     * @param format of one percentage
     */
    public String words(String format) {
        return overEpisodes * overJobs < 0
                ? Counted.say(" as the mean over episodes, but " + format + " by the mean JCT over all jobs", overJobs)
                : "";
    }
}
