package org.trainyard.env.workload;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of training beside that on rings, found by {@link java.util.ServiceLoader}: the plans that it adds to those of
 * traces, and its models that it adds to those of the catalogue.
 */
public interface JobKind {
    /** The kinds on the class path, in order of the names of their classes. */
    static List<JobKind> all() {
        return JobKinds.ALL;
    }

    /**
     * The plan of a label of this kind; null when it is none, or there is no such model for one that needs layers.
     *
     * @param model ignored by plans without layers
     */
    default @Nullable TrainingPlan plan(String label, @Nullable String model) {
        return null;
    }

    /**
     * The labels of its plans for messages, each after a comma.
     *
     * @param model of the job, or null
     */
    default String planForms(@Nullable String model) {
        return "";
    }

    /**
     * Models that jobs of this kind train, and no other.
     *
     * @param known a model of the catalogue by its name
     */
    default List<ModelProfile> models(Function<String, ModelProfile> known) {
        return List.of();
    }
}
