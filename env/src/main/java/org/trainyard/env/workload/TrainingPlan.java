package org.trainyard.env.workload;

/** The parallelism of a job. */
public sealed interface TrainingPlan {
    /** Synchronous data parallelism: every GPU a full replica, gradients exchanged by ring all-reduce. */
    record RingAllReduce() implements TrainingPlan {
        public static final RingAllReduce INSTANCE = new RingAllReduce();
    }
}
