package org.trainyard.agents.learned.policy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.CheckedFile;
import org.trainyard.gnn.Embeddings;
import org.trainyard.gnn.FlatEncoder;
import org.trainyard.gnn.GraphEncoder;
import org.trainyard.gnn.HierarchicalEncoder;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.SectionValues;
import org.trainyard.gnn.Sections;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * The policy network: one actor that all agents share and a central critic, over one encoder.
 *
 * <p>The actor, {@link ActorHead}, scores the actions of an agent from the agent's row alone; the critic, {@link CriticHead}, reads the
 * contexts of all agents that have a choice and is used in training only. A network can start as a linear rule ({@link #initialiseFrom}) and
 * learn a correction to it.
 *
 * <p>Owns its weights; not for use by several threads.
 */
public final class PolicyNetwork implements Policy, TrainedPolicy {
    /** The encoder of the rows. */
    public enum Encoder {
        HIERARCHICAL,
        FLAT
    }

    /**
     * @param hidden size of an embedding
     * @param rounds rounds of message passing between servers and switches; the flat encoder has none
     */
    public record Settings(Encoder encoder, int hidden, int rounds) {
        public Settings {
            if (hidden < 1 || hidden > 1024 || rounds < 0 || rounds > 16) {
                throw new IllegalArgumentException(
                        "hidden size (%d) must be 1 to 1024 and rounds (%d) 0 to 16".formatted(hidden, rounds));
            }
        }
    }

    /**
     * The outputs of a forward pass.
     *
     * @param logProbabilities N x A, about -1e9 for an illegal action
     * @param values N, in the critic's normalised unit
     */
    public record Output(NDArray logProbabilities, NDArray values) {}

    /** The kind of its files. */
    public static final String KIND = "TYPOLICY";

    private static final int VERSION = 3;
    private static final float ILLEGAL = 1e9f;

    private final Settings settings;
    private final Parameters parameters;
    private final GraphEncoder encoder;
    private final ActorHead actor;
    private final CriticHead critic;
    private @Nullable RowBatch batch;
    private boolean skipsEncoder;

    /** Initial random weights, a function of settings and seed. */
    public PolicyNetwork(Settings settings, long seed) {
        this.settings = settings;
        parameters = new Parameters(seed);
        encoder = switch (settings.encoder()) {
            case HIERARCHICAL -> new HierarchicalEncoder(parameters, settings.hidden(), settings.rounds());
            case FLAT -> new FlatEncoder(parameters, settings.hidden());
        };
        actor = new ActorHead(parameters, settings.hidden());
        critic = new CriticHead(parameters, settings.hidden());
    }

    /** Whether a parameter is a weight of the linear rule inside the network. */
    public static boolean isOfRule(String parameter) {
        return ActorHead.isOfRule(parameter);
    }

    public Settings settings() {
        return settings;
    }

    public Parameters parameters() {
        return parameters;
    }

    /** Number of weights. */
    public long parameterCount() {
        return parameters.count();
    }

    /** The SHA-256 of a file, in hexadecimal; for a policy's file the same that {@link #save} returned. */
    public static String sha256(Path file) {
        return CheckedFile.sha256(file);
    }

    /**
     * Sets the weights so that the logits are those of a linear rule, see {@link LinearPolicy}, times {@code inverseTemperature}: the
     * encoder's part is zero until it learns. A placement once begun is never held or forwarded.
     */
    public void initialiseFrom(double[] rule, double inverseTemperature) {
        cacheEmbeddings(false);
        actor.initialiseFrom(rule, inverseTemperature);
    }

    /** Multiplies all logits: the order of actions stays, and the greater the factor, the more often the best one is drawn. */
    public void scaleLogits(double factor) {
        cacheEmbeddings(false);
        actor.scaleLogits(factor);
    }

    /** A network of equal weights that shares nothing with this one; the caller closes it. */
    public PolicyNetwork copy() {
        PolicyNetwork copy = new PolicyNetwork(settings, 0);
        copy.parameters.copyFrom(parameters);
        return copy;
    }

    /** Copies the weights of a network of equal settings into this one. */
    public void copyWeightsFrom(PolicyNetwork other) {
        cacheEmbeddings(false);
        parameters.copyFrom(other.parameters);
    }

    /**
     * Keeps embeddings from batch to batch, see {@link GraphEncoder#cacheEmbeddings}, and leaves the encoder out where its part of the
     * logits is constant; or stops doing so. While it is on, weights must not change and no gradients may be asked for.
     */
    public void cacheEmbeddings(boolean isOn) {
        encoder.cacheEmbeddings(isOn);
        skipsEncoder = isOn && actor.isConstant();
    }

    /**
     * The cheapest policy that decides alike: the linear rule, when the network is one, else a copy of the network that caches
     * embeddings. This network stays as it is; the caller closes the policy.
     */
    @Override
    public Policy toInferencePolicy() {
        double[] rule = actor.toRule();
        if (rule != null) {
            return new LinearPolicy(rule);
        }
        PolicyNetwork copy = copy();
        copy.cacheEmbeddings(true);
        return copy;
    }

    /** The actor's log-probabilities and the critic's values for a batch. */
    public Output forward(RowBatch.JointRows rows) {
        Sections sections = Sections.of(rows.rows(), rows.spec());
        Embeddings embeddings = encoder.encode(sections);
        NDArray scores = actor.score(sections, embeddings, rows.spec().actions());
        return new Output(masked(scores, sections), critic.values(embeddings.context(), sections.global(), rows));
    }

    /** The actor's log-probabilities alone. */
    NDArray logProbabilities(RowBatch.JointRows rows) {
        Sections sections = Sections.of(rows.rows(), rows.spec());
        NDArray scores = skipsEncoder
                ? actor.scoreByRule(sections, rows.spec().actions())
                : actor.score(sections, encoder.encode(sections), rows.spec().actions());
        return masked(scores, sections);
    }

    /** The scores of all actions as nodes of a graph, of an action space with preemption. */
    public OnnxValue exportScores(SectionValues rows) {
        return actor.export(rows, encoder.export(rows));
    }

    private static NDArray masked(NDArray scores, Sections sections) {
        return scores.add(sections.mask().sub(1).mul(ILLEGAL)).logSoftmax(1);
    }

    /**
     * Scores a batch in one pass.
     *
     * @param logProbabilities filled with {@code rows x actions} floats
     * @param values filled with a float per row, in the critic's normalised unit; null to leave out the critic
     */
    public void score(RowBatch rows, float[] logProbabilities, float @Nullable [] values) {
        try (NDManager scope = parameters.newScope()) {
            RowBatch.JointRows tensors = rows.tensors(scope);
            float[] scored;
            if (values == null) {
                scored = logProbabilities(tensors).toFloatArray();
            } else {
                Output output = forward(tensors);
                scored = output.logProbabilities().toFloatArray();
                System.arraycopy(output.values().toFloatArray(), 0, values, 0, rows.count());
            }
            System.arraycopy(scored, 0, logProbabilities, 0, scored.length);
        }
    }

    /** Scores joint states in which all agents have a choice, {@code rows[from .. from + states x agents x spec.size() - 1]}. */
    public void score(
            float[] rows,
            int from,
            int states,
            int agents,
            ObservationSpace spec,
            float[] logProbabilities,
            float @Nullable [] values) {
        RowBatch filled = batch;
        if (filled == null || !filled.spec().equals(spec)) {
            filled = new RowBatch(spec);
            batch = filled;
        }
        filled.fill(rows, from, states, agents);
        score(filled, logProbabilities, values);
    }

    @Override
    public void act(float[] rows, int agents, ObservationSpace spec, int[] actions) {
        System.arraycopy(greedy(rows, agents, spec), 0, actions, 0, agents);
    }

    /** The likeliest action of the likeliest kind for every agent of one joint state. */
    public int[] greedy(float[] rows, int agents, ObservationSpace spec) {
        int size = spec.actions().size();
        float[] scores = new float[agents * size];
        score(rows, 0, 1, agents, spec, scores, null);
        int[] actions = new int[agents];
        Arrays.setAll(actions, agent -> ActionSampler.likeliestOfLikeliestKind(scores, agent * size, spec.actions()));
        return actions;
    }

    @Override
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("encoder", settings.encoder().name());
        facts.put("hidden", settings.hidden());
        facts.put("rounds", settings.rounds());
        facts.put("parameters", parameterCount());
        return facts;
    }

    @Override
    public String save(Path file) {
        return CheckedFile.write(file, KIND, VERSION, out -> {
            out.writeUTF(ObservationSpace.schemaHash());
            out.writeUTF(settings.encoder().name());
            out.writeInt(settings.hidden());
            out.writeInt(settings.rounds());
            parameters.write(out);
        });
    }

    /**
     * The network in a file.
     *
     * @throws InputException when there is no such file, it is foreign or damaged, or its observations have other columns
     */
    public static PolicyNetwork load(Path file) {
        try (DataInputStream in = CheckedFile.read(file, KIND, VERSION)) {
            ObservationSpace.requireSchema(file.toString(), in.readUTF());
            String name = in.readUTF();
            if (Arrays.stream(Encoder.values()).noneMatch(e -> e.name().equals(name))) {
                throw InputException.at(file.toString(), name, "one of " + Arrays.toString(Encoder.values()));
            }
            PolicyNetwork network =
                    new PolicyNetwork(new Settings(Encoder.valueOf(name), in.readInt(), in.readInt()), 0);
            network.parameters.read(in, file.toString());
            return network;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s".formatted(file), e);
        }
    }

    @Override
    public void close() {
        parameters.close();
    }
}
