package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;

/** The parallelism of a job. */
public interface TrainingPlan {
    /** The name in traces. */
    String label();

    /** The model whose layers it divides, which its label does not say; null for a plan without layers. */
    default @Nullable String layers() {
        return null;
    }

    /** Whether the speed of a job depends on the host CPU or memory that it holds. */
    default boolean usesHosts() {
        return false;
    }

    /** Whether what is kept about such a job can be forgotten once it has ended. */
    default boolean isForgettable() {
        return true;
    }

    /** Iterations per second for each GPU that no number of GPUs exceeds; 0 where the plan does not say. */
    default double mostPerGpu() {
        return 0;
    }

    /** The fewest GPUs of a job with this plan. */
    default int leastGpus() {
        return 0;
    }

    /** The most GPUs of a job with this plan. */
    default int mostGpus() {
        return Integer.MAX_VALUE;
    }

    /** Synchronous data parallelism: every GPU a full replica, gradients exchanged by ring all-reduce. */
    record RingAllReduce() implements TrainingPlan {
        public static final RingAllReduce INSTANCE = new RingAllReduce();

        @Override
        public String label() {
            return "ring";
        }
    }

    /**
     * The plan of a {@link #label} for a model, a ring or a plan of some {@link JobKind}.
     *
     * @param model ignored by plans without layers
     * @return null when there is no such plan, or no such model for one that needs layers
     */
    static @Nullable TrainingPlan parse(String label, @Nullable String model) {
        if (label.equals(RingAllReduce.INSTANCE.label())) {
            return RingAllReduce.INSTANCE;
        }
        for (JobKind kind : JobKind.all()) {
            TrainingPlan plan = kind.plan(label, model);
            if (plan != null) {
                return plan;
            }
        }
        return null;
    }
}
