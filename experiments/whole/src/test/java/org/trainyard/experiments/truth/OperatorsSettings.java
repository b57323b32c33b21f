package org.trainyard.experiments.truth;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A cluster and how it is run, times in seconds since 1970. Users submit the same jobs whatever the rest says.
 *
 * @param seed of the jobs
 * @param startSeconds of the first day
 * @param days of the log; users go on submitting for ten more
 * @param jobsPerDay submitted on average
 * @param load GPU-hours asked for, of those that {@code loadA100} and {@code loadH100} servers have
 * @param loadA100 servers of 8 A100 that the load is for
 * @param loadH100 servers of 8 H100 that the load is for
 * @param a100 servers of 8 A100
 * @param h100 servers of 8 H100
 * @param running jobs that should run when the log ends
 * @param pending jobs that should wait when the log ends
 * @param windows maintenance of all servers
 * @param maxGpusPerUser by QOS, its MaxTRESPU
 * @param shares by account
 * @param longestLimitSeconds limits above it are cut to it
 * @param weights of priorities
 */
record OperatorsSettings(
        long seed,
        long startSeconds,
        double days,
        double jobsPerDay,
        double load,
        int loadA100,
        int loadH100,
        int a100,
        int h100,
        int running,
        int pending,
        List<Window> windows,
        Map<String, Integer> maxGpusPerUser,
        Map<String, Integer> shares,
        long longestLimitSeconds,
        Weights weights) {
    /** A span in which no server may hold a job. */
    record Window(long startSeconds, long endSeconds) {}

    /** Weights of the parts of a priority, as slurm.conf names them. */
    record Weights(int age, int fairshare, int qos, int partition) {}

    private static final long HOUR = 3600;
    private static final long DAY = 24 * HOUR;
    /** 2026-01-07T00:00:00, a Wednesday. */
    private static final long WEDNESDAY = 1_767_744_000L;

    /** Three weeks of 24 servers, about 3,600 jobs. */
    static OperatorsSettings ordinary() {
        return of(18, 21, 183, 16, 8, 55, 87);
    }

    /** Some hundred jobs of six servers in one week, with one window. */
    static OperatorsSettings small() {
        return of(3, 7, 60, 4, 2, 14, 20);
    }

    private static OperatorsSettings of(
            long seed, double days, double jobsPerDay, int a100, int h100, int running, int pending) {
        List<Window> saturdays = IntStream.range(0, 5)
                .mapToObj(week -> WEDNESDAY + (3 + 7L * week) * DAY)
                .map(saturday -> new Window(saturday + 6 * HOUR, saturday + 14 * HOUR))
                .toList();
        return new OperatorsSettings(
                seed,
                WEDNESDAY,
                days,
                jobsPerDay,
                0.86,
                a100,
                h100,
                a100,
                h100,
                running,
                pending,
                saturdays,
                Map.of("normal", 4 * a100, "high", 2 * a100, "low", 6 * a100, "debug", 8),
                Map.of("vision", 40, "nlp", 30, "bio", 20, "robots", 10),
                3 * DAY,
                new Weights(2000, 10_000, 3000, 1000));
    }

    /** With other jobs. */
    OperatorsSettings seeded(long other) {
        return new OperatorsSettings(
                other,
                startSeconds,
                days,
                jobsPerDay,
                load,
                loadA100,
                loadH100,
                a100,
                h100,
                running,
                pending,
                windows,
                maxGpusPerUser,
                shares,
                longestLimitSeconds,
                weights);
    }

    /** With so many servers. */
    OperatorsSettings servers(int ofA100, int ofH100) {
        return new OperatorsSettings(
                seed,
                startSeconds,
                days,
                jobsPerDay,
                load,
                loadA100,
                loadH100,
                ofA100,
                ofH100,
                running,
                pending,
                windows,
                maxGpusPerUser,
                shares,
                longestLimitSeconds,
                weights);
    }

    /** With this maintenance. */
    OperatorsSettings maintained(List<Window> at) {
        return new OperatorsSettings(
                seed,
                startSeconds,
                days,
                jobsPerDay,
                load,
                loadA100,
                loadH100,
                a100,
                h100,
                running,
                pending,
                at,
                maxGpusPerUser,
                shares,
                longestLimitSeconds,
                weights);
    }

    /** With these most GPUs of a user by QOS. */
    OperatorsSettings limited(Map<String, Integer> perUser) {
        return new OperatorsSettings(
                seed,
                startSeconds,
                days,
                jobsPerDay,
                load,
                loadA100,
                loadH100,
                a100,
                h100,
                running,
                pending,
                windows,
                perUser,
                shares,
                longestLimitSeconds,
                weights);
    }

    /** With these shares of the accounts. */
    OperatorsSettings shared(Map<String, Integer> byAccount) {
        return new OperatorsSettings(
                seed,
                startSeconds,
                days,
                jobsPerDay,
                load,
                loadA100,
                loadH100,
                a100,
                h100,
                running,
                pending,
                windows,
                maxGpusPerUser,
                byAccount,
                longestLimitSeconds,
                weights);
    }

    /** With time limits of at most so many seconds. */
    OperatorsSettings cut(long longest) {
        return new OperatorsSettings(
                seed,
                startSeconds,
                days,
                jobsPerDay,
                load,
                loadA100,
                loadH100,
                a100,
                h100,
                running,
                pending,
                windows,
                maxGpusPerUser,
                shares,
                longest,
                weights);
    }

    /** With these weights of priorities. */
    OperatorsSettings weighed(Weights by) {
        return new OperatorsSettings(
                seed,
                startSeconds,
                days,
                jobsPerDay,
                load,
                loadA100,
                loadH100,
                a100,
                h100,
                running,
                pending,
                windows,
                maxGpusPerUser,
                shares,
                longestLimitSeconds,
                by);
    }

    /** When the log ends at the latest. */
    long lastSeconds() {
        return startSeconds + Math.round(days * DAY);
    }
}
