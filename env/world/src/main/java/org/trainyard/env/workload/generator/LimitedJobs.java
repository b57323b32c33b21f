package org.trainyard.env.workload.generator;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;

/**
 * Gives the jobs of a trace the time limits that users would, which overestimate run times.
 *
 * <p>After A. W. Mu'alem, D. G. Feitelson (TPDS 2001), in whose logs the part of a limit that a job uses is spread
 * evenly between nothing and all, with some jobs killed, and D. Tsafrir, Y. Etsion, D. G. Feitelson: Modeling user
 * runtime estimates (JSSPP 2005), where nearly all limits are of a few round values. Ours: (1) the values and the least
 * part ({@value #LEAST_USED}); (2) all runs of a group use the same part of what they ask for, before it is rounded up;
 * (3) which users share an account follows from their names.
 */
public final class LimitedJobs {
    private static final double LEAST_USED = 0.05;
    private static final long MINUTE = 60_000_000_000L;
    /** Minutes. */
    private static final int[] ROUND = {
        5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080, 1440, 2880, 4320, 5760, 7200, 10_080,
        14_400, 20_160, 30_240, 43_200
    };

    private LimitedJobs() {}

    /** The jobs with time limits and accounts; one that has either keeps it. */
    public static List<TraceJob> of(List<TraceJob> jobs, LimitSettings settings, long seed) {
        return jobs.stream().map(job -> limited(job, settings, seed)).toList();
    }

    private static TraceJob limited(TraceJob job, LimitSettings settings, long seed) {
        SubmissionTerms terms = job.terms();
        SubmissionTerms.Builder with = terms.but();
        if (terms.limitNanos() == 0) {
            with.limitNanos(limitNanos(job, settings, seed));
        }
        if (terms.account() == null) {
            with.account(account(job.user(), settings.accounts()));
        }
        return job.on(with.build());
    }

    private static long limitNanos(TraceJob job, LimitSettings settings, long seed) {
        boolean isKilled =
                RandomStreams.stream(seed, "limit of job " + job.id()).nextDouble() < settings.killed();
        if (isKilled && job.durationNanos() > ROUND[0] * MINUTE) {
            int shorter = 0;
            while (shorter + 1 < ROUND.length && ROUND[shorter + 1] * MINUTE < job.durationNanos()) {
                shorter++;
            }
            return ROUND[shorter] * MINUTE;
        }
        String who = job.group() == null ? "job " + job.id() : "group " + job.group();
        RandomGenerator random = RandomStreams.stream(seed, "used part of " + who);
        double asked = job.durationNanos() / (LEAST_USED + (1 - LEAST_USED) * random.nextDouble());
        for (int minutes : ROUND) {
            if (minutes * MINUTE >= asked) {
                return minutes * MINUTE;
            }
        }
        return Math.max(job.durationNanos(), ROUND[ROUND.length - 1] * MINUTE);
    }

    private static @Nullable String account(@Nullable String user, int accounts) {
        return user == null || accounts == 0 ? null : "a" + Math.floorMod(user.hashCode(), accounts);
    }
}
