package org.trainyard.agents.learned.policy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.EmbeddingValues;
import org.trainyard.gnn.Embeddings;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.SectionValues;
import org.trainyard.gnn.Sections;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * The actor: the logits of an agent's actions from the agent's row alone. A logit is the sum of a score of the encoder's embeddings, {@link
 * Scorer}, and of a linear rule over the columns of jobs and servers, as in {@link LinearPolicy}.
 */
final class ActorHead {
    /** Initial bias of the actions that put work off, so that the episodes of an untrained policy end. */
    private static final float RELUCTANT = -2;
    /** The bias of actions that a linear rule never takes. */
    private static final float NEVER = -1e6f;

    private static final List<String> RULES = List.of("slot.rule", "server.rule", "displace.rule");

    private final Parameters parameters;
    private final Scorer wait;
    private final Scorer slots;
    private final Scorer servers;
    private final Scorer hold;
    private final Scorer forward;
    private final Scorer borrow;
    private final Scorer displace;
    private final LinearLayer slotRule;
    private final LinearLayer serverRule;
    private final LinearLayer displaceRule;

    /** @param h size of an embedding */
    ActorHead(Parameters parameters, int h) {
        this.parameters = parameters;
        wait = new Scorer(parameters, "wait", RELUCTANT, h, h);
        slots = new Scorer(parameters, "slot", 0, h, h, h);
        servers = new Scorer(parameters, "server", 0, h, h, ObservationSpace.CANDIDATE, h, h);
        hold = new Scorer(parameters, "hold", RELUCTANT, h, h, h);
        forward = new Scorer(parameters, "forward", RELUCTANT, h, h, h, h);
        borrow = new Scorer(parameters, "borrow", 0, h, h, h, h);
        displace = new Scorer(parameters, "displace", RELUCTANT, h, h, h);
        slotRule = LinearLayer.of(parameters, RULES.get(0), ObservationSpace.JOB, 1, 0, 0);
        serverRule = LinearLayer.of(parameters, RULES.get(1), ObservationSpace.CANDIDATE, 1, 0, 0);
        displaceRule = LinearLayer.of(parameters, RULES.get(2), ObservationSpace.JOB, 1, 0, 0);
    }

    /** Whether a parameter is a weight of the linear rule. */
    static boolean isOfRule(String parameter) {
        return RULES.stream().anyMatch(rule -> parameter.startsWith(rule + "."));
    }

    private List<Scorer> scorers() {
        return List.of(wait, slots, servers, hold, forward, borrow, displace);
    }

    /** Logits, N x A. */
    NDArray score(Sections sections, Embeddings embeddings, ActionSpace layout) {
        NDArray context = embeddings.context();
        NDList parts = new NDList(
                slots.score(embeddings.jobs(), context)
                        .add(slotRule.apply(sections.jobs()).squeeze(2)),
                servers.score(embeddings.servers(), sections.candidates(), embeddings.focus(), context)
                        .add(serverRule.apply(sections.candidates()).squeeze(2)),
                hold.score(embeddings.focus(), context),
                forward.score(embeddings.domains(), embeddings.focus(), context),
                borrow.score(embeddings.domains(), embeddings.focus(), context));
        if (layout.preemption()) {
            parts.add(displace.score(embeddings.jobs(), context)
                    .add(displaceRule.apply(sections.jobs()).squeeze(2)));
        }
        return wait.score(context).getNDArrayInternal().concat(parts, 1);
    }

    /** Logits, N x A, when the scores of the embeddings are constant, {@link #isConstant}: nothing is encoded. */
    NDArray scoreByRule(Sections sections, ActionSpace layout) {
        NDManager scope = sections.mask().getManager();
        long rows = sections.mask().getShape().get(0);
        long holdForwardBorrow = 1 + 2L * layout.domains();
        NDList parts = new NDList(
                slotRule.apply(sections.jobs()).squeeze(2),
                serverRule.apply(sections.candidates()).squeeze(2),
                scope.zeros(new Shape(rows, holdForwardBorrow)));
        if (layout.preemption()) {
            parts.add(displaceRule.apply(sections.jobs()).squeeze(2));
        }
        NDArray rule = scope.zeros(new Shape(rows, 1)).getNDArrayInternal().concat(parts, 1);
        return rule.add(scope.create(biases(layout), new Shape(1, layout.size())));
    }

    private float[] biases(ActionSpace layout) {
        float[] biases = new float[layout.size()];
        for (int action = 0; action < biases.length; action++) {
            biases[action] = scorerOf(layout, action).bias();
        }
        return biases;
    }

    private Scorer scorerOf(ActionSpace layout, int action) {
        if (action == ActionSpace.WAIT) {
            return wait;
        } else if (layout.slotOf(action) >= 0) {
            return slots;
        } else if (layout.serverOf(action) >= 0) {
            return servers;
        } else if (action == layout.hold()) {
            return hold;
        } else if (layout.forwardOf(action) >= 0) {
            return forward;
        }
        return layout.borrowOf(action) >= 0 ? borrow : displace;
    }

    /** See {@link PolicyNetwork#initialiseFrom}. */
    void initialiseFrom(double[] rule, double inverseTemperature) {
        new LinearPolicy(rule);
        wait.setConstant(0);
        hold.setConstant(NEVER);
        forward.setConstant(NEVER);
        slots.setConstant((float) (inverseTemperature * rule[LinearPolicy.SLOT - 1]));
        servers.setConstant(0);
        displace.setConstant((float) (inverseTemperature * rule[LinearPolicy.DISPLACE - 1]));
        borrow.setConstant((float) (inverseTemperature * rule[LinearPolicy.BORROW]));
        parameters.set("slot.rule.weight", part(rule, LinearPolicy.SLOT, ObservationSpace.JOB, inverseTemperature));
        parameters.set(
                "server.rule.weight", part(rule, LinearPolicy.SERVER, ObservationSpace.CANDIDATE, inverseTemperature));
        parameters.set(
                "displace.rule.weight", part(rule, LinearPolicy.DISPLACE, ObservationSpace.JOB, inverseTemperature));
    }

    private static float[] part(double[] rule, int from, int count, double inverseTemperature) {
        float[] weights = new float[count];
        for (int i = 0; i < count; i++) {
            weights[i] = (float) (inverseTemperature * rule[from + i]);
        }
        return weights;
    }

    /** Multiplies all logits by a factor. */
    void scaleLogits(double factor) {
        for (String name : parameters.names()) {
            if (isOfRule(name) || scorers().stream().anyMatch(scorer -> scorer.isOfOutput(name))) {
                float[] values = parameters.get(name).toFloatArray();
                for (int i = 0; i < values.length; i++) {
                    values[i] = (float) (values[i] * factor);
                }
                parameters.set(name, values);
            }
        }
    }

    /** Whether the scores of the embeddings are constant per kind of action, so that the linear rule alone decides. */
    boolean isConstant() {
        return scorers().stream().allMatch(Scorer::isConstant);
    }

    /** The linear rule that decides alike, or null when there is none. */
    double @Nullable [] toRule() {
        boolean couldBe = isConstant() && wait.bias() == 0 && hold.bias() <= NEVER && forward.bias() <= NEVER;
        if (!couldBe || servers.bias() != 0 || bias("server.rule") != 0) {
            return null;
        }
        double[] rule = new double[LinearPolicy.WEIGHTS];
        rule[LinearPolicy.SLOT - 1] = slots.bias() + bias("slot.rule");
        rule[LinearPolicy.DISPLACE - 1] = displace.bias() + bias("displace.rule");
        rule[LinearPolicy.BORROW] = borrow.bias();
        copy("slot.rule.weight", rule, LinearPolicy.SLOT);
        copy("server.rule.weight", rule, LinearPolicy.SERVER);
        copy("displace.rule.weight", rule, LinearPolicy.DISPLACE);
        return rule;
    }

    private float bias(String layer) {
        return parameters.get(layer + ".bias").toFloatArray()[0];
    }

    private void copy(String parameter, double[] rule, int at) {
        float[] weights = parameters.get(parameter).toFloatArray();
        for (int i = 0; i < weights.length; i++) {
            rule[at + i] = weights[i];
        }
    }

    /** {@link #score} as nodes of a graph, of an action space with preemption. */
    OnnxValue export(SectionValues sections, EmbeddingValues embeddings) {
        OnnxValue context = embeddings.context();
        OnnxValue focus = embeddings.focus();
        return wait.export(context)
                .concat(
                        1,
                        slots.export(embeddings.jobs(), context)
                                .plus(slotRule.export(sections.jobs()).squeeze(2)),
                        servers.export(embeddings.servers(), sections.candidates(), focus, context)
                                .plus(serverRule.export(sections.candidates()).squeeze(2)),
                        hold.export(focus, context),
                        forward.export(embeddings.domains(), focus, context),
                        borrow.export(embeddings.domains(), focus, context),
                        displace.export(embeddings.jobs(), context)
                                .plus(displaceRule.export(sections.jobs()).squeeze(2)));
    }
}
