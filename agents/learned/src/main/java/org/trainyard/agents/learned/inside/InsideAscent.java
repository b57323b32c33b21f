package org.trainyard.agents.learned.inside;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.trainyard.agents.learned.training.ArrayAdam;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.cluster.GpuSet;
import org.trainyard.gnn.cluster.GpuSetEncoder;

/**
 * Moves the weights of the level inside servers uphill: one pass back through the embeddings of all sets of GPUs that a
 * minibatch used, however often, slower than the other levels, because it knows something before it begins.
 */
public final class InsideAscent implements AutoCloseable {
    /** Part of the learning rate of the other levels. */
    private static final double PACE = 0.1;

    private final InsideLevel level;
    private final Parameters parameters = new Parameters(0);
    private final GpuSetEncoder encoder;
    private final ArrayAdam adam;
    private final SetSlopes slopes;
    private final float[] gradient;

    /** Of weights that nobody else changes. */
    public InsideAscent(InsideLevel level) {
        this.level = level;
        encoder = new GpuSetEncoder(parameters, level.settings());
        adam = new ArrayAdam(level.weights().length);
        slopes = new SetSlopes(level.settings().size());
        gradient = new float[level.weights().length];
    }

    /** Moves the weights by the derivatives of a minibatch of so many auctions, summed in the order of its parts. */
    public void step(List<SetSlopes> parts, int size, double learningRate) {
        slopes.clear();
        parts.forEach(slopes::addAll);
        gradient(slopes);
        for (int w = 0; w < gradient.length; w++) {
            gradient[w] /= size;
        }
        adam.step(level.weights(), gradient, PACE * learningRate);
        level.changed();
    }

    /** The gradient by the weights from the derivatives by embeddings; overwritten by the next. */
    public float[] gradient(SetSlopes byEmbeddings) {
        Arrays.fill(gradient, 0);
        List<GpuSet> sets = byEmbeddings.sets();
        if (sets.isEmpty()) {
            return gradient;
        }
        Autograd.record(false, () -> parameters.setValues(level.weights()));
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(true, () -> {
                NDArray embeddings = encoder.encode(sets, scope);
                Autograd.backwardFrom(embeddings, Tensors.copyOf(byEmbeddings.of(sets), embeddings.getShape(), scope));
            });
        }
        parameters.takeGradients(gradient);
        return gradient;
    }

    /** Writes the state of the optimiser. */
    public void write(DataOutput out) throws IOException {
        adam.write(out);
    }

    /** Reads it. */
    public void read(DataInput in) throws IOException {
        adam.read(in);
    }

    @Override
    public void close() {
        parameters.close();
    }
}
