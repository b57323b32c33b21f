package org.trainyard.gnn;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;

/**
 * The named weights of a network, in the order of their creation. Owns them; {@link #close} frees them.
 *
 * <p>Initial values are drawn from a stream per name, so they depend on the seed and the name alone.
 */
public final class Parameters implements AutoCloseable {
    private final NDManager manager;
    private final long seed;
    private final Map<String, NDArray> byName = new LinkedHashMap<>();

    public Parameters(long seed) {
        this(seed, Device.cpu());
    }

    public Parameters(long seed, Device device) {
        this.seed = seed;
        manager = NDManager.newBaseManager(device);
    }

    /** Creates a matrix {@code [out, in]} of normal numbers with standard deviation {@code gain / sqrt(in)}. */
    public NDArray matrix(String name, int out, int in, double gain) {
        RandomGenerator random = RandomStreams.stream(seed, "parameters/" + name);
        float[] values = new float[out * in];
        for (int i = 0; i < values.length; i++) {
            // Plus zero, because a minus zero becomes a plus zero when it is assigned from a file.
            values[i] = (float) (random.nextGaussian() * gain / Math.sqrt(in)) + 0f;
        }
        return add(name, values, new Shape(out, in));
    }

    /** Creates a vector of equal values. */
    public NDArray vector(String name, int size, float value) {
        float[] values = new float[size];
        Arrays.fill(values, value);
        return add(name, values, new Shape(size));
    }

    private NDArray add(String name, float[] values, Shape shape) {
        NDArray array = Tensors.copyOf(values, shape, manager);
        array.setName(name);
        array.setRequiresGradient(true);
        if (byName.putIfAbsent(name, array) != null) {
            throw new IllegalArgumentException("parameter (%s) exists already".formatted(name));
        }
        return array;
    }

    /** All parameters, in order. */
    public List<NDArray> all() {
        return new ArrayList<>(byName.values());
    }

    public List<String> names() {
        return new ArrayList<>(byName.keySet());
    }

    public NDArray get(String name) {
        NDArray array = byName.get(name);
        if (array == null) {
            throw new IllegalArgumentException("no parameter (%s)".formatted(name));
        }
        return array;
    }

    /** Number of weights in all. */
    public long count() {
        return byName.values().stream().mapToLong(NDArray::size).sum();
    }

    /** The values of all parameters, one after another in order. */
    public float[] values() {
        float[] all = new float[Math.toIntExact(count())];
        int at = 0;
        for (NDArray array : byName.values()) {
            float[] values = array.toFloatArray();
            System.arraycopy(values, 0, all, at, values.length);
            at += values.length;
        }
        return all;
    }

    /** Sets the values of all parameters, as {@link #values} gave them. */
    public void setValues(float[] all) {
        if (all.length != count()) {
            throw new IllegalArgumentException("there are (%d) weights, not (%d)".formatted(count(), all.length));
        }
        int at = 0;
        for (NDArray array : byName.values()) {
            int size = Math.toIntExact(array.size());
            assign(array, Arrays.copyOfRange(all, at, at + size));
            at += size;
        }
    }

    /** Adds the gradients of all parameters to an array, in the order of {@link #values}, and sets them to zero. */
    public void takeGradients(float[] sum) {
        int at = 0;
        try (NDManager scope = newScope()) {
            for (NDArray array : byName.values()) {
                NDArray gradient = array.getGradient();
                gradient.attach(scope);
                float[] values = gradient.toFloatArray();
                for (int i = 0; i < values.length; i++) {
                    sum[at + i] += values[i];
                }
                at += values.length;
                gradient.subi(gradient);
            }
        }
    }

    /** A manager for the tensors of one forward pass; the caller closes it. */
    public NDManager newScope() {
        return manager.newSubManager();
    }

    /**
     * Assigns values to a parameter with gradients switched off, as PyTorch requires. By arithmetic, because DJL's own
     * copy methods print a warning.
     */
    private void assign(NDArray array, float[] values) {
        array.setRequiresGradient(false);
        try (NDArray wrapped = manager.create(values, array.getShape())) {
            array.subi(array);
            array.addi(wrapped);
        }
        array.setRequiresGradient(true);
    }

    @Override
    public void close() {
        manager.close();
    }
}
