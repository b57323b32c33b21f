package org.trainyard.env.gym.registry;

import java.util.List;
import java.util.function.Function;

/**
 * A parametric family of schedulers with the values of its hyperparameters to search, in rounds; all schedulers by
 * name.
 */
public interface SearchSpace {
    /**
     * The traits of a world in which schedulers are searched.
     *
     * @param hasSeveralGpuTypes whether GPUs differ in speed
     * @param sharesGpus whether two jobs may share a GPU by choice
     * @param linksDiffer whether the GPUs of a server differ in how they are linked
     * @param isPreemptionCostly whether a preemption costs more than a short restart
     */
    record Traits(boolean hasSeveralGpuTypes, boolean sharesGpus, boolean linksDiffer, boolean isPreemptionCostly) {}

    /** The members of the first round. */
    List<String> first(Traits world);

    /** The further rounds: for each, the variants of a member that is left, with itself among them. */
    List<Function<String, List<String>>> rounds(Traits world);

    /** Schedulers outside the family that join the last round. */
    List<String> others();
}
