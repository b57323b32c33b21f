package org.trainyard.agents.learned;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.ActionLayout;
import org.trainyard.env.gym.ObservationSpec;
import org.trainyard.gnn.CheckedFile;
import org.trainyard.gnn.Dense;
import org.trainyard.gnn.Embeddings;
import org.trainyard.gnn.FlatEncoder;
import org.trainyard.gnn.GraphEncoder;
import org.trainyard.gnn.HierarchicalEncoder;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Sections;
import org.trainyard.gnn.Tensors;

/**
 * One actor for all agents, and their central critic, over one encoder.
 *
 * <p>The actor scores the actions of an agent from the agent's row alone: waiting by the context; a slot by its job; a server by its
 * embedding, what the job taken up would be there and that job; holding by that job; forwarding to a domain and borrowing from it by its
 * node and that job. The critic
 * sees the contexts of all agents and serves in training only.
 *
 * <p>Jobs, servers and displacing are also scored by weighted sums of their own columns, a {@link LinearPolicy} inside the network, to
 * which the encoder's scores are added: a network can start as a rule ({@link #become}) and learn what the rule does not say.
 *
 * <p>Owns its weights; not for use by several threads.
 */
public final class PolicyNetwork implements Policy, AutoCloseable {
    /** Which encoder reads the rows. */
    public enum Encoder {
        HIERARCHICAL,
        FLAT
    }

    /**
     * @param hidden numbers per embedding
     * @param rounds of messages between servers and switches; the flat encoder has none
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
     * What a pass gives, as tensors.
     *
     * @param logProbabilities N x A, about -1e9 for an action not on offer
     * @param values N, in the critic's normalised unit
     */
    record Output(NDArray logProbabilities, NDArray values) {}

    private static final String KIND = "TYPOLICY";
    private static final int VERSION = 2;
    private static final float NOT_ON_OFFER = 1e9f;
    /** First score of putting work off: an untrained agent works, and its episodes end. */
    private static final float RELUCTANT = -2;
    /** The score of what a rule does not do. */
    private static final float NEVER = -1e6f;

    private final Settings settings;
    private final Parameters parameters;
    private final GraphEncoder encoder;
    private final Scorer wait;
    private final Scorer slots;
    private final Scorer servers;
    private final Scorer hold;
    private final Scorer forward;
    private final Scorer borrow;
    private final Scorer displace;
    private final Dense slotRule;
    private final Dense serverRule;
    private final Dense displaceRule;
    private final Dense critic;
    private final Dense value;
    private final Staging staging = new Staging();

    /** An untrained one; equal settings and seeds give equal weights. */
    public PolicyNetwork(Settings settings, long seed) {
        this.settings = settings;
        parameters = new Parameters(seed);
        int h = settings.hidden();
        encoder = switch (settings.encoder()) {
            case HIERARCHICAL -> new HierarchicalEncoder(parameters, h, settings.rounds());
            case FLAT -> new FlatEncoder(parameters, h);
        };
        wait = new Scorer(parameters, "wait", RELUCTANT, h, h);
        slots = new Scorer(parameters, "slot", 0, h, h, h);
        servers = new Scorer(parameters, "server", 0, h, h, ObservationSpec.CANDIDATE, h, h);
        hold = new Scorer(parameters, "hold", RELUCTANT, h, h, h);
        forward = new Scorer(parameters, "forward", RELUCTANT, h, h, h, h);
        borrow = new Scorer(parameters, "borrow", 0, h, h, h, h);
        displace = new Scorer(parameters, "displace", RELUCTANT, h, h, h);
        slotRule = Dense.of(parameters, "slot.rule", ObservationSpec.JOB, 1, 0, 0);
        serverRule = Dense.of(parameters, "server.rule", ObservationSpec.CANDIDATE, 1, 0, 0);
        displaceRule = Dense.of(parameters, "displace.rule", ObservationSpec.JOB, 1, 0, 0);
        critic = Dense.of(parameters, "critic", 2 * h + ObservationSpec.GLOBAL, h);
        value = Dense.of(parameters, "value", h, 1, 1, 0);
    }

    public Settings settings() {
        return settings;
    }

    public Parameters parameters() {
        return parameters;
    }

    /** How many numbers it has learned. */
    public long parameterCount() {
        return parameters.count();
    }

    /** The SHA-256 of a file, in hexadecimal; for a policy's file the same that {@link #save} returned. */
    public static String sha256(Path file) {
        return CheckedFile.sha256(file);
    }

    /**
     * Becomes a rule: scores by the rule's weights times {@code sharpness}, and adds nothing to them until it learns. It never holds
     * or forwards what it has taken up.
     */
    public void become(double[] rule, double sharpness) {
        new LinearPolicy(rule);
        freeze(false);
        wait.level(0);
        hold.level(NEVER);
        forward.level(NEVER);
        slots.level((float) (sharpness * rule[LinearPolicy.SLOT - 1]));
        servers.level(0);
        displace.level((float) (sharpness * rule[LinearPolicy.DISPLACE - 1]));
        borrow.level((float) (sharpness * rule[LinearPolicy.BORROW]));
        parameters.set("slot.rule.weight", part(rule, LinearPolicy.SLOT, ObservationSpec.JOB, sharpness));
        parameters.set("server.rule.weight", part(rule, LinearPolicy.SERVER, ObservationSpec.CANDIDATE, sharpness));
        parameters.set("displace.rule.weight", part(rule, LinearPolicy.DISPLACE, ObservationSpec.JOB, sharpness));
    }

    private static float[] part(double[] rule, int from, int count, double sharpness) {
        float[] weights = new float[count];
        for (int i = 0; i < count; i++) {
            weights[i] = (float) (sharpness * rule[from + i]);
        }
        return weights;
    }

    /** Says that the weights stay as they are and no gradients are asked for from now on, or that they may change: see {@link GraphEncoder#freeze}. */
    void freeze(boolean isNow) {
        encoder.freeze(isNow);
    }

    /**
     * What decides alike at least cost: a rule, when that is all there is to this network, or the network itself, which must not learn
     * while it is in use.
     */
    public Policy deployed() {
        boolean isRule =
                wait.isLevel() && slots.isLevel() && servers.isLevel() && borrow.isLevel() && displace.isLevel();
        if (!isRule || wait.bias() != 0 || hold.bias() != NEVER || forward.bias() != NEVER) {
            freeze(true);
            return this;
        }
        double[] rule = new double[LinearPolicy.WEIGHTS];
        rule[LinearPolicy.SLOT - 1] = slots.bias();
        rule[LinearPolicy.DISPLACE - 1] = displace.bias();
        rule[LinearPolicy.BORROW] = borrow.bias();
        copy("slot.rule", rule, LinearPolicy.SLOT);
        copy("server.rule", rule, LinearPolicy.SERVER);
        copy("displace.rule", rule, LinearPolicy.DISPLACE);
        return new LinearPolicy(rule);
    }

    private void copy(String name, double[] rule, int at) {
        float[] weights = parameters.get(name + ".weight").toFloatArray();
        for (int i = 0; i < weights.length; i++) {
            rule[at + i] = weights[i];
        }
        rule[at - 1] +=
                at == LinearPolicy.SERVER ? 0 : parameters.get(name + ".bias").toFloatArray()[0];
    }

    /** Rows {@code [B x P, spec.size()]}, the {@code agents} of a joint state one after another. */
    Output forward(NDArray rows, int agents, ObservationSpec spec) {
        Sections sections = Sections.of(rows, spec);
        Embeddings seen = encoder.encode(sections);
        NDArray context = seen.context();
        NDList parts = new NDList(
                slots.score(seen.jobs(), context)
                        .add(slotRule.apply(sections.jobs()).squeeze(2)),
                servers.score(seen.servers(), sections.candidates(), seen.focus(), context)
                        .add(serverRule.apply(sections.candidates()).squeeze(2)),
                hold.score(seen.focus(), context),
                forward.score(seen.domains(), seen.focus(), context),
                borrow.score(seen.domains(), seen.focus(), context));
        if (spec.actions().preemption()) {
            parts.add(displace.score(seen.jobs(), context)
                    .add(displaceRule.apply(sections.jobs()).squeeze(2)));
        }
        NDArray scores = wait.score(context).getNDArrayInternal().concat(parts, 1);
        NDArray masked = scores.add(sections.mask().sub(1).mul(NOT_ON_OFFER));
        return new Output(masked.logSoftmax(1), values(context, sections.global(), agents));
    }

    private NDArray values(NDArray context, NDArray global, int agents) {
        NDArray own = context.reshape(-1, agents, settings.hidden());
        NDArray all = own.mean(new int[] {1}, true).broadcast(own.getShape());
        NDArray seen = Tensors.beside(own, all, global.reshape(-1, agents, ObservationSpec.GLOBAL));
        return value.apply(critic.applyRelu(seen)).reshape(-1);
    }

    /**
     * Scores the joint states in {@code rows[from .. from + states x agents x spec.size() - 1]} in one pass.
     *
     * @param logProbabilities filled with {@code states x agents x actions} floats
     * @param values filled with {@code states x agents} floats in the critic's normalised unit
     */
    void score(
            float[] rows,
            int from,
            int states,
            int agents,
            ObservationSpec spec,
            float[] logProbabilities,
            float[] values) {
        int count = states * agents;
        staging.fill(count * spec.size()).put(rows, from, count * spec.size());
        try (NDManager scope = parameters.newScope()) {
            Output output = forward(staging.tensor(scope, count, spec.size()), agents, spec);
            float[] scored = output.logProbabilities().toFloatArray();
            System.arraycopy(scored, 0, logProbabilities, 0, scored.length);
            System.arraycopy(output.values().toFloatArray(), 0, values, 0, count);
        }
    }

    @Override
    public void act(float[] rows, int agents, ObservationSpec spec, int[] actions) {
        System.arraycopy(greedy(rows, agents, spec), 0, actions, 0, agents);
    }

    /**
     * What every agent of one joint state does when it does not draw: the likeliest action of the likeliest kind, of equals the first.
     *
     * <p>Kinds come first because one wait stands against many jobs to take up: when each of ten is a little less likely than waiting,
     * the policy works far more often than it waits.
     */
    public int[] greedy(float[] rows, int agents, ObservationSpec spec) {
        int size = spec.actions().size();
        float[] scores = new float[agents * size];
        score(rows, 0, 1, agents, spec, scores, new float[agents]);
        int[] actions = new int[agents];
        Arrays.setAll(actions, agent -> likeliestOfKind(scores, agent * size, spec.actions()));
        return actions;
    }

    static int likeliestOfKind(float[] logProbabilities, int at, ActionLayout layout) {
        int choice = ActionLayout.WAIT;
        double most = 0;
        for (ActionLayout.Kind kind : ActionLayout.Kind.values()) {
            double mass = 0;
            int best = -1;
            for (int action = 0; action < layout.size(); action++) {
                if (layout.kindOf(action) == kind) {
                    mass += Math.exp(logProbabilities[at + action]);
                    best = best < 0 || logProbabilities[at + action] > logProbabilities[at + best] ? action : best;
                }
            }
            if (mass > most) {
                most = mass;
                choice = best;
            }
        }
        return choice;
    }

    static int likeliest(float[] logProbabilities, int at, int size) {
        int best = 0;
        for (int i = 1; i < size; i++) {
            if (logProbabilities[at + i] > logProbabilities[at + best]) {
                best = i;
            }
        }
        return best;
    }

    /** Draws an action by inverting the distribution function; one number of the stream each. */
    static int sample(float[] logProbabilities, int at, int size, RandomGenerator random) {
        double left = random.nextDouble();
        int last = 0;
        for (int i = 0; i < size; i++) {
            double probability = Math.exp(logProbabilities[at + i]);
            if (probability > 0) {
                last = i;
                left -= probability;
                if (left < 0) {
                    return i;
                }
            }
        }
        return last;
    }

    /** Writes settings and weights; returns the SHA-256 of the file. */
    public String save(Path file) {
        return CheckedFile.write(file, KIND, VERSION, out -> {
            out.writeUTF(settings.encoder().name());
            out.writeInt(settings.hidden());
            out.writeInt(settings.rounds());
            parameters.write(out);
        });
    }

    /**
     * The network in a file.
     *
     * @throws InputException when there is no such file, or it is foreign or damaged
     */
    public static PolicyNetwork load(Path file) {
        try (DataInputStream in = CheckedFile.read(file, KIND, VERSION)) {
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
