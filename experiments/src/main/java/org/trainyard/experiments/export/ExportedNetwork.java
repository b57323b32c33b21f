package org.trainyard.experiments.export;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trainyard.agents.learned.export.Choice;
import org.trainyard.agents.learned.export.RowArrays;
import org.trainyard.agents.learned.export.RowGraph;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.gnn.onnx.OnnxGraph;

/** A network over observation rows: a decision is that of one agent, a choice one action. */
final class ExportedNetwork implements ExportedPolicy {
    /** Equal servers have equal scores, but sums of the tensor library depend on a row's place in a batch. */
    private static final double ROUNDING = 1e-5;

    private final PolicyNetwork network;

    /** @param network closed with this */
    ExportedNetwork(PolicyNetwork network) {
        this.network = network;
    }

    @Override
    public String title() {
        return "agents that act one after another; a graph network scores the actions of an agent";
    }

    @Override
    public String choices() {
        return "actions";
    }

    @Override
    public OnnxGraph graph() {
        return RowGraph.of(network);
    }

    @Override
    public Map<String, InputMeaning> inputs() {
        return RowMeanings.inputs(List.of(
                RowGraph.GPUS,
                RowGraph.SERVERS,
                RowGraph.CANDIDATES,
                RowGraph.JOBS,
                RowGraph.FOCUS,
                RowGraph.DOMAINS,
                RowGraph.LINKS,
                RowGraph.PARENTS,
                RowGraph.GLOBAL,
                RowGraph.MASK));
    }

    @Override
    public Map<String, String> outputs() {
        return RowMeanings.outputs(
                "The likeliest legal action of the likeliest kind of action: wait, take up a job, place workers, hold, forward.");
    }

    @Override
    public Map<String, String> axes() {
        return RowMeanings.axes(
                List.of("rows", "servers", "sockets", "gpus_per_socket", "jobs", "domains", "uplinks", "actions"));
    }

    @Override
    public String comparedOutput() {
        return Choice.LOG_PROBABILITIES;
    }

    @Override
    public double tieTolerance() {
        return ROUNDING;
    }

    @Override
    public Scheduler scheduler(Deployment deployment, Consumer<Supplier<RecordedDecision>> listener) {
        RecordingPolicy.Recorder recorder = (rows, at, space, legal, best) -> {
            float[] logs = new float[legal.length];
            network.score(rows, at, 1, 1, space, logs, null);
            double[] scores = new double[legal.length];
            for (int action = 0; action < scores.length; action++) {
                scores[action] = logs[action];
            }
            return new RecordedDecision(RowArrays.ofNetwork(rows, at, space), scores, legal, best);
        };
        return new RecordingPolicy(network, recorder, listener).scheduler(deployment);
    }

    @Override
    public void close() {
        network.close();
    }
}
