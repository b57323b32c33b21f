package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;

/**
 * Terms of a job at its submission beside its demand: account, urgency, time limit and dependencies. A scheduler may
 * know all of them; null, zero or false stands for a term that is not given.
 *
 * @param unixGroup the group of its user on the machine; not the recurring job, which is {@link JobSpec#group}
 * @param qos quality of service
 * @param partition partition or queue; several are separated by commas
 * @param priority as its log shows it; higher is sooner
 * @param nice amount that its user takes off its priority
 * @param limitNanos the time after which it is killed; 0 for none
 * @param delayNanos how long after its submission it may begin at the earliest
 * @param nodes servers that it asks for; 0 for any number
 * @param exclusive whether it shares its servers with no other job
 * @param features features that its servers must have, in the syntax of Slurm's constraints
 * @param nodeList servers that it asks for by name, as Slurm writes a list of hosts
 * @param dependency events to wait for before it starts, such as {@code afterok:17}, as Slurm writes them
 * @param reservation the reservation that it runs in
 * @param licenses licences that it holds while it runs, such as {@code matlab:2,ansys}, as Slurm writes them
 * @param array the array that it is a task of
 * @param segments groups in which its servers are to lie together
 */
public record SubmissionTerms(
        @Nullable String account,
        @Nullable String unixGroup,
        @Nullable String qos,
        @Nullable String partition,
        @Nullable Long priority,
        int nice,
        long limitNanos,
        long delayNanos,
        int nodes,
        boolean exclusive,
        @Nullable String features,
        @Nullable String nodeList,
        @Nullable String dependency,
        @Nullable String reservation,
        @Nullable String licenses,
        @Nullable ArrayTask array,
        @Nullable Segments segments) {
    /** The terms of a job that says nothing. */
    public static final SubmissionTerms NONE = new Builder().build();

    /**
     * A task of an array.
     *
     * @param job the id of the array
     * @param task its number in the array
     * @param atOnce the most tasks of the array that run at once; 0 for all
     */
    public record ArrayTask(String job, long task, int atOnce) {
        public ArrayTask {
            if (task < 0 || atOnce < 0) {
                throw new IllegalArgumentException(
                        "task (%d) of array %s and its limit (%d) must not be negative".formatted(task, job, atOnce));
            }
        }
    }

    public SubmissionTerms {
        if (limitNanos < 0 || delayNanos < 0 || nodes < 0) {
            throw new IllegalArgumentException("limit (%d ns), delay (%d ns) and servers (%d) must not be negative"
                    .formatted(limitNanos, delayNanos, nodes));
        }
    }

    /** Whether the start of other jobs, or their end, may decide when the job may start. */
    public boolean isBoundToOthers() {
        return dependency != null || (array != null && array.atOnce() > 0);
    }

    /** A builder that starts with these terms. */
    public Builder but() {
        Builder builder = new Builder();
        builder.account = account;
        builder.unixGroup = unixGroup;
        builder.qos = qos;
        builder.partition = partition;
        builder.priority = priority;
        builder.nice = nice;
        builder.limitNanos = limitNanos;
        builder.delayNanos = delayNanos;
        builder.nodes = nodes;
        builder.exclusive = exclusive;
        builder.features = features;
        builder.nodeList = nodeList;
        builder.dependency = dependency;
        builder.reservation = reservation;
        builder.licenses = licenses;
        builder.array = array;
        builder.segments = segments;
        return builder;
    }

    /** Terms while they are gathered; those that are not set are as in {@link #NONE}. */
    public static final class Builder {
        private @Nullable String account;
        private @Nullable String unixGroup;
        private @Nullable String qos;
        private @Nullable String partition;
        private @Nullable Long priority;
        private int nice;
        private long limitNanos;
        private long delayNanos;
        private int nodes;
        private boolean exclusive;
        private @Nullable String features;
        private @Nullable String nodeList;
        private @Nullable String dependency;
        private @Nullable String reservation;
        private @Nullable String licenses;
        private @Nullable ArrayTask array;
        private @Nullable Segments segments;

        public Builder account(@Nullable String name) {
            account = name;
            return this;
        }

        public Builder unixGroup(@Nullable String name) {
            unixGroup = name;
            return this;
        }

        public Builder qos(@Nullable String name) {
            qos = name;
            return this;
        }

        public Builder partition(@Nullable String name) {
            partition = name;
            return this;
        }

        public Builder priority(@Nullable Long value) {
            priority = value;
            return this;
        }

        public Builder nice(int value) {
            nice = value;
            return this;
        }

        public Builder limitNanos(long nanos) {
            limitNanos = nanos;
            return this;
        }

        public Builder delayNanos(long nanos) {
            delayNanos = nanos;
            return this;
        }

        public Builder nodes(int count) {
            nodes = count;
            return this;
        }

        public Builder exclusive(boolean alone) {
            exclusive = alone;
            return this;
        }

        public Builder features(@Nullable String constraints) {
            features = constraints;
            return this;
        }

        public Builder nodeList(@Nullable String hosts) {
            nodeList = hosts;
            return this;
        }

        public Builder dependency(@Nullable String on) {
            dependency = on;
            return this;
        }

        public Builder reservation(@Nullable String name) {
            reservation = name;
            return this;
        }

        public Builder licenses(@Nullable String counts) {
            licenses = counts;
            return this;
        }

        public Builder array(@Nullable ArrayTask task) {
            array = task;
            return this;
        }

        public Builder segments(@Nullable Segments asked) {
            segments = asked;
            return this;
        }

        public SubmissionTerms build() {
            return new SubmissionTerms(
                    account,
                    unixGroup,
                    qos,
                    partition,
                    priority,
                    nice,
                    limitNanos,
                    delayNanos,
                    nodes,
                    exclusive,
                    features,
                    nodeList,
                    dependency,
                    reservation,
                    licenses,
                    array,
                    segments);
        }
    }
}
