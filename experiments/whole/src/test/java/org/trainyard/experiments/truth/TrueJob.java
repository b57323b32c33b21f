package org.trainyard.experiments.truth;

import org.jspecify.annotations.Nullable;

/** A job as its user submits it, and what became of it; times in seconds since 1970. */
final class TrueJob {
    static final long NEVER = Long.MAX_VALUE;

    final int number;
    /** Number of the job and of the task, such as 1007_3 for a task of an array. */
    final String id;

    final String user;
    final String account;
    final String partition;
    final String qos;
    final String name;
    final int gpus;
    /** The type that it asks for, in small letters; or null. */
    final @Nullable String type;

    final long submit;
    final long limit;
    /** How long it would run without a limit. */
    final long work;
    /** When its user cancels it; {@link #NEVER} mostly. */
    final long cancel;

    final boolean fails;

    long start = NEVER;
    long end = NEVER;
    int[] servers = {};

    TrueJob(
            int number,
            String id,
            String user,
            String account,
            String partition,
            String qos,
            String name,
            int gpus,
            @Nullable String type,
            long submit,
            long limit,
            long work,
            long cancel,
            boolean fails) {
        this.number = number;
        this.id = id;
        this.user = user;
        this.account = account;
        this.partition = partition;
        this.qos = qos;
        this.name = name;
        this.gpus = gpus;
        this.type = type;
        this.submit = submit;
        this.limit = limit;
        this.work = work;
        this.cancel = cancel;
        this.fails = fails;
    }

    /** The same job before it started, submitted at another time; it is cancelled as long after that. */
    TrueJob submittedAt(long other) {
        return new TrueJob(
                number,
                id,
                user,
                account,
                partition,
                qos,
                name,
                gpus,
                type,
                other,
                limit,
                work,
                cancel == NEVER ? NEVER : cancel + other - submit,
                fails);
    }

    int nodes() {
        return (gpus + 7) / 8;
    }

    int perNode() {
        return Math.min(8, gpus);
    }

    int cpus() {
        return gpus * (partition.equals("h100") ? 24 : 16);
    }

    boolean isStarted(long now) {
        return start <= now;
    }

    /** Whether it has ended, or was cancelled before it began. */
    boolean isEnded(long now) {
        return end <= now;
    }

    /** Its state at an instant, in the words of sacct. */
    String state(long now) {
        if (!isEnded(now)) {
            return isStarted(now) ? "RUNNING" : "PENDING";
        }
        if (end == cancel) {
            return "CANCELLED by 1000";
        }
        return start != NEVER && end - start == limit && work >= limit ? "TIMEOUT" : fails ? "FAILED" : "COMPLETED";
    }
}
