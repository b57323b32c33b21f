package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.graphtraining.GraphDataset;
import org.trainyard.env.graphtraining.HitRatio;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.pipeline.planning.PlannerKind;
import org.trainyard.env.synchronisation.SynchronisationModel;

/** The parallelism of a job. */
public sealed interface TrainingPlan {
    /** Micro-batches of an iteration of a job whose trace does not say. */
    int MICRO_BATCHES = 8;

    /**
     * Profiles are coarsened to so many layers where plans are made during a simulation, so that planning takes
     * milliseconds.
     */
    int MOST_LAYERS = 16;

    /** The widest gang that is planned during a simulation, for the same reason. */
    int MOST_GPUS = 64;

    /** The name in traces. */
    String label();

    /** Whether the speed of a job depends on the host CPU or memory that it holds. */
    default boolean usesHosts() {
        return this instanceof GraphTraining || (this instanceof ParameterServer servers && servers.hosts() != null);
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
     * Workers and parameter servers, with bandwidth reserved for them: every worker trains its samples of a global
     * batch, and {@code workersPerServer} workers exchange gradients with one server.
     *
     * <p>Its speed is that of PD-ORS (2108.02917): a sample takes a worker {@code sampleSeconds +
     * workersPerServer / batch x 2 gradientBytes / bandwidth}, with the bandwidth inside a machine when all are on
     * one, else that between machines. Deviation: servers hold no GPUs, and stand where the workers are.
     *
     * @param sampleSeconds compute time of a sample on one worker
     * @param batch global batch, samples; an iteration of the job, and the most workers it can use
     * @param workersPerServer at least 1
     * @param gradientBytes size of the gradients, and of the parameters
     * @param insideBytesPerSecond reserved bandwidth inside a machine
     * @param acrossBytesPerSecond reserved bandwidth between machines
     * @param hosts what workers and servers take of their hosts; null for servers that cost nothing
     */
    record ParameterServer(
            double sampleSeconds,
            int batch,
            int workersPerServer,
            double gradientBytes,
            double insideBytesPerSecond,
            double acrossBytesPerSecond,
            @Nullable ServerHosts hosts)
            implements TrainingPlan {
        static final String PREFIX = "ps:";

        /** With servers that cost nothing. */
        public ParameterServer(
                double sampleSeconds,
                int batch,
                int workersPerServer,
                double gradientBytes,
                double insideBytesPerSecond,
                double acrossBytesPerSecond) {
            this(
                    sampleSeconds,
                    batch,
                    workersPerServer,
                    gradientBytes,
                    insideBytesPerSecond,
                    acrossBytesPerSecond,
                    null);
        }

        public ParameterServer {
            if (batch < 1 || workersPerServer < 1) {
                throw new IllegalArgumentException(
                        "batch (%d) and workers per server (%d) must be at least 1".formatted(batch, workersPerServer));
            }
            for (double figure :
                    new double[] {sampleSeconds, gradientBytes, insideBytesPerSecond, acrossBytesPerSecond}) {
                if (!(figure > 0) || Double.isInfinite(figure)) {
                    throw new IllegalArgumentException(
                            "figures of parameter servers (%s) must be finite and above zero".formatted(figure));
                }
            }
        }

        /** Time that a worker takes for a sample, its share of communication included, seconds. */
        public double secondsPerSample(boolean isOnOneMachine) {
            double bandwidth = isOnOneMachine ? insideBytesPerSecond : acrossBytesPerSecond;
            return sampleSeconds + (double) workersPerServer / batch * 2 * gradientBytes / bandwidth;
        }

        /** Iterations of a batch per second. */
        public double iterationsPerSecond(int workers, boolean isOnOneMachine) {
            return workers / (batch * secondsPerSample(isOnOneMachine));
        }

        /**
         * Iterations of a batch per second with the host share of a demand. With {@code hosts} an iteration is SMD's:
         * a worker computes its part of the batch, and each server exchanges the gradients of its workers in turn and
         * applies them. Gradients count by sample, as without {@code hosts}.
         */
        public double iterationsPerSecond(int workers, boolean isOnOneMachine, Demand demand) {
            if (hosts == null) {
                return iterationsPerSecond(workers, isOnOneMachine);
            }
            double perServer = demand.cpuMilli() == 0
                    ? workersPerServer
                    : hosts.workersPerServer(demand.host().part(demand.gpus()));
            double bandwidth = isOnOneMachine ? insideBytesPerSecond : acrossBytesPerSecond;
            return 1
                    / LayerOverlap.iterationSeconds(
                            hosts.layers(),
                            sampleSeconds * batch / workers,
                            perServer * (2 * gradientBytes / (batch * bandwidth) + hosts.updateSeconds()));
        }

        /** Iterations per second that no number of servers exceeds. */
        public double mostIterationsPerSecond(int workers) {
            return hosts == null
                    ? Math.max(iterationsPerSecond(workers, true), iterationsPerSecond(workers, false))
                    : workers / (sampleSeconds * batch);
        }

        /** Parameter servers of so many workers. */
        public int servers(int workers) {
            return -Math.floorDiv(-workers, workersPerServer);
        }

        @Override
        public String label() {
            return PREFIX
                    + String.join(
                            ":",
                            Double.toString(sampleSeconds),
                            Integer.toString(batch),
                            Integer.toString(workersPerServer),
                            Double.toString(gradientBytes),
                            Double.toString(insideBytesPerSecond),
                            Double.toString(acrossBytesPerSecond))
                    + (hosts == null ? "" : ":" + hosts.label());
        }

        static @Nullable ParameterServer parse(String label) {
            String[] parts = label.substring(PREFIX.length()).split(":", -1);
            if (parts.length != 6 && parts.length != 11 && parts.length != 12) {
                return null;
            }
            try {
                return new ParameterServer(
                        Double.parseDouble(parts[0]),
                        Integer.parseInt(parts[1]),
                        Integer.parseInt(parts[2]),
                        Double.parseDouble(parts[3]),
                        Double.parseDouble(parts[4]),
                        Double.parseDouble(parts[5]),
                        parts.length == 6 ? null : ServerHosts.parse(parts, 6));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }

    /**
     * Workers on all GPUs, each with a batch of its own, that commit to parameter servers when a model of
     * synchronisation says so. Their speeds follow from the model that they train and from their GPUs; an iteration
     * of the job is one effective step of every worker.
     */
    record Synchronised(SynchronisationModel model) implements TrainingPlan {
        static final String PREFIX = "sync:";

        @Override
        public String label() {
            return PREFIX + model.label();
        }

        static @Nullable Synchronised parse(String label) {
            SynchronisationModel model = SynchronisationModel.parse(label.substring(PREFIX.length()));
            return model == null ? null : new Synchronised(model);
        }
    }

    /**
     * Data parallelism on a graph whose mini-batches are prepared by CPUs, network and PCIe. An iteration is a
     * mini-batch of every worker the job was submitted for; host CPU and memory of the demand prepare and cache.
     */
    record GraphTraining(GraphDataset dataset, HitRatio cache) implements TrainingPlan {
        static final String PREFIX = "gnn:";

        @Override
        public String label() {
            return PREFIX + dataset.name() + ":" + cache.label();
        }

        static @Nullable GraphTraining parse(String label) {
            String[] parts = label.substring(PREFIX.length()).split(":", -1);
            GraphDataset dataset = GraphDataset.find(parts[0]);
            HitRatio cache = parts.length == 2 ? HitRatio.parse(parts[1]) : null;
            return dataset == null || cache == null ? null : new GraphTraining(dataset, cache);
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
     * @param model ignored by plans without layers
     * @return null when there is no such plan, or no such model for one that needs layers
     */
    static @Nullable TrainingPlan parse(String label, @Nullable String model) {
        if (label.equals(RingAllReduce.INSTANCE.label())) {
            return RingAllReduce.INSTANCE;
        }
        if (label.startsWith(ParameterServer.PREFIX)) {
            return ParameterServer.parse(label);
        }
        if (label.startsWith(Synchronised.PREFIX)) {
            return Synchronised.parse(label);
        }
        if (label.startsWith(GraphTraining.PREFIX)) {
            return GraphTraining.parse(label);
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
