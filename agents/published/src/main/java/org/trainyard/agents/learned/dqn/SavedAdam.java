package org.trainyard.agents.learned.dqn;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.optimizer.Adam;
import ai.djl.training.tracker.ParameterTracker;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trainyard.agents.learned.saving.SavedTensors;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;

/**
 * DJL's Adam with moments that can be saved.
 *
 * <p>DJL creates the two moments of a parameter through {@code withDefaultState}, the mean before the variance; this
 * class keeps hold of them, and takes their initial values from a file where one was read.
 */
public final class SavedAdam extends Adam {
    private final Parameters parameters;
    private final Map<String, List<NDArray>> moments = new HashMap<>();
    private final Map<String, List<float[]>> inherited = new HashMap<>();
    private final Rate rate;
    private int steps;

    /** The learning rate of the current step. */
    private static final class Rate implements ParameterTracker {
        private float now;

        @Override
        public float getNewValue(String parameter, int update) {
            return now;
        }
    }

    /** @param begin steps made before, whose moments {@link #read} sets */
    public SavedAdam(Parameters parameters, int begin) {
        this(parameters, begin, new Rate());
    }

    private SavedAdam(Parameters parameters, int begin, Rate rate) {
        super(Adam.builder().optLearningRateTracker(rate).optEpsilon(1e-5f).optBeginNumUpdate(begin));
        this.parameters = parameters;
        this.rate = rate;
        steps = begin;
    }

    /** One step of every parameter. */
    void step(Map<String, NDArray> gradients, double learningRate) {
        rate.now = (float) learningRate;
        for (String name : parameters.names()) {
            NDArray gradient = gradients.get(name);
            if (gradient == null) {
                throw new IllegalStateException("parameter (%s) has no gradient".formatted(name));
            }
            update(name, parameters.get(name), gradient);
        }
        steps++;
    }

    @Override
    protected NDArray withDefaultState(
            Map<String, Map<Device, NDArray>> state,
            String name,
            Device device,
            Function<String, NDArray> defaultFunction) {
        return super.withDefaultState(state, name, device, key -> {
            List<NDArray> known = moments.computeIfAbsent(name, unused -> new ArrayList<>());
            NDArray moment = first(name, known.size());
            known.add(moment);
            return moment;
        });
    }

    /** A moment at its first step, in the manager of the parameters because it outlives the scope of the gradient. */
    private NDArray first(String name, int which) {
        NDArray parameter = parameters.get(name);
        NDManager manager = parameter.getManager();
        Shape shape = parameter.getShape();
        List<float[]> values = inherited.get(name);
        if (values == null) {
            return manager.zeros(shape);
        }
        return Tensors.copyOf(values.get(which), shape, manager);
    }

    public int steps() {
        return steps;
    }

    public void write(DataOutput out) throws IOException {
        out.writeInt(steps);
        for (String name : parameters.names()) {
            for (NDArray moment : moments.getOrDefault(name, List.of())) {
                SavedTensors.write(moment, out);
            }
        }
    }

    /** An optimiser in the state that {@link #write} wrote. */
    public static SavedAdam read(Parameters parameters, DataInput in, String source) throws IOException {
        SavedAdam adam = new SavedAdam(parameters, in.readInt());
        for (String name : adam.steps == 0 ? List.<String>of() : parameters.names()) {
            Shape shape = parameters.get(name).getShape();
            adam.inherited.put(
                    name,
                    List.of(
                            SavedTensors.read(in, shape, source + ", mean of " + name),
                            SavedTensors.read(in, shape, source + ", variance of " + name)));
        }
        return adam;
    }

    /** Frees the moments. */
    public void free() {
        moments.values().forEach(list -> list.forEach(NDArray::close));
        moments.clear();
    }
}
