package org.trainyard.env.synchronisation;

import java.util.function.IntToDoubleFunction;

/**
 * ADSP's search for the number of commits in a check period: as long as one commit more earns a higher reward, it is
 * taken.
 *
 * <p>Source: {@code get_reward2} and {@code run} of the authors' code (1911.06949). Their bandit over eleven targets is
 * not here.
 */
public final class CommitRateSearch {
    /** The most commits in a check period. */
    public static final int MOST_COMMITS = 10;

    private CommitRateSearch() {}

    /** @param reward of so many commits in a check period; asked once for each, in order, from 1 */
    public static int climb(int most, IntToDoubleFunction reward) {
        int commits = 1;
        double best = reward.applyAsDouble(commits);
        while (commits < most) {
            double next = reward.applyAsDouble(commits + 1);
            if (!(next > best)) {
                return commits;
            }
            best = next;
            commits++;
        }
        return commits;
    }

    /** The most commits for which the longest commit leaves time in the check period: at least 1. */
    static int most(UnevenWorkers workers, double checkSeconds) {
        double longest = workers.longestCommitSeconds();
        return longest * MOST_COMMITS < checkSeconds ? MOST_COMMITS : Math.max(1, (int) (checkSeconds / longest));
    }
}
