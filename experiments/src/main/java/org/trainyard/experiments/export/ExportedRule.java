package org.trainyard.experiments.export;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trainyard.agents.learned.export.Choice;
import org.trainyard.agents.learned.export.RowArrays;
import org.trainyard.agents.learned.export.RowGraph;
import org.trainyard.agents.learned.export.RuleGraph;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.policy.LinearPolicy;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.gnn.onnx.OnnxGraph;

/** A linear rule: a decision is that of one agent, a choice one action. */
final class ExportedRule implements ExportedPolicy {
    private final LinearPolicy rule;
    private final boolean preemption;

    ExportedRule(LinearPolicy rule, boolean preemption) {
        this.rule = rule;
        this.preemption = preemption;
    }

    @Override
    public String title() {
        return "a linear rule over columns of jobs and servers";
    }

    @Override
    public Map<String, Object> settings(Map<String, Object> facts) {
        return Map.of("preemption", preemption);
    }

    @Override
    public String choices() {
        return "actions";
    }

    @Override
    public OnnxGraph graph() {
        return RuleGraph.of(rule, preemption);
    }

    @Override
    public Map<String, InputMeaning> inputs() {
        return RowMeanings.inputs(List.of(RowGraph.CANDIDATES, RowGraph.JOBS, RowGraph.MASK));
    }

    @Override
    public Map<String, String> outputs() {
        return RowMeanings.outputs("The legal action of the highest score, the first of equals.");
    }

    @Override
    public Map<String, String> axes() {
        return RowMeanings.axes(List.of("rows", "servers", "jobs", "actions"));
    }

    @Override
    public String comparedOutput() {
        return Choice.SCORES;
    }

    @Override
    public Scheduler scheduler(Deployment deployment, Consumer<Supplier<RecordedDecision>> listener) {
        RecordingPolicy.Recorder recorder = (rows, at, space, legal, best) -> {
            double[] scores = new double[legal.length];
            for (int action = 0; action < scores.length; action++) {
                scores[action] = rule.score(rows, at, space, action);
            }
            return new RecordedDecision(RowArrays.ofRule(rows, at, space), scores, legal, best);
        };
        return new RecordingPolicy(rule, recorder, listener).scheduler(deployment);
    }
}
