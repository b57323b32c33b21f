package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.pipeline.planning.PlannerKind;

/** The parallelism of a job. */
public sealed interface TrainingPlan {
    /** Micro-batches of an iteration of a job whose trace does not say. */
    int MICRO_BATCHES = 8;

    /** Profiles are coarsened to so many layers where plans are made during a simulation, so that planning takes milliseconds. */
    int MOST_LAYERS = 16;

    /** The widest gang that is planned during a simulation, for the same reason. */
    int MOST_GPUS = 64;

    /** The name in traces. */
    String label();

    /** Synchronous data parallelism: every GPU a full replica, gradients exchanged by ring all-reduce. */
    record RingAllReduce() implements TrainingPlan {
        public static final RingAllReduce INSTANCE = new RingAllReduce();

        @Override
        public String label() {
            return "ring";
        }
    }

    /** Parallelism that depends on the layers of the model and on the GPUs the job gets. */
    sealed interface Planned extends TrainingPlan {
        LayerProfile profile();

        int microBatches();

        /** Compute time of an iteration on one GPU of speed 1, seconds. */
        default double computeSeconds() {
            return microBatches() * profile().computeSeconds();
        }
    }

    /**
     * A pipeline of stages with replicas, planned anew for the GPUs of each start.
     *
     * @param microBatches of one iteration, each of the profile's size
     */
    record Pipeline(LayerProfile profile, PlannerKind planner, int microBatches) implements Planned {
        public Pipeline {
            requireMicroBatches(microBatches);
        }

        @Override
        public String label() {
            return "pipeline:" + planner.label();
        }
    }

    /**
     * Data and tensor parallelism without stages, with the best layouts of tensors on the GPUs of each start.
     *
     * @param microBatches of one iteration, computed as one batch
     */
    record Mixed(LayerProfile profile, int microBatches) implements Planned {
        static final String LABEL = "mixed:sbp";

        public Mixed {
            requireMicroBatches(microBatches);
        }

        @Override
        public String label() {
            return LABEL;
        }
    }

    private static void requireMicroBatches(int microBatches) {
        if (microBatches < 1) {
            throw new IllegalArgumentException("micro-batches (%d) must be at least 1".formatted(microBatches));
        }
    }

    /**
     * The plan of a {@link #label} for a model of {@link ModelArchitectures}, in {@value #MICRO_BATCHES} micro-batches.
     *
     * @param model ignored by rings
     * @return null when there is no such plan, or no such model for one that needs layers
     */
    static @Nullable TrainingPlan parse(String label, @Nullable String model) {
        if (label.equals(RingAllReduce.INSTANCE.label())) {
            return RingAllReduce.INSTANCE;
        }
        LayerProfile profile = model == null ? null : ModelArchitectures.find(model);
        if (profile == null) {
            return null;
        }
        if (label.equals(Mixed.LABEL)) {
            return new Mixed(profile, MICRO_BATCHES);
        }
        PlannerKind planner =
                label.startsWith("pipeline:") ? PlannerKind.parse(label.substring("pipeline:".length())) : null;
        return planner == null ? null : new Pipeline(profile, planner, MICRO_BATCHES);
    }
}
