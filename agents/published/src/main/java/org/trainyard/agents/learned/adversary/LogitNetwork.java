package org.trainyard.agents.learned.adversary;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.trainyard.agents.learned.saving.SavedTensors;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;

/**
 * Logits by a network of two hidden layers of tanh units over the features of a state, changed by plain gradient steps.
 */
final class LogitNetwork implements ChoiceModel {
    private final int choices;
    private final Parameters parameters;
    private final LinearLayer first;
    private final LinearLayer second;
    private final LinearLayer logits;

    LogitNetwork(int hidden, int choices, long seed) {
        this.choices = choices;
        parameters = new Parameters(seed);
        first = LinearLayer.of(parameters, "first", AllocationGame.FIGURES, hidden, 1, 0);
        second = LinearLayer.of(parameters, "second", hidden, hidden, 1, 0);
        logits = LinearLayer.of(parameters, "logits", hidden, choices, 1, 0);
    }

    private NDArray forward(List<PlayerState> states, NDManager scope) {
        float[] figures = new float[states.size() * AllocationGame.FIGURES];
        int at = 0;
        for (PlayerState state : states) {
            for (double figure : state.figures()) {
                figures[at++] = (float) figure;
            }
        }
        NDArray inputs = Tensors.copyOf(figures, new Shape(states.size(), AllocationGame.FIGURES), scope);
        return logits.apply(second.apply(first.apply(inputs).tanh()).tanh());
    }

    @Override
    public double[][] logits(List<PlayerState> states) {
        double[][] rows = new double[states.size()][choices];
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(false, () -> {
                float[] computed = forward(states, scope).toFloatArray();
                for (int i = 0; i < computed.length; i++) {
                    rows[i / choices][i % choices] = computed[i];
                }
            });
        }
        return rows;
    }

    @Override
    public void ascend(List<PlayerState> states, double[][] slopes, double rate, int update) {
        float[] down = new float[states.size() * choices];
        for (int i = 0; i < down.length; i++) {
            down[i] = (float) -slopes[i / choices][i % choices];
        }
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(true, () -> {
                NDArray computed = forward(states, scope);
                Autograd.backwardFrom(computed, Tensors.copyOf(down, computed.getShape(), scope));
            });
        }
        descend(rate);
        FiniteCheck check = new FiniteCheck(update);
        for (String name : parameters.names()) {
            check.weights(name, parameters.get(name).toFloatArray());
        }
    }

    private void descend(double rate) {
        Optimizer plain = Optimizer.sgd()
                .setLearningRateTracker(Tracker.fixed((float) rate))
                .build();
        try (NDManager scope = parameters.newScope()) {
            for (String name : parameters.names()) {
                NDArray gradient = parameters.get(name).getGradient();
                gradient.attach(scope);
                plain.update(name, parameters.get(name), gradient);
                gradient.subi(gradient);
            }
        }
    }

    @Override
    public void write(DataOutput out) throws IOException {
        SavedTensors.write(parameters, out);
    }

    @Override
    public void read(DataInput in, String source) throws IOException {
        SavedTensors.read(parameters, in, source);
    }

    @Override
    public void close() {
        parameters.close();
    }
}
